"""information_schema rows become Tables. COLUMNS alone is enough; the other views refine.

The same table through DDL text is the same value: both ways end in `schemacheck.model.normal`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from schemacheck.catalog import converted
from schemacheck.collector import collector_paused
from schemacheck.inputs import hidden_column, key_rows
from schemacheck.inputs.column_row import (
    RECOMMENDED,
    REQUIRED,
    WANTED,
    BadRow,
    Shape,
    ordinal_of,
    shape,
    text_of,
)
from schemacheck.inputs.details import Details, Name, Source
from schemacheck.inputs.heading import Misfit, Rows, tuples
from schemacheck.inputs.key_rows import TableKeys
from schemacheck.inputs.system import is_system, left_out
from schemacheck.model import (
    Column,
    InputProblem,
    Key,
    KeyKind,
    KeyPart,
    Location,
    Schema,
    Table,
    TableKind,
    normal,
)
from schemacheck.model.charset import canonical_collation, of_collation
from schemacheck.model.sequence import columns as sequence_columns

if TYPE_CHECKING:
    from schemacheck.model import Server

_MEMO = 250_000


def _engine(row: Mapping[str, str | None]) -> str | None:
    """The engine as SHOW CREATE TABLE spells it; information_schema has MRG_MyISAM in capitals."""
    name = row.get("ENGINE")
    return "MRG_MyISAM" if name == "MRG_MYISAM" else name


def tables_from_rows(
    columns: Source, *, server: Server, tables: Source = (), statistics: Source = (),
    constraints: Source = (), checks: Source = (),
    key_usage: Source = (), references: Source = (), schemata: Source = (), file: str = "-",
) -> Schema:  # fmt: skip
    """Tables from rows of information_schema: mappings from heading to value, headings in any case and order.

    `columns` are rows of COLUMNS, `tables` of TABLES, `statistics` of STATISTICS, `constraints` of
    TABLE_CONSTRAINTS, `checks` of CHECK_CONSTRAINTS, `key_usage` of KEY_COLUMN_USAGE, `references`
    of REFERENTIAL_CONSTRAINTS, `schemata` of SCHEMATA. Values may be text, bytes, numbers or None.
    `server` says how defaults and expressions are written; `file` names the input in locations.

    A row that makes no sense becomes an InputProblem and takes its table with it (that table is
    unknown); all other tables stand. Raises InputError where a needed heading is missing.
    """
    problems: list[InputProblem] = []
    with collector_paused():
        drafts = collect(columns, server, file, problems)
        details = Details.of(
            problems, server=server, tables=tables, statistics=statistics, constraints=constraints,
            checks=checks, key_usage=key_usage,
            references=references, schemata=schemata, file=file,
        )  # fmt: skip
        built = build(drafts, details, file, problems)
        details.unlisted(drafts, file, problems)
    return Schema(tuple(built), tuple(problems))


def build(
    drafts: Mapping[Name, Draft], details: Details, file: str, problems: list[InputProblem]
) -> list[Table]:
    """The tables of one file's drafts; `problems` grows."""
    own = [database for database, _ in drafts if is_system(database, details.server)]
    if own:
        problems.append(
            InputProblem("SC001", left_out([name or "" for name in own]), Location(file), skipped=True)
        )
    return [
        table
        for name, draft in drafts.items()
        if (table := _table(name, draft, details, file, problems)) is not None
    ]


#: A format in which NULL is a bare word cannot tell.
NO_NAME = (
    "a row of COLUMNS has no TABLE_NAME, or that of a table called NULL: this table is not read; "
    "give its CREATE TABLE, or a snapshot"
)


class Draft:
    """What is known of one table while rows come in: (column, its COLUMN_KEY) pairs and the line of the
    first.
    """

    __slots__ = ("bad", "columns", "line")

    def __init__(self, line: int | None) -> None:
        self.columns: list[tuple[Column, str]] = []
        self.line = line
        self.bad = False


