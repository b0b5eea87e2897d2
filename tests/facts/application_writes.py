"""What applications write to their tables, as generate_scenarios.py draws it: values, statements, changes."""

from __future__ import annotations

import random
import re
from typing import Any

from tests.facts.applications import VALUES, Column, Table

#: Wider types by narrower ones: migrations go there, and some come back.
WIDER = """
tinyint>smallint tinyint>int smallint>int int>bigint varchar(40)>varchar(80) varchar(80)>varchar(255)
varchar(191)>varchar(300) varchar(40)>text varchar(80)>varchar(50) char(2)>char(4) text>mediumtext
blob>mediumblob decimal(10,2)>decimal(12,2) decimal(10,2)>decimal(14,4) datetime>datetime(6)
timestamp>timestamp(6) datetime(3)>datetime(6) varbinary(16)>varbinary(40) decimal(12,4)>decimal(18,6)
bit(1)>bit(4) varchar(191)>varchar(255) tinytext>text mediumtext>longtext float>double mediumint>int
varchar(120)>varchar(255) decimal(8,3)>decimal(10,3) decimal(6,2)>decimal(6,3) char(3)>varchar(10)
binary(16)>varbinary(16)
set('a','b','c')>set('a','b','c','d') set('a','b','c')>set('c','b','a') datetime(6)>datetime(3)
varchar(20)>varchar(40) timestamp(6)>timestamp
"""
#: Another type altogether.
OTHER = """
int>varchar(20) varchar(40)>varbinary(160) datetime>timestamp text>blob timestamp>datetime
enum>varchar(20) char(2)>varchar(2) tinyint>bit(1) decimal(10,2)>double datetime>date
bigint>decimal(20,0) json>text varchar(80)>char(80) date>datetime int>timestamp tinyint>enum('0','1')
decimal(10,2)>int varbinary(16)>binary(16) double>float blob>longtext binary(16)>char(36) longtext>json
float>decimal(10,4) year>smallint set>varchar(20) longtext>longblob mediumint>varchar(10) json>longtext
"""
CHARSETS = ("latin1", "utf8mb4", "utf8", "utf8mb4 COLLATE utf8mb4_bin", "utf8mb4 COLLATE utf8mb4_unicode_ci")
#: The columns that numbers of rows fill, and those that have few values.
NUMBERED = re.compile(r"id|number|line|\w+_id")
FEW = ("email", "slug", "iban", "sku", "scope", "kind", "token", "name", "day")


