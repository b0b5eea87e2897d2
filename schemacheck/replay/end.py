"""One server that runs statements: the source its own, the replica those that arrive."""

from __future__ import annotations

from dataclasses import fields

from schemacheck import knowledge
from schemacheck.catalog.presence import Key
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.filters.decision import QueryEvent
from schemacheck.filters.faults import answers
from schemacheck.filters.replica import Applier
from schemacheck.filters.rules import ReplicaRules
from schemacheck.link import Ends, dialect, variables
from schemacheck.model import InputProblem, Link, Location, Schema, Server, ServerError, Table
from schemacheck.model.filters import FilterSet
from schemacheck.replay.logged import Logged
from schemacheck.replay.mentions import of_temporary
from schemacheck.replay.other_rows import converted
from schemacheck.replay.statements import QUERIES, Changed, StatementDecider, query_first
from schemacheck.replay.tables import DDL, Definitions
from schemacheck.sql.ddl.actions import AlterTable, Options, Rename
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.ddl.parse import Definition
from schemacheck.sql.statements import Ref, Statement, parse
from schemacheck.sql.statements.value import DML, DefinitionStatement

#: The database of schemas that name none; servers' messages show it, and nobody knows the name.
UNNAMED = "..."
#: Settings of an applier: any key of a parent will do (asked of 9.7 behind three sources), a versioned table
#: is altered as the source has altered it.
_SETTINGS = {"restrict_fk_on_non_standard_key": "OFF", "system_versioning_alter_history": "KEEP"}
#: The version that transactions of an older source have.
_OLD = {"original_server_version": "0"}
#: Where tables stand that a statement makes, until their statement's place is known.
_HERE = Location("@")


def applier(link: Link) -> Server:
    """The replica with what the applier sets for its statements. MySQL 8.0 and later say which version a
    statement comes from (Gtid_log_event); without it MySQL takes the source for one that knows no CHECK.
    """
    old = link.source.mariadb or not link.source.has("check-constraints")
    return link.replica.with_told(_SETTINGS | _OLD if old else _SETTINGS)


@dataclass(slots=True)
class Ran:
    """What became of a statement on a server: whether the filters let it run, the error that it ends with in
    the applier's words, what it changes by rows, what could not be followed.
    """

    executed: bool = False
    error: ServerError | None = None
    changed: list[Changed] = field(default_factory=list)
    problems: list[InputProblem] = field(default_factory=list)