class ColumnReader:
    """Makes (column, its COLUMN_KEY) of a row's values from COLUMN_NAME on. Raises BadRow, and TypeError for
    a value that is a list or mapping.
    """

    def __init__(self, names: tuple[str, ...], server: Server, file: str, *, null_is_word: bool) -> None:
        # COLUMN_NAME, ORDINAL_POSITION, then any others of WANTED.
        self.names = names[2:]
        self.server = server
        self.file = file
        self.null_is_word = null_is_word
        self.shapes: dict[tuple[object, ...], tuple[Shape, str]] = {}
        self.places: dict[object, Location] = {}

    def __call__(self, values: tuple[object, ...]) -> tuple[Column, str]:
        """The column of one row, and its COLUMN_KEY in upper case."""
        name, ordinal = values[:2]
        if type(name) is not str:
            name = text_of(name)
        if name is None and self.null_is_word:
            name = "NULL"
        if not name:
            raise BadRow(f"COLUMN_NAME is {'NULL' if name is None else 'empty'}")
        known = self.shaped(values[2:])
        return known[0].column(name, self.place(ordinal)), known[1]

    def shaped(self, rest: tuple[object, ...]) -> tuple[Shape, str]:
        """What a row says behind its ordinal, and its COLUMN_KEY."""
        known = self.shapes.get(rest)
        if known is None:
            row = dict(zip(self.names, rest, strict=True))
            key = text_of(row.get("COLUMN_KEY")) or ""
            known = self.shapes[rest] = (shape(row, self.server, null_is_word=self.null_is_word), key.upper())
        return known

    def place(self, ordinal: object) -> Location:
        """Where a row with this ORDINAL_POSITION is."""
        found = self.places.get(ordinal)
        if found is None:
            found = self.places[ordinal] = Location(self.file, ordinal=ordinal_of(ordinal))
        return found


def not_dumped(names: Collection[str]) -> str:
    """What is said of rows of COLUMNS that lack columns, '' where they lack none.

    A collation tells its character set.
    """
    told = {*names, "CHARACTER_SET_NAME"} if "COLLATION_NAME" in names else names
    absent = [name for name in RECOMMENDED if name not in told]
    if not absent:
        return ""
    return f"COLUMNS has no {', '.join(absent)}: differences there cannot be seen; dump these columns too"


def collect(columns: Source, server: Server, file: str, problems: list[InputProblem]) -> dict[Name, Draft]:
    """All rows of COLUMNS by table. Equal rows share one Column: that is what makes a fleet fast."""
    names, found = tuples(columns, WANTED, REQUIRED, view="COLUMNS", file=file)
    if names and (message := not_dumped(names)):
        problems.append(InputProblem("SC001", message, Location(file)))
    read = ColumnReader(
        names[2:], server, file, null_is_word=isinstance(columns, Rows) and columns.null_is_word
    )
    memo: dict[tuple[object, ...], tuple[Column, str]] = {}
    drafts: dict[Name, Draft] = {}
    schema = table = None
    draft = Draft(None)
    for line, values in found:
        if isinstance(values, Misfit):
            # Where its names are not told it may belong to the table before.
            named = (
                (text_of(values.values[0]), text_of(values.values[1]))
                if values.values[1] is not None
                else (text_of(schema), text_of(table))
            )
            if named[1] is not None:
                drafts.setdefault((named[0], named[1]), Draft(line)).bad = True
            problems.append(
                InputProblem("SC001", f"a row of COLUMNS has {values}", Location(file, line), *named)
            )
            continue
        if values[1] != table or values[0] != schema:
            schema, table = values[0], values[1]
            draft = drafts.setdefault((text_of(schema), text_of(table) or ""), Draft(line))
            if not text_of(table):
                problems.append(InputProblem("SC001", NO_NAME, Location(file, line), text_of(schema)))
        definition = values[2:]
        try:
            entry = memo.get(definition)
            if entry is None:
                if len(memo) > _MEMO:
                    memo.clear()
                entry = memo[definition] = read(definition)
            draft.columns.append(entry)
        except (BadRow, TypeError) as error:
            draft.bad = True
            where = f"column {definition[0]}" if isinstance(definition[0], str) else "a column"
            problems.append(
                InputProblem(
                    "SC001", f"{where}: {error}", Location(file, line), text_of(schema), text_of(table)
                )
            )
    return drafts


