"""information_schema rows become Tables: COLUMNS alone is enough, the other views refine."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from schemacheck.errors import defect
from schemacheck.inputs.column_row import RECOMMENDED, REQUIRED, WANTED, BadRow, text_of
from schemacheck.inputs.details import Details, Name, One
from schemacheck.inputs.heading import Misfit, Rows, tuples
from schemacheck.inputs.system import is_system, left_out
from schemacheck.inputs.table_columns import ColumnReader, Draft
from schemacheck.model import (
    Column,
    ColumnType,
    InputProblem,
    Key,
    KeyKind,
    KeyPart,
    Location,
    Table,
    TableKind,
    normal,
)
from schemacheck.model.charset import canonical_collation, of_collation
from schemacheck.model.sequence import NAMES
from schemacheck.model.sequence import columns as sequence_columns

if TYPE_CHECKING:
    from schemacheck.inputs.table_columns import Columns
    from schemacheck.model import Server

#: The generated invisible primary key (MySQL manual, "Generated Invisible Primary Keys"), which
#: information_schema hides on demand.
GIPK = Column(
    "my_row_id", ColumnType.parse("bigint unsigned"), nullable=False, auto_increment=True, invisible=True
)
#: The period columns of WITH SYSTEM VERSIONING, which are in the row image and not in information_schema.
PERIOD = tuple(
    Column(
        f"row_{end}",
        ColumnType.parse("timestamp(6)"),
        nullable=False,
        generated="stored",
        expression=f"row {end}",
        invisible=True,
    )
    for end in ("start", "end")
)


def hash_column(number: int, key: Key, server: Server) -> Column:
    """MariaDB's hidden column behind a hashed UNIQUE key, which row images have (10.11, 11.8)."""
    names = ",".join(f"`{part.column}`" for part in key.parts)
    return Column(
        f"DB_ROW_HASH_{number}",
        ColumnType.parse(f"bigint({0 if server.has('unique-hash-of-width-0') else 8}) unsigned"),
        generated="virtual",
        expression=f"hash({names})",
        invisible=True,
    )


def is_gipk(first: Column, server: Server) -> bool:
    """Whether a table's first column is the generated invisible primary key."""
    return first == GIPK and server.has("gipk")


def may_hide_gipk(known: Columns, keys: Sequence[Key]) -> bool:
    """Whether a generated key may be hidden: not beside another primary or NOT NULL UNIQUE key."""
    needed = {column.name.casefold() for column in known.columns if not column.nullable}
    other = any(
        key.kind in (KeyKind.PRIMARY, KeyKind.UNIQUE)
        and all(
            part.column is not None and part.length is None and part.column.casefold() in needed
            for part in key.parts
        )
        for key in keys
    )
    primary = any(
        key.kind is KeyKind.PRIMARY and [part.column for part in key.parts] != [GIPK.name] for key in keys
    )
    return not (other or primary or known.primary)


def _engine(row: Mapping[str, str | None]) -> str | None:
    """The engine as SHOW CREATE TABLE spells it; information_schema has MRG_MyISAM in capitals."""
    name = row.get("ENGINE")
    return "MRG_MyISAM" if name == "MRG_MYISAM" else name


def _created(row: Mapping[str, str | None]) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """What CREATE_OPTIONS says of pages: the ROW_FORMAT, and KEY_BLOCK_SIZE among options."""
    words = (word.partition("=") for word in (row.get("CREATE_OPTIONS") or "").upper().split())
    named = {name: value for name, _, value in words}
    block = named.get("KEY_BLOCK_SIZE")
    row_format = named.get("ROW_FORMAT")
    return None if row_format == "DEFAULT" else row_format, (("KEY_BLOCK_SIZE", block),) if block else ()


