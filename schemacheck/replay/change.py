"""A change of the source as it is replicated: its definitions run on the source, are logged as statements,
and run on the replica's definitions, one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from schemacheck.catalog import asked
from schemacheck.catalog.state import server_charset
from schemacheck.catalog.steps import Step, steps
from schemacheck.conversion.error import server_error
from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import defect
from schemacheck.link import dialect
from schemacheck.link.session import skips_statements, unknown_number
from schemacheck.model import InputProblem, Link, Refusal, Schema, Server, ServerError
from schemacheck.model.filters import FilterSet
from schemacheck.model.replicated import RefusedStatement
from schemacheck.replay.end import UNNAMED, End, placed
from schemacheck.replay.logged import SQL_MODES, Logged, bare
from schemacheck.replay.other_rows import other_rows, own_rows, refused_rows
from schemacheck.replay.unlisted import unlisted, unlisted_program
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.flavor import reserved_apart
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.words import DEFINES, UNREPLICATED, Name, names_charset, object_of, unknown_verb

#: Statements whose text the source writes anew for the log (DEFINER, quotes), so that the error shows that
#: text.
_REWRITTEN = (
    "create-view", "alter-view", "drop-table", "drop-view", "drop-sequence", "create-trigger",
    "create-table-select", "create-procedure", "create-function", "create-event",
)  # fmt: skip

_DEFINES = tuple((word,) for word in (*DEFINES, "GRANT", "REVOKE"))
_ACCOUNTS = (("SET", "PASSWORD"), ("SET", "DEFAULT"))
#: What the catalog reads as each server does.
_TABLES = ("TABLE", "TABLES", "INDEX")
#: Statements that run another one.
_RUN_OTHERS = ("EXECUTE", "CALL")
_WRITES = ("INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "MERGE", "WITH")
_ROWS = tuple((word,) for word in _WRITES)
#: Statements that leave rows and definitions as they are.
_KEEPS = ("ANALYZE", "OPTIMIZE", "REPAIR", "FLUSH", "PREPARE", "DO", "CACHE")

_OF_EVENTS = ("sql_require_primary_key", "sql_generate_invisible_primary_key")
#: Character sets of which MariaDB 11.5 and later choose the default collation.
_UNICODE = ("utf8mb3", "ucs2", "utf8mb4", "utf16", "utf32")
#: Variables that definitions depend on, and that no event carries.
_OF_SESSIONS = (
    "innodb_strict_mode", "default_storage_engine", "max_heap_table_size", "character_set_collations",
    "old_mode",
)  # fmt: skip
_CHECK = re.compile(r"\bcheck\s*\(", re.IGNORECASE)
#: ER_PARSE_ERROR, ER_NO_SUCH_TABLE.
_SYNTAX, _NO_TABLE = 1064, 1146


@dataclass(frozen=True, slots=True)
class Replayed:
    """Both ends after a change: the source behind its last statement, the replica behind the last one that it
    applied; the statement that it refused; what could not be followed; statements that both ends run, and
    that leave other rows on the replica.
    """

    source: Schema
    replica: Schema
    refused: RefusedStatement | None
    problems: tuple[InputProblem, ...]
    differing: tuple[RefusedStatement, ...] = ()


def replay(
    source: Schema, replica: Schema, scripts: Sequence[tuple[str, str]], link: Link, *,
    database: str | None = None, filters: FilterSet | None = None,
) -> Replayed:  # fmt: skip
    """Run a change (`scripts`: file and text of each, in order) on both ends of `link`.

    The definitions are those before the change. `database` is the default database (without it the only one
    that the source's tables name). Of the source's statements only definitions are run; a statement that the
    source refuses is a problem and is not logged. The replica stops at the first statement that it refuses.
    Raises nothing for bad input.
    """
    ends = BothEnds(source, replica, link, database, filters)
    doubted: dict[Name, InputProblem] = {}
    for file, text in scripts:
        for step in ends.steps(file, text):
            folded = step.sql.casefold()
            why = next((doubted[name] for name in doubted if _names(folded, name)), None)
            try:
                if why is None and defines(step):
                    ends.take(step)
                elif why is None:
                    ends.problems += (
                        _of_change(ends.on_source(step)) or step.problems or _left_out(step, link)
                    )
            except Exception as error:  # noqa: BLE001 a defect costs this statement's tables, not the change
                why = InputProblem("SC004", defect(error), step.location)
                ends.problems += [] if ends.named(folded) else [why]
            if why is not None:
                doubted |= dict.fromkeys(ends.named(folded), why)
    ends.problems += (replace(why, database=name[0], table=name[1]) for name, why in doubted.items())
    problems = (replace(p, database=None) if p.database == UNNAMED else p for p in ends.problems)
    return Replayed(
        ends.source.schema(source, ends.home), ends.replica.schema(replica, ends.home),
        ends.refused, tuple(problems), tuple(ends.differing),
    )  # fmt: skip


def of_session(step: Step, source: Server, replica: Server) -> str:
    """Why the replica may make something else of a definition: its session has set what no event carries, a
    word is reserved there alone, or the source passes over a CHECK (asked of MySQL 5.6 behind which MariaDB
    10.11 and 11.8 stop with 4025).
    """
    kept = not source.has("check-constraints") and replica.mariadb and replica.has("check-constraints")
    if kept and step.words[:1] == ("ALTER",) and _CHECK.search(dialect.plain(step.sql)):
        return f"{source} passes over CHECK; {replica} holds the rows that are there against it (4025)"
    if word := reserved_apart(dialect.plain(step.sql), source, replica):
        return f"{word} is a reserved word of {replica}: as a name it needs quotes"
    values = {name: step.server.setting(name) for name in _OF_SESSIONS} if step.server else {}
    name = next(
        (n for n, value in values.items() if value not in (source.setting(n), replica.setting(n))), ""
    )
    return f"{name} of a session is not logged: the replica runs the definition under its own" if name else ""


def _names(text: str, name: Name) -> bool:
    """Whether a table's name stands in a folded text."""
    table = name[1].casefold()
    return table in text and re.search(rf"(?<![\w$]){re.escape(table)}(?![\w$])", text) is not None


class BothEnds:
    """A source and a replica while the source's statements run, one after the other."""

    def __init__(
        self, source: Schema, replica: Schema, link: Link, database: str | None, filters: FilterSet | None
    ) -> None:
        named = {table.database for table in source.tables if table.database}
        self.link = link
        self.home = database or (next(iter(named)) if len(named) == 1 else UNNAMED)
        # The source runs its own statements as any server runs what arrives, but forgives nothing.
        own = link.source
        if own.mariadb:
            own = own.with_told({"slave_ddl_exec_mode": "STRICT"})
        source, replica = placed(source, self.home), placed(replica, self.home)
        self.source = End(source, Link(own, own), own=True)
        self.replica = End(replica, streamed(link), filters, source=self.source.tables)
        # An input that lists one program lists all of its kind: where neither does, nobody knows.
        listed = {kind for schema in (source, replica) for kind, _, _ in schema.programs}
        for end in (self.source, self.replica):
            # All tables of the database are in the schema, also where it has none.
            end.present.closed.add(end.tables.case(self.home))
            end.present.listed |= listed
        #: Whether sessions may have any collation; else their source's default one.
        self.any_session = False
        self.problems: list[InputProblem] = []
        self.refused: RefusedStatement | None = None
        self.differing: list[RefusedStatement] = []

    def steps(self, file: str, text: str) -> Iterator[Step]:
        """The statements of a script, which begins with the source's tables as they are now."""
        base = Schema(tuple(self.source.tables.tables.values()))
        return steps(text, self.link.source, file=file, database=self.home, base=base)

    def named(self, text: str) -> set[Name]:
        """The tables of both ends that may be meant in a statement (folded): whose names are in its text."""
        names = {
            (None if table.database == UNNAMED else table.database, table.name)
            for end in (self.source, self.replica)
            for table in end.tables.tables.values()
        }
        return {name for name in names if _names(text, name)}

    def on_source(self, step: Step) -> list[InputProblem]:
        """A definition, or a change of rows, runs on the source alone: its error, or why it may meet one."""
        if not defines(step) and step.words[:1] not in _ROWS:
            return []
        logged, refs = self.logged(step), parse(step.sql, self.link.source).refs
        with asked.aside():
            ran = self.source.attempt(logged, step.location)
        if ran.error is None:  # what servers have answered, they have answered to the statement
            return [] if asked.are_there() or not defines(step) else ran.problems
        lost = (ref.name for ref in refs if ran.error.number == _NO_TABLE and self.source.lacks(ref, logged))
        return [replace(_refused(step, ran.error), table=next(lost, None))]

    def take(self, step: Step) -> None:
        """A definition runs on the source, is logged, and runs on the replica unless it has stopped."""
        unread = [p for p in step.problems if not p.skipped and p.refusal is None]
        if unread:
            self.problems += unread
            return
        logged = self.logged(step)
        statement = parse(step.sql, self.link.source)
        if statement.conditional and _does_nothing(statement, self.source, logged):
            return
        alter = statement.definition
        before = self.source.table(logged, alter), self.replica.table(logged, alter)
        ran = self.source.attempt(logged, step.location)
        if isinstance(alter, AlterTable) and alter.only_checks:
            self.problems += ran.problems
            return
        # Its session may be stricter than what a replica runs: engines.
        refused = (
            [p for p in step.problems if p.refusal] if ran.error is None else [_refused(step, ran.error)]
        )
        if refused:
            # Some versions log a part of it all the same (DROP of several tables): nothing passes behind it.
            self.problems += _of_change(refused)
            return
        self.problems += ran.problems
        if step.unlogged:
            return
        for why in (
            of_session(step, self.link.source, self.link.replica),
            unlisted_program(statement, self.replica, logged),
        ):
            self.problems += [InputProblem("SC004", why, step.location)] if why else []
        if self.refused is not None:
            self.refused = replace(self.refused, behind=self.refused.behind + 1)
            return
        self._arrives(step, logged, statement)
        if self.refused is None and isinstance(alter, AlterTable):
            behind = self.source.table(logged, alter)
            if why := other_rows(alter, before[0], behind, before[1], self.link):
                self.differing.append(self._refusal(step, None, differs=why))
            if error := refused_rows(alter, behind, step.server or self.link.source, self.link):
                why = "where the table has rows, the replica refuses what a new column without a default gets"
                self.differing.append(self._refusal(step, error, differs=why))

    def logged(self, step: Step) -> Logged:
        """The statement as the source logs it, with its session's variables."""
        server = step.server
        if server is None:
            return Logged(step.sql, step.database or self.home)
        explicit = server.setting("explicit_defaults_for_timestamp").upper() in ("ON", "1")
        return Logged(
            step.sql, step.database or self.home,
            tuple(name for name in SQL_MODES if name in server.sql_mode),
            explicit if self.link.carries("explicit-defaults-logged") else None,
            checks_foreign_keys=server.setting("foreign_key_checks").upper() not in ("OFF", "0"),
            made=server_charset(server),
        )  # fmt: skip

    def _arrives(self, step: Step, logged: Logged, statement: Statement) -> None:
        """The statement runs on the replica."""
        link = self.link
        if unknown_number(link) and not self.any_session:
            self._stop(step, server_error("unknown-charset-number", link.replica, self.home, ""))
            return
        given = names_charset(
            step.sql, ansi_quotes="ANSI_QUOTES" in link.source.sql_mode, backslash=link.source.backslash
        )
        if skips_statements(link) and not (given or self.any_session):
            self._stop(step, None)  # it leaves the statement out without an error
            return
        if _made_of_rows(statement, link):
            database, table = self._named(step, statement)
            why = "its columns and rows are logged, not its query: not followed on the replica"
            self.problems.append(InputProblem("SC004", why, step.location, database, table))
            return
        why = unlisted(statement, self.replica, logged)
        ran = self.replica.attempt(logged, step.location)
        # A table that could not be followed is not a table that the replica lacks.
        database, table = self._named(step, statement)
        for problem in ran.problems:
            if problem not in self.problems:
                named = replace(problem, database=database, table=table) if table else problem
                self.problems.append(named)
        error = ran.error
        if error is None and ran.executed and object_of([*step.words]) not in _TABLES:
            error, doubt = _in_dialect(step.sql, link, self.home)
            why = why or doubt
        if error is None and ran.executed and why:
            self.problems.append(InputProblem("SC004", why, step.location))
        if error is not None:
            self._stop(step, replace(error, message=error.message.replace(logged.query, step.sql)))

    def _stop(self, step: Step, error: ServerError | None) -> None:
        self.refused = self._refusal(step, error)

    def _refusal(self, step: Step, error: ServerError | None, *, differs: str = "") -> RefusedStatement:
        statement = parse(step.sql, self.link.source)
        if error is not None and statement.verb in _REWRITTEN:
            error = replace(error, message=error.message.replace(f"Query: '{step.sql}'", "Query: '...'"))
        where = (step.sql, step.location, *self._named(step, statement))
        return RefusedStatement(*where, error, self.link.replica, differs=differs)

    def _named(self, step: Step, statement: Statement) -> tuple[str | None, str]:
        """The first table that a statement names, with its database where there is one."""
        names = [(ref.database, ref.name) for ref in statement.refs]
        names += [old for old, _ in statement.renames]
        database, table = names[0] if names else (None, "")
        database = database or step.database or self.home
        return (None if database == UNNAMED else database), table


def _refused(step: Step, error: ServerError) -> InputProblem:
    """That the source refuses a statement, in its own words without the database that nobody named."""
    refusal = Refusal(error.number, bare(error.message).replace(f"{UNNAMED}.", ""))
    return InputProblem("SC002", f"{refusal.message} [error {error.number}]", step.location, refusal=refusal)


def _of_change(problems: Iterable[InputProblem]) -> list[InputProblem]:
    """What the source refuses, as a sentence."""
    why = "the source refuses this statement of the change"
    return [replace(p, table=None, message=f"{why}: {p.refusal.message}") for p in problems if p.refusal]


def streamed(link: Link) -> Link:
    """The link with the settings that its applier takes from the events, or goes without: the collations of
    character sets that are named alone, and REQUIRE_TABLE_PRIMARY_KEY_CHECK = STREAM; it makes no invisible
    primary keys (asked of 9.7.4).
    """
    source, replica = link.source, link.replica
    record = _default_collations(source, replica)
    if not source.mariadb and any(replica.given(name) for name in _OF_EVENTS):
        record |= {name: source.setting(name) or "OFF" for name in _OF_EVENTS}
    return replace(link, replica=replica.with_told(record)) if record else link


def _default_collations(source: Server, replica: Server) -> dict[str, str]:
    """The variable by which a character set that is named alone has the collation that it has on the source.
    Events of other servers do not tell it: it is utf8mb4_general_ci and the like then, whatever the replica's
    variable is (asked over channels of 5.6, 9.7, 10.11 and 11.8). {} where the replica chooses the same.
    """
    told_by = "session-collation-uca1400" if replica.mariadb else "session-collation-0900"
    if not replica.has(told_by):
        return {}
    sent = source.mariadb == replica.mariadb and source.has(told_by)
    names = _UNICODE if replica.mariadb else ("utf8mb4",)
    chosen = {name: source.default_collation(name) if sent else f"{name}_general_ci" for name in names}
    if all(replica.default_collation(name) == collation for name, collation in chosen.items()):
        return {}
    if replica.mariadb:
        return {"character_set_collations": ",".join(map("=".join, chosen.items()))}
    return {"default_collation_for_utf8mb4": chosen["utf8mb4"]}


def _in_dialect(text: str, link: Link, default: str) -> tuple[ServerError | None, str]:
    """The error of a statement about no table whose words the replica's parser does not know; or why it is
    not known whether it takes them.
    """
    foreign = dialect.foreign(text, link.replica)
    if foreign is None:
        return None, ""
    if foreign.number == _SYNTAX and dialect.foreign(text, link.source) is None:
        return server_error("syntax-error", link.replica, default, ""), ""
    return (
        None,
        f"{link.replica} may not know {foreign.name}: `schemacheck link --statements` says what is known",
    )


def _does_nothing(statement: Statement, source: End, logged: Logged) -> bool:
    """Whether CREATE TABLE IF NOT EXISTS finds its name taken and is not logged: MariaDB logs none of them,
    MySQL those without a query (asked of four servers).
    """
    create = statement.verb.startswith("create-table") and not statement.temporary
    silent = source.server.mariadb or statement.verb == "create-table-select"
    return create and silent and not source.lacks(statement.refs[0], logged)


def _made_of_rows(statement: Statement, link: Link) -> bool:
    """Whether the source logs the columns and rows of CREATE TABLE ... SELECT, not the query."""
    made = statement.verb == "create-table-select" and not statement.temporary
    return made and link.binlog_format == "ROW"


def defines(step: Step) -> bool:
    """Whether a statement is a definition, or one about accounts."""
    return step.words[:1] in _DEFINES or step.words[:2] in _ACCOUNTS


def _left_out(step: Step, link: Link) -> list[InputProblem]:
    """Statements that define nothing: SET and USE have had their effect, rows are decided by the tables."""
    words = step.words
    if not words or words[0] == "USE" or (words[0] == "SET" and words[1:2] != ("STATEMENT",)):
        return [InputProblem("SC002", step.beyond, step.location)] if step.beyond else []
    if words[0] in _RUN_OTHERS or words[0] == "SET":
        why = f"{words[0]} runs another statement, which is not followed here: write that one itself"
        return [InputProblem("SC002", why, step.location)]
    if words[0] not in (*_WRITES, *_KEEPS, *UNREPLICATED):
        return [InputProblem("SC004", unknown_verb(words[0]), step.location)]
    if words[0] in _WRITES and (why := own_rows(step.sql, link)):
        return [InputProblem("SC004", why, step.location)]
    what = "what its rows do is decided for the tables as a whole"
    why = f"{words[0]} is no definition: {what if words[0] in _WRITES else 'it is not looked at'}"
    return [InputProblem("SC004", why, step.location, skipped=True)]
