"""Fresh questions of wider shapes: programs, views, keys over tables, expressions, transactions, settings.

    python -m tests.facts.generate_shapes SOURCE REPLICA COUNT [SEED] > cases.jsonl

As generate_statements, whose tables and differences are drawn here too; beside them come foreign keys,
generated columns, views, triggers that write other tables, partitions, expressions over columns, UNION,
EXISTS, GROUP BY, user variables, transactions that are rolled back, sql_modes and session variables that
change what a statement means; logged as statements, mixed or as rows with any image.
"""

from __future__ import annotations

import sys
from typing import Any

from tests.facts.drawn import write
from tests.facts.generate_statements import Column, Draw, Table

#: Modes that change what a statement means or takes.
MODES = (
    "ANSI_QUOTES,STRICT_TRANS_TABLES", "PIPES_AS_CONCAT", "NO_AUTO_VALUE_ON_ZERO", "HIGH_NOT_PRECEDENCE",
    "ALLOW_INVALID_DATES", "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE",
    "NO_UNSIGNED_SUBTRACTION", "STRICT_ALL_TABLES", "TRADITIONAL", "", "NO_BACKSLASH_ESCAPES",
)  # fmt: skip
VARIABLES = (
    {"time_zone": "+05:30"}, {"time_zone": "-08:00"}, {"foreign_key_checks": 0},
    {"auto_increment_increment": 3},
    {"timestamp": 1700000000.75}, {"sql_auto_is_null": 1}, {"unique_checks": 0},
    {"lc_time_names": "de_DE"},
)  # fmt: skip
IMAGES = ("FULL", "FULL", "MINIMAL", "NOBLOB")
BLOBS = ("text", "tinytext", "blob")


