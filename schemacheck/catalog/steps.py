"""A script of DDL run statement by statement: what each one makes of the tables before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from schemacheck.catalog.script import Script
from schemacheck.dataclass import dataclass, field
from schemacheck.knowledge import characters
from schemacheck.model.history import Part
from schemacheck.model.location import Location
from schemacheck.model.problem import InputProblem
from schemacheck.model.schema import Schema
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.model.variable import Standing, canonical, folded, standing
from schemacheck.sql.assignment import is_set_of_variables, set_variables
from schemacheck.sql.ddl.parse import Definition
from schemacheck.sql.lexer import tokens_of
from schemacheck.sql.parts import statements_of
from schemacheck.sql.words import Name

#: Variables of a session that its events carry, or that choose them; those of GTIDs besides.
_LOGGED = frozenset(("binlog_row_image", "pseudo_slave_mode", "server_id", "skip_replication"))


@dataclass(frozen=True, slots=True)
class Step:
    """One statement. `sql` is its text without the delimiter, `read_as` that text as the server reads it,
    `words` its first words in capitals, `definition` what it defines; `database` is the default database
    under which it runs and `server` the server with its session's settings; `before` and `after` are the
    tables by (database, name); `problems` are what it brought; the last step has the databases' `charsets`.
    """

    sql: str
    read_as: str
    words: tuple[str, ...]
    definition: Definition | None
    location: Location | None
    database: str | None
    before: dict[Name, Table]
    after: dict[Name, Table]
    problems: tuple[InputProblem, ...] = ()
    server: Server | None = None
    charsets: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def unlogged(self) -> bool:
        """Whether its session writes nothing to the binary log (sql_log_bin = 0)."""
        return self.server is not None and folded(self.server.setting("sql_log_bin")) == "0"

    @property
    def beyond(self) -> str:
        """Why a SET is not followed: it changes the server, or what is logged behind it; '' for others."""
        if self.words[:1] != ("SET",) or self.server is None or self.problems:
            return ""
        t = tokens_of(self.read_as, self.server)
        for one in set_variables(t)[0] if is_set_of_variables(t) else ():
            name = canonical(one.name[-1])
            whole = one.scope not in ("", "session", "local") and standing(name) is not Standing.HARMLESS
            if not one.user and (whole or name.startswith("gtid_") or name in _LOGGED):
                what = "changes the server or what it logs, not this session alone"
                return f"SET {name} {what}: run it apart from the change"
        return ""


def steps(
    text: str, server: Server, *, file: str = "-", database: str | None = None, base: Schema | None = None,
    parts: Sequence[Part] | None = None,
) -> Iterator[Step]:  # fmt: skip
    """The statements of a script, in order, each run on the tables that the ones before left, and its end; as
    `read`, whose parameters these are; `base` has the databases' character sets ("": of tables without one).
    """
    base = base or Schema()
    script = Script(text, server, file, database, Schema(base.tables), base.charsets)
    script.doubts.applied = True  # each is a statement that the source is going to run
    catalog = script.catalog
    catalog.drafts = True
    before = dict(catalog.tables)
    seen = 0
    for statement in statements_of(script.text, lambda: catalog.server, parts):
        settings = catalog.server
        script.run(statement)
        after = dict(catalog.tables)
        yield Step(
            characters.strip(script.ran),
            script.read_as,
            tuple(script.words),
            script.definition,
            catalog.lines.at(statement.start, statement.start + 1),
            catalog.database,
            before,
            after,
            tuple(catalog.problems[seen:]),
            settings,
        )
        before, seen = after, len(catalog.problems)
    # The end is a step of its own on every server: what was left open is reported there.
    script.finish()
    end = catalog.lines.at(len(script.text))
    problems = tuple(catalog.problems[seen:])
    yield Step("", "", (), None, end, catalog.database, before, before, problems, charsets=catalog.databases)
