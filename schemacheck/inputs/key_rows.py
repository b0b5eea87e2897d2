"""Rows of STATISTICS and of the views of constraints become keys and constraints."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.inputs.column_row import expression_of, text_of
from schemacheck.inputs.heading import Misfit, Rows, tuples
from schemacheck.inputs.piece import Joined
from schemacheck.model import Check, ForeignKey, InputProblem, Key, KeyKind, KeyPart, Location

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from schemacheck.model import Server

    Source = Rows | Joined | tuple[()]
    Name = tuple[str | None, str]

_KINDS = {
    "FULLTEXT": KeyKind.FULLTEXT,
    "SPATIAL": KeyKind.SPATIAL,
    "RTREE": KeyKind.SPATIAL,
    "VECTOR": KeyKind.VECTOR,
}
_STATISTICS = (
    "TABLE_SCHEMA", "TABLE_NAME", "NON_UNIQUE", "INDEX_NAME", "SEQ_IN_INDEX", "COLUMN_NAME", "SUB_PART",
)  # fmt: skip
_STATISTICS_MORE = ("COLLATION", "INDEX_TYPE", "IS_VISIBLE", "IGNORED", "EXPRESSION")
_CONSTRAINTS = ("CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_NAME", "CONSTRAINT_TYPE")
_CHECKS = ("CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "CHECK_CLAUSE")
_USAGE = (
    "TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_NAME", "COLUMN_NAME", "ORDINAL_POSITION",
    "REFERENCED_TABLE_SCHEMA",
    "REFERENCED_TABLE_NAME", "REFERENCED_COLUMN_NAME",
)  # fmt: skip
_REFERENTIAL = ("CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_NAME", "UPDATE_RULE", "DELETE_RULE")

#: By view: columns without which its rows are not read.
REQUIRED = {
    "statistics": _STATISTICS, "table_constraints": _CONSTRAINTS, "check_constraints": _CHECKS,
    "key_column_usage": _USAGE, "referential_constraints": _REFERENTIAL,
}  # fmt: skip

#: What every row of a view has a name in.
_NAMES = (
    "TABLE_SCHEMA", "TABLE_NAME", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "CONSTRAINT_TYPE", "CHECK_CLAUSE",
    "INDEX_NAME", "EVENT_OBJECT_TABLE", "TRIGGER_NAME", "ACTION_STATEMENT", "UPDATE_RULE", "DELETE_RULE",
)  # fmt: skip


def records(
    rows: Source,
    required: tuple[str, ...],
    more: tuple[str, ...],
    view: str,
    file: str,
    problems: list[InputProblem],
) -> Iterator[dict[str, str | None]]:
    """Every row as {wanted heading: text}; a row that cannot be read becomes a problem. Several files' rows
    of one view come as pieces, which name their files. Raises InputError for a missing heading.
    """
    if isinstance(rows, Joined):
        for piece in rows:
            yield from records(piece.rows, required, more, view, piece.file, problems)
        return
    names, result = tuples(rows, (*required, *more), required, view=view, file=file)
    for line, values in result:
        if isinstance(values, Misfit):
            record = dict(zip(names, map(text_of, values.values), strict=True))
            database = record.get("TABLE_SCHEMA") or record.get("CONSTRAINT_SCHEMA")
            problems.append(
                InputProblem(
                    "SC001",
                    f"a row of {view} has {values}",
                    Location(file, line),
                    database,
                    record.get("TABLE_NAME"),
                )
            )
            continue
        row = dict(zip(names, map(text_of, values), strict=True))
        if any(name in row and not row[name] for name in _NAMES):
            absent = next(name for name in _NAMES if name in row and not row[name])
            text = f"a row of {view} has no {absent}: the dump is incomplete"
            owner = row.get("TABLE_SCHEMA") or row.get("CONSTRAINT_SCHEMA"), row.get("TABLE_NAME")
            problems.append(InputProblem("SC001", text, Location(file, line), *owner))
        yield row


def _number(text: str | None) -> int:
    return int(float(text)) if text else 0


def _counted(rows: list[dict[str, str | None]], by: str) -> list[dict[str, str | None]]:
    """Rows in their order. Raises ValueError where it does not count from 1, OverflowError."""
    ordered = sorted(rows, key=lambda row: _number(row[by]))
    if [_number(row[by]) for row in ordered] != list(range(1, len(rows) + 1)):
        raise ValueError(not_counted(by))
    return ordered


def not_counted(by: str) -> str:
    """What is said of rows that are numbered otherwise than one after the other."""
    return f"{by} does not count from 1 without a gap: the dump is incomplete, or holds rows twice"


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of one table; `hashed` are the unique ones that are kept as a hash."""

    keys: list[Key] = field(default_factory=list)
    hashed: list[Key] = field(default_factory=list)


