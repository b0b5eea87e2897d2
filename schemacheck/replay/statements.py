"""Changes that are logged as statements: the tables that they change, and the columns that they miss on the
replica.
"""

from __future__ import annotations

from functools import partial

from schemacheck import knowledge
from schemacheck.alignment.pair import Pair
from schemacheck.catalog.presence import Key, Presence
from schemacheck.catalog.referring import checked
from schemacheck.dataclass import dataclass, replace
from schemacheck.engine import check_pair, undecided
from schemacheck.model import (
    Effect,
    Finding,
    Link,
    PairReport,
    PairState,
    Server,
    ServerError,
    Table,
    TableKind,
)
from schemacheck.model.column_type import holds
from schemacheck.replay.cascades import on_children
from schemacheck.replay.tables import Definitions
from schemacheck.rules import statement_column_list
from schemacheck.sql.statements import Needs, Ref, Statement
from schemacheck.sql.statements.features import features
from schemacheck.sql.statements.value import DataStatement, ProgramStatement

#: Definitions that hold a query.
QUERIES = frozenset({"create-view", "alter-view", "create-table-select"})
#: A table or a database that is not there, no database, a broken view.
_ABSENT = (1146, 1049, 1046, 1356)
#: Pairs that are remembered; each holds its tables.
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Changed:
    """One table that a statement changes or reads: its name on the source, on the replica, and the decision
    about the pair.

    `error` stops the applier at this statement.
    """

    name: Key
    replica: Key
    pair: PairReport
    error: ServerError | None = None


