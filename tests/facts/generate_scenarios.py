"""Fresh questions as applications ask them: their tables, what migrations left different, what is written.

    python -m tests.facts.generate_scenarios SOURCE REPLICA COUNT [SEED] > cases.jsonl

A case has the tables of an application (a shop, a blog, sessions and settings, events, a ledger), none to
three differences of an end as migrations leave them, and transactions that the application would write.
"""

from __future__ import annotations

import re
import sys
from copy import deepcopy
from typing import Any

from tests.facts.application_writes import CHARSETS, OTHER, WIDER, Writes
from tests.facts.applications import APPLICATIONS, Column, Table, table_of
from tests.facts.drawn import write

#: What is set for a session of the source, and for the replica.
SESSIONS: tuple[dict[str, Any], ...] = (
    {"time_zone": "+05:00"}, {"auto_increment_increment": 3}, {"foreign_key_checks": 0}, {"unique_checks": 0},
    {"sql_auto_is_null": 1}, {"character_set_client": "latin1"}, {"collation_connection": "utf8mb4_bin"},
)  # fmt: skip
REPLICAS = (
    {"slave_exec_mode": "IDEMPOTENT"},
    {"slave_exec_mode": "IDEMPOTENT"},
    {"innodb_strict_mode": "OFF"},
)
MODES = ("", "", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")


class Scenarios(Writes):
    """A source of cases."""

    def differ(self, tables: list[Table]) -> None:
        """One difference, as a migration that ran at one end leaves it."""
        table = self.random.choice(tables)
        column = self.random.choice(table.columns[1:] if self.chance(85) else table.columns)
        kind = self.random.randrange(28)
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
        elif kind == 20:
            numbers = "AUTO_INCREMENT" in str(table.columns[0].rest) and self.chance(50)
            table.columns[0].rest = table.columns[0].rest.replace(" AUTO_INCREMENT", " " * (not numbers))
            table.tail += " AUTO_INCREMENT=40" * numbers
        elif kind == 21 and not self.old:
            plain = column.text and column.type != "json"
            number = re.match("int|smallint|bigint|decimal", column.type)
            value = self.pick("<> ''", "<> 'a'") if plain else "<> 1" if number else "IS NOT NULL"
            table.keys.append(f"CONSTRAINT added_check CHECK ({column.name} {value})")
        elif kind == 22:
            table.keys = [
                re.sub(r" ON (DELETE|UPDATE) (CASCADE|SET NULL)", "", k)
                + self.pick("", " ON DELETE CASCADE", " ON UPDATE CASCADE", " ON DELETE SET NULL")
                if "FOREIGN KEY" in k else k for k in table.keys
            ]  # fmt: skip
        elif kind == 23 and not any("UNIQUE" in k for k in table.keys) and table.engine == "InnoDB":
            self.freed(tables, table.name)
            table.tail += f" PARTITION BY KEY ({self.pick('', table.columns[0].name)}) PARTITIONS 3"
        elif kind == 24 and not self.old and not column.computed and len(table.columns) > 2:
            column.rest = re.sub(r"( AS \(.*)?$", r" INVISIBLE\1", column.rest, count=1)
        elif kind == 25:
            column.rest = re.sub(r" ON UPDATE \S+|(?<= DEFAULT )(?:'[^']*'|\d+)", "", column.rest) or " NULL"
            column.rest = re.sub(r" DEFAULT(?= |$)", f" DEFAULT {self.value(column)}", column.rest)
        elif kind == 26 and not in_key and not self.old:
            table.columns.remove(column)
            of = self.random.choice([c for c in table.columns if not c.computed])
            text = self.pick("{0}", "COALESCE({0}, '')", "UPPER({0})", "LENGTH({0})", "MD5({0})")
            kind_of = self.pick("STORED", "VIRTUAL")
            rest = f" AS ({text.format(of.name)}) {kind_of}"
            table.columns.insert(
                self.random.randrange(1, len(table.columns) + 1),
                Column(column.name, self.pick("varchar(255)", column.type), rest),
            )
        elif kind == 27 and len(tables) > 1 and self.chance(40):
            self.freed(tables, table.name)
            tables.remove(table)
        else:
            for each in table.columns:
                if each.computed:
                    other = {"STORED": "VIRTUAL", "VIRTUAL": "STORED"}[each.rest.split()[-1]]
                    each.rest = self.pick("", each.rest.rsplit(" ", 1)[0] + f" {other}")

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
            case["source_vars"] = self.pick(*SESSIONS)
        if self.chance(12):
            case["replica_globals"] = self.pick(*REPLICAS)
        if self.chance(20):
            self.objects(case, ours)
        case["source_sql"] = self.written(ours)
        return case

    def objects(self, case: dict[str, Any], tables: list[Table]) -> None:
        """A view or a trigger beside the tables, at one end or both."""
        table, other = self.random.choice(tables), self.random.choice(tables)
        column = self.random.choice([c for c in table.columns[1:] if not c.computed])
        there = self.random.choice([c for c in other.columns if not c.computed])
        view = f"CREATE VIEW active AS SELECT * FROM {table.name} WHERE {column.name} IS NOT NULL"
        event = self.pick("INSERT", "UPDATE", "DELETE")
        row = "OLD" if event == "DELETE" else "NEW"
        body = self.pick(
            self.insert(other, 1, "INSERT IGNORE"),
            f"DELETE FROM {other.name} WHERE {there.name} = {self.value(there)}",
            f"UPDATE {other.name} SET {there.name} = {self.value(there)} WHERE {other.columns[0].name} = "
            f"{row}.{table.columns[0].name}",
        )  # fmt: skip
        when = "AFTER"
        if row == "NEW" and (other is table or self.chance(40)):
            value = self.pick(self.value(column), f"COALESCE(NEW.{column.name}, {self.value(column)})")
            when, body = "BEFORE", f"SET NEW.{column.name} = {value}"
        trigger = f"CREATE TRIGGER tr {when} {event} ON {table.name} FOR EACH ROW {body}"
        for name in self.pick(["source_ddl"], ["replica_ddl"], ["source_ddl", "replica_ddl"]):
            case[name].append(self.pick(view, trigger, trigger))
        if self.maria and self.chance(40):
            run = self.pick("YES", "YES", "LOGGING", "ENFORCE")
            case["replica_globals"] = {"slave_run_triggers_for_rbr": run}

    def written(self, tables: list[Table]) -> list[str]:
        """Rows of every table first, parents before children; then transactions over several tables."""
        out = []
        for table in tables:
            first = self.random.randrange(1, 4)
            out += [self.insert(table, first, first=1), self.insert(table, 4 - first, first=first + 1)]
        for _ in range(self.random.randrange(1, 4)):
            inside = [
                self.statement(self.random.choice(tables), tables) for _ in range(self.random.randrange(1, 4))
            ]
            ends = ["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"]
            out += ["BEGIN", *inside, self.pick(*ends)] if len(inside) > 1 else inside
            if self.chance(18):
                out += self.definition(self.random.choice(tables), tables)
        return out


if __name__ == "__main__":
    write(Scenarios, *sys.argv[1:])
