"""Rows of information_schema about constraints, joined by the names that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.fleet.definition import INCOMING
from schemacheck.inputs.key_rows import without_table
from schemacheck.model import InputProblem

if TYPE_CHECKING:
    import pyarrow as pa

Name = tuple[str, str]


def owners(views: dict[str, list[tuple[pa.Table, bool]]]) -> dict[Name, list[str]]:
    """The tables of CHECK constraints, which MySQL names in TABLE_CONSTRAINTS only."""
    found: dict[Name, list[str]] = {}
    for rows, _ in views.get("table_constraints", ()):
        if "CONSTRAINT_SCHEMA" not in rows.column_names:
            continue
        for row in (
            only_checks(rows).select(["CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_NAME"]).to_pylist()
        ):
            found.setdefault((row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"]), []).append(row["TABLE_NAME"])
    return found


def actions(views: dict[str, list[tuple[pa.Table, bool]]]) -> dict[tuple[str, str, str], tuple[str, str]]:
    """UPDATE_RULE and DELETE_RULE by schema, table and name of the foreign key."""
    found = {}
    for rows, _ in views.get("referential_constraints", ()):
        for row in rows.to_pylist():
            found[row["CONSTRAINT_SCHEMA"], row["TABLE_NAME"], row["CONSTRAINT_NAME"]] = (
                row["UPDATE_RULE"],
                row["DELETE_RULE"],
            )
    return found


def with_owner(rows: pa.Table, tables: dict[Name, list[str]]) -> tuple[pa.Table, list[InputProblem]]:
    """Rows of CHECK_CONSTRAINTS with their tables; a constraint whose table no row names is a problem. LEVEL
    is there where the row itself names its table (MariaDB has the column since 10.5.10).
    """
    import pyarrow as pa

    found, problems = [], []
    for row in rows.to_pylist():
        schema, name = row["CONSTRAINT_SCHEMA"], row["CONSTRAINT_NAME"]
        own = row.get("TABLE_NAME")
        owners = [own] if own else tables.get((schema, name), ())
        level = (row.get("LEVEL") or "Table") if own else None
        found += [{**row, "TABLE_NAME": table, "LEVEL": level} for table in owners]
        if not owners:
            problems.append(InputProblem("SC001", without_table(name or ""), None, schema))
    kinds = {name: pa.string() for name in (*rows.column_names, "TABLE_NAME", "LEVEL")}
    return pa.Table.from_pylist(found, schema=pa.schema(list(kinds.items()))), problems


def only_checks(rows: pa.Table) -> pa.Table:
    """The rows of TABLE_CONSTRAINTS that are CHECKs."""
    import pyarrow.compute as pc

    return rows.filter(pc.equal(pc.utf8_upper(rows.column("CONSTRAINT_TYPE")), "CHECK"))


def partitioned(rows: pa.Table) -> pa.Table:
    """The rows of PARTITIONS that name a partition: a table without any has a row too."""
    import pyarrow.compute as pc

    return rows.filter(pc.is_valid(rows.column("PARTITION_NAME")))


def referencing(rows: pa.Table) -> pa.Table:
    """The rows of KEY_COLUMN_USAGE that belong to foreign keys."""
    import pyarrow.compute as pc

    return rows.filter(pc.is_valid(rows.column("REFERENCED_TABLE_NAME")))


def seen_from_parent(rows: pa.Table, rules: dict[tuple[str, str, str], tuple[str, str]]) -> pa.Table:
    """Rows of KEY_COLUMN_USAGE as INCOMING has them: of the table that is referenced, with the key's actions
    where they were dumped.
    """
    import pyarrow as pa

    found = []
    for row in rows.to_pylist():
        update, delete = rules.get(
            (row["TABLE_SCHEMA"], row["TABLE_NAME"], row["CONSTRAINT_NAME"]), (None, None)
        )
        found.append(
            {**row, "CHILD_SCHEMA": row["TABLE_SCHEMA"], "CHILD_TABLE": row["TABLE_NAME"],
            "TABLE_NAME": row["REFERENCED_TABLE_NAME"], "UPDATE_RULE": update, "DELETE_RULE": delete}
        )  # fmt: skip
    names = dict.fromkeys([*INCOMING.order, *INCOMING.carried, INCOMING.database, "TABLE_NAME"])
    return pa.Table.from_pylist(found, schema=pa.schema([(name, pa.string()) for name in names]))
