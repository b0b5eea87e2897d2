"""What is done on one end only, before the channel starts: it makes the two ends differ."""

from __future__ import annotations

from schemacheck.sql.statements import parse
from schemacheck.sql.statements.value import DefinitionStatement
from schemacheck.workload import as_definition, objects, rows
from schemacheck.workload.state import Workload


def on_replica(work: Workload, text: str) -> None:
    """A statement that only the replica has run."""
    objects.apart(work.objects.there, text)
    as_definition.keep_other(work, text)
    statement = parse(text, work.server)
    if statement.verb == "create-trigger":
        work.triggered[statement.refs[0].name.casefold()] = text
    elif isinstance(statement, DefinitionStatement) and statement.verb == "create-database":
        if work.filters is not None and statement.database:
            work.filters.made(statement.database)
    elif statement.verb == "drop-database":
        work.database_gone = True
    elif statement.verb == "alter-database":
        work.default_differs = True
    elif statement.verb == "drop-table":
        work.gone |= {ref.name.casefold() for ref in statement.refs}
        work.replica.run(text, work.server)
    elif (made := rows.inserted(text)) is not None:
        work.rows.extra.setdefault(made[0], set()).update(made[1])
    else:
        work.replica.run(text, work.server)


def on_source(work: Workload, text: str, *, logged: bool) -> None:
    """A statement of the source's session that is no SET: logged, or not (sql_log_bin = 0)."""
    made = rows.inserted(text)
    if made is not None and not logged:
        if work.source.table(made[0]) is not None:
            work.rows.absent.setdefault(made[0], set()).update(made[1])
            work.filled.add(made[0].casefold())
    elif not logged:
        statement = parse(text, work.ends.source)
        if objects.apart(work.objects.here, text):
            if statement.verb == "create-trigger":
                work.source.run(text, work.ends.source)
            as_definition.keep_routine(work, text, work.session, alone=True)
            return
        work.default_differs = work.default_differs or statement.verb == "alter-database"
        work.source.run(text, work.ends.source)
        if statement.verb == "create-table":
            work.gone |= {ref.name.casefold() for ref in statement.refs}
    else:
        work.source.run(text, work.ends.source)
        work.replica.run(text, work.server)
