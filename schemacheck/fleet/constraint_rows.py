"""Rows of information_schema about constraints, joined by the names that they share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from schemacheck.fleet.definition import BY_NAME, FIELD, INCOMING, NULL
from schemacheck.fleet.dump_file import ViewRows
from schemacheck.fleet.fields import Misfit
from schemacheck.inputs.key_rows import described_in

Row = dict[str, str]
Name = tuple[str, str]


def of_view(view: str, some: Iterable[ViewRows]) -> list[Row]:
    """The rows of a view that matter, by their columns' names: foreign keys of KEY_COLUMN_USAGE, partitions
    of PARTITIONS (a table without any has a row too), all of others.
    """
    wanted = BY_NAME[view]
    names = dict.fromkeys(
        ("CONSTRAINT_SCHEMA", wanted.database, "TABLE_NAME", *wanted.order, *wanted.carried)
    )
    every = (dict(zip(names, values, strict=True)) for rows in some for values in rows.records(tuple(names)))
    return [row for row in every if _matters(view, row)]


def only_checks(constraints: Iterable[Row]) -> list[Row]:
    """The rows of TABLE_CONSTRAINTS that are CHECKs."""
    return [row for row in constraints if row["CONSTRAINT_TYPE"].upper() == "CHECK"]


def described(
    constraints: Iterable[Row], keyed: Collection[str], lines: Mapping[Name, Sequence[str]]
) -> None:
    """Raises Misfit where TABLE_CONSTRAINTS names a constraint that no other view describes: `keyed` are
    databases of which there are rows of STATISTICS, `lines` those of each table.
    """
    plain = [{name: None if value == NULL else value for name, value in row.items()} for row in constraints]
    for (database, table), views in described_in(plain, keyed).items():
        there = {(line[0], line[1:].partition(FIELD)[0]) for line in lines.get((database or "", table), ())}
        if any((BY_NAME[view.lower()].letter, constraint) not in there for view, constraint in views):
            raise Misfit


def _matters(view: str, row: Row) -> bool:
    needed = {"key_column_usage": "REFERENCED_TABLE_NAME", "partitions": "PARTITION_NAME"}.get(view)
    return needed is None or row[needed] != NULL


def with_owner(checks: Iterable[Row], constraints: Iterable[Row]) -> list[Row]:
    """Rows of CHECK_CONSTRAINTS with their tables, which MySQL names in TABLE_CONSTRAINTS only. LEVEL is
    there where the row itself names its table (MariaDB has the column since 10.5.10). Raises Misfit for a
    constraint whose table no row names.
    """
    tables: dict[tuple[str, str], dict[str, None]] = {}
    for row in constraints:
        if row["CONSTRAINT_SCHEMA"] != NULL:
            # (A row that comes twice is found twice by who reads the lines.)
            tables.setdefault((row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"]), {})[row["TABLE_NAME"]] = (
                None
            )
    owned = []
    for row in checks:
        schema, name, own = row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"], row["TABLE_NAME"]
        owners = [own] if own not in ("", NULL) else [*tables.get((schema, name), ())]
        level = NULL if owners != [own] else "Table" if row["LEVEL"] in ("", NULL) else row["LEVEL"]
        owned += [{**row, "TABLE_NAME": table, "LEVEL": level} for table in owners]
        if not owners:
            raise Misfit
    return owned


def seen_from_parent(keys: Iterable[Row], rules: Iterable[Row]) -> list[Row]:
    """Rows of KEY_COLUMN_USAGE as INCOMING has them: of the table that is referenced, with the key's actions
    where they were dumped.
    """
    by_key = {(row["CONSTRAINT_SCHEMA"], row["TABLE_NAME"], row["CONSTRAINT_NAME"]): row for row in rules}
    names = [name for name in INCOMING.carried if name.endswith("_RULE")]
    seen = []
    for row in keys:
        rule = by_key.get((row["TABLE_SCHEMA"], row["TABLE_NAME"], row["CONSTRAINT_NAME"]), {})
        child = {"CHILD_SCHEMA": row["TABLE_SCHEMA"], "CHILD_TABLE": row["TABLE_NAME"]}
        parent = {"TABLE_NAME": row["REFERENCED_TABLE_NAME"]}
        seen.append({**row, **child, **parent, **{name: rule.get(name, NULL) for name in names}})
    return seen