class Writes:
    """A source of statements; `random` alone decides."""

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

    def wider(self, table: Table, tables: list[Table], column: Column, by_key: str, value: str) -> str:
        """What is written less often: by order and limit, out of other tables, to several of them."""
        other = self.random.choice(tables)
        there = self.random.choice([c for c in other.columns if not c.computed])
        name, first, away = table.name, table.columns[0].name, other.name
        link = f"{away[:-1]}_id" if any(c.name == f"{away[:-1]}_id" for c in table.columns) else first
        joined = f"{name} AS x JOIN {away} AS y ON x.{link} = y.{other.columns[0].name}"
        order = f"ORDER BY {self.pick(first, column.name)}{self.pick('', ' DESC')} LIMIT {self.pick(1, 2)}"
        free = [c for c in table.columns[1:] if not c.computed]
        json = next((c.name for c in free if c.type == "json"), None)
        if json and self.chance(40):
            path = self.pick(
                "JSON_SET({0}, '$.n', 2)", "JSON_REMOVE({0}, '$.kind')", "JSON_SET({0}, '$.a', 'x')"
            )
            return f"UPDATE {name} SET {json} = {path.format(json)} WHERE {by_key}"
        match self.random.randrange(11):
            case 0 | 1:
                return f"UPDATE {name} SET {column.name} = {value} {order}"
            case 2:
                return f"DELETE FROM {name} {order}"
            case 3:
                value = self.pick(self.value(column), f"y.{there.name}")
                return f"UPDATE {joined} SET x.{column.name} = {value}"
            case 4:
                return f"DELETE {self.pick('x', 'x, y', 'y')} FROM {joined} WHERE y.{there.name} IS NOT NULL"
            case 5:
                sets = ", ".join(
                    f"{c.name} = {self.pick(f'VALUES({c.name})', self.value(c))}" for c in free[:3]
                )
                return f"{self.insert(table, 2)} ON DUPLICATE KEY UPDATE {sets}"
            case 6:
                return f"UPDATE {name} SET {first} = {self.value(table.columns[0])} WHERE {by_key}"
            case 7:
                parts = [table.columns[0], *free]
                values = ", ".join(
                    self.pick(self.value(c), there.name) if c in free else self.value(c) for c in parts
                )
                verb = self.pick("REPLACE", "INSERT IGNORE", "INSERT")
                names = ", ".join(c.name for c in parts)
                return f"{verb} INTO {name} ({names}) SELECT {values} FROM {away}{self.pick('', ' LIMIT 1')}"
            case 8:
                inner = f"(SELECT {self.pick('MAX', 'MIN', 'COUNT')}(y.{there.name}) FROM {away} AS y)"
                return f"UPDATE {name} SET {column.name} = {inner} WHERE {by_key}"
            case 9:
                return f"DELETE FROM {name} WHERE {first} IN (SELECT {other.columns[0].name} FROM {away})"
            case _:
                case = f"CASE WHEN {first} > 1 THEN {self.value(column)} ELSE {column.name} END"
                return f"UPDATE IGNORE {name} SET {column.name} = {case}"

    def definition(self, table: Table, tables: list[Table]) -> list[str]:
        """A change of a table as migrations make it at the source, with what they run around it."""
        name, cols = table.name, [c for c in table.columns[1:] if not c.computed] or table.columns
        column = self.random.choice([c for c in cols if not table.keyed(c)] or cols)
        bare = re.sub(r"^utf8mb4.*", "utf8mb4", self.pick(*CHARSETS))
        new = Column("fresh", self.pick("int", "varchar(40)", "datetime", "decimal(8,2)"))
        new.rest = self.pick("", " NOT NULL", f" DEFAULT {self.value(new)}", " NOT NULL")
        place = self.pick("", "", " FIRST", f" AFTER {column.name}")
        add = f"ADD COLUMN {new.name} {new.type}{new.rest}{place}"
        key = self.pick(f"KEY fresh_key ({column.name})", f"UNIQUE KEY fresh_key ({column.name})")
        key = key.replace(")", "(20))") if column.type.endswith(("text", "blob")) else key
        keys = [
            re.findall(r"KEY (\w+) \(", k) for k in table.keys if "PRIMARY" not in k and "FOREIGN" not in k
        ]
        gone = f"DROP INDEX {keys[0][0]}" if keys and keys[0] else f"DROP COLUMN {column.name}"
        named = ", ".join(c.name for c in table.columns if not c.computed)
        if self.chance(45):
            return self.rarer(table, tables, column, new)
        match self.random.randrange(14):
            case 0 | 1 | 2:
                table.columns.append(new)
                return [f"ALTER TABLE {name} {add}"]
            case 3:
                table.columns.remove(column)
                return [f"ALTER TABLE {name} DROP COLUMN {column.name}"]
            case 4:
                was, column.name = column.name, f"{column.name}_new"
                return [f"ALTER TABLE {name} CHANGE {was} {column.name} {column.type}{column.rest}"]
            case 5:
                self.retype([table], WIDER, back=False)
                changed = self.random.choice(cols)
                return [f"ALTER TABLE {name} MODIFY {changed.name} {changed.type}{changed.rest}"]
            case 6 | 7:
                return [f"ALTER TABLE {name} ADD {key}"]
            case 8:
                return [f"ALTER TABLE {name} {gone}"]
            case 9:
                return [f"RENAME TABLE {name} TO {name}_old", f"CREATE TABLE {name} LIKE {name}_old"]
            case 10:
                table.columns.append(new)
                return [
                    f"CREATE TABLE _{name}_new LIKE {name}", f"ALTER TABLE _{name}_new {add}",
                    f"INSERT IGNORE INTO _{name}_new ({named}) SELECT {named} FROM {name}",
                    f"RENAME TABLE {name} TO _{name}_old, _{name}_new TO {name}", f"DROP TABLE _{name}_old",
                ]  # fmt: skip
            case 11:
                return [f"ALTER TABLE {name} CONVERT TO CHARACTER SET {bare}"]
            case 12:
                return [f"ALTER TABLE {name} ALTER {column.name} SET DEFAULT {self.value(column)}"]
            case _:
                return [
                    self.pick(
                        f"TRUNCATE TABLE {self.random.choice(tables).name}", f"DROP TABLE IF EXISTS {name}",
                        f"ALTER TABLE {name} {add}, ADD {key}", f"ALTER TABLE {name} ENGINE=InnoDB",
                        f"CREATE TABLE {name}_copy AS SELECT {named} FROM {name}",
                        f"ALTER TABLE {name} {add}, {gone}",
                    )
                ]  # fmt: skip

    def rarer(self, table: Table, tables: list[Table], column: Column, new: Column) -> list[str]:
        """Changes of keys, constraints, programs and whole tables."""
        name, first, other = table.name, table.columns[0], self.random.choice(tables)
        alter, whole = f"ALTER TABLE {name}", f"{column.type}{column.rest}"
        keys = [k.split()[1] for k in table.keys if "FOREIGN KEY" in k]
        strict = re.sub(r"( NOT)? NULL| DEFAULT NULL", "", column.rest) + " NOT NULL"
        value, event = f"COALESCE({column.name}, {self.value(column)})", self.pick("INSERT", "UPDATE")
        put = f"{column.name} = {self.value(column)}"
        refers = f"FOREIGN KEY ({column.name}) REFERENCES {other.name} ({other.columns[0].name})"
        changes = [
            f"{alter} MODIFY {column.name} {column.type}{strict}",
            f"{alter} ADD {new.name} datetime DEFAULT CURRENT_TIMESTAMP",
            f"{alter} ADD {new.name} {self.pick('date', 'timestamp', 'year', 'double', 'text')} NOT NULL",
            f"{alter} ADD {new.name} int NOT NULL AUTO_INCREMENT UNIQUE",
            f"{alter} DROP PRIMARY KEY", f"{alter} ADD KEY fresh_key ({column.name}, {first.name})",
            f"{alter} DROP PRIMARY KEY, ADD PRIMARY KEY ({first.name}, {column.name})",
            f"{alter} ADD CONSTRAINT fresh_fk {refers}{self.pick('', ' ON DELETE CASCADE')}",
            f"{alter} DROP FOREIGN KEY {self.pick(*keys) if keys else 'none'}",
            f"{alter} PARTITION BY HASH ({first.name}) PARTITIONS 4", f"{alter} ENGINE=MyISAM",
            f"{alter} AUTO_INCREMENT=100", f"{alter} FORCE",
            f"{alter} MODIFY {column.name} {whole} FIRST",
            f"{alter} MODIFY {column.name} {self.pick('varchar(20)', 'int', 'text', 'decimal(6,1)', 'date')}",
            f"CREATE TRIGGER fresh_tr BEFORE {event} ON {name} FOR EACH ROW SET NEW.{put}",
            f"CREATE OR REPLACE VIEW fresh_view AS SELECT {first.name}, {column.name} FROM {name}",
            f"CREATE TABLE fresh_table (id int PRIMARY KEY, {column.name} {whole})",
        ]  # fmt: skip
        if not self.old:
            changes += [
                f"{alter} ADD CONSTRAINT fresh_check CHECK ({column.name} IS NOT NULL)",
                f"{alter} ADD {new.name} varchar(200) AS ({value}) {self.pick('STORED', 'VIRTUAL')}",
                f"{alter} RENAME COLUMN {column.name} TO {column.name}_new",
                f"{alter} ADD {new.name} varchar(40) DEFAULT ({self.pick('UUID()', value)})",
                f"{alter} ADD {new.name} int INVISIBLE", f"{alter} ADD {new.name} json, ALGORITHM=INPLACE",
            ]  # fmt: skip
        change = self.random.choice(changes)
        if "fresh_table" not in change:
            return [change]
        return [change, f"INSERT INTO fresh_table SELECT {first.name}, {column.name} FROM {name} LIMIT 1"]

    def statement(self, table: Table, tables: list[Table]) -> str:
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
        match self.random.randrange(22):
            case 14 | 15 | 16 | 17 | 18 | 19:
                return self.wider(table, tables, column, by_key, value)
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
