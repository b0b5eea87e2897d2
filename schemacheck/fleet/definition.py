"""The text that stands for one table's definition on its way through the job.

A table's rows of every information_schema view become lines; sorted and joined they are the
definition that is hashed and compared, and from which the table is read again where the engine
must see it. Its first character is the dialect: `w` (NULL was a bare word), `n` (real nulls), `j`
(a table from a format that only Python reads, as JSON). Database and table names are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass, replace
from schemacheck.inputs import partition_rows
from schemacheck.inputs.column_row import OPTIONAL, RECOMMENDED, REQUIRED
from schemacheck.model import ForeignKey, InputProblem, Location, Schema, Table, TableKind, Trigger, transport
from schemacheck.system.collector import collector_paused

if TYPE_CHECKING:
    from schemacheck.inputs.column_row import Shape
    from schemacheck.model import Column, Server

    #: Name, ordinal and shape of a line, and the column that it is.
    _Row = tuple[str, int, Shape, Column]

LINE, FIELD, NULL = "\x1e", "\x1f", "\x01"
#: Stands for the table's own database where a row names it.
OWN = "\x02"
#: Lines whose columns are kept at most.
_KEPT = 50_000
#: The letter of a line that makes the table unreadable; the rest of it says why.
BROKEN = "X"
#: A line of TABLES that says that the name stands for a view.
_VIEW = re.compile(LINE + r"T[A-Z ]*VIEW" + FIELD)
#: What says so in a definition as JSON.
VIEW_AS_JSON = f'{TableKind.__qualname__}","{TableKind.VIEW.name}'


@dataclass(frozen=True, slots=True)
class View:
    """One information_schema view: its letter in a line, what orders its lines, which columns a line carries
    after the order.
    """

    letter: str
    name: str
    order: tuple[str, ...]
    carried: tuple[str, ...]
    database: str = "TABLE_SCHEMA"


VIEWS = (
    View("C", "columns", ("ORDINAL_POSITION",), tuple(n for n in (*REQUIRED, *RECOMMENDED,
    *OPTIONAL) if n not in ("TABLE_SCHEMA", "TABLE_NAME", "ORDINAL_POSITION"))),
    View("T", "tables", (), ("TABLE_TYPE", "ENGINE", "TABLE_COLLATION", "CREATE_OPTIONS")),
    View("S", "statistics", ("INDEX_NAME", "SEQ_IN_INDEX"), ("NON_UNIQUE", "COLUMN_NAME", "SUB_PART",
    "COLLATION", "INDEX_TYPE", "IS_VISIBLE", "IGNORED", "EXPRESSION")),
    View("N", "table_constraints", ("CONSTRAINT_NAME",), ("CONSTRAINT_TYPE", "ENFORCED")),
    View("H", "check_constraints", ("CONSTRAINT_NAME",), ("LEVEL", "CHECK_CLAUSE"), "CONSTRAINT_SCHEMA"),
    View("K", "key_column_usage", ("CONSTRAINT_NAME", "ORDINAL_POSITION"), ("COLUMN_NAME",
    "REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME", "REFERENCED_COLUMN_NAME")),
    View("R", "referential_constraints", ("CONSTRAINT_NAME",), ("UPDATE_RULE", "DELETE_RULE"),
    "CONSTRAINT_SCHEMA"),
    View("P", "partitions", partition_rows.NAMES[2:], partition_rows.MORE),
)  # fmt: skip
BY_NAME = {view.name: view for view in VIEWS}
#: Foreign keys of other tables that reference this one: rows of KEY_COLUMN_USAGE seen from the other end,
#: with their actions.
INCOMING = View(
    "I", "incoming", ("CHILD_SCHEMA", "CHILD_TABLE", "CONSTRAINT_NAME", "ORDINAL_POSITION"),
    ("COLUMN_NAME", "REFERENCED_COLUMN_NAME", "UPDATE_RULE", "DELETE_RULE"), "REFERENCED_TABLE_SCHEMA",
)  # fmt: skip


_INCOMING = LINE + INCOMING.letter


def index_of(view: str, column: str) -> int:
    """Which of the fields behind a line's letter is a column of a view, from 0."""
    result = BY_NAME[view]
    return (*result.order, *result.carried).index(column)


def _headings(view: View) -> tuple[str, ...]:
    extra = ("CONSTRAINT_SCHEMA",) if view.name in ("table_constraints", "key_column_usage") else ()
    return (view.database, "TABLE_NAME", *extra, *view.order, *view.carried)


def tables(definitions: Sequence[str], server: Server) -> list[Table | InputProblem]:
    """Each definition as a table named '' in no database, or the problem that keeps it from being one.

    All definitions are of one server. They are read in one call: columns that repeat are made once.
    """
    out: list[Table | InputProblem | None] = [None] * len(definitions)
    with collector_paused():
        for dialect in "wn":
            chosen = [
                i
                for i, text in enumerate(definitions)
                if text[0] == dialect and not is_broken(text) and not _VIEW.search(text)
            ]
            for i, made in _from_rows(chosen, definitions, server, dialect):
                out[i] = made
        for i, text in enumerate(definitions):
            if text[0] == "j":
                out[i] = decode(text)
            elif is_broken(text):
                out[i] = InputProblem("SC001", _broken_why(text))
            elif _VIEW.search(text):
                out[i] = Table("", (), None, kind=TableKind.VIEW)
    return [made or InputProblem("SC001", "no column of this table could be read") for made in out]