class StatementDecider:
    """Decides the tables of logged statements.

    Both definitions known, `engine.check_pair` says what statements make of the pair. What a statement
    itself demands of the replica's table is asked whether or not the source's is known. All else is unknown.
    """

    def __init__(self, source_tables: Definitions, replica_tables: Definitions, catalog: Presence) -> None:
        self.source_tables = source_tables
        self.replica_tables = replica_tables
        self.catalog = catalog
        self._known: dict[tuple[int, int, Key, str, frozenset[str]], tuple[Table, Table, PairReport]] = {}

    def decide(
        self, statement: Statement, databases: tuple[str | None, str | None], changed: list[Key], link: Link
    ) -> list[Changed]:
        """The tables of a statement that ran on the replica; `databases` are its default database on both
        ends, `changed` the tables that it changed there, those that triggers and foreign keys reach among
        them.
        """
        if not changed:
            return []
        out = []
        named = set()
        for ref in statement.refs:
            name, key = (
                self._key(end, ref, database)
                for end, database in zip((self.source_tables, self.replica_tables), databases, strict=True)
            )
            if name is None or key is None or key in self.catalog.temporary or key in named:
                continue
            named.add(key)
            if ref.updated is False:
                out += self._read(name, key, link)
            else:
                out.append(self._changed(statement, name, key, link))
        out += [
            Changed(key, key, self._pair(key, key, link))
            for key in changed
            if key not in named and key not in self.catalog.temporary
        ]
        return out

    def query(
        self, statement: Statement, databases: tuple[str | None, str | None], link: Link
    ) -> tuple[ServerError | None, str]:
        """Whether the query of a new view or table runs on the replica: the error that it meets, or why that
        is not known ('': it runs).
        """
        lost = [
            name
            for name in statement.calls
            if self.catalog.resolve(name, databases[1]) not in self.catalog.routines
        ]
        reason = f"whether the function {lost[0][1]}() is there is not known" if lost else ""
        if (error := self.misses(statement, databases[1], link.replica)) is not None:
            return error, ""
        own = self.source_tables is self.replica_tables  # its views can be read
        read = [
            ref
            for ref in statement.refs[1:]
            if self._key(self.replica_tables, ref, databases[1]) not in self.catalog.temporary
        ]
        for ref in read:
            name, key = (
                self._key(end, ref, database)
                for end, database in zip((self.source_tables, self.replica_tables), databases, strict=True)
            )
            held = self._readable(self.replica_tables, key)
            if name is None or key is None or held is None:
                reason = reason if own else f"the replica's columns of {ref.name} are not known"
                continue
            needs = statement.needs if len(read) == 1 else None
            error = refused(needs, held, link.replica) if needs is not None else None
            if error is not None:
                return error, ""
            source = self._readable(self.source_tables, name)
            if (
                not own
                and (needs is None or not needs.whole)
                and (source is None or _names(source) != _names(held))
            ):
                reason = f"the source's columns of {ref.name} differ from the replica's, or not known"
        keys = (self._key(self.replica_tables, ref, databases[1]) for ref in read)
        held_there = [self.replica_tables.get(*key) for key in keys if key is not None]
        view = next(
            (table for table in held_there if table is not None and table.kind is TableKind.VIEW), None
        )
        if view is not None and not own:
            return None, f"whether the view {view.name} of the replica can be read is not known"
        return None, reason

    def misses(self, statement: Statement, default: str | None, server: Server) -> ServerError | None:
        """The error of a statement of several tables that names a column that none of them has, or two."""
        texts = knowledge.load("binlog")["statement-errors"]
        for lookup in statement.lookups:
            keys = [
                self._key(self.replica_tables, Ref(*name, updated=False), default) for name in lookup.tables
            ]
            held = [self._readable(self.replica_tables, key) for key in keys]
            if any(key in self.catalog.temporary for key in keys) or not all(held):
                continue
            name = lookup.written.rpartition(".")[2]
            count = sum(table is not None and table.column(name) is not None for table in held)
            if count == 0 or (lookup.once and count > 1):
                number = "1052" if count else "1054"
                clause = texts["1054"]["clauses"][server.family][lookup.clause]
                text = texts[number]["text"].format(name=lookup.written, clause=clause)
                return ServerError(int(number), text, texts[number]["symbol"])
        return None

    def _readable(self, end: Definitions, key: Key | None) -> Table | None:
        """The columns that a query finds under a name, None where they are not known."""
        held = end.get(*key) if key is not None and end.doubt(*key) is None else None
        return held.as_read() if held is not None and held.kind is not TableKind.SEQUENCE else None

    def trigger(self, statement: Statement, default: str | None, link: Link) -> ServerError | None:
        """The error of CREATE TRIGGER where its body names a row, or a column of the replica's table, that is
        not there, or sets one that stays.
        """
        if isinstance(statement, ProgramStatement) and (error := _no_row(statement)) is not None:
            return error
        key = self._key(self.replica_tables, statement.refs[0], default)
        held = (
            self.replica_tables.get(*key)
            if key is not None and self.replica_tables.doubt(*key) is None
            else None
        )
        if statement.needs is None or held is None or held.kind is not TableKind.TABLE:
            return None
        return refused(statement.needs, held, link.replica)

    def _key(self, end: Definitions, ref: Ref, default: str | None) -> Key | None:
        database = ref.database if ref.database is not None else default
        return None if database is None else end.key(database, ref.name)

    def _changed(self, statement: Statement, name: Key, key: Key, link: Link) -> Changed:
        held = self.replica_tables.get(*key)
        alone = sum(ref.updated is not False for ref in statement.refs) == 1
        if (
            statement.needs is not None
            and alone
            and held is not None
            and held.kind is TableKind.TABLE
            and self.replica_tables.doubt(*key) is None
        ):
            error = refused(statement.needs, held, link.replica)
            if error is not None:
                return Changed(name, key, _stopping(name, error), error)
        duplicates = isinstance(statement, DataStatement) and statement.updates_duplicates
        moves = checked(link.source) and (duplicates or statement.verb not in ("insert", "load"))
        return Changed(name, key, self._pair(name, key, link, statement.text, moves_children=moves))

    def _read(self, name: Key, key: Key, link: Link) -> list[Changed]:
        """A table that is only read matters where it may hold, or be, something else."""
        pair = self._pair(name, key, link)
        if pair.verdict < Effect.LOSSY:
            return []
        if pair.state is PairState.COMPARED:
            pair = undecided(
                *name, "a statement reads it into another table, and its definitions differ", link
            )
        return [Changed(name, key, pair)]

    def _pair(
        self, name: Key, key: Key, link: Link, text: str = "", *, moves_children: bool = False
    ) -> PairReport:
        """The decision about a pair for a statement of this text; `moves_children`: it may change rows, so
        foreign keys of other tables act.
        """
        doubt = self.replica_tables.doubt(*key) or self.source_tables.doubt(*name)
        if doubt is not None:
            return undecided(*name, doubt, link)
        tables = [
            end.whole(*item) if moves_children else end.get(*item)
            for end, item in ((self.source_tables, name), (self.replica_tables, key))
        ]
        source, replica = tables
        if replica is None:
            return undecided(*name, "a statement changes it, and the replica's definition is not known", link)
        if source is None:
            reason = (
                "a statement changes it, and the source's definition is neither given (--source) "
                "nor made in the log"
            )
            return undecided(*name, reason, link)
        if source.kind is not TableKind.TABLE or replica.kind is not TableKind.TABLE:
            return undecided(*name, "a statement names it, and it is not a base table", link)
        wider = _wider(source, replica, text, link.source)
        entries = (id(source), id(replica), name, link.source.setting("sql_mode"), wider)
        decision = self._known.get(entries)
        if decision is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            types = {c.name.casefold(): c.type for c in replica.columns}
            columns = (
                replace(c, type=types[c.name.casefold()]) if c.name in wider else c for c in source.columns
            )
            written = replace(source, columns=tuple(columns)) if wider else source
            written = written if (written.database, written.name) == key else written.named(*key)
            link = Link(link.source.with_told({"binlog_format": "STATEMENT"}), link.replica)
            pair = check_pair(written, replica, link)
            children = on_children(Pair.of(written, replica, link), partial(self._held, key[0]))
            pair = replace(pair, findings=(*pair.findings, *children))
            decision = self._known[entries] = (source, replica, _of_some_statement(pair, source, replica))
        return decision[2]

    def _held(self, home: str, database: str | None, name: str) -> bool:
        return self.replica_tables.get(database or home, name) is not None


