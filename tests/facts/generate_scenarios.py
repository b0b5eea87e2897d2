"""Fresh questions as applications ask them: their tables, what migrations left different, what is written.

    python -m tests.facts.generate_scenarios SOURCE REPLICA COUNT [SEED] > cases.jsonl

A case has the tables of an application (a shop, a blog, sessions and settings, events, a ledger), none to
three differences of an end as migrations leave them, and transactions that the application would write.
"""

from __future__ import annotations

import random
import re
import sys
from copy import deepcopy
from typing import Any

from tests.facts.applications import APPLICATIONS, VALUES, Column, Table, table_of
from tests.facts.drawn import write

#: Wider types by narrower ones: migrations go there, and some come back.
WIDER = """
tinyint>smallint tinyint>int smallint>int int>bigint varchar(40)>varchar(80) varchar(80)>varchar(255)
varchar(191)>varchar(300) varchar(40)>text varchar(80)>varchar(50) char(2)>char(4) text>mediumtext
blob>mediumblob decimal(10,2)>decimal(12,2) decimal(10,2)>decimal(14,4) datetime>datetime(6)
timestamp>timestamp(6) datetime(3)>datetime(6) varbinary(16)>varbinary(40) decimal(12,4)>decimal(18,6)
bit(1)>bit(4)
"""
#: Another type altogether.
OTHER = """
int>varchar(20) varchar(40)>varbinary(160) datetime>timestamp text>blob timestamp>datetime
enum>varchar(20) char(2)>varchar(2) tinyint>bit(1) decimal(10,2)>double datetime>date
bigint>decimal(20,0) json>text varchar(80)>char(80) date>datetime int>timestamp tinyint>enum('0','1')
decimal(10,2)>int varbinary(16)>binary(16) double>float blob>longtext
"""
CHARSETS = ("latin1", "utf8mb4", "utf8", "utf8mb4 COLLATE utf8mb4_bin", "utf8mb4 COLLATE utf8mb4_unicode_ci")
MODES = ("", "", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
#: The columns that numbers of rows fill, and those that have few values.
NUMBERED = re.compile(r"id|number|line|\w+_id")
FEW = ("email", "slug", "iban", "sku", "scope", "kind", "token", "name", "day")


class Scenarios:
    """A source of cases; `random` alone decides."""

    def __init__(self, seed: int, source: str, replica: str) -> None:
        self.random = random.Random(f"scenarios {seed} {source} {replica}")
        self.source, self.replica = source, replica
        self.old = "mysql-5.6" in (source, replica)
        self.maria = replica.startswith("mariadb")

    def pick(self, *what: Any) -> Any:
        return self.random.choice(what)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def freed(self, tables: list[Table], name: str) -> None:
        """No foreign key from or to a table any more."""
        for table in tables:
            table.keys = [
                k for k in table.keys
                if "FOREIGN KEY" not in k or (table.name != name and f"REFERENCES {name} " not in k)
            ]  # fmt: skip

    def differ(self, tables: list[Table]) -> None:
        """One difference, as a migration that ran at one end leaves it."""
        table = self.random.choice(tables)
        column = self.random.choice(table.columns[1:] if self.chance(85) else table.columns)
        kind = self.random.randrange(21)
        in_key = table.keyed(column) or any(column.name in c.rest for c in table.columns)
        if kind < 5:
            self.retype(tables, WIDER if kind < 4 else OTHER, back=kind > 1)
        elif kind < 7:
            extra = self.pick(
                ("varchar(40)", " DEFAULT NULL"), ("int", " NOT NULL"), ("int", " NOT NULL DEFAULT 7"),
                ("datetime", " DEFAULT CURRENT_TIMESTAMP"), ("text", ""), ("tinyint", " DEFAULT 0"),
                *((("int", " AS (1 + 1) STORED"), ("varchar(40)", " DEFAULT (UUID())")) * (not self.old)),
            )  # fmt: skip
            at = len(table.columns) if kind == 5 else self.random.randrange(1, len(table.columns))
            table.columns.insert(at, Column("added", *extra))
        elif kind == 7 and not in_key:
            table.columns.remove(column)
        elif kind == 8 and not in_key:
            column.name += "_old"
        elif kind == 9:
            self.random.shuffle(table.columns)
        elif kind == 10 and not column.computed:
            column.rest = (
                column.rest.replace(" NOT NULL", "") if "NOT NULL" in column.rest
                else re.sub(" NULL| DEFAULT NULL", "", column.rest) + " NOT NULL"
            )  # fmt: skip
        elif kind == 11 and "DEFAULT" in column.rest:
            column.rest = re.sub(r" DEFAULT ('[^']*'|\w+)( ON UPDATE \w+)?", "", column.rest)
        elif kind == 12:
            for each in table.columns:
                if each.type.startswith("enum('n"):
                    each.type = self.pick(
                        "enum('new','paid','sent','lost')", "enum('new','open','paid','sent')",
                        "enum('paid','new','sent')", "enum('new','paid')",
                    )  # fmt: skip
        elif kind == 13 and column.text:
            column.rest = f" CHARACTER SET {self.pick(*CHARSETS)}" + column.rest
        elif kind == 14:
            table.charset = self.pick(*CHARSETS)
        elif kind == 15 and not column.computed and column.type not in ("text", "blob", "json"):
            table.keys.append(f"{self.pick('KEY', 'UNIQUE KEY', 'KEY')} added_key ({column.name})")
        elif kind == 16:
            self.rekey(tables, table)
        elif kind == 17 and "FOREIGN KEY" in str(table.keys):
            table.keys = [k for k in table.keys if "FOREIGN KEY" not in k]
        elif kind == 18 and column.type.startswith(("int", "smallint", "tinyint", "bigint")):
            self.freed(tables, table.name)
            bare = column.type.replace(" unsigned", "")
            column.type = bare if bare != column.type else f"{bare} unsigned"
        elif kind == 19:
            self.freed(tables, table.name)
            table.engine = self.pick("MyISAM", "MyISAM", "MEMORY")
        else:
            for each in table.columns:
                if each.computed:
                    other = {"STORED": "VIRTUAL", "VIRTUAL": "STORED"}[each.rest.split()[-1]]
                    each.rest = self.pick("", each.rest.rsplit(" ", 1)[0] + f" {other}")

    def retype(self, tables: list[Table], types: str, *, back: bool) -> None:
        """A column with another type: of all that have such a type."""
        changes = [tuple(one.split(">")) for one in types.split()]
        changes += [(b, a) for a, b in changes if back]
        fit = [
            (table, column, there) for table in tables for column in table.columns for here, there in changes
            if re.match(rf"{re.escape(here)}(?![\w(])" if here != "enum" else "enum", column.type)
        ]  # fmt: skip
        if not fit:
            return
        table, column, there = self.random.choice(fit)
        if table.keyed(column):
            self.freed(tables, table.name)
            there = "varchar(40)" if there in ("text", "blob") else there
        column.type = there + (" unsigned" if "unsigned" in column.type and "int" in there else "")
        digits = re.search(r"\(\d\)|$", there)[0] if "time" in there else ""  # type: ignore[index]
        column.rest = column.rest.replace("CURRENT_TIMESTAMP", f"CURRENT_TIMESTAMP{digits}")
        if "time" not in there:
            column.rest = re.sub(r" DEFAULT CURRENT\S*( ON UPDATE \S+)?", "", column.rest)
        if "int" not in there:
            column.rest = column.rest.replace(" AUTO_INCREMENT", "")

    def rekey(self, tables: list[Table], table: Table) -> None:
        """A key that is gone, made unique or no longer unique, or another primary key."""
        self.freed(tables, table.name)
        if not table.keys:
            return
        at = self.random.randrange(len(table.keys))
        key = table.keys[at]
        if key.startswith("PRIMARY"):
            for column in table.columns:
                column.rest = column.rest.replace(" AUTO_INCREMENT", "")
            table.keys[at] = key.replace("PRIMARY", self.pick("UNIQUE", "")).strip()
        elif key.startswith("UNIQUE"):
            table.keys[at] = key.removeprefix("UNIQUE ")
        elif key.startswith("KEY") and self.chance(40):
            table.keys[at] = "UNIQUE " + key
        else:
            del table.keys[at]

    def value(self, column: Column, charset: str = "utf8mb4") -> str:
        if NUMBERED.fullmatch(column.name):
            return str(self.random.randrange(1, 6))
        if self.chance(8) and ("NOT NULL" not in column.rest or self.chance(5)):
            return "NULL"
        if column.name in FEW and column.text and self.chance(70):
            return str(self.pick("'a'", "'b'", "'c'", "'d'", "'\u00e4'", "'A'"))
        out = str(self.pick(*VALUES.get(re.split(r"\W", column.type)[0], VALUES["text"])))
        hard = (out[0] == "-" and "unsigned" in column.type) or (
            out > "'\U0001f000" and "utf8mb4" not in charset
        )
        return self.value(column, charset) if hard and self.chance(90) else out

    def insert(self, table: Table, rows: int, verb: str = "INSERT", first: int = 0) -> str:
        """Rows; from the number `first` on, where they are the first that a table gets."""
        named = [
            c for c in table.columns
            if not c.computed and (first or "NOT" in c.rest or "DEFAULT" not in c.rest or self.chance(60))
        ]  # fmt: skip
        made = []
        for place in range(first, first + rows):
            row = [self.value(c, table.charset) for c in named]
            for at, column in enumerate(named):
                if first and table.keyed(column) and (NUMBERED.fullmatch(column.name) or column.name in FEW):
                    row[at] = f"'2024-03-0{place}'" if column.type == "date" else f"'{place}'"
            made.append(f"({', '.join(row)})")
        return f"{verb} INTO {table.name} ({', '.join(c.name for c in named)}) VALUES {', '.join(made)}"

    def statement(self, table: Table) -> str:
        """What an application writes to a table."""
        key = next((k for k in table.keys if k.startswith("PRIMARY")), f"({table.columns[0].name})")
        parts = [c for c in table.columns if re.search(rf"\b{c.name}\b", key)]
        free = [c for c in table.columns if c not in parts and not c.computed] or parts
        column, there = self.random.choice(free), self.random.choice(table.columns)
        by_key = " AND ".join(f"{c.name} = {self.value(c)}" for c in parts)
        number = any(w in column.type for w in ("int", "decimal", "double"))
        value = self.pick(f"{column.name} + 1" if number else f"DEFAULT({column.name})", self.value(column))
        update = f"UPDATE {table.name} SET {column.name} = {value} WHERE"
        rows = self.random.randrange(1, 4)
        match self.random.randrange(14):
            case 0 | 1 | 2:
                return self.insert(table, rows)
            case 3 | 4:
                value = self.pick(value, f"VALUES({column.name})")
                return f"{self.insert(table, rows)} ON DUPLICATE KEY UPDATE {column.name} = {value}"
            case 5 | 6:
                return self.insert(table, rows, self.pick("REPLACE", "INSERT IGNORE"))
            case 7 | 8 | 9:
                return f"{update} {by_key}"
            case 10:
                return f"{update} {there.name} {self.pick('=', '>=', '<>')} {self.value(there)}"
            case 11:
                names = ", ".join(c.name for c in [*parts, *free])
                keys = (f"{c.name} + 10" if "int" in c.type else f"CONCAT({c.name}, '1')" for c in parts)
                values = ", ".join([*keys, *(c.name for c in free)])
                return f"INSERT INTO {table.name} ({names}) SELECT {values} FROM {table.name}"
            case _:
                return f"DELETE FROM {table.name} WHERE {by_key}"

    def case(self, number: int) -> dict[str, Any]:
        application = self.pick(*APPLICATIONS.strip().split("\n\n"))
        ours = [table_of(text, self.old) for text in application.split("\n")]
        for table in ours:
            table.charset = self.pick("utf8mb4", "utf8mb4", "utf8mb4", "latin1", "utf8")
        theirs = deepcopy(ours)
        for _ in range(self.pick(0, 1, 1, 1, 1, 1, 2, 3)):
            self.differ(theirs if self.chance(70) else ours)
        logged = self.pick("ROW", "ROW", "ROW", "ROW", "STATEMENT", "MIXED")
        case: dict[str, Any] = {
            "id": f"scenario {self.source} {self.replica} {number}", "group": "scenarios",
            "source_ddl": [t.sql() for t in ours], "replica_ddl": [t.sql() for t in theirs],
            "source_sql": self.written(ours),
            "modes": self.pick(*MODES), "binlog_format": logged, "source_may_fail": True,
            "source_goes_on": True,
        }  # fmt: skip
        if logged != "STATEMENT":
            case["binlog_row_image"] = self.pick("FULL", "FULL", "MINIMAL", "NOBLOB")
        if self.chance(20):
            case["source_sql_mode"] = self.pick("", "NO_ENGINE_SUBSTITUTION", "TRADITIONAL")
        if self.chance(10):
            case["sql_mode"] = self.pick("", "TRADITIONAL")
        if self.chance(10):
            case["source_vars"] = self.pick({"time_zone": "+05:00"}, {"auto_increment_increment": 3})
        if ours[0].name == "users" and self.chance(40):
            self.objects(case)
        return case

    def objects(self, case: dict[str, Any]) -> None:
        """A view and a trigger beside the shop's tables, at one end or both."""
        view = "CREATE VIEW active AS SELECT id, email FROM users WHERE email <> ''"
        trigger = (
            f"CREATE TRIGGER tr AFTER {self.pick('INSERT', 'UPDATE')} ON orders FOR EACH ROW "
            "INSERT INTO audit_log (what, ref) VALUES ('order', NEW.id)"
        )
        for name in self.pick(["source_ddl"], ["replica_ddl"], ["source_ddl", "replica_ddl"]):
            case[name].append(self.pick(view, trigger, trigger))
        if self.maria and self.chance(40):
            case["replica_globals"] = {"slave_run_triggers_for_rbr": "YES"}

    def written(self, tables: list[Table]) -> list[str]:
        """Rows of every table first, parents before children; then transactions over several tables."""
        out = []
        for table in tables:
            first = self.random.randrange(1, 4)
            out += [self.insert(table, first, first=1), self.insert(table, 4 - first, first=first + 1)]
        for _ in range(self.random.randrange(1, 4)):
            inside = [self.statement(self.random.choice(tables)) for _ in range(self.random.randrange(1, 4))]
            ends = ["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"]
            out += ["BEGIN", *inside, self.pick(*ends)] if len(inside) > 1 else inside
        return out


if __name__ == "__main__":
    write(Scenarios, *sys.argv[1:])
