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
#: Five more as they are written by hand: tables as in `tests.facts.applications`, behind `--` the statements.
BY_HAND = """
carts: id int! AUTO_INCREMENT, customer varchar(60)!, state enum('new','paid','sent')! DEFAULT 'new', \
total decimal(10,2)! DEFAULT '0.00', placed datetime | PRIMARY KEY (id), KEY customer (customer)
stock: sku varchar(30)!, title varchar(100)!, amount int! DEFAULT 0, price decimal(8,2)! | PRIMARY KEY (sku)
items: cart_id int!, sku varchar(30)!, amount smallint! DEFAULT 1, price decimal(8,2) \
| PRIMARY KEY (cart_id, sku), CONSTRAINT b1 FOREIGN KEY (cart_id) REFERENCES carts (id) ON DELETE CASCADE
-- INSERT INTO stock (sku, title, amount, price) VALUES ('A-1', 'Lamp', 10, 19.90), ('B-2', 'Chair', 4, 75)
-- INSERT INTO carts (id, customer, placed) VALUES (1, 'anna@example.org', '2026-02-01 10:00:00')
-- INSERT INTO carts (id, customer, placed) VALUES (2, 'bob@example.org', '2026-02-01 10:05:00')
-- INSERT INTO items (cart_id, sku, amount, price) VALUES (1, 'A-1', 2, 19.90)
-- INSERT INTO items (cart_id, sku, price) VALUES (2, 'B-2', 75) ON DUPLICATE KEY UPDATE amount = amount + 1
-- UPDATE stock SET amount = amount - 2 WHERE sku = 'A-1' AND amount >= 2
-- UPDATE carts SET total = 39.80, state = 'paid' WHERE id = 1
-- DELETE FROM carts WHERE id = 2

logins: token char(32)!, user_id int!, agent varchar(120), seen datetime!, hits int! DEFAULT 1 \
| PRIMARY KEY (token), KEY seen (seen)
attempts: name varchar(60)!, day date!, failed smallint! DEFAULT 0 | PRIMARY KEY (name, day)
-- INSERT INTO logins (token, user_id, agent, seen) VALUES ('aa01', 7, 'Firefox', '2026-02-01 08:00:00')
-- REPLACE INTO logins (token, user_id, agent, seen) VALUES ('bb02', 8, 'curl', '2026-02-01 08:01:00')
-- UPDATE logins SET seen = '2026-02-01 08:02:00', hits = hits + 1 WHERE token = 'aa01'
-- REPLACE INTO logins (token, user_id, agent, seen) VALUES ('bb02', 8, 'curl', '2026-02-01 08:03:00')
-- INSERT INTO attempts (name, day, failed) VALUES ('root', '2026-02-01', 1) \
ON DUPLICATE KEY UPDATE failed = failed + 1
-- INSERT IGNORE INTO attempts (name, day) VALUES ('root', '2026-02-01')
-- DELETE FROM logins WHERE seen < '2026-02-01 08:02:30' ORDER BY seen LIMIT 100

jobs: id bigint! AUTO_INCREMENT, queue varchar(40)! DEFAULT 'main', body text!, \
state enum('new','paid','sent')! \
DEFAULT 'new', worker int, tries tinyint! DEFAULT 0, due datetime! \
| PRIMARY KEY (id), KEY due (queue, state, due)
finished: id bigint!, queue varchar(40)!, took double, ended datetime! | PRIMARY KEY (id)
-- INSERT INTO jobs (id, body, due) VALUES (1, 'mail 1', '2026-02-01 09:00:00')
-- INSERT INTO jobs (id, body, due) VALUES (2, 'mail 2', '2026-02-01 09:00:01')
-- INSERT INTO jobs (id, queue, body, due) VALUES (3, 'slow', 'report', '2026-02-01 09:00:02')
-- UPDATE jobs SET state = 'sent', worker = 17 WHERE queue = 'main' AND state = 'new' ORDER BY due, id LIMIT 1
-- INSERT INTO finished (id, queue, took, ended) SELECT id, queue, 0.5, '2026-02-01 09:00:09' FROM jobs \
WHERE state = 'sent'
-- DELETE FROM jobs WHERE state = 'sent' LIMIT 1
-- UPDATE jobs SET tries = tries + 1, due = due + INTERVAL 1 MINUTE WHERE id = 2

pages: id int! AUTO_INCREMENT, space smallint! DEFAULT 0, title varchar(120)!, latest int! DEFAULT 0, \
touched datetime! | PRIMARY KEY (id), UNIQUE KEY title (space, title)
revisions: id int! AUTO_INCREMENT, page_id int!, author varchar(60)!, comment varchar(200), length int, \
minor tinyint! DEFAULT 0, at datetime! | PRIMARY KEY (id), KEY page (page_id, at), \
CONSTRAINT b2 FOREIGN KEY (page_id) REFERENCES pages (id)
texts: id int!, body text! | PRIMARY KEY (id)
-- INSERT INTO pages (id, title, touched) VALUES (1, 'Main page', '2026-02-01 11:00:00')
-- INSERT INTO texts (id, body) VALUES (1, 'Welcome')
-- INSERT INTO revisions (id, page_id, author, length, at) VALUES (1, 1, 'anna', 7, '2026-02-01 11:00:00')
-- UPDATE pages SET latest = 1, touched = '2026-02-01 11:00:00' WHERE id = 1
-- INSERT INTO texts (id, body) VALUES (2, 'Welcome, all of you')
-- INSERT INTO revisions (id, page_id, author, comment, length, minor, at) \
VALUES (2, 1, 'bob', 'friendlier', 19, 1, '2026-02-01 12:00:00')
-- UPDATE pages SET latest = (SELECT MAX(id) FROM revisions WHERE page_id = 1) WHERE id = 1
-- DELETE t FROM texts t JOIN revisions r ON r.id = t.id WHERE r.length < 10

hosts: id smallint! AUTO_INCREMENT, name varchar(64)!, up tinyint! DEFAULT 1 \
| PRIMARY KEY (id), UNIQUE KEY name (name)
samples: host_id smallint!, metric varchar(40)!, at datetime!, value double \
| PRIMARY KEY (host_id, metric, at), KEY at (at)
hourly: host_id smallint!, metric varchar(40)!, hour datetime!, count int! DEFAULT 0, most double \
| PRIMARY KEY (host_id, metric, hour)
-- INSERT INTO hosts (id, name) VALUES (1, 'db1'), (2, 'db2')
-- INSERT INTO samples (host_id, metric, at, value) VALUES (1, 'load', '2026-02-01 10:00:00', 0.5), \
(2, 'load', '2026-02-01 10:00:00', 1.25)
-- INSERT INTO samples VALUES (1, 'load', '2026-02-01 10:01:00', 0.75)
-- INSERT INTO hourly (host_id, metric, hour, count, most) SELECT host_id, metric, '2026-02-01 10:00:00', \
COUNT(*), MAX(value) FROM samples GROUP BY host_id, metric
-- INSERT INTO hourly (host_id, metric, hour, count) VALUES (1, 'load', '2026-02-01 10:00:00', 1) \
ON DUPLICATE KEY UPDATE count = count + VALUES(count)
-- UPDATE hosts SET up = 0 WHERE name = 'db2'
-- DELETE FROM samples WHERE at < '2026-02-01 10:00:30'
"""
Drift = Callable[[Table, random.Random], bool]