def keys(
    rows: Source, server: Server, file: str, problems: list[InputProblem], memory: Collection[Name] = ()
) -> dict[Name, TableKeys]:
    """STATISTICS: the keys of every table, in the order of the rows; `memory`: the tables in that engine."""
    grouped: dict[tuple[Name, str], list[dict[str, str | None]]] = defaultdict(list)
    for row in records(rows, _STATISTICS, _STATISTICS_MORE, "STATISTICS", file, problems):
        grouped[(row["TABLE_SCHEMA"], row["TABLE_NAME"] or ""), row["INDEX_NAME"] or ""].append(row)
    out: dict[Name, TableKeys] = defaultdict(TableKeys)
    for (table, name), parts in grouped.items():
        try:
            ordered = _counted(parts, "SEQ_IN_INDEX")
            key = _key(name, ordered, server, hashes=table in memory)
            out[table].keys.append(key)
            if key.kind is KeyKind.UNIQUE and (ordered[0].get("INDEX_TYPE") or "").upper() == "HASH":
                out[table].hashed.append(key)
        except (ValueError, OverflowError) as error:
            problems.append(
                InputProblem(
                    "SC001", f"key {name} in STATISTICS: {error}", Location(file), table[0], table[1]
                )
            )
    return out


def _key(name: str, parts: list[dict[str, str | None]], server: Server, *, hashes: bool) -> Key:
    first = parts[0]
    sorts = hashes and (first.get("INDEX_TYPE") or "").upper() == "BTREE"
    kind = _KINDS.get((first.get("INDEX_TYPE") or "").upper())
    if kind is None:
        kind = (
            KeyKind.PRIMARY
            if name.upper() == "PRIMARY"
            else KeyKind.INDEX
            if _number(first["NON_UNIQUE"])
            else KeyKind.UNIQUE
        )
    hidden = (first.get("IS_VISIBLE") or "").upper() == "NO" or (first.get("IGNORED") or "").upper() == "YES"
    return Key(
        kind,
        tuple(
            KeyPart(
                part["COLUMN_NAME"],
                # A SPATIAL key's SUB_PART (32) is the size of its box, nothing that anybody wrote.
                _number(part.get("SUB_PART")) or None if kind is not KeyKind.SPATIAL else None,
                expression_of(part.get("EXPRESSION"), server) or None,
                (part.get("COLLATION") or "").upper() == "D",
            )
            for part in parts
        ),
        "PRIMARY" if kind is KeyKind.PRIMARY else name,
        not hidden,
        attributes=("USING BTREE",) if sorts else (),
    )


def primary_from_columns(keyed: Sequence[tuple[str, str]]) -> list[Key]:
    """Keys by COLUMN_KEY alone: PRI is the primary key in the columns' order, UNI a key of one column."""
    primary = tuple([KeyPart(name) for name, key in keyed if key == "PRI"])
    result = [Key(KeyKind.PRIMARY, primary, "PRIMARY")] if primary else []
    return result + [Key(KeyKind.UNIQUE, (KeyPart(name),), name) for name, key in keyed if key == "UNI"]


def without_key(columns: Iterable[tuple[str, str]], keys: Sequence[Key]) -> str | None:
    """The first column of which COLUMN_KEY tells a key that none of `keys` is. PRI is told of all columns of
    the primary key, without one of those of a UNIQUE key; anything else of a key's first column (recorded).
    """
    primary = [key for key in keys if key.kind is KeyKind.PRIMARY]
    whole = {
        part.column.casefold() for key in primary or keys for part in key.parts if part.column is not None
    }
    first = {key.parts[0].column.casefold() for key in keys if key.parts[0].column is not None}
    for name, key in columns:
        if key and name.casefold() not in (whole if key == "PRI" else first):
            return name
    return None


#: The view that describes each type of constraint.
_DESCRIBES = {
    "PRIMARY KEY": "STATISTICS",
    "UNIQUE": "STATISTICS",
    "CHECK": "CHECK_CONSTRAINTS",
    "FOREIGN KEY": "KEY_COLUMN_USAGE",
}


def constraints(rows: Source, file: str, problems: list[InputProblem]) -> list[dict[str, str | None]]:
    """The rows of TABLE_CONSTRAINTS."""
    return list(records(rows, _CONSTRAINTS, ("ENFORCED",), "TABLE_CONSTRAINTS", file, problems))