def _wider(source: Table, replica: Table, text: str, server: Server) -> frozenset[str]:
    """Integer columns that the replica has wider and the statement does not name: INSERT_ID comes along, and
    what stays or is a default fits.
    """
    pairs = ((column, replica.column(column.name)) for column in source.columns)
    wider = {here.name for here, there in pairs if there is not None and holds(there.type, here.type)}
    about = features(text, server) if wider and text else None
    if about is None or "unread" in about.features:
        return frozenset()
    named: set[str] = set()
    for columns in (about.inserted, about.updated, about.read):
        if columns is None:
            return frozenset()
        named.update(columns)
    return frozenset(name for name in wider if name.casefold() not in named)


def _of_some_statement(pair: PairReport, source: Table, replica: Table) -> PairReport:
    """The rules say what some statement does. Whether the one in the log does so hangs on its values, which
    nobody looks at: what may stop is `unsupported` here, what a column of another type makes of values is
    unknown; and what certainly stops has been found before.
    """
    types = {column.name: column.type for column in replica.columns}
    other = {column.name for column in source.columns if column.type != types.get(column.name, column.type)}

    def effect(finding: Finding) -> Effect:
        if finding.effect is Effect.DIVERGES and finding.column in other:
            return Effect.UNKNOWN
        return (
            Effect.UNSUPPORTED
            if finding.effect is Effect.STOPS and finding.depends_on_rows
            else finding.effect
        )

    findings = (replace(finding, effect=effect(finding)) for finding in pair.findings)
    return replace(pair, findings=tuple(sorted(findings, key=lambda finding: -finding.effect.rank)))


def query_first(statement: Statement, error: ServerError, server: Server) -> bool:
    """Whether the server reads the query of a definition before it finds the new name taken, which is the
    error (asked of four servers).
    """
    if error.number in _ABSENT or statement.verb not in QUERIES:
        return False
    return statement.verb != "create-table-select" or server.mariadb


def _names(table: Table) -> list[str]:
    return [column.name.casefold() for column in table.columns]


def refused(needs: Needs, table: Table, server: Server) -> ServerError | None:
    """The error with which the replica's table refuses a statement, whatever the rows: a column too many, or
    one that is not there.
    """
    texts = knowledge.load("binlog")["statement-errors"]
    if needs.values:
        width = needs.listed or sum(not column.invisible for column in table.columns)
        row = next((number for number, count in enumerate(needs.values, 1) if count not in (0, width)), None)
        if row is not None:
            return ServerError(1136, texts["1136"]["text"].format(row=row), texts["1136"]["symbol"])
    for clause, name in needs.columns:
        if table.column(name.rpartition(".")[2]) is None:
            words = texts["1054"]["clauses"][server.family]
            return ServerError(
                1054, texts["1054"]["text"].format(name=name, clause=words[clause]), texts["1054"]["symbol"]
            )
    return None


def _no_row(trigger: ProgramStatement) -> ServerError | None:
    """The error of a trigger that names a row that its event does not have, or sets one that is written."""
    texts = knowledge.load("binlog")["statement-errors"]
    needs, without = trigger.needs or Needs(), {"new": "delete", "old": "insert"}
    row = next((row for row, _ in needs.columns if without[row] in trigger.event.split(",")), "")
    written = next((row for row in needs.sets if row == "old" or trigger.timing == "AFTER"), "")
    if not (row or written):
        return None
    item = texts["1363" if row else "1362"]
    words = {"row": (row or written).upper(), "event": without[row or written].upper()}
    text = item["text"].format(**words, timing="after " if written == "new" else "")
    return ServerError(1363 if row else 1362, text, item["symbol"])


def _stopping(name: Key, error: ServerError) -> PairReport:
    rule = statement_column_list.RULE
    message = f"a statement does not fit the replica's columns: {error.message}"
    remedy = "Name the columns in every INSERT, and give both ends the columns that statements name"
    finding = Finding(
        rule.code,
        rule.name,
        Effect.STOPS,
        message,
        *name,
        error=error,
        setting="binlog_format=STATEMENT",
        remedy=remedy,
    )
    return PairReport(*name, PairState.COMPARED, (finding,))