def read(wanted: Iterable[tuple[Server, str]]) -> dict[tuple[Server, str], Table | InputProblem]:
    """What each definition is on its server; each is read once, in the order in which they first come."""
    texts: dict[Server, dict[str, None]] = {}
    for server, text in wanted:
        texts.setdefault(server, {})[text] = None
    return {
        (server, text): made
        for server, every in texts.items()
        for text, made in zip(every, tables(list(every), server), strict=True)
    }


def has_stand_in(text: str) -> bool:
    """Whether letters are in a text that stand for names where many tables are one question."""
    return (text[:1] == "j" or not text.isascii()) and _STAND_IN.search(text) is not None


#: Also as JSON writes them.
_STAND_IN = re.compile("[\u4dc0-\u4dff]|" + r"\\u4d[c-f][0-9a-f]")


def is_view(text: str) -> bool:
    """Whether a definition says that the name stands for a view."""
    return VIEW_AS_JSON in text if text[0] == "j" else _VIEW.search(text) is not None


def acts_on_others(text: str) -> bool:
    """Whether changes of a table may change rows of others: keys that reference it, or its triggers."""
    signs = (f":{ForeignKey.__qualname__}", f":{Trigger.__qualname__}") if text[0] == "j" else (_INCOMING,)
    return any(sign in text for sign in signs)


@lru_cache(maxsize=65_536)
def is_primary(kind: str) -> bool:
    """Whether what stands behind the name in a line of COLUMNS says that it is of the primary key."""
    return FIELD + "PRI" in kind and kind.split(FIELD, _KEY)[_KEY - 1] == "PRI"


_KEY = index_of("columns", "COLUMN_KEY")


def is_broken(text: str) -> bool:
    """Whether a definition says only why the table was not read."""
    return LINE + BROKEN in text or text.startswith(BROKEN, 1)


def _broken_why(text: str) -> str:
    """What stands behind the letter of a broken line."""
    return text.replace(text[0], LINE, 1).partition(LINE + BROKEN)[2].partition(LINE)[0]


class _Lines:
    """The lines of COLUMNS that were read for one server: a fleet's tables have most of them in common, and
    of the others all but name and ordinal. Equal lines are one Column: comparing it with itself costs
    nothing.
    """

    def __init__(self, server: Server, dialect: str) -> None:
        from schemacheck.inputs.table_columns import ColumnReader

        view = BY_NAME["columns"]
        self.reader = ColumnReader(
            (view.carried[0], *view.order, *view.carried[1:]), server, "", null_is_word=dialect == "w"
        )
        self._shapes: dict[str, Shape] = {}
        #: Letter and ordinal as lines begin with them, and the number.
        self._ordinals: dict[str, int] = {}
        self.known: dict[str, _Row] = {}

    def row(self, line: str) -> _Row:
        """The row of a line. Raises BadRow."""
        ordinal, name, rest = line.split(FIELD, 2)
        shape, number = self._shapes.get(rest), self._ordinals.get(ordinal)
        if shape is None or number is None or not name or name == NULL:
            given = None if name == NULL else name
            name, number, shape = self.reader.row((given, ordinal[1:], *_fields(rest)))
            self._shapes[rest], self._ordinals[ordinal] = shape, number
        row = self.known[line] = (name, number, shape, self.reader.column(name, number, shape))
        return row

    def forget(self) -> None:
        """Keep no more than memory bears."""
        if len(self.known) > _KEPT:
            self.known.clear()
            self._shapes.clear()
            self._ordinals.clear()


@lru_cache(maxsize=64)
def _lines(server: Server, dialect: str) -> _Lines:
    return _Lines(server, dialect)


def _values(line: str) -> tuple[str | None, ...]:
    """What a line carries, in the order of its view."""
    return _fields(line[1:])


def _fields(text: str) -> tuple[str | None, ...]:
    parts = text.split(FIELD)
    return tuple([None if p == NULL else p for p in parts]) if NULL in text else tuple(parts)