def described_in(
    rows: Iterable[Mapping[str, str | None]], keyed: Collection[str | None]
) -> dict[Name, list[tuple[str, str]]]:
    """Each table's constraints by rows of TABLE_CONSTRAINTS, as (view, name). STATISTICS alone has the parts
    of a UNIQUE key; a primary one is in it where it has rows of the database (`keyed`).
    """
    out: dict[Name, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        kind = (row["CONSTRAINT_TYPE"] or "").upper()
        view = _DESCRIBES.get(kind)
        if view and (kind != "PRIMARY KEY" or row["CONSTRAINT_SCHEMA"] in keyed):
            table = row["CONSTRAINT_SCHEMA"], row["TABLE_NAME"] or ""
            out[table].append((view, row["CONSTRAINT_NAME"] or ""))
    return out


def without_key_row(column: str) -> str:
    """What is said of a column that is in a key, as COLUMN_KEY tells, of which STATISTICS has no row."""
    return f"COLUMN_KEY tells a key of {column}, and STATISTICS has no row of it: the dump is incomplete"


def without_row(constraint: str, view: str) -> str:
    """What is said of a constraint that the view that describes it lacks, or has otherwise."""
    return (
        f"TABLE_CONSTRAINTS names the constraint {constraint}, and {view} has no row of it that fits: "
        "the dump is incomplete"
    )


def checks(
    rows: Source,
    constraints: Iterable[Mapping[str, str | None]],
    server: Server,
    file: str,
    problems: list[InputProblem],
) -> dict[Name, list[Check]]:
    """CHECK_CONSTRAINTS; MySQL names the table and ENFORCED in TABLE_CONSTRAINTS only."""
    owners: dict[tuple[str | None, str], list[tuple[str, bool]]] = defaultdict(list)
    for row in constraints:
        if (row["CONSTRAINT_TYPE"] or "").upper() == "CHECK":
            enforced = (row.get("ENFORCED") or "YES").upper() != "NO"
            owners[row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"] or ""].append(
                (row["TABLE_NAME"] or "", enforced)
            )
    out: dict[Name, list[Check]] = defaultdict(list)
    for row in records(rows, _CHECKS, ("TABLE_NAME",), "CHECK_CONSTRAINTS", file, problems):
        schema, name, clause = (
            row["CONSTRAINT_SCHEMA"],
            row["CONSTRAINT_NAME"] or "",
            expression_of(row["CHECK_CLAUSE"], server),
        )
        tables = (
            [(row["TABLE_NAME"] or "", True)] if row.get("TABLE_NAME") else owners.get((schema, name), [])
        )
        if not tables:
            problems.append(InputProblem("SC001", without_table(name), Location(file), schema))
        for table, enforced in tables:
            out[schema, table].append(Check(clause, name, enforced))
    return out


def without_table(check: str) -> str:
    """What is said of a CHECK constraint whose table no row names."""
    return (
        f"CHECK constraint {check}: no row of TABLE_CONSTRAINTS says which table it belongs "
        "to; dump TABLE_CONSTRAINTS too"
    )


def foreign_keys(
    rows: Source, references: Source, file: str, problems: list[InputProblem]
) -> dict[Name, list[ForeignKey]]:
    """KEY_COLUMN_USAGE with actions; a table without these is unknown: deletes may go further."""
    actions: dict[tuple[str | None, str, str], tuple[str, str]] = {}
    for row in records(references, _REFERENTIAL, (), "REFERENTIAL_CONSTRAINTS", file, problems):
        owner = (row["CONSTRAINT_SCHEMA"], row["TABLE_NAME"] or "", row["CONSTRAINT_NAME"] or "")
        actions[owner] = (action(row["DELETE_RULE"]), action(row["UPDATE_RULE"]))
    grouped: dict[tuple[str | None, str, str], list[dict[str, str | None]]] = defaultdict(list)
    for row in records(rows, _USAGE, (), "KEY_COLUMN_USAGE", file, problems):
        if row["REFERENCED_TABLE_NAME"]:
            grouped[row["TABLE_SCHEMA"], row["TABLE_NAME"] or "", row["CONSTRAINT_NAME"] or ""].append(row)
    out: dict[Name, list[ForeignKey]] = defaultdict(list)
    for (schema, table, name), parts in grouped.items():
        try:
            ordered = _counted(parts, "ORDINAL_POSITION")
        except (ValueError, OverflowError) as error:
            problems.append(
                InputProblem(
                    "SC001", f"foreign key {name} in KEY_COLUMN_USAGE: {error}", Location(file), schema, table
                )
            )
            continue
        other = ordered[0]["REFERENCED_TABLE_SCHEMA"]
        if (schema, table, name) not in actions:
            problems.append(InputProblem("SC001", without_actions(name), Location(file), schema, table))
            continue
        on_delete, on_update = actions[schema, table, name]
        out[schema, table].append(
            ForeignKey(
                tuple(part["COLUMN_NAME"] or "" for part in ordered),
                ordered[0]["REFERENCED_TABLE_NAME"] or "",
                tuple(part["REFERENCED_COLUMN_NAME"] or "" for part in ordered),
                None if other == schema else other, on_delete, on_update, name,
            )
        )  # fmt: skip
    return out


def without_actions(name: str) -> str:
    """What is said of a foreign key of which only KEY_COLUMN_USAGE has rows."""
    return (
        f"foreign key {name}: no row of REFERENTIAL_CONSTRAINTS says what it does when a row of its parent "
        "is deleted or updated; dump REFERENTIAL_CONSTRAINTS too"
    )


def action(text: str | None) -> str:
    """A referential action as the model has it: nothing and NO ACTION are RESTRICT."""
    plain = (text or "").upper()
    return "RESTRICT" if plain in ("", "NO ACTION") else plain