class Shapes(Draw):
    """Cases of wider shapes."""

    def case(self, number: int) -> dict[str, Any]:
        tables = [self.table(name) for name in ("t", "u", "v")[: self.random.randrange(2, 4)]]
        if self.chance(25):
            self.refer(tables)
        if self.chance(20) and "mysql-5.6" not in (self.source, self.replica):
            self.compute(self.random.choice(tables))
        theirs = [t.copy() for t in tables]
        for _ in range(self.pick(0, 1, 1, 1, 2)):
            self.differ(self.random.choice(theirs))
        if self.chance(12):
            self.part(self.pick(self.random.choice(tables), self.random.choice(theirs)))
        ours, others = [t.sql() for t in tables], [t.sql() for t in theirs]
        shown = list(tables)
        if self.chance(20):
            shown.append(self.view(tables[0], ours, others))
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            self.trigger(tables, ours, others)
        if self.chance(8):
            ours.append("CREATE TABLE w (id int PRIMARY KEY, c0 int)")
            if self.chance(60):
                others.append("CREATE TABLE w (id int PRIMARY KEY, c0 int)")
            shown.append(Table("w", [Column("id", "int"), Column("c0", "int")]))
        logged = self.pick("STATEMENT", "STATEMENT", "STATEMENT", "MIXED", "ROW")
        case: dict[str, Any] = {
            "id": f"shape {self.source} {self.replica} {number}", "group": "shapes", "source_ddl": ours,
            "replica_ddl": others, "source_sql": self.written(shown), "binlog_format": logged,
            "source_may_fail": True, "modes": self.pick("", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY"),
        }  # fmt: skip
        if logged != "STATEMENT":
            case["binlog_row_image"] = self.pick(*IMAGES)
        if self.chance(60) or "BEGIN" in case["source_sql"]:
            case["source_goes_on"] = True
        if self.chance(50):
            case["source_sql_mode"] = self.pick(*MODES)
        if self.chance(25):
            case["sql_mode"] = self.pick("", "NO_ENGINE_SUBSTITUTION", "STRICT_ALL_TABLES")
        if self.chance(35):
            case["source_vars"] = self.pick(*VARIABLES)
        return case

    def written(self, tables: list[Table]) -> list[str]:
        """Rows for every table first, then statements of every shape; some in a transaction."""
        out = [self.insert(t, self.pick("IGNORE ", "")) for t in tables]
        made = [self.wide(tables) for _ in range(self.random.randrange(2, 6))]
        if self.chance(20):
            made = ["BEGIN", *made, self.pick("COMMIT", "COMMIT", "ROLLBACK")]
        if self.chance(8):
            made.insert(self.random.randrange(len(made) + 1), "SET @v = 7, @w = 'x1'")
        return out + made

    def refer(self, tables: list[Table]) -> None:
        """A foreign key from one table to another."""
        child = self.random.choice(tables[1:])
        column = Column("f", "int", "")
        child.columns.append(column)
        action = self.pick("", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON UPDATE CASCADE")
        child.keys.append("KEY kf (f)")
        child.keys.append(f"CONSTRAINT fk FOREIGN KEY (f) REFERENCES {tables[0].name} (id){action}")

    def compute(self, table: Table) -> None:
        """A generated column of both ends."""
        of = self.random.choice(table.columns)
        text = self.pick("id * 2", "id + 100", f"CONCAT({of.name}, 'x')", f"LENGTH({of.name})")
        kind = "varchar(40)" if "CONCAT" in text else "bigint"
        table.columns.append(Column("g", kind, f"AS ({text}) {self.pick('VIRTUAL', 'STORED')}"))

    def part(self, table: Table) -> None:
        if table.engine == "InnoDB" and not any("UNIQUE" in k or "FOREIGN" in k for k in table.keys):
            table.tail = self.pick(
                " PARTITION BY HASH (id) PARTITIONS 3",
                " PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (3), "
                "PARTITION p1 VALUES LESS THAN MAXVALUE)",
                " PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (12))",
            )

    def view(self, table: Table, ours: list[str], theirs: list[str]) -> Table:
        names = [c.name for c in table.columns if c.name == "id" or self.chance(80)]
        of = Table("vw", [c for c in table.columns if c.name in names])
        where = self.pick("", "", " WHERE id < 3")
        check = " WITH CHECK OPTION" if where and self.chance(40) else ""
        text = f"CREATE VIEW vw AS SELECT {', '.join(names)} FROM {table.name}{where}{check}"
        ours.append(text)
        if self.chance(85):
            theirs.append(
                text if self.chance(75) else text.replace(" WITH CHECK OPTION", "").replace("< 3", "< 2")
            )
        return of

    def trigger(self, tables: list[Table], ours: list[str], theirs: list[str]) -> None:
        table, other = self.random.choice(tables), self.random.choice(tables)
        event = self.pick("INSERT", "UPDATE", "DELETE")
        row = "OLD" if event == "DELETE" else "NEW"
        plain = [c for c in table.columns[1:] if "AS (" not in c.extra]
        column = self.random.choice(plain)
        when = self.pick("BEFORE", "AFTER")
        if other is not table:
            there = self.random.choice([c for c in other.columns[1:] if "AS (" not in c.extra])
            body = self.pick(
                f"INSERT IGNORE INTO {other.name} (id, {there.name}) "
                f"VALUES ({row}.id + 20, {row}.{column.name})",
                f"UPDATE {other.name} SET {there.name} = {self.value(there.type)} WHERE id = {row}.id",
                f"DELETE FROM {other.name} WHERE id = {row}.id",
                f"REPLACE INTO {other.name} (id) VALUES ({row}.id + 30)",
            )
        elif row == "NEW" and when == "BEFORE":
            body = f"SET NEW.{column.name} = {self.pick(self.value(column.type), f'NEW.{column.name}')}"
        else:
            body = f"SET @seen = {row}.{column.name}"
        name = f"tr{len(ours)}{len(theirs)}"
        text = f"CREATE TRIGGER {name} {when} {event} ON {table.name} FOR EACH ROW {body}"
        both = self.random.randrange(10)
        if both != 0:
            ours.append(text)
        if both != 1:
            theirs.append(text)

    def expression(self, table: Table, column: Column) -> str:
        """A value for `column`, made of the row's other values and functions."""
        other = self.random.choice(table.columns)
        return str(
            self.pick(
                f"{other.name} + 1", f"{column.name} * 2", f"CONCAT({other.name}, 'z')", "id * 1000",
                f"COALESCE({other.name}, {self.value(column.type)})",
                f"IF(id > 1, {self.value(column.type)}, NULL)",
                "NOW()", "UNIX_TIMESTAMP('2024-01-02 03:04:05')", "FROM_UNIXTIME(86400)", "CURDATE()",
                "RAND(5)",
                "DATE_ADD('2024-01-31', INTERVAL 1 MONTH)", f"CAST({other.name} AS CHAR)",
                f"HEX({other.name})",
                f"LEFT({other.name}, 2)", f"ROUND({other.name}, 1)", "10 / 3", "1 / 0", "'a' || 'b'", "@v",
                "DEFAULT",
                f"DEFAULT({column.name})", f"{other.name} IS NULL", f"-{other.name}", f"{other.name} - 300",
                f"CASE WHEN {other.name} > 1 THEN 1 ELSE 0 END", f"UPPER({other.name})", "LAST_INSERT_ID()",
            )
        )  # fmt: skip

    def condition(self, table: Table, tables: list[Table]) -> str:
        column, other = self.random.choice(table.columns), self.random.choice(tables)
        there = self.random.choice(other.columns)
        inner = f"SELECT 1 FROM {other.name} AS o WHERE o.id = {table.name}.id"
        return str(
            self.pick(
                "", f" WHERE {column.name} > {self.value(column.type)}", f" WHERE {column.name} LIKE '%1%'",
                f" WHERE {column.name} BETWEEN {self.value(column.type)} AND {self.value(column.type)}",
                f" WHERE {column.name} IN ({self.value(column.type)}, {self.value(column.type)})",
                f" WHERE EXISTS ({inner})" if other is not table else "",
                f" WHERE NOT EXISTS ({inner} AND o.{there.name} IS NULL)"
                if other is not table else " WHERE id = 2",
                f" WHERE NOT {column.name} <=> {self.value(column.type)}", f" WHERE {column.name} + 0 > 1",
                f" WHERE id = (SELECT MAX(id) FROM {other.name} AS o)"
                if other is not table else " WHERE id > 1",
            )
        )  # fmt: skip

    def wide(self, tables: list[Table]) -> str:
        """A statement of one of the wider shapes, or one of the plain ones."""
        table, other = self.random.choice(tables), self.random.choice(tables)
        plain = [c for c in table.columns[1:] if "AS (" not in c.extra] or table.columns[1:] or table.columns
        column = self.random.choice(plain)
        there = self.random.choice(other.columns)
        ignore = self.pick("", "IGNORE ")
        where = self.condition(table, tables)
        by = f" ORDER BY {column.name}"
        order = self.pick("", f"{by}, id", f"{by} DESC, id LIMIT 2", " LIMIT 2")
        value = self.expression(table, column)
        distinct = other if other is not table else next(t for t in tables if t is not table)
        name, col, away, last = table.name, column.name, distinct.name, distinct.columns[-1].name
        match self.random.randrange(16):
            case 0 | 1:
                return f"UPDATE {ignore}{name} SET {col} = {value}{where}{order}"
            case 2:
                return f"DELETE FROM {name}{where}{order}"
            case 3:
                inner = f"(SELECT {self.pick('MAX', 'MIN', 'COUNT')}({last}) FROM {away})"
                return f"UPDATE {ignore}{name} SET {col} = {inner}{where}"
            case 4:
                rows = f"(41, {self.constant(column)}), (42, DEFAULT)"
                return f"INSERT {ignore}INTO {name} (id, {col}) VALUES {rows}"
            case 5:
                return (
                    f"INSERT {ignore}INTO {name} (id, {col}) "
                    f"SELECT id + 50, {self.random.choice(distinct.columns).name} FROM {away} "
                    f"UNION ALL SELECT 60, {self.value(column.type)}"
                )
            case 6:
                word = self.pick("REPLACE", "INSERT IGNORE", "INSERT")
                return (
                    f"{word} INTO {name} (id, {col}) SELECT COUNT(*) + 2, MAX({last}) "
                    f"FROM {away} GROUP BY id % 2"
                )
            case 7:
                return (
                    f"INSERT INTO {name} (id, {col}) VALUES (1, {self.value(column.type)}), "
                    f"(2, {self.value(column.type)}) ON DUPLICATE KEY UPDATE {col} = "
                    f"{self.pick(f'VALUES({col})', value)}"
                )
            case 8:
                number = self.pick("0", "NULL", "43")
                return f"INSERT {ignore}INTO {name} SET id = {number}, {col} = {self.constant(column)}"
            case 9:
                joined = f"{name} JOIN {away} ON {name}.id = {away}.id"
                kind = self.pick("", "LEFT ")
                return f"DELETE {ignore}{name} FROM {joined.replace('JOIN', kind + 'JOIN')}"
            case 10:
                joined = f"{name} {self.pick('', 'LEFT ')}JOIN {away} ON {name}.id = {away}.id"
                return f"UPDATE {ignore}{joined} SET {name}.{col} = {away}.{last}"
            case 11:
                return f"INSERT {ignore}INTO {name} () VALUES ()"
            case 12:
                return f"INSERT {ignore}INTO {name} SELECT * FROM {name} AS o WHERE o.id = 99"
            case 13:
                return f"UPDATE {ignore}{name} SET id = id + 100, {col} = {value}{where} ORDER BY id DESC"
            case 14 if other is not table:
                return f"DELETE FROM {name} WHERE {col} IN (SELECT {there.name} FROM {other.name} AS o)"
            case _:
                return self.statement([t for t in tables if len(t.columns) > 1] or tables)

    def constant(self, column: Column) -> str:
        """A value that names no column."""
        return str(
            self.pick(
                self.value(column.type), "NOW(3)", "CURTIME()", "RAND(3)", "@v", "'2024-02-30'",
                "'0000-00-00'", "1e40",
                "x'41'", "0x4142", "_latin1'\u00e9'", "N'a'", "TRUE", "CAST('10:11:12.7' AS TIME(1))",
                "-0.5", "10 / 3",
                "DATE '2024-02-29'", "TIMESTAMP '2024-02-29 10:11:12.5'", "'838:59:59'",
                "'9999-12-31 23:59:59.9'",
                "REPEAT('ab', 30)", "' 12 '", "LAST_INSERT_ID()", "18446744073709551615", "-1", "b'11'",
            )
        )  # fmt: skip


if __name__ == "__main__":
    write(Shapes, *sys.argv[1:])