def _from_rows(
    chosen: list[int], definitions: Sequence[str], server: Server, dialect: str
) -> Iterable[tuple[int, Table | InputProblem]]:
    from schemacheck.inputs.column_row import BadRow
    from schemacheck.inputs.details import Details
    from schemacheck.inputs.heading import Rows
    from schemacheck.inputs.piece import RowsPiece
    from schemacheck.inputs.rows import build
    from schemacheck.inputs.table_columns import Draft

    reader = _lines(server, dialect)
    reader.forget()
    by_name = reader.known
    drafts: dict[tuple[str | None, str], Draft] = {}
    problems: list[InputProblem] = []
    records: dict[str, list[tuple[int | None, tuple[str | None, ...]]]] = {view.letter: [] for view in VIEWS}
    incoming: dict[int, list[tuple[str | None, ...]]] = {}
    for i in chosen:
        # Names of CHECK and FOREIGN KEY constraints are unique in a database, so every table has a database
        # of its own here.
        name, own = str(i), f"d{i}"
        draft = drafts[own, name] = Draft(reader.reader, None)
        result: list[_Row] = []
        for line in definitions[i][1:].split(LINE):
            row = by_name.get(line)
            if row is not None:
                result.append(row)
                continue
            letter = line[0]
            if letter == "C":
                try:
                    result.append(reader.row(line))
                except BadRow as error:
                    draft.bad = True
                    problems.append(
                        InputProblem("SC001", f"column {_values(line)[1]}: {error}", None, own, name)
                    )
                continue
            values = tuple([own if p == OWN else p for p in _values(line)])
            if letter == INCOMING.letter:
                incoming.setdefault(i, []).append(values)
                continue
            if letter == "H":
                # MySQL does not name the table here: TABLE_CONSTRAINTS does (`constraint_rows.with_owner`).
                owner: tuple[str | None, ...] = (own, name if values[1] is not None else None)
            else:
                owner = (own, name, own) if letter in "NK" else (own, name)
            records[letter].append((None, owner + values))
        if result:
            draft.names, draft.ordinals, draft.shapes, draft.made = map(list, zip(*result, strict=True))
    drafts = {key: draft for key, draft in drafts.items() if draft.names or draft.bad}
    rows = {
        v.name: Rows(_headings(v), records[v.letter], null_is_word=dialect == "w")
        if records[v.letter]
        else ()
        for v in VIEWS
    }
    details = Details.of(
        problems, server=server, tables=rows["tables"], statistics=rows["statistics"],
        constraints=rows["table_constraints"],
        checks=rows["check_constraints"], key_usage=rows["key_column_usage"],
        references=rows["referential_constraints"], file="",
    )  # fmt: skip
    schema = Schema(tuple(build(drafts, details, "", problems)))
    called = [record for record in records["T"] if "partitioned" in (record[1][-1] or "").lower()]
    if called or records["P"]:
        parts = (
            RowsPiece("TABLES", Rows(_headings(BY_NAME["tables"]), called), ""),
            RowsPiece(partition_rows.VIEW, Rows(_headings(BY_NAME["partitions"]), records["P"]), ""),
        )
        schema = partition_rows.add(schema, parts, server)
        problems += schema.problems
    made = {int(table.name): table for table in schema.tables}
    for i, table in made.items():
        plain = table.named(None, "")
        yield i, replace(plain, incoming=_incoming(incoming[i], f"d{i}")) if i in incoming else plain
    for problem in problems:
        # A table that lacks what could not be read of it (a key, say) is no answer about it.
        if problem.table and (int(problem.table) not in made or not problem.skipped):
            yield int(problem.table), replace(problem, table=None, database=None)


def _incoming(rows: Sequence[tuple[str | None, ...]], own: str) -> tuple[ForeignKey, ...]:
    """The keys that `with_incoming` would find: `ref_table` names the child, `ref_database` its database,
    None for the table's own.
    """
    from schemacheck.inputs.key_rows import action

    result: dict[tuple[str | None, ...], list[tuple[str | None, ...]]] = {}
    for row in sorted(rows, key=lambda row: (row[:3], row[3] or "")):
        result.setdefault(row[:3], []).append(row)
    return tuple(
        ForeignKey(
            tuple(row[4] or "" for row in parts), child or "", tuple(row[5] or "" for row in parts),
            None if schema == own else schema,
            action(parts[0][7]), action(parts[0][6]), name or "",
        )
        for (schema, child, name), parts in result.items()
    )  # fmt: skip


#: Fields that equality leaves out and no rule looks at, but for what `_left` keeps. Others that equality
#: leaves out decide: triggers, the query of a view, the order of unique keys; or a server's message has them.
_NOT_KEPT = frozenset(("location", "text", "attributes", "options", "partition_sql", "size"))


def encode(table: Table) -> str:
    """A table as JSON, equal for equal tables: what no rule sees (locations, spelling, names) is left out."""
    home, own = (
        tuple(replace(key, ref_database=None) if key.ref_database == table.database else key for key in keys)
        for keys in (table.incoming, table.foreign_keys)
    )
    bare = _bare(replace(table, name="", database=None, incoming=home, foreign_keys=own))
    keys = zip(bare.keys, table.keys, strict=True)
    bare = replace(bare, keys=tuple(replace(key, attributes=k.finds(table.engine)) for key, k in keys))
    return "j" + transport.pack(bare).decode("ascii")


def _bare(value: Any) -> Any:
    """A value without what takes no part in its equality."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    return replace(
        value,
        **{
            f.name: _bare(getattr(value, f.name)) if f.compare or f.name not in _NOT_KEPT else f.default
            for f in fields(value)
            if f.init
        },
    )


def decode(text: str) -> Table:
    """What `encode` wrote. Raises ValueError for anything else."""
    table: Table = transport.unpack(text[1:].encode())
    columns = (
        replace(column, location=Location("", ordinal=ordinal))
        for ordinal, column in enumerate(table.columns, 1)
    )
    return replace(table, columns=tuple(columns))
