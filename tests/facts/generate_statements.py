"""Fresh questions about statement-based replication, for real servers.

    python -m tests.facts.generate_statements SOURCE REPLICA COUNT [SEED] > cases.jsonl

SOURCE and REPLICA are mysql-5.6, mysql-9.7, mariadb-10.11 or mariadb-11.8. A case has the fields of the
recorded facts: definitions, statements, settings. Two or three tables, one or two differences of the replica,
and statements of many shapes: INSERT with and without IGNORE, of a SELECT, ON DUPLICATE KEY UPDATE, REPLACE,
UPDATE and DELETE with ORDER BY and LIMIT, over several tables, with subqueries; under session time zones and
sql_modes, with triggers. Statements that the source refuses end a case's list: they are not logged.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import Any

from tests.facts.drawn import write

NUMBERS = (
    "tinyint", "smallint unsigned", "int", "bigint", "bigint unsigned", "decimal(5,2)", "decimal(10,4)",
    "decimal(20,0)", "float", "double",
)  # fmt: skip
STRINGS = (
    "varchar(5)", "varchar(20)", "char(8)", "text", "tinytext", "varbinary(10)",
    "varchar(10) character set latin1",
    "varchar(10) collate utf8mb4_bin", "char(8) character set latin1",
)  # fmt: skip
TIMES = ("date", "time", "time(3)", "datetime", "datetime(6)", "timestamp NULL", "timestamp(3) NULL", "year")
MEMBERS = ("enum('a','b','c')", "enum('c','b','a')", "enum('a','b')", "set('a','b','c')", "set('b','c')")
TYPES = (*NUMBERS, *STRINGS, *TIMES, *MEMBERS, "bit(4)", "bit(12)", "blob")
NUMERIC = ("5", "-3", "1.2345", "200", "70000", "0", "1.5", "99999999999", "1.1", "2", "'7'", "1e3")
TEXT = ("'abc'", "'ABC'", "'a'", "'b '", "'longer than five'", "'12'", "''", "'\u00e9'", "'1.5x'", "'x,y'")
MOMENTS = (
    "'2024-02-29 10:11:12.654321'", "'2020-01-31'", "'10:11:12.75'", "'1999-12-31 23:59:59'", "20240301",
    "'2024-02-29 00:00:00'", "'1971-06-01 12:00:00'",
)  # fmt: skip
WORDS = ("'a'", "'b'", "'c'", "1", "2", "'a,b'", "'B'")
BITS = ("b'101'", "7", "3000", "b'1'")
MODES = (
    "",
    "NO_ENGINE_SUBSTITUTION",
    "STRICT_TRANS_TABLES",
    "STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE",
)
ZONES = ("+00:00", "+05:30", "-08:00")


@dataclass
class Column:
    """One column of a definition being drawn."""

    name: str
    type: str
    extra: str = ""

    def sql(self) -> str:
        return f"{self.name} {self.type} {self.extra}".strip()


@dataclass
class Table:
    """One table of a definition being drawn."""

    name: str
    columns: list[Column]
    keys: list[str] = field(default_factory=list)
    engine: str = "InnoDB"
    tail: str = ""

    def sql(self) -> str:
        inside = ", ".join([c.sql() for c in self.columns] + self.keys)
        return f"CREATE TABLE {self.name} ({inside}) ENGINE={self.engine}{self.tail}"

    def copy(self) -> Table:
        return Table(
            self.name,
            [Column(c.name, c.type, c.extra) for c in self.columns],
            list(self.keys),
            self.engine,
            self.tail,
        )


def literals(kind: str) -> tuple[str, ...]:
    """What is written for a column of this type, now and then of another kind."""
    word = kind.split("(", maxsplit=1)[0].split(maxsplit=1)[0]
    if word in ("enum", "set"):
        return WORDS
    if word == "bit":
        return BITS
    if kind in TIMES:
        return MOMENTS if word != "year" else ("2024", "1999", "'2020'", "69")
    return NUMERIC if kind in NUMBERS else TEXT


class Draw:
    """A source of cases; `random` alone decides."""

    def __init__(self, seed: int, source: str, replica: str) -> None:
        self.random = random.Random(f"{seed} {source} {replica}")
        self.source, self.replica = source, replica

    def pick(self, *what: Any) -> Any:
        return self.random.choice(what)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def table(self, name: str) -> Table:
        columns = [Column("id", "int", self.pick("PRIMARY KEY", "AUTO_INCREMENT PRIMARY KEY", "PRIMARY KEY"))]
        for place in range(self.random.randrange(1, 4)):
            kind = self.pick(*TYPES)
            extra = self.pick("", "", "NOT NULL", "NULL")
            columns.append(Column(f"c{place}", kind, "" if kind.endswith("NULL") else extra))
        table = Table(name, columns)
        for column in columns[1:]:
            if self.chance(25) and column.type.split("(")[0] not in ("text", "tinytext", "blob"):
                table.keys.append(f"{self.pick('KEY', 'UNIQUE KEY', 'KEY')} k{column.name} ({column.name})")
        return table

    def differ(self, table: Table) -> None:
        """One difference of the replica's table."""
        other = self.random.choice(table.columns[1:])
        kind = self.random.randrange(14)
        if kind < 5:
            family = next((f for f in (NUMBERS, STRINGS, TIMES, MEMBERS) if other.type in f), TYPES)
            other.type = self.pick(*(family if self.chance(65) else TYPES))
            if other.type.endswith("NULL"):
                other.extra = ""
        elif kind == 5 and not other.type.endswith("NULL"):
            other.extra = "" if "NOT NULL" in other.extra else "NOT NULL"
        elif kind == 6:
            table.columns.append(
                Column("x", self.pick("int", "varchar(5)"), self.pick("", "NOT NULL", "NOT NULL DEFAULT 1"))
            )
        elif kind == 7 and len(table.columns) > 2:
            table.columns.remove(other)
            table.keys = [k for k in table.keys if f"({other.name})" not in k]
        elif kind == 8:
            self.random.shuffle(table.columns)
        elif kind == 9 and table.keys:
            table.keys.pop()
        elif kind == 10 and other.type.split("(")[0] not in ("text", "tinytext", "blob"):
            table.keys.append(f"{self.pick('UNIQUE KEY', 'KEY')} x{other.name} ({other.name})")
        elif kind == 11 and self.replica != "mysql-5.6":
            table.keys.append(self.pick("CHECK (id < 3)", f"CHECK ({other.name} IS NOT NULL)"))
        elif kind == 12:
            table.engine = (
                self.pick("MyISAM", "MEMORY")
                if not any(c.type in ("text", "tinytext", "blob") for c in table.columns)
                else "MyISAM"
            )
        elif kind == 13:
            other.extra += (
                f" DEFAULT {self.pick(*literals(other.type))}"
                if other.type not in ("text", "tinytext", "blob")
                else ""
            )

    def value(self, kind: str) -> str:
        return (
            str(self.pick(*literals(kind)))
            if self.chance(97)
            else str(self.pick("NULL", *NUMERIC, *TEXT, *MOMENTS))
        )

    def statement(self, tables: list[Table]) -> str:
        table = self.random.choice(tables)
        other = self.random.choice(tables)
        column = self.random.choice(table.columns[1:])
        ignore = self.pick("", "IGNORE ", "IGNORE ")
        where = self.where(table)
        limit = self.pick("", "", f" ORDER BY {self.pick('id', column.name)} DESC LIMIT 1", " LIMIT 1")
        shape = self.random.randrange(11)
        if shape < 4:
            return self.insert(table, ignore)
        if shape == 4:
            return self.insert(table, "").replace("INSERT", "REPLACE", 1)
        if shape == 5:
            return (
                self.insert(table, "") + f" ON DUPLICATE KEY UPDATE {column.name}={self.value(column.type)}"
            )
        if shape == 6:
            return f"UPDATE {ignore}{table.name} SET {column.name}={self.value(column.type)}{where}{limit}"
        if shape == 7:
            return f"DELETE FROM {table.name}{where}{limit}"
        if shape == 8 and other is not table:
            there = self.random.choice(other.columns[1:])
            return (
                f"UPDATE {ignore}{table.name}, {other.name} SET "
                f"{table.name}.{column.name}={other.name}.{there.name} WHERE {table.name}.id={other.name}.id"
            )
        if shape == 9 and other is not table:
            there = self.random.choice(other.columns[1:])
            return (
                f"INSERT {ignore}INTO {table.name} (id,{column.name}) SELECT id+10,{there.name} FROM "
                f"{other.name}{limit.replace(column.name, 'id')}"
            )
        return (
            (
                f"DELETE FROM {table.name} WHERE {column.name} IN (SELECT "
                f"{self.random.choice(other.columns[1:]).name} FROM {other.name} AS o)"
            )
            if other is not table
            else f"UPDATE {table.name} SET {column.name}={column.name}{where}"
        )

    def where(self, table: Table) -> str:
        column = self.random.choice(table.columns[1:])
        return str(
            self.pick(
                "", f" WHERE {column.name}={self.value(column.type)}",
                f" WHERE {column.name}>{self.value(column.type)}",
                f" WHERE {column.name} IS NULL", " WHERE id=1", f" WHERE LENGTH({column.name})>3",
            )
        )  # fmt: skip

    def insert(self, table: Table, ignore: str) -> str:
        named = [c for c in table.columns if c.name == "id" or self.chance(85)]
        rows = ",".join(
            "("
            + ",".join(
                str(self.random.randrange(1, 5)) if c.name == "id" else self.value(c.type) for c in named
            )
            + ")"
            for _ in range(self.random.randrange(1, 4))
        )
        columns = (
            ""
            if len(named) == len(table.columns) and self.chance(30)
            else f" ({','.join(c.name for c in named)})"
        )
        return f"INSERT {ignore}INTO {table.name}{columns} VALUES {rows}"

    def case(self, number: int) -> dict[str, Any]:
        tables = [self.table(name) for name in ("t", "u", "v")[: self.random.randrange(1, 4)]]
        theirs = [t.copy() for t in tables]
        for _ in range(self.pick(0, 1, 1, 1, 2)):
            self.differ(self.random.choice(theirs))
        source_ddl, replica_ddl = [t.sql() for t in tables], [t.sql() for t in theirs]
        if self.chance(12):
            column = self.random.choice(tables[0].columns[1:])
            body = f"SET NEW.{column.name}={self.value(column.type)}"
            trigger = (
                f"CREATE TRIGGER tr BEFORE {self.pick('INSERT', 'UPDATE')} ON {tables[0].name} FOR "
                f"EACH ROW {body}"
            )
            self.pick(source_ddl, replica_ddl).append(trigger)
        case: dict[str, Any] = {
            "id": f"statement {self.source} {self.replica} {number}", "source_ddl": source_ddl,
            "replica_ddl": replica_ddl,
            "source_sql": [self.statement(tables) for _ in range(self.random.randrange(2, 7))],
            "group": "statements",
            "binlog_format": "STATEMENT" if self.chance(80) else "MIXED", "source_may_fail": True,
            "modes": self.pick("", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY"),
        }  # fmt: skip
        if self.chance(50):
            case["source_sql_mode"] = self.pick(*MODES)
        if self.chance(30):
            case["source_vars"] = {"time_zone": self.pick(*ZONES)}
        return case


if __name__ == "__main__":
    write(Draw, *sys.argv[1:])
