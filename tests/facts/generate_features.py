"""Fresh questions about single features: types with any parameters, defaults, keys, expressions, sequences,
periods, spatial and JSON columns, engines, partitions.

    python -m tests.facts.generate_features SOURCE REPLICA COUNT [SEED] > cases.jsonl

One table `t` (id, b and what a feature adds) whose replica differs in one or two of: b's type (any type of
either server, with parameters drawn), its default, nullness or visibility, the keys, a generated column,
CHECK, engine, partitions; and a few statements that write, look up or order by b, logged in any way.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from tests.facts.drawn import write

#: Values per family of types, as they are written in statements.
NUMBERS = (
    "0", "1", "-1", "127", "128", "255", "-129", "32768", "65536", "8388608", "2147483648", "4294967295",
    "9223372036854775807", "1.5", "-0.05", "99.995", "12345.678", "1e10", "0.1", "'12'", "' 7'", "TRUE",
)  # fmt: skip
TEXTS = (
    "'a'", "'A'", "'a '", "''", "'abc'", "'12'", "'1.50'", "'x,y'", "'b'", "'y'", "'\u00e9'",
    "'\u0434\u043e\u043c'", "'2020-02-03'", "'10:11:12'", "REPEAT('ab', 9)", "REPEAT('z', 300)",
    "'\U0001f600'",
)  # fmt: skip
BYTES = ("x'00'", "x'FF00'", "'ab'", "x'E9'", "'a '", "''", "x'6162000000'")
DATES = (
    "'2001-02-03'", "'2001-02-03 04:05:06'", "'2001-02-03 04:05:06.789'", "'1969-12-31 23:59:59'",
    "'0000-00-00'", "'2024-02-29 23:59:59.999999'", "'9999-12-31'", "20010203", "'2038-01-19 05:00:00'",
)  # fmt: skip
TIMES = (
    "'10:11:12'", "'-10:00:00.5'", "'838:59:59'", "'23:59:59.9999'", "'00:00:00'", "101112", "'1 02:03:04'",
)  # fmt: skip
YEARS = ("2001", "1999", "0", "'70'", "2155", "5")
WORDS = ("'x'", "'y'", "'z'", "1", "2", "'X'", "'x,y'", "3", "''")
BITS = ("b'1'", "b'101'", "5", "255", "300", "b'1111111111'")
POINTS = (
    "ST_GeomFromText('POINT(1 2)')", "ST_GeomFromText('POINT(3 4)')", "NULL",
    "ST_GeomFromText('LINESTRING(0 0,1 1)')",
)  # fmt: skip
DOCUMENTS = ("'1'", "'[1,2]'", "'{\"a\": 1}'", "'\"x\"'", "'null'", '\'{"b":[],"a":2}\'')
ADDRESSES = ("'10.1.2.3'", "'0.0.0.0'", "'255.255.255.255'")
ADDRESSES6 = ("'::1'", "'::ffff:10.1.2.3'", "'2001:db8::ff'")
IDS = ("'123e4567-e89b-12d3-a456-426655440000'", "'00000000-0000-0000-0000-000000000000'")
CHARSETS = (
    "latin1", "utf8mb4", "ascii", "latin2", "cp1251", "ucs2", "utf16", "utf32", "gbk", "binary", "utf8",
    "koi8r", "sjis",
)  # fmt: skip
COLLATIONS = (
    "utf8mb4_bin", "utf8mb4_unicode_ci", "latin1_bin", "latin1_general_cs", "utf8mb4_swedish_ci", "ascii_bin",
)  # fmt: skip
ENGINES = ("MyISAM", "MEMORY", "BLACKHOLE", "ARCHIVE", "CSV", "Aria")
KEYS = (
    "", "", "", "UNIQUE KEY (b)", "KEY (b)", "PRIMARY KEY (b)", "PRIMARY KEY (id)", "PRIMARY KEY (id)",
    "PRIMARY KEY (id)", "PRIMARY KEY (id, b)", "PRIMARY KEY (b, id)", "UNIQUE KEY (b, id)",
    "PRIMARY KEY (id), UNIQUE KEY (b)", "PRIMARY KEY (id), KEY (b)", "UNIQUE KEY (id)", "KEY (id)",
    "PRIMARY KEY (id DESC)", "UNIQUE KEY (id), KEY (b, id)",
)  # fmt: skip
MODES = (
    "", "NO_ENGINE_SUBSTITUTION", "STRICT_TRANS_TABLES", "TRADITIONAL", "STRICT_ALL_TABLES",
    "ALLOW_INVALID_DATES", "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO",
)  # fmt: skip
CONVERSIONS = ("", "", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
PARTITIONED = (
    "PARTITION BY HASH (id) PARTITIONS 2", "PARTITION BY KEY (id) PARTITIONS 3",
    "PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (3))",
    "PARTITION BY LIST (id) (PARTITION p0 VALUES IN (1, 2), PARTITION p1 VALUES IN (3, NULL))",
    "PARTITION BY RANGE COLUMNS (id) (PARTITION p0 VALUES LESS THAN (2), PARTITION p1 VALUES LESS THAN (9))",
    "PARTITION BY LINEAR HASH (id) PARTITIONS 4",
    "PARTITION BY LIST COLUMNS (id) (PARTITION p0 VALUES IN (1, 2, 3))",
)  # fmt: skip
STATEMENTS = (
    "INSERT {i}INTO t (id, b) VALUES ({n}, {v})", "INSERT {i}INTO t (id, b) VALUES ({n}, {v}), ({m}, {w})",
    "INSERT {i}INTO t (b) VALUES ({v})", "INSERT {i}INTO t (id) VALUES ({n})",
    "REPLACE INTO t (id, b) VALUES ({n}, {v})", "REPLACE INTO t (id) VALUES ({n})",
    "INSERT {i}INTO t SET id = {n}, b = DEFAULT", "UPDATE {i}t SET b = {v}",
    "UPDATE {i}t SET b = {v} WHERE id = {n}", "UPDATE {i}t SET id = id + 10 WHERE b = {v}",
    "UPDATE {i}t SET b = {v} WHERE b = {w}", "UPDATE {i}t SET id = id + 20 WHERE b > {v}",
    "UPDATE {i}t SET b = b", "UPDATE {i}t SET b = CONCAT(b, '1')", "UPDATE {i}t SET b = b + 1",
    "UPDATE {i}t SET id = id + 30 ORDER BY b LIMIT 1", "UPDATE {i}t SET b = {v} ORDER BY id DESC LIMIT 1",
    "DELETE FROM t WHERE b = {v}", "DELETE FROM t WHERE b < {v}", "DELETE FROM t WHERE id = {n}",
    "DELETE FROM t", "DELETE FROM t ORDER BY b, id LIMIT 1", "DELETE FROM t WHERE b IN ({v}, {w})",
    "DELETE FROM t WHERE b LIKE '%1%'", "DELETE FROM t WHERE b IS NULL",
    "INSERT {i}INTO t (id, b) SELECT id + 40, b FROM t",
    "INSERT {i}INTO t (id, b) SELECT {n} + 50, MAX(b) FROM t",
    "INSERT {i}INTO t (id, b) VALUES ({n}, {v}) ON DUPLICATE KEY UPDATE b = {w}",
    "INSERT {i}INTO t (id, b) VALUES ({n}, {v}) ON DUPLICATE KEY UPDATE id = id + 60",
    "UPDATE {i}t SET b = NULL WHERE id = {n}", "UPDATE {i}t SET b = IF(id > 1, {v}, b)",
    "DELETE FROM t WHERE BETWEEN_", "UPDATE {i}t SET b = DEFAULT",
    "UPDATE {i}t SET b = {v}, id = id + 1 ORDER BY id DESC", "DELETE FROM t WHERE b <=> {v}",
    "DELETE FROM t WHERE NOT (b = {v})", "UPDATE {i}t SET id = LENGTH(b) + 100 WHERE id = {n}",
    "INSERT {i}INTO t VALUES ({n}, {v})", "INSERT {i}INTO t (id, b) SELECT {n}, {v} FROM t",
)  # fmt: skip


class Features:
    """A source of cases; `random` alone decides."""

    def __init__(self, seed: int, source: str, replica: str) -> None:
        self.random = random.Random(f"features {seed} {source} {replica}")
        self.source, self.replica = source, replica
        self.old = "mysql-5.6" in (source, replica)
        self.maria = source.startswith("mariadb") and replica.startswith("mariadb")

    def pick(self, *what: Any) -> Any:
        return self.random.choice(what)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def type(self, family: int, server: str) -> tuple[str, tuple[str, ...]]:
        """A type that a server reads, with what is written for it."""
        number = self.random.randrange
        old = server == "mysql-5.6"
        match family:
            case 0:
                kind = self.pick("tinyint", "smallint", "mediumint", "int", "bigint", "tinyint(1)", "int(5)")
                return kind + self.pick("", "", " unsigned", " unsigned zerofill"), NUMBERS
            case 1:
                whole, part = number(1, 30), number(0, 12)
                kind = self.pick(
                    f"decimal({whole + part},{part})",
                    "float",
                    "double",
                    f"decimal({whole})",
                    "float(7,2)",
                    "double(9,3)",
                )
                return kind + self.pick("", "", "", " unsigned"), NUMBERS
            case 2:
                size = self.pick(1, 3, 5, 10, 17, 60, 255)
                kind = self.pick(
                    f"varchar({size})",
                    f"char({size})",
                    "text",
                    "tinytext",
                    "mediumtext",
                    "longtext",
                    f"varchar({size + 300})",
                )
                mark = self.pick(
                    "", "", "", f" character set {self.pick(*CHARSETS)}", f" collate {self.pick(*COLLATIONS)}"
                )
                return kind + mark, TEXTS
            case 3:
                size = self.pick(1, 2, 4, 12, 255)
                return self.pick(
                    f"varbinary({size})",
                    f"binary({size})",
                    "blob",
                    "tinyblob",
                    "longblob",
                    f"varbinary({size + 256})",
                ), BYTES
            case 4:
                digits = self.pick("", "", "(1)", "(2)", "(3)", "(6)")
                return self.pick(
                    "date", f"datetime{digits}", f"timestamp{digits} NULL", f"datetime{digits}"
                ), DATES
            case 5:
                return self.pick(*(f"time{d}" for d in ("", "(1)", "(3)", "(6)"))), TIMES
            case 6:
                return self.pick("year", "year", "year(4)"), YEARS
            case 7:
                members = list("xyzab")[: number(2, 6)]
                if self.chance(50):
                    self.random.shuffle(members)
                return f"{self.pick('enum', 'set')}({','.join(repr(m) for m in members)})", WORDS
            case 8:
                return f"bit({self.pick(1, 3, 8, 9, 12, 33, 64)})", BITS
            case 9:
                kind = self.pick("point", "geometry", "linestring", "polygon")
                srid = self.pick("", "", " srid 4326", " srid 0") if server == "mysql-9.7" else ""
                return kind + srid, POINTS
            case 10 if not old:
                return "json", DOCUMENTS
            case 11 if server.startswith("mariadb"):
                return self.pick(
                    ("inet4", ADDRESSES),
                    ("inet6", ADDRESSES6),
                    ("uuid", IDS),
                    ("varchar(30) compressed", TEXTS),
                )  # type: ignore[no-any-return]
            case _:
                return self.type(number(9), server)

    def default(self, values: tuple[str, ...]) -> str:
        plain = [v for v in values if v[0] in "'0123456789-bx"]
        return f" DEFAULT {self.pick(*plain)}" if plain else ""

    def column(self, kind: str, values: tuple[str, ...]) -> str:
        extra = self.pick("", "", "", " NOT NULL")
        kind = kind.removesuffix(" NULL") if extra else kind
        big = any(w in kind for w in ("text", "blob", "json", "point", "geometry", "linestring", "polygon"))
        if self.chance(25) and not big:
            extra += self.default(values)
        if self.chance(5) and not self.old:
            extra += " INVISIBLE"
        return f"b {kind}{extra}"

    def feature(self) -> str:
        """What one end alone has."""
        least = [
            "x int", "x int NOT NULL", "x varchar(9) DEFAULT 'q'",
            "x timestamp NULL DEFAULT CURRENT_TIMESTAMP",
            "x datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3)",
            "x int NOT NULL DEFAULT 3", "KEY kx (id, b)",
        ]  # fmt: skip
        newer = [
            "g int AS (id + 1) VIRTUAL", "g int AS (id * 1000000000) STORED",
            "g varchar(3) AS (CONCAT(b, 'x')) VIRTUAL", "CHECK (id < 3)",
            "g varchar(40) AS (CONCAT(b, '-', id)) STORED, KEY (g)",
            "g int AS (id % 2) VIRTUAL, UNIQUE KEY (g)", "CHECK (b IS NOT NULL)", "x int INVISIBLE",
            "x int NOT NULL DEFAULT (id + 1)", "x varchar(40) DEFAULT (UUID())", "CHECK (LENGTH(b) < 4)",
            "g int AS (LENGTH(b)) STORED, CHECK (g < 4)", "g tinyint AS (id * 100) STORED",
            "g date AS (b) VIRTUAL", "g int AS (10 / (id - 1)) STORED", "g int AS (b + 0) STORED",
            "g varchar(9) AS (UPPER(b)) STORED, UNIQUE KEY (g)", "g year AS (YEAR(b)) STORED",
            "g time(2) AS (TIME(b)) VIRTUAL", "g text AS (JSON_EXTRACT(b, '$.a')) VIRTUAL",
            "g decimal(4,1) AS (b) STORED", "g varchar(20) AS (COALESCE(b, 'none')) STORED NOT NULL",
            "CHECK (b <> 'a')", "CHECK (id + 0 = id)", "x json DEFAULT (JSON_ARRAY())",
            "x int DEFAULT (1 + 1) NOT NULL",
            "g bigint AS (CAST(b AS SIGNED)) VIRTUAL, KEY (g)", "g binary(2) AS (b) STORED",
            "FULLTEXT KEY ft (b)",
            "x point, y int", "x varchar(20) NOT NULL, FULLTEXT KEY ft (x)",
            "x point NOT NULL, SPATIAL KEY sp (x)",
        ]  # fmt: skip
        mysql = [
            "KEY ((id + 1))", "UNIQUE KEY ((id % 2))", "KEY ((LENGTH(b)))", "KEY ((CAST(b AS CHAR(3))))",
            "UNIQUE KEY ((LOWER(b)))", "KEY ((CAST(b AS SIGNED)))",
            "KEY fx ((CAST(b->'$.a' AS UNSIGNED ARRAY)))", "CHECK (b < 5) NOT ENFORCED",
            "KEY ((CAST(b AS CHAR(20) ARRAY)))", "KEY ((CAST(b AS DATE)))", "UNIQUE KEY ((ABS(id)), b)",
            "KEY ((YEAR(b)))", "KEY ((CAST(b->>'$.a' AS CHAR(5))))", "KEY ((b * 2))",
            "UNIQUE KEY ((IFNULL(id, 0)))",
            "KEY ((HEX(b)))", "KEY ((CAST(b AS DECIMAL(5,2))))",
        ]  # fmt: skip
        maria = [
            "ra timestamp(6) AS ROW START, rb timestamp(6) AS ROW END, PERIOD FOR SYSTEM_TIME (ra, rb)",
            "x int WITHOUT SYSTEM VERSIONING",
            "s date DEFAULT '2001-01-01' NOT NULL, e date DEFAULT '2002-01-01' NOT NULL, PERIOD FOR p (s, e)",
            "x int DEFAULT (id + 1)", "x inet6 DEFAULT '::1'", "x int AS (id) PERSISTENT",
            "x int DEFAULT (NEXTVAL(sq))",
            "x varchar(9) CHECK (x <> 'q')", "UNIQUE KEY ul (b) USING HASH", "x text, UNIQUE KEY ux (x)",
            "KEY kd (id DESC, b)",
        ]  # fmt: skip
        out = least + ([] if self.old else newer)
        if self.replica == "mysql-9.7":
            out += mysql
        return str(self.pick(*out, *(maria if self.maria else [])))

    def table(self, column: str, key: str, parts: list[str], tail: str) -> str:
        inside = [
            "id int" + (" NOT NULL" if "PRIMARY KEY (id)" in key else ""),
            column,
            *([key] if key else []),
            *parts,
        ]
        if "ROW START" in " ".join(parts) or (self.maria and self.chance(4)):
            tail = tail + " WITH SYSTEM VERSIONING"
        return f"CREATE TABLE t ({', '.join(inside)}) {tail}".strip()

    def case(self, number: int) -> dict[str, Any]:
        family = self.random.randrange(12)
        kind, values = self.type(family, self.source)
        ours = self.column(kind, values)
        theirs, others = ours, values
        roll = self.random.randrange(100)
        if roll < 50:
            there = family if self.chance(60) else self.random.randrange(12)
            other, others = self.type(there, self.replica)
            theirs = self.column(other, others)
        elif roll < 60:
            theirs = self.column(kind, values)
        key = self.pick(*KEYS)
        if any(
            w in ours + theirs for w in ("text", "blob", "json", "point", "geometry", "linestring", "polygon")
        ):
            key = key.replace("(b)", "(b(9))").replace("b,", "b(9),").replace(", b)", ", b(9))")
            if any(w in ours + theirs for w in ("json", "point", "geometry", "linestring", "polygon")):
                key = self.pick("", "PRIMARY KEY (id)", "PRIMARY KEY (id)", "UNIQUE KEY (id)")
        if self.old:
            key = key.replace(" DESC", "")
        their_key = (
            key
            if self.chance(75)
            else self.pick("", "PRIMARY KEY (id)", "KEY (id)", "UNIQUE KEY (id)", "PRIMARY KEY (id, b)")
        )
        both = [self.feature()] if self.chance(12) and self.source == self.replica else []
        more = [self.feature()] if self.chance(25) else []
        engine = f"ENGINE={self.pick(*ENGINES)}" if self.chance(10) else ""
        split = self.pick(*PARTITIONED) if self.chance(7) else ""
        logged = self.pick("ROW", "ROW", "STATEMENT", "STATEMENT", "MIXED")
        case: dict[str, Any] = {
            "id": f"feature {self.source} {self.replica} {number}",
            "group": "features",
            "source_ddl": [self.table(ours, key, both, "ENGINE=InnoDB")],
            "replica_ddl": [
                self.table(
                    theirs,
                    their_key,
                    [*both, *[m for m in more if m not in both]],
                    f"{engine} {split}".strip(),
                )
            ],
            "source_sql": self.written(values, others),
            "modes": self.pick(*CONVERSIONS),
            "binlog_format": logged,
            "source_may_fail": True,
        }
        if logged != "STATEMENT":
            case["binlog_row_image"] = self.pick("FULL", "FULL", "MINIMAL", "NOBLOB")
        if self.chance(40):
            case["source_sql_mode"] = self.pick(*MODES)
        if self.chance(25):
            case["sql_mode"] = self.pick(*MODES[:6])
        if self.chance(10):
            case["source_vars"] = self.pick(
                {"time_zone": "+05:00"}, {"timestamp": 1700000000.75}, {"auto_increment_increment": 3}
            )
        if self.chance(4):
            case["replica_globals"] = {"slave_exec_mode": "IDEMPOTENT"}
        if self.chance(70):
            case["source_goes_on"] = True
        if self.chance(5):
            self.trigger(case)
        if self.maria and "NEXTVAL" in str(case):
            case["source_ddl"].insert(0, "CREATE SEQUENCE sq")
            case["replica_ddl"].insert(0, self.pick("CREATE SEQUENCE sq", "CREATE SEQUENCE sq START WITH 5"))
        return case

    def trigger(self, case: dict[str, Any]) -> None:
        """A trigger of the replica alone, or of both, and whether row events run it."""
        event = self.pick("INSERT", "UPDATE", "DELETE")
        row = "OLD" if event == "DELETE" else "NEW"
        both = (
            f"CREATE TRIGGER tr BEFORE {event} ON t FOR EACH ROW SET @s = {row}.b",
            f"CREATE TRIGGER tr AFTER {event} ON t FOR EACH ROW INSERT INTO l VALUES ({row}.id)",
            f"CREATE TRIGGER tr BEFORE {event} ON t FOR EACH ROW SET NEW.id = NEW.id + 7",
        )
        made = self.pick(*(both[:2] if event == "DELETE" else both))
        side = self.pick(["replica_ddl"], ["source_ddl"], ["source_ddl", "replica_ddl"])
        for name in ("source_ddl", "replica_ddl"):
            case[name].append("CREATE TABLE l (id int)")
        for name in side:
            case[name].append(made)
        if self.replica.startswith("mariadb") and self.chance(50):
            case["replica_globals"] = {"slave_run_triggers_for_rbr": self.pick("YES", "LOGGING")}

    def written(self, values: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
        """Rows first, then what changes them."""
        firsts = self.random.randrange(1, 3)
        out = [self.statement(self.pick(*STATEMENTS[:2]), values, others) for _ in range(firsts)]
        out += [
            self.statement(self.pick(*STATEMENTS), values, others) for _ in range(self.random.randrange(0, 4))
        ]
        return out

    def statement(self, text: str, values: tuple[str, ...], others: tuple[str, ...]) -> str:
        def value() -> str:
            return str(self.pick(*(values if self.chance(88) else others))) if self.chance(96) else "NULL"

        text = text.replace("BETWEEN_", "b BETWEEN {v} AND {w}")
        first, second = self.random.sample(range(1, 5), 2)
        return text.format(i=self.pick("", "IGNORE "), n=first, m=second, v=value(), w=value())


if __name__ == "__main__":
    write(Features, *sys.argv[1:])
