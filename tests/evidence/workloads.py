"""Ten applications as they write every day, and one drift at a time: cases for `tests.facts.record`.

    python -m tests.evidence.workloads > cases.jsonl
    python -m tests.facts.record cases.jsonl facts.jsonl --local
    python -m tests.evidence.recorded facts.jsonl

The last command prints of how many the report is `red`, of how many it is `left` red with evidence, and how
many are `true`: replication stopped, or rows differ.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy

from tests.facts.applications import APPLICATIONS, Column, Table, table_of

ROWS = 4
Drift = Callable[[Table, random.Random], bool]


def applications() -> list[list[Table]]:
    """The tables of each application; generated columns and defaults of functions are left out."""
    groups = APPLICATIONS.replace("\\\n", "").strip().split("\n\n")
    plain = [[table_of(re.sub(r"\{.*?\}", "", line), old=False) for line in g.split("\n")] for g in groups]
    for tables in plain:
        for table in tables:
            table.columns = [c for c in table.columns if c.type != "json"]
    return plain


def value(column: Column, number: int) -> str:
    """An everyday value."""
    base = column.type.split("(")[0].split()[0]
    if base in ("tinyint", "smallint", "int", "bigint"):
        return str(number)
    return {
        "decimal": f"{number}.50", "double": f"{number}.5", "date": f"'2026-01-0{number}'",
        "datetime": f"'2026-01-0{number} 10:11:12'", "timestamp": f"'2026-01-0{number} 10:11:12'",
        "time": "'08:30:00'", "enum": "'new'", "set": "'a'", "bit": "b'1'", "blob": "'plain'",
        "varbinary": f"x'0A00000{number}'", "char": "'DE'",
    }.get(base, f"'{column.name}{number}'")  # fmt: skip


def keyed(table: Table) -> list[Column]:
    """The columns of the primary key, else the first."""
    key = next((k for k in table.keys if k.startswith("PRIMARY")), "")
    named = [c for c in table.columns if re.search(rf"\b{c.name}\b", key)]
    return named or table.columns[:1]


def where(table: Table, number: int) -> str:
    return " AND ".join(f"{c.name} = {value(c, number)}" for c in keyed(table))


def rows_by_key(table: Table) -> Iterator[str]:
    """As an object-relational mapper writes: one row at a time, found by its key."""
    names = ", ".join(c.name for c in table.columns)
    for number in range(1, ROWS + 1):
        values = ", ".join(value(c, number) for c in table.columns)
        yield f"INSERT INTO {table.name} ({names}) VALUES ({values})"
    other = [c for c in table.columns if c not in keyed(table) and not table.keyed(c)]
    for column in other[:2]:
        yield f"UPDATE {table.name} SET {column.name} = {value(column, 7)} WHERE {where(table, 2)}"
    yield f"DELETE FROM {table.name} WHERE {where(table, 4)}"


def sets_of_rows(table: Table) -> Iterator[str]:
    """As jobs write: many rows at once, what is there already, what is old."""
    names = ", ".join(c.name for c in table.columns)
    listed = ", ".join(f"({', '.join(value(c, n) for c in table.columns)})" for n in range(1, ROWS + 1))
    yield f"INSERT INTO {table.name} ({names}) VALUES {listed}"
    other = [c for c in table.columns if c not in keyed(table) and not table.keyed(c)]
    if other:
        name = other[0].name
        again = f"INSERT INTO {table.name} ({names}) VALUES ({', '.join(value(c, 2) for c in table.columns)})"
        yield f"{again} ON DUPLICATE KEY UPDATE {name} = VALUES({name})"
        yield f"UPDATE {table.name} SET {name} = {value(other[0], 8)} WHERE {name} = {value(other[0], 3)}"
    yield f"DELETE FROM {table.name} WHERE {where(table, 1)}"


def _column(table: Table, r: random.Random, *bases: str) -> Column | None:
    found = [c for c in table.columns if c.type.split("(")[0] in bases and not table.keyed(c)]
    return r.choice(found) if found else None


def _retyped(bases: tuple[str, ...], change: Callable[[str], str]) -> Drift:
    def drift(table: Table, r: random.Random) -> bool:
        column = _column(table, r, *bases)
        if column:
            column.type = change(column.type)
        return column is not None

    return drift


def _rest(bases: tuple[str, ...], rest: str) -> Drift:
    def drift(table: Table, r: random.Random) -> bool:
        column = _column(table, r, *bases)
        if column:
            column.rest = rest
        return column is not None

    return drift


def _without(kind: str) -> Drift:
    def drift(table: Table, r: random.Random) -> bool:
        found = [k for k in table.keys if k.startswith(kind)]
        if found:
            table.keys.remove(r.choice(found))
        return bool(found)

    return drift


def _also(line: str) -> Drift:
    def drift(table: Table, r: random.Random) -> bool:
        column = _column(table, r, "varchar", "int", "smallint", "bigint")
        if column:
            table.keys.append(line.format(column.name))
        return column is not None

    return drift


def _engine(table: Table, _: random.Random) -> bool:
    table.engine = "Aria"
    return True


def _more(table: Table, _: random.Random) -> bool:
    table.columns.append(Column("added", "int", " NULL"))
    return True


_TEXTS = ("varchar",)
_INTS = ("int", "smallint", "tinyint")
DRIFTS: dict[str, Drift] = {
    "longer": _retyped(_TEXTS, lambda _: "varchar(250)"),
    "shorter": _retyped(_TEXTS, lambda _: "varchar(20)"),
    "wider": _retyped(_INTS, lambda _: "bigint"),
    "narrower": _retyped(("int", "bigint"), lambda _: "smallint"),
    "members": _retyped(("enum",), lambda _: "enum('new','paid')"),
    "digits": _retyped(("decimal",), lambda _: "decimal(14,6)"),
    "collation": _retyped(_TEXTS, lambda kind: f"{kind} COLLATE utf8mb4_bin"),
    "required": _rest((*_TEXTS, *_INTS), " NOT NULL DEFAULT '1'"),
    "default": _rest((*_TEXTS, *_INTS), " DEFAULT '9'"),
    "without an index": _without("KEY"),
    "without a unique key": _without("UNIQUE"),
    "without a foreign key": _without("CONSTRAINT"),
    "another index": _also("KEY another ({})"),
    "another unique key": _also("UNIQUE KEY another ({})"),
    "engine": _engine,
    "another column": _more,
}


def cases() -> Iterator[dict[str, object]]:
    r = random.Random(40)
    for number, tables in enumerate(applications()):
        for style in (rows_by_key, sets_of_rows):
            for name, drift in DRIFTS.items():
                theirs = deepcopy(tables)
                if not any(drift(table, r) for table in r.sample(theirs, len(theirs))):
                    continue
                for log in ("STATEMENT", "MIXED"):
                    yield {
                        "id": f"{number} {style.__name__} {name} {log}", "binlog_format": log, "modes": "",
                        "source_ddl": [table.sql() for table in tables],
                        "replica_ddl": [table.sql() for table in theirs],
                        "source_sql": sorted(
                            (text for table in tables for text in style(table)), key=_turn
                        ),
                        "source_sql_mode": "STRICT_TRANS_TABLES",
                    }  # fmt: skip


def _turn(statement: str) -> int:
    """Parents before children, and what is deleted last."""
    return ("INSERT", "UPDATE", "DELETE").index(statement.split(maxsplit=1)[0])


if __name__ == "__main__":
    for case in cases():
        print(json.dumps(case))
