"""Rows of information_schema about constraints, joined by the names that they share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from schemacheck.fleet.definition import BY_NAME, FIELD, INCOMING, NULL
from schemacheck.fleet.dump_file import ViewRows
from schemacheck.inputs.key_rows import described_in, without_row, without_table
from schemacheck.model import InputProblem

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


def not_described(
    constraints: Iterable[Row], keyed: Collection[str], lines: Mapping[Name, Sequence[str]]
) -> dict[Name, str]:
    """What is said of tables of which TABLE_CONSTRAINTS names a constraint that no other view describes:
    `keyed` are databases of which there are rows of STATISTICS, `lines` those of each table.
    """
    plain = [{name: None if value == NULL else value for name, value in row.items()} for row in constraints]
    lost = {}
    for (database, table), described in described_in(plain, keyed).items():
        name = (database or "", table)
        there = {(line[0], line[1:].partition(FIELD)[0]) for line in lines.get(name, ())}
        for view, constraint in described:
            if (BY_NAME[view.lower()].letter, constraint) not in there:
                lost[name] = without_row(constraint, view)
                break
    return lost


def _matters(view: str, row: Row) -> bool:
    needed = {"key_column_usage": "REFERENCED_TABLE_NAME", "partitions": "PARTITION_NAME"}.get(view)
    return needed is None or row[needed] != NULL


def with_owner(checks: Iterable[Row], constraints: Iterable[Row]) -> tuple[list[Row], list[InputProblem]]:
    """Rows of CHECK_CONSTRAINTS with their tables, which MySQL names in TABLE_CONSTRAINTS only; a constraint
    whose table no row names is a problem. LEVEL is there where the row itself names its table (MariaDB has
    the column since 10.5.10).
    """
    tables: dict[tuple[str, str], list[str]] = {}
    for row in constraints:
        if row["CONSTRAINT_SCHEMA"] != NULL:
            tables.setdefault((row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"]), []).append(
                row["TABLE_NAME"]
            )
    owned, problems = [], []
    for row in checks:
        schema, name, own = row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"], row["TABLE_NAME"]
        owners: Sequence[str] = [own] if own not in ("", NULL) else tables.get((schema, name), ())
        level = NULL if owners != [own] else "Table" if row["LEVEL"] in ("", NULL) else row["LEVEL"]
        owned += [{**row, "TABLE_NAME": table, "LEVEL": level} for table in owners]
        if not owners:
            message = without_table("" if name == NULL else name)
            problems.append(InputProblem("SC001", message, None, None if schema == NULL else schema))
    return owned, problems


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