def applications() -> list[list[Table]]:
    """The tables of each application; generated columns and defaults of functions are left out."""
    groups = APPLICATIONS.replace("\\\n", "").strip().split("\n\n")
    plain = [[table_of(re.sub(r"\{.*?\}", "", line), old=False) for line in g.split("\n")] for g in groups]
    for tables in plain:
        for table in tables:
            table.columns = [c for c in table.columns if c.type != "json"]
    return plain


def by_hand() -> Iterator[tuple[list[Table], list[str]]]:
    """The tables and the statements of each application that is written by hand."""
    for group in BY_HAND.replace("\\\n", "").strip().split("\n\n"):
        lines = group.split("\n")
        tables = [table_of(line, old=False) for line in lines if not line.startswith("--")]
        yield tables, [line[3:] for line in lines if line.startswith("--")]


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
            written = sorted((text for table in tables for text in style(table)), key=_turn)
            yield from drifted(f"{number} {style.__name__}", tables, written, r)
    for number, (tables, written) in enumerate(by_hand()):
        yield from drifted(f"{number} by hand", tables, written, r)


def drifted(
    name: str, tables: list[Table], written: list[str], r: random.Random
) -> Iterator[dict[str, object]]:
    """An application under one drift at a time and both formats."""
    for kind, drift in DRIFTS.items():
        theirs = deepcopy(tables)
        if not any(drift(table, r) for table in r.sample(theirs, len(theirs))):
            continue
        for log in ("STATEMENT", "MIXED"):
            yield {
                "id": f"{name} {kind} {log}", "binlog_format": log, "modes": "",
                "source_ddl": [table.sql() for table in tables],
                "replica_ddl": [table.sql() for table in theirs],
                "source_sql": written, "source_sql_mode": "STRICT_TRANS_TABLES",
            }  # fmt: skip


def _turn(statement: str) -> int:
    """Parents before children, and what is deleted last."""
    return ("INSERT", "UPDATE", "DELETE").index(statement.split(maxsplit=1)[0])


if __name__ == "__main__":
    for case in cases():
        print(json.dumps(case))