def build(
    drafts: Mapping[Name, Draft], details: Details, file: str, problems: list[InputProblem]
) -> list[Table]:
    """The tables of one file's drafts; `problems` grows."""
    own = [database for database, _ in drafts if is_system(database, details.server)]
    if own:
        problems.append(
            InputProblem("SC001", left_out([name or "" for name in own]), Location(file), skipped=True)
        )
    out = []
    for name, draft in drafts.items():
        try:
            table = _table(name, draft, details, file, problems)
        except Exception as error:  # noqa: BLE001 a defect costs this table, not the file
            problems.append(InputProblem("SC004", defect(error), Location(file, draft.line), *name))
        else:
            out += [table] if table is not None else []
    return out


#: A format in which NULL is a bare word cannot tell.
NO_NAME = (
    "a row of COLUMNS has no TABLE_NAME, or that of a table called NULL: this table is not read; "
    "give its CREATE TABLE, or a snapshot"
)


NO_SCHEMA = "a row of COLUMNS has no TABLE_SCHEMA: the dump is incomplete"


def not_dumped(names: Collection[str]) -> str:
    """What is said of COLUMNS that lacks columns; '' where it lacks none (a collation tells its set)."""
    listed = {*names, "CHARACTER_SET_NAME"} if "COLLATION_NAME" in names else names
    absent = [name for name in RECOMMENDED if name not in listed]
    if not absent:
        return ""
    return f"COLUMNS has no {', '.join(absent)}: differences there cannot be seen; dump these columns too"


def collect(columns: One, server: Server, file: str, problems: list[InputProblem]) -> dict[Name, Draft]:
    """All rows of COLUMNS by table."""
    names, result = tuples(columns, WANTED, REQUIRED, view="COLUMNS", file=file)
    if names and (message := not_dumped(names)):
        problems.append(InputProblem("SC001", message, Location(file)))
    reader = ColumnReader(
        names[2:], server, file, null_is_word=isinstance(columns, Rows) and columns.null_is_word
    )
    shapes, ordinals = reader.shapes, reader.ordinals
    drafts: dict[Name, Draft] = {}
    schema = table = None
    draft = Draft(reader, None)
    # What each row asks for is looked up once a table.
    add_name, add_ordinal, add_shape = draft.names.append, draft.ordinals.append, draft.shapes.append
    known_shape, known_ordinal = shapes.get, ordinals.get
    for line, values in result:
        if isinstance(values, Misfit):
            # Where its names are not told it may belong to the table before.
            named = (
                (text_of(values.values[0]), text_of(values.values[1]))
                if values.values[1] is not None
                else (text_of(schema), text_of(table))
            )
            if named[1] is not None:
                drafts.setdefault((named[0], named[1]), Draft(reader, line)).bad = True
            problems.append(
                InputProblem("SC001", f"a row of COLUMNS has {values}", Location(file, line), *named)
            )
            continue
        if values[1] != table or values[0] != schema:
            schema, table = values[0], values[1]
            draft = drafts.setdefault((text_of(schema), text_of(table) or ""), Draft(reader, line))
            add_name, add_ordinal, add_shape = draft.names.append, draft.ordinals.append, draft.shapes.append
            if not text_of(table):
                problems.append(InputProblem("SC001", NO_NAME, Location(file, line), text_of(schema)))
        name = values[2]
        try:
            shape, ordinal = known_shape(values[4:]), known_ordinal(values[3])
            if shape is None or ordinal is None or name.__class__ is not str or not name:
                draft.add(reader.row(values[2:]))
            else:
                add_name(name)
                add_ordinal(ordinal)
                add_shape(shape)
        except (BadRow, TypeError) as error:
            draft.bad = True
            where = f"column {name}" if isinstance(name, str) else "a column"
            problems.append(
                InputProblem(
                    "SC001", f"{where}: {error}", Location(file, line), text_of(schema), text_of(table)
                )
            )
    if any(database for database, _ in drafts):
        problems += [
            InputProblem("SC001", NO_SCHEMA, Location(file, draft.line), None, name or None)
            for (database, name), draft in drafts.items()
            if not database
        ]
    return drafts