def _table(
    name: Name, draft: Draft, details: Details, file: str, problems: list[InputProblem]
) -> Table | None:
    """One table, or None with a problem that says why."""
    database, table = name
    place = Location(file, draft.line)
    if is_system(database, details.server):
        return None
    row = details.tables.get(name, {})
    type_ = (row.get("TABLE_TYPE") or "BASE TABLE").upper()
    kind = (
        TableKind.VIEW
        if type_.endswith("VIEW")
        else TableKind.SEQUENCE
        if type_ == "SEQUENCE"
        else TableKind.TABLE
    )
    if kind is TableKind.SEQUENCE:
        typed = draft.columns[0][0].type if draft.columns else None
        own = sequence_columns(
            details.server, *((typed.base,) if typed else ()), unsigned=bool(typed and typed.unsigned)
        )
        return Table(table, own, database, kind=kind, location=place)
    if kind is not TableKind.TABLE:
        # As from DDL: what a view is made of is the server's business.
        names = tuple(column.name for column, _ in _ordered(draft.columns)[0])
        return Table(
            table, (), database, kind=kind, location=place, view_columns=None if draft.bad else names
        )
    if draft.bad or not table:
        return None
    pairs, gaps = _ordered(draft.columns)
    versioned = type_ == "SYSTEM VERSIONED"
    columns = tuple(column for column, _ in pairs)
    # STATISTICS may be of other databases only: then COLUMN_KEY tells, which is empty everywhere in a table
    # without keys.
    told = details.keys.get(name)
    known = told or TableKeys(key_rows.primary_from_columns(pairs))
    hidden = gaps == [1] and details.server.has("gipk") and hidden_column.may_hide_gipk(pairs, known.keys)
    lost = (
        _absent(pairs, told.keys, {"row_start", "row_end"} if versioned else {hidden_column.GIPK.name})
        if told
        else []
    )
    twice = len({column.name.lower() for column in columns}) < len(columns)
    if (gaps and not hidden) or lost or twice:
        problems.append(
            InputProblem(
                "SC001",
                _gap_message(gaps)
                if gaps and (lost or not hidden)
                else f"a key names column {lost[0]}, of which there is no row: the dump is incomplete"
                if lost
                else "two of its columns have one name: are two dumps in one file?",
                place,
                database,
                table,
            )
        )
        return None
    if hidden:
        columns = (hidden_column.GIPK, *columns)
    if versioned and not any(c.expression == "row start" for c in columns):
        columns = (*columns, *hidden_column.PERIOD)
    found = known.keys
    if (
        known.hashed
        and details.server.has("unique-hash-index")
        and (row.get("ENGINE") or "").upper() != "MEMORY"
    ):
        columns = (
            *columns,
            *(
                hidden_column.hash_column(number, key, details.server)
                for number, key in enumerate(known.hashed, 1)
            ),
        )
    if hidden and not any(key.name == "PRIMARY" for key in found):
        found = [Key(KeyKind.PRIMARY, (KeyPart(hidden_column.GIPK.name),), "PRIMARY"), *found]
    collation = row.get("TABLE_COLLATION")
    made = Table(
        table, columns, database, normal.keys(found), normal.by_name(details.checks.get(name, ())),
        normal.by_name(details.foreign_keys.get(name, ())),
        kind, _engine(row), of_collation(collation) if collation else None,
        canonical_collation(collation) if collation else None,
        gipk=hidden_column.is_gipk(columns[0], details.server), system_versioned=versioned, location=place,
        size=details.size(name),
    )  # fmt: skip
    return converted.of_server(made, details.server)


def _ordinal(pair: tuple[Column, str]) -> int:
    location = pair[0].location
    return location.ordinal or 0 if location else 0


def _ordered(pairs: list[tuple[Column, str]]) -> tuple[list[tuple[Column, str]], list[int]]:
    """The columns by ordinal; and the ordinals that are missing (positive) or come twice (negative)."""
    given = [(column.location.ordinal or 0) if column.location else 0 for column, _ in pairs]
    whole = list(range(1, len(given) + 1))
    if given == whole:
        return pairs, []
    pairs = sorted(pairs, key=_ordinal)
    given.sort()
    if given == whole:
        return pairs, []
    twice = sorted({-n for before, n in pairwise(given) if before == n})
    present = set(given)
    return pairs, twice or [n for n in range(1, min(given[-1], 4096) + 1) if n not in present]


def _absent(pairs: list[tuple[Column, str]], keys: list[Key], hidden: set[str]) -> list[str]:
    """Columns that keys name and COLUMNS does not have."""
    if not keys:
        return []
    there = {column.name.casefold() for column, _ in pairs} | hidden
    return [
        part.column
        for key in keys
        for part in key.parts
        if part.column is not None and part.column.casefold() not in there
    ]


def _gap_message(gaps: list[int]) -> str:
    shown = ", ".join(str(abs(n)) for n in gaps[:5]) + ("..." if len(gaps) > 5 else "")
    if gaps[0] < 0:
        return (
            f"ordinal position {shown} comes twice: are two dumps in one file? Give each server's "
            "dump by itself"
        )
    return (
        f"no row for ordinal position {shown}: the dump is incomplete, or its user may not see every "
        "column; dump with SELECT on the whole table"
    )
