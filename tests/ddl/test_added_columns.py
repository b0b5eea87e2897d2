"""ADD COLUMN that is not judged with the whole table gives what the whole way gives."""

from __future__ import annotations

import random

import pytest

from schemacheck import catalog
from schemacheck.catalog import added_columns
from schemacheck.model import Server, transport

SERVERS = ("mysql-5.6", "mysql-8.4", "mysql-9.7", "mariadb-10.11", "mariadb-11.8")
TABLES = (
    "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(30), KEY k (a(5)))",
    "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a TEXT, UNIQUE u (a(20))) CHARSET=latin1 COMMENT='x'",
    "CREATE TABLE t (id INT NOT NULL, a CHAR(9) NOT NULL DEFAULT '') ROW_FORMAT=COMPACT",
    "CREATE TABLE t (id INT, a INT, b INT AS (a + 1), CHECK (a > 0))",
    "CREATE TABLE t (id INT, a TIMESTAMP NOT NULL) ENGINE=MyISAM",
    "CREATE TABLE t (id INT, a INT) PARTITION BY HASH (id) PARTITIONS 2",
    (
        "CREATE TABLE t (id INT, a INT); CREATE TABLE p (id INT PRIMARY KEY); "
        "ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES p (id)"
    ),
)
TYPES = (
    "INT", "BIGINT UNSIGNED", "VARCHAR(40)", "VARCHAR(9000) CHARACTER SET latin1", "TEXT", "ENUM('a', 'b')",
    "DECIMAL(10, 2)", "TIMESTAMP", "JSON", "SERIAL", "POINT", "DATETIME(3)", "CHAR(300)", "VARCHAR(70000)",
)  # fmt: skip
MORE = (
    "", "", "", " NOT NULL", " DEFAULT '1'", " DEFAULT NULL", " NOT NULL DEFAULT 7", " COMMENT 'c'", " FIRST",
    " AFTER a", " AFTER missing", " UNIQUE", " PRIMARY KEY", " AS (id + 1)", " DEFAULT (1 + 1)", " INVISIBLE",
    " CHECK (id > 0)", " ON UPDATE CURRENT_TIMESTAMP", " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
)  # fmt: skip
OTHERS = (
    "SET sql_mode = ''", "SET sql_mode = 'STRICT_ALL_TABLES'", "ALTER TABLE t DROP COLUMN a",
    "RENAME TABLE t TO u; RENAME TABLE u TO t", "ALTER TABLE t MODIFY a INT", "ALTER TABLE t ENGINE=MyISAM",
    "ALTER TABLE t ADD KEY (id)", "CREATE TABLE q (id INT, FOREIGN KEY (id) REFERENCES t (id))",
    "CREATE TEMPORARY TABLE t (a INT)", "ALTER TABLE t ADD x9 INT, DROP COLUMN id",
    "ALTER TABLE t COMMENT 'y'", "ALTER TABLE t ADD IF NOT EXISTS c3 INT",
    "PREPARE s FROM 'ALTER TABLE t ADD p1 INT'; EXECUTE s", "ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4",
)  # fmt: skip


def script(chance: random.Random) -> str:
    """Some tables, and many statements that mostly add a column."""
    found = [chance.choice(TABLES[:3] if chance.random() < 0.7 else TABLES), "ALTER TABLE t COMMENT 'z'"]
    plain = chance.random() < 0.6
    for number in range(chance.randint(2, 14)):
        if chance.random() < 0.15:
            found.append(chance.choice(OTHERS))
            continue
        added = [
            f"ADD COLUMN c{number}{letter} " + chance.choice(TYPES[:7] if plain else TYPES)
            + chance.choice(MORE[:10] if plain else MORE)
            for letter in chance.choice(("a", "a", "a", "abc", "aA"[: 2 - plain]))
        ]  # fmt: skip
        found.append("ALTER TABLE t " + ", ".join(added))
    return ";\n".join(found) + ";\n"


@pytest.mark.parametrize("name", SERVERS)
def test_the_short_way_is_the_whole_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server, chance, taken = Server.parse(name), random.Random(f"add {name}"), []
    scripts = [script(chance) for _ in range(30)]
    add = added_columns.add

    def counted(*given: object) -> object:
        taken.append(add(*given))
        return taken[-1]

    with monkeypatch.context() as patch:
        patch.setattr(added_columns, "add", counted)
        short = [catalog.read(one, server, database="d") for one in scripts]
    assert sum(one is not None for one in taken) > 30
    with monkeypatch.context() as patch:
        patch.setattr(added_columns, "add", lambda *_: None)
        for text, one in zip(scripts, short, strict=True):
            assert transport.pack(one) == transport.pack(catalog.read(text, server, database="d")), text