class End:
    """A server that runs the statements of a source. `link` may be another one from statement to statement
    (a log knows best who wrote it).
    """

    def __init__(
        self, schema: Schema, link: Link, filters: FilterSet | None = None, *, own: bool = False,
        source: Definitions | None = None,
    ) -> None:  # fmt: skip
        """`own`: the statements are the server's own. `source` are the tables of the server on which they ran
        first, None where nobody knows them.
        """
        self.link = link
        self.own = own
        self.rules = ReplicaRules(filters or FilterSet(), link.replica)
        self.tables = Definitions(schema, link.replica if own else applier(link))
        self.present = self.tables.presence()
        self.statements = StatementDecider(source or self.tables, self.tables, self.present)

    @property
    def server(self) -> Server:
        """The server of this end, on which statements run."""
        return self.link.replica

    def lacks(self, ref: Ref, logged: Logged) -> bool:
        """Whether nothing of this name is there."""
        key = self.present.resolve((ref.database, ref.name), logged.database or None)
        return key is not None and self.present.has(key) is False

    def table(self, logged: Logged, alter: Definition | None) -> Table | None:
        """The table that ALTER TABLE names, under its new name where it has got one."""
        if not isinstance(alter, AlterTable):
            return None
        names = [alter.table, *(action.to for action in alter.actions if isinstance(action, Rename))]
        result = (self.tables.get(home or logged.database, name) for home, name in reversed(names))
        return next((table for table in result if table is not None), None)

    def run(self, logged: Logged, statement: Statement, where: Location) -> Ran:
        """Run a statement that `parse` has read: filters and names first, then the definitions. What it has
        made by then stays where an error ends it.
        """
        ran = Ran()
        inner = replace(logged, query=statement.inner) if statement.inner else logged
        error = self._run(inner, statement, where, ran)
        ran.error = logged.stops(error) if error is not None else None
        return ran

    def _run(self, logged: Logged, statement: Statement, where: Location, ran: Ran) -> ServerError | None:
        def problem(message: str, code: str = "SC004") -> None:
            ran.problems.append(InputProblem(code, message, where))

        default, defines = logged.database or None, statement.verb in DDL
        if defines and (why := of_temporary(statement, logged, self.present)):
            problem(why)
            return None
        arrived = self.rules.rewrite(self.rules.arriving(default))[0] if default else None
        unsure, place = self._places(statement, arrived)
        taken = any(key is not None and self.present.has(key) for key in place)
        applier = Applier(self.rules, self.present)
        applier.apply(QueryEvent(asked(statement, logged, self.tables, arrived), default))
        ran.executed = bool(applier.executed)
        for reason in applier.unknown:
            problem(f"what the filters make of {logged.short} cannot be determined: {reason}", "SC003")
        if applier.error is not None and taken and query_first(statement, applier.error, self.server):
            return self.statements.query(statement, (default, arrived), self.link)[0] or applier.error
        if applier.error is not None or not applier.executed:
            return applier.error
        if statement.verb in DML:
            for reason in applier.notes:
                if reason not in statement.problems:
                    problem(f"what {logged.short} changes cannot be determined: {reason}")
            # The sql_mode travels with the statement.
            link = Link(logged.on(self.link.source), self.link.replica)
            ran.changed = self.statements.decide(statement, (default, arrived), applier.changed, link)
            if not any(changed.error for changed in ran.changed):
                return self.statements.misses(statement, arrived, link.replica)
        elif reads := variables.of_definition(Ends(self.link), dialect.plain(logged.query), {}):
            if reads.number:
                texts = knowledge.load("binlog")["statement-errors"][str(reads.number)]
                return ServerError(reads.number, texts["text"], texts["symbol"])
            if not self.own:
                problem(reads.why)
        if statement.verb == "create-trigger":
            return self.statements.trigger(statement, arrived, self.link)
        if statement.verb == "truncate":
            return self.tables.truncated(logged, statement, arrived)
        if not defines or (answers(statement) and not self.tables.has_tables(place)):
            return None
        for database in unsure:
            problem(f"whether the database {database} is there is not known: {logged.short}")
        passed_over = taken and statement.conditional and statement.verb == "create-table-select"
        if statement.verb in QUERIES and not passed_over:
            refusal, reason = self.statements.query(statement, (default, arrived), self.link)
            if refusal is not None:
                return refusal
            if reason and statement.verb != "create-table-select":  # the catalog follows that query
                problem(f"whether {logged.short} runs on the replica cannot be determined: {reason}")
        before = self.table(logged, statement.definition)
        problems, error = self.tables.apply(logged, statement, arrived, where)
        after = self.table(logged, statement.definition)
        if before and after and not self.own and (why := converted(before, after, self.link)):
            problem(why)
        ran.problems += [InputProblem(problem.code, problem.message, where) for problem in problems]
        return error

    def _places(self, statement: Statement, arrived: str | None) -> tuple[list[str], list[Key | None]]:
        """The databases that a statement renames into and of which nobody knows whether they are there, and
        what stands where it works first. Its databases are described before.
        """
        named = {ref.database for ref in statement.refs} | {new for _, (new, _) in statement.renames}
        for database in {arrived, *named}:
            if database is not None:
                self.tables.describe(self.present, database)
        new = [self.present.resolve(name, arrived) for _, name in statement.renames]
        targets = {key[0] for key in new if key is not None}
        unsure = [database for database in targets if self.present.has_database(database) is None]
        return unsure, [self.present.resolve((ref.database, ref.name), arrived) for ref in statement.refs[:1]]

    def attempt(self, logged: Logged, where: Location | None) -> Ran:
        """The same of a statement as the source has written it. A refused one leaves everything as it was."""
        before, held = self.present.copy(), dict(self.tables.tables)
        statement = parse(logged.query, logged.on(self.link.source))
        ran = self.run(logged, statement, _HERE)
        ran.error = ran.error or next(
            (logged.stops(changed.error) for changed in ran.changed if changed.error), None
        )
        if ran.error is not None:
            for item in fields(self.present):
                setattr(self.present, item.name, getattr(before, item.name))
        unread = [
            InputProblem("SC002", f"a statement was not understood: {reason}")
            for reason in statement.problems
        ]
        ran.problems = [
            replace(fromkey, location=where) for fromkey in dict.fromkeys((*unread, *ran.problems))
        ]
        for key, table in self.tables.tables.items():
            if table is not held.get(key) and table.location and table.location.file == _HERE.file:
                self.tables.tables[key] = replace(table, location=where)
        return ran

    def schema(self, before: Schema, home: str) -> Schema:
        """The tables as they are now; `home` is the database of those that named none in `before`."""
        held = self.present.held
        places = [
            (event, self.tables.key(event.database or home, event.name.casefold())) for event in before.events
        ]
        events = tuple(event for event, key in places if ("event", key) in held)
        tables = tuple(_named(table) for table in self.tables.tables.values())
        return replace(before, tables=tables, events=events)


def placed(schema: Schema, database: str) -> Schema:
    """The schema with a database for the tables that name none."""
    tables = tuple(table if table.database else replace(table, database=database) for table in schema.tables)
    events = tuple(event if event.database else replace(event, database=database) for event in schema.events)
    routines = tuple(
        routine if routine.database else replace(routine, database=database) for routine in schema.routines
    )
    return replace(schema, tables=tables, events=events, routines=routines)


def _named(table: Table) -> Table:
    """The opposite: no database where nobody named it."""
    return replace(table, database=None) if table.database == UNNAMED else table


def asked(statement: Statement, logged: Logged, tables: Definitions, database: str | None) -> Statement:
    """The statement without the parents that may be missing: foreign_key_checks is off, or the table's engine
    takes the clause and forgets it (recorded on four servers).
    """
    if not isinstance(statement, DefinitionStatement) or not (statement.parents or statement.inline_parents):
        return statement
    if logged.checks_foreign_keys and _engine(statement, tables, database).casefold() == "innodb":
        return statement
    return replace(statement, parents=(), inline_parents=())


def _engine(statement: DefinitionStatement, tables: Definitions, database: str | None) -> str:
    """The engine of the table that a definition makes or alters."""
    draft = statement.definition
    given = None
    if isinstance(draft, TableDraft):
        given = draft.options.engine
    elif isinstance(draft, AlterTable):
        given = next((a.options.engine for a in draft.actions if isinstance(a, Options)), None)
        home = draft.table[0] or database
        held = tables.get(home, draft.table[1]) if home else None
        given = given or (held.engine if held is not None else None)
    return given or tables.server.setting("default_storage_engine") or "InnoDB"