def _table(
    name: Name, draft: Draft, details: Details, file: str, problems: list[InputProblem]
) -> Table | None:
    database, table = name
    place = Location(file, draft.line)
    if is_system(database, details.server):
        return None
    row = details.tables.get(name, {})
    type_ = (row.get("TABLE_TYPE") or "BASE TABLE").upper()
    if type_ == "SEQUENCE":
        # Rows come in any order: other columns have types of their own.
        given = () if draft.bad else draft.columns().columns
        typed = next((column.type for column in given if column.name == NAMES[0]), None)
        own = sequence_columns(
            details.server, *((typed.base,) if typed else ()), unsigned=bool(typed and typed.unsigned)
        )
        return Table(table, own, database, kind=TableKind.SEQUENCE, location=place)
    if type_.endswith("VIEW"):
        # As from DDL: what a view is made of is the server's business.
        names = None if draft.bad else tuple(column.name for column in draft.columns().columns)
        return Table(table, (), database, kind=TableKind.VIEW, location=place, view_columns=names)
    if draft.bad or not table:
        return None
    current = draft.columns()
    # STATISTICS may be of other databases only: then COLUMN_KEY tells, which is empty everywhere in a table
    # without keys.
    table_keys = details.keys.get(name)
    versioned = type_ == "SYSTEM VERSIONED"
    keys: Sequence[Key] = table_keys.keys if table_keys else current.keys
    gaps = current.gaps
    hidden = gaps == [1] and details.server.has("gipk") and may_hide_gipk(current, keys)
    lost = (
        _absent(current.columns, keys, {"row_start", "row_end"} if versioned else {GIPK.name})
        if table_keys
        else []
    )
    if (gaps and not hidden) or lost or current.twice:
        problems.append(
            InputProblem(
                "SC001",
                _gap_message(gaps)
                if gaps and (lost or not hidden)
                else f"a key names column {lost[0]}, which has no row: the dump is incomplete"
                if lost
                else "two of its columns have one name: are two dumps in one file?",
                place,
                database,
                table,
            )
        )
        return None
    lost_row = details.lost(name, current.keyed)
    # What makes a line unreadable is a problem already.
    if lost_row and not any((problem.database, problem.table) == name for problem in problems):
        problems.append(InputProblem("SC001", lost_row, place, database, table))
        return None
    columns = current.columns
    if hidden:
        columns = (GIPK, *columns)
        if not any(key.name == "PRIMARY" for key in keys):
            keys = [Key(KeyKind.PRIMARY, (KeyPart(GIPK.name),), "PRIMARY"), *keys]
    if versioned and not any(c.expression == "row start" for c in columns):
        columns = (*columns, *PERIOD)
    if (
        table_keys
        and table_keys.hashed
        and details.server.has("unique-hash-index")
        and (row.get("ENGINE") or "").upper() != "MEMORY"
    ):
        columns = (
            *columns,
            *(
                hash_column(number, key, details.server)
                for number, key in enumerate(normal.keys(table_keys.hashed), 1)
            ),
        )
    checks = details.checks.get(name, ())
    collation = row.get("TABLE_COLLATION")
    row_format, options = _created(row)
    return Table(
        table, columns, database, keys if keys is current.keys else normal.keys(keys),
        normal.by_name(checks), normal.by_name(details.foreign_keys.get(name, ())), TableKind.TABLE,
        _engine(row), of_collation(collation) if collation else None,
        canonical_collation(collation) if collation else None,
        gipk=is_gipk(columns[0], details.server), system_versioned=versioned, location=place,
        row_format=row_format, options=options, size=details.size(name) if row else None,
    )  # fmt: skip


def _absent(columns: Sequence[Column], keys: Sequence[Key], hidden: set[str]) -> list[str]:
    """Columns that keys name and COLUMNS does not have."""
    if not keys:
        return []
    there = {column.name.casefold() for column in columns} | hidden
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
