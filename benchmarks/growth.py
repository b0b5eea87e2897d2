"""How reading grows with its input: `python benchmarks/growth.py [WORD]`.

Each case is a text, made in two sizes of which the second is FACTOR times the first; the first is as large as
needed to take WANTED seconds of CPU time, or as the input may be. Prints the length of the larger text, the
seconds of both (best of three) and the ratio for each doubling: about 2 is linear, about 4 quadratic, less
than 2 where something fixed counts. With WORD, only cases whose name holds it. Ends with 1 where a ratio is
above MOST. `tests/test_growth.py` holds the same cases to their ratios.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemacheck import catalog, library
from schemacheck.binlog import decode
from schemacheck.config import reader as configuration
from schemacheck.diagnose import status as replica_status
from schemacheck.errors import SchemacheckError
from schemacheck.filters import read as filters
from schemacheck.inputs import open_schema
from schemacheck.model import Link, Server
from schemacheck.policy import baseline, comments
from schemacheck.replay.change import replay

MYSQL, MARIADB = Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")
#: CPU seconds that a first size should take, what a doubling may cost, and the length of the largest input.
WANTED, MOST, LARGEST = 0.04, 2.3, 8_000_000
FACTOR = 4
TABLE = "CREATE TABLE t{} (\n  id INT PRIMARY KEY,\n  a VARCHAR(10) -- schemacheck: ignore[SC204] why\n);\n"
COLUMNS = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_DEFAULT",
           "IS_NULLABLE", "DATA_TYPE", "CHARACTER_MAXIMUM_LENGTH", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA",
           "PRIVILEGES", "COLUMN_COMMENT")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Growth:
    """The length of the larger input, and the CPU seconds of the smaller and of the larger one."""

    length: int
    first: float
    second: float

    @property
    def doubling(self) -> float:
        """What twice the input costs; what is too fast to be measured (10 ms) costs nothing."""
        return (self.second / self.first) ** (1 / math.log2(FACTOR)) if self.second > 0.01 else 0.0


#: A text (or bytes) of a size, and what reads it.
Make = Callable[[int], str | bytes]
Read = Callable[[str | bytes], object]


def sql(text: str | bytes) -> None:
    """A script on MySQL and on MariaDB."""
    for server in (MYSQL, MARIADB):
        catalog.read(str(text), server, database="d")


def file(name: str, **said: str) -> Read:
    """A file of this name (what it is is told by its content)."""

    def read(text: str | bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            place = folder if path.parent != Path(folder) else str(path)
            with contextlib.suppress(SchemacheckError):
                open_schema(place, server=MYSQL, **said)

    return read


def skeema(text: str | bytes) -> None:
    """A folder with a `.skeema` of this text."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".skeema").write_text(str(text), "utf-8")
        (Path(folder) / "t.sql").write_text("CREATE TABLE t (a INT);", "utf-8")
        with contextlib.suppress(SchemacheckError):
            open_schema(folder, server=MYSQL)


def quiet(read: Callable[[str], object]) -> Read:
    """A reader of text, whose refusal is an answer."""

    def run(text: str | bytes) -> None:
        with contextlib.suppress(SchemacheckError):
            read(str(text))

    return run


def suppressed(text: str | bytes) -> None:
    """Both sides of a comparison, and the suppressions in one of them."""
    source, replica = (library.parse(str(one), MYSQL, file="a.sql")
                       for one in (str(text).replace("VARCHAR(10)", "VARCHAR(20)"), text))  # fmt: skip
    report = library.check(source, replica)
    comments.apply(report, comments.scan(str(text), "a.sql"))


def known(text: str | bytes) -> None:
    """A comparison, its baseline written, read and applied."""
    source, replica = (library.parse(str(one), MYSQL, file="a.sql")
                       for one in (str(text).replace("VARCHAR(10)", "VARCHAR(20)"), text))  # fmt: skip
    report = library.check(source, replica)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "baseline.json"
        path.write_text(baseline.dump(baseline.collect(report)), "utf-8")
        baseline.apply(report, baseline.load(path))


def rows(cut: str, null: str) -> Make:
    """Rows of information_schema.COLUMNS, ten columns a table."""

    def make(size: int) -> str:
        lines = [cut.join(COLUMNS)]
        lines += [
            cut.join(("def", "d", f"t{n // 10}", f"c{n}", str(n % 10 + 1), null, "YES", "int", null, "int",
                      "", "", "select", "about"))
            for n in range(size)
        ]  # fmt: skip
        return "\n".join(lines) + "\n"

    return make


def objects(size: int) -> str:
    lines = rows("\t", "NULL")(size).splitlines()[1:]
    return "\n".join(json.dumps(dict(zip(COLUMNS, line.split("\t"), strict=True))) for line in lines)


def vertical(size: int) -> str:
    lines = rows("\t", "NULL")(size).splitlines()[1:]
    return "".join(
        f"{'*' * 27} {number}. row {'*' * 27}\n"
        + "".join(f"{name:>30}: {value}\n" for name, value in zip(COLUMNS, line.split("\t"), strict=True))
        for number, line in enumerate(lines, 1)
    )


def xml(size: int) -> str:
    lines = rows("\t", "NULL")(size).splitlines()[1:]
    inside = "".join(
        "<row>" + "".join(f'<field name="{name}">{value}</field>'
                          for name, value in zip(COLUMNS, line.split("\t"), strict=True)) + "</row>"
        for line in lines
    )  # fmt: skip
    return f'<?xml version="1.0"?>\n<resultset statement="x">{inside}</resultset>\n'


def dump(size: int) -> str:
    table = (
        "DROP TABLE IF EXISTS `t{0}`;\n/*!50503 SET character_set_client = utf8mb4 */;\nCREATE TABLE "
        "`t{0}` (\n"
        "  `a` int NOT NULL,\n  `b` varchar(10) DEFAULT NULL,\n  PRIMARY KEY (`a`)\n) ENGINE=InnoDB;\n"
        "INSERT INTO `t{0}` VALUES (1,'a'),(2,'b');\n"
    )
    head = "-- MySQL dump 10.13  Distrib 9.7.0, for Linux (x86_64)\n--\n-- Host: x    Database: d\n"
    body = "".join(table.format(number) for number in range(size))
    return f"{head}{body}-- Dump completed on 2026-01-01  0:00:00\n"


def log(size: int) -> bytes:
    """A binary log of BEGIN and COMMIT queries of MySQL 8.0, without checksums."""
    import struct

    def event(code: int, body: bytes) -> bytes:
        return struct.pack("<IBIIIH", 1_700_000_000, code, 1, 19 + len(body), 0, 0) + body

    lengths = bytes.fromhex(
        "380d0008001200040404041200005f00041a08000000080808020000000a0a0a2a2a001234000a28000000"
    )[:42]
    version = b"8.0.36".ljust(50, b"\0")
    description = struct.pack("<H", 4) + version + struct.pack("<IB", 0, 19) + lengths + b"\0" + bytes(4)
    query = struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0" + b"INSERT INTO t VALUES (1)"
    return b"\xfebin" + event(15, description) + event(2, query) * size


def read_log(data: str | bytes) -> None:
    with contextlib.suppress(SchemacheckError):
        for _ in decode(bytes(data), verify=False):  # type: ignore[arg-type]
            pass


def tables(size: int) -> str:
    return "".join(TABLE.format(number) for number in range(size))


def chain(text: str) -> Make:
    """A table, and a statement on it as often."""
    return lambda size: "CREATE TABLE t (a INT);\n" + "".join(text.format(n, n + 1) for n in range(size))


def change(text: str | bytes) -> None:
    """Each table's ALTER, on both ends."""
    made, _, alters = str(text).partition("\n\n")
    schema = catalog.read(made, MYSQL)
    replay(schema, schema, [("change.sql", alters)], Link(MYSQL, MYSQL))


def links(size: int) -> str:
    one = "  l{0}:\n    source: a{0}.sql\n    replica: b{0}.sql\n"
    return "links:\n" + "".join(one.format(number) for number in range(size))


def tolerations(size: int) -> str:
    one = "  - rule: SC204\n    tables: [t{0}]\n    reason: because\n"
    return "tolerate:\n" + "".join(one.format(number) for number in range(size))


CASES: dict[str, tuple[Make, Read]] = {
    # SQL as scripts
    "sql: RENAME TABLE": (lambda n: "CREATE TABLE t0 (a INT);\n" + "".join(
        f"RENAME TABLE t{i} TO t{i + 1};\n" for i in range(n)), sql),
    "sql: RENAME of many tables": (lambda n: tables(n) + "".join(
        f"RENAME TABLE t{i} TO u{i};\n" for i in range(n)), sql),
    "sql: RENAME back and forth": (chain("RENAME TABLE t TO u;\nRENAME TABLE u TO t;\n"), sql),
    "sql: ADD COLUMN, one a statement": (chain("ALTER TABLE t ADD COLUMN c{0} INT;\n"), sql),
    "sql: ADD COLUMN, all in one": (lambda n: "CREATE TABLE t (a INT); ALTER TABLE t " + ", ".join(
        f"ADD COLUMN c{i} INT" for i in range(n)), sql),
    "sql: ADD COLUMN FIRST, all in one": (lambda n: "CREATE TABLE t (a INT); ALTER TABLE t " + ", ".join(
        f"ADD COLUMN c{i} INT FIRST" for i in range(n)), sql),
    "sql: RENAME COLUMN of many tables": (lambda n: tables(n) + "".join(
        f"ALTER TABLE t{i} RENAME COLUMN a TO b;\n" for i in range(n)), sql),
    "change: ALTER of many tables": (lambda n: tables(n) + "\n" + "".join(
        f"ALTER TABLE t{i} ADD b INT;\n" for i in range(n)), change),
    "sql: MODIFY": (chain("ALTER TABLE t MODIFY a BIGINT;\n"), sql),
    "sql: RENAME COLUMN": (chain("ALTER TABLE t RENAME COLUMN a TO b;\nALTER TABLE t RENAME COLUMN "
                                 "b TO a;\n"),
                           sql),
    "sql: tables": (tables, sql), "sql: dump": (dump, sql),
    "sql: columns": (lambda n: "CREATE TABLE t (" + ", ".join(f"c{i} INT" for i in range(n)) + ")", sql),
    "sql: foreign keys": (lambda n: "CREATE TABLE p (a INT PRIMARY KEY);" + "".join(
        f"CREATE TABLE t{i} (a INT, FOREIGN KEY (a) REFERENCES p (a));\n" for i in range(n)), sql),
    "sql: DROP and CREATE": (chain("DROP TABLE t;\nCREATE TABLE t (a INT);\n"), sql),
    "sql: DROP DATABASE": (lambda n: tables(n) + "CREATE DATABASE e;\nDROP DATABASE e;\n" * n, sql),
    "sql: databases": (lambda n: "".join(f"CREATE DATABASE d{i};\nUSE d{i};\n" for i in range(n)), sql),
    "sql: versioned comments": (lambda n: "CREATE TABLE t (" + ", ".join(
        f"/*!50000 c{i} INT */" for i in range(n)) + ")", sql),
    "sql: versioned comments that do not run": (lambda n: "/*!99999 x */;\n" * n, sql),
    "sql: nested versioned comments": (lambda n: "/*!50000 /* x */ " * n, sql),
    "sql: unclosed versioned comments": (lambda n: "/*!50000 " * n, sql),
    "sql: unclosed comments": (lambda n: "SELECT 1 /* x\n" * n, sql),
    "sql: blank lines": (lambda n: "\n" * n + "CREATE TABLE t (a INT)", sql),
    "sql: blanks": (lambda n: "CREATE TABLE t (a INT" + " " * n + ")", sql),
    "sql: statements that are none": (lambda n: "frob 1;\n" * min(n, 900) + "SELECT 1;\n" * n, sql),
    "sql: queries": (lambda n: "SELECT a FROM t WHERE b = 1;\n" * n, sql),
    "sql: INSERT of many rows": (lambda n: "INSERT INTO t VALUES " + ",".join("(1,'a')" for _ in range(n)),
    sql),
    "sql: queries before a definition": (
        lambda n: "SELECT a FROM t WHERE b = 1;\n" * n + "CREATE TABLE t (a INT);",
        sql,
    ),
    "sql: broken queries before a definition": (
        lambda n: "SELECT (1, , \n" * n + "; CREATE TABLE t (a INT);",
        sql,
    ),
    "sql: broken rows before a definition": (
        lambda n: "INSERT INTO t VALUES " + "(1,'a')," * n + "; CREATE TABLE t (a INT);",
        sql,
    ),
    "sql: SET": (lambda n: "".join(f"SET @v{i} = {i};\n" for i in range(n)), sql),
    "sql: PREPARE": (lambda n: "PREPARE s FROM 'SELECT 1';\nEXECUTE s;\n" * n, sql),
    "sql: delimiters": (lambda n: "DELIMITER //\nSELECT 1 //\nDELIMITER ;\n" * n, sql),
    "sql: routines without DELIMITER": (lambda n: "CREATE PROCEDURE p() BEGIN SELECT 1; END;\n" * n, sql),
    "sql: a routine that never ends": (lambda n: "CREATE PROCEDURE p() BEGIN " + "SELECT 1;\n" * n, sql),
    "sql: nested blocks": (lambda n: "CREATE PROCEDURE p() BEGIN " + "IF 1 THEN\n" * n, sql),
    "sql: triggers": (lambda n: "CREATE TABLE t (a INT);" + "".join(
        f"CREATE TRIGGER g{i} BEFORE INSERT ON t FOR EACH ROW SET @a = 1;\n" for i in range(n)), sql),
    "sql: views": (lambda n: "".join(f"CREATE OR REPLACE VIEW v{i} AS SELECT 1;\n" for i in range(n)), sql),
    "sql: partitions": (lambda n: "CREATE TABLE t (a INT) PARTITION BY RANGE (a) (" + ", ".join(
        f"PARTITION p{i} VALUES LESS THAN ({i + 1})" for i in range(n)) + ")", sql),
    "sql: members of an ENUM": (lambda n: "CREATE TABLE t (a ENUM(" + ",".join(
        f"'m{i}'" for i in range(n)) + "))", sql),
    "sql: parentheses": (lambda n: "CREATE TABLE t (a INT DEFAULT (" + "(" * n + "1" + ")" * n + "))", sql),
    "sql: CREATE TABLE LIKE": (lambda n: "CREATE TABLE t0 (a INT);" + "".join(
        f"CREATE TABLE t{i + 1} LIKE t{i};\n" for i in range(n)), sql),
    # SQL as files
    "file: blank lines in .txt": (lambda n: "x\n" + "\n" * n + "x", file("a.txt")),
    "file: blanks in .txt": (lambda n: "x\n" + " " * n + "\nx", file("a.txt")),
    "file: dashes in .txt": (lambda n: "x\n+" + "-" * n + "x", file("a.txt")),
    "file: stars in .txt": (lambda n: "x\n" + "*" * n + "x", file("a.txt")),
    "file: plus signs in .txt": (lambda n: "x\n" + "+-" * n + "x", file("a.txt")),
    "file: blank lines in .sql": (lambda n: "\n" * n + "CREATE TABLE t (a INT);", file("a.sql")),
    "file: dump": (dump, file("a.sql")),
    "file: unfinished dump": (lambda n: dump(n).replace("-- Dump completed", "-- x"), file("a.sql")),
    "file: headers": (lambda n: "-- MySQL dump 10.13\n" * n, file("a.sql")),
    "file: host lines": (lambda n: "-- MySQL " * n, file("a.sql")),
    "file: gzip members": (lambda n: gzip.compress(b"\n", mtime=0) * n, file("a.sql.gz")),
    "file: gzip members after text": (lambda n: gzip.compress(b"-- x\n" * 99_999) + gzip.compress(b"") * n,
                                      file("a.sql.gz")),
    "file: gzip": (lambda n: gzip.compress(dump(n).encode()), file("a.sql.gz")),
    "file: two folders": (lambda n: "\n" * n + "CREATE TABLE t (a INT);", file("d/t.sql")),
    "file: folders, blank lines": (lambda n: " \n" * n, file("d/t.sql")),
    # rows
    "rows: TSV": (rows("\t", "NULL"), file("a.tsv")), "rows: OUTFILE": (rows("\t", "\\N"), file("a.tsv")),
    "rows: TSV --raw": (lambda n: rows("\t", "NULL")(n).replace("about", "a\tb\n\nout"), file("a.tsv")),
    "rows: CSV": (rows(",", "NULL"), file("a.csv")), "rows: CSV ;": (rows(";", "\\N"), file("a.csv")),
    "rows: CSV with quotes": (lambda n: rows(",", "NULL")(n).replace("about", '"a ""b"" c"'), file("a.csv")),
    "rows: CSV, unclosed quotes": (lambda n: rows(",", "NULL")(5) + 'def,"' * n, file("a.csv")),
    "rows: CSV, odd quotes": (lambda n: rows(",", "NULL")(5) + '"a" b,' * n, file("a.csv")),
    "rows: CSV, backslashes": (lambda n: rows(",", "\\N")(5) + '"' + "\\" * n, file("a.csv")),
    "rows: backslashes": (lambda n: rows("\t", "NULL")(5) + "\\" * n + "\n", file("a.tsv")),
    "rows: JSON lines": (objects, file("a.jsonl")),
    "rows: JSON array": (lambda n: "[" + objects(n).replace("\n", ",") + "]", file("a.json")),
    "rows: vertical": (vertical, file("a.txt")), "rows: XML": (xml, file("a.xml")),
    "rows: one value of many lines": (lambda n: vertical(1).rstrip() + "\nx" * n + "\n", file("a.txt")),
    # settings
    "cnf: options": (lambda n: "[mysqld]\n" + "".join(f"x{i}=1\n" for i in range(n)), file("a.cnf")),
    "cnf: blank lines": (lambda n: "[mysqld]\n" + "\n" * n, file("a.cnf")),
    "cnf: a group and blanks": (lambda n: "[mysqld]" + " " * n + "x", file("a.cnf")),
    ".skeema: blanks": (lambda n: "schema=" + " " * n + "x", skeema),
    ".skeema: blanks before": (lambda n: " " * n + "x", skeema),
    ".skeema: quotes": (lambda n: "schema='" + "'" * n + " x", skeema),
    "filters: blanks": (lambda n: " " * n + "x", quiet(filters.parse)),
    "filters: blank lines": (lambda n: "\n" * n + "x", quiet(filters.parse)),
    "filters: blanks inside": (lambda n: "--replicate-do-db=a\n" + "\n" * n + "--x", quiet(filters.parse)),
    "filters: options": (lambda n: "".join(f"--replicate-do-db=d{i}\n" for i in range(n)),
    quiet(filters.parse)),
    "filters: quotes": (lambda n: "--replicate-do-db='" + "a" * n, quiet(filters.parse)),
    "filters: option file": (lambda n: "[mysqld]\n" + "".join(f"replicate-do-db=d{i}\n" for i in range(n)),
                             quiet(filters.parse)),
    "filters: option file, blanks": (lambda n: "[mysqld]\n" + " \n" * n + "replicate-do-db" + " " * n + "=a",
                                     quiet(filters.parse)),
    "filters: CHANGE FILTER": (lambda n: "CHANGE REPLICATION FILTER REPLICATE_DO_DB = (" + ", ".join(
        f"d{i}" for i in range(n)) + ")", quiet(filters.parse)),
    "filters: CHANGE and blanks": (lambda n: "CHANGE " + "CHANGE".ljust(n) + "x", quiet(filters.parse)),
    "filters: CHANGE, many": (lambda n: "CHANGE  " * n, quiet(filters.parse)),
    "filters: stars": (lambda n: "*" * n, quiet(filters.parse)),
    "filters: stars and rows": (lambda n: "*****" + "row" * n, quiet(filters.parse)),
    "filters: stars, row, stars": (lambda n: "*****row" * n, quiet(filters.parse)),
    "filters: blanks behind stars": (lambda n: "*****row*****" + " " * n + "x", quiet(filters.parse)),
    "filters: SHOW STATUS": (lambda n: "*** 1. row ***\n".replace("***", "*****") + "Replicate_Do_DB: "
                             + ",".join(f"d{i}" for i in range(n)), quiet(filters.parse)),
    "filters: rewrites": (lambda n: "*****1. row *****\nReplicate_Rewrite_DB: " + ",".join(
        f"(a{i},b{i})" for i in range(n)), quiet(filters.parse)),
    "filters: rewrites that are none": (lambda n: "*****1. row *****\nReplicate_Rewrite_DB: " + "(" + " " * n
                                        + "a" * n, quiet(filters.parse)),
    "status: blanks": (lambda n: " " * n + "x\n", replica_status.statuses),
    "status: a long name": (lambda n: "a " * n, replica_status.statuses),
    "status: lines": (lambda n: "  Last_SQL_Error: x\n" * n, replica_status.statuses),
    "status: blank lines": (lambda n: "x" + "\n" * n + "x", replica_status.statuses),
    # what decides
    "policy: suppressions": (tables, suppressed), "policy: baseline": (tables, known),
    "policy: a suppression and an unclosed comment": (lambda n: "-- schemacheck: ignore[SC204]\n" + "/* " * n,
                                                      lambda text: comments.scan(str(text), "a")),
    "policy: suppressions on one line": (lambda n: "/* schemacheck: ignore[SC204] */" * n,
                                         lambda text: comments.scan(str(text), "a")),
    "policy: blanks in a suppression": (lambda n: "-- schemacheck: ignore[SC204]" + " " * n + "x" + " " * n,
                                        lambda text: comments.scan(str(text), "a")),
    "policy: blanks in a comment": (lambda n: "-- schemacheck: \n/*" + " " * n + "x*/",
                                    lambda text: comments.scan(str(text), "a")),
    "policy: codes": (lambda n: "-- schemacheck: ignore[" + "SC204," * n + "]",
                      lambda text: comments.scan(str(text), "a")),
    "policy: suppressions of files": (lambda n: tables(9) + "-- schemacheck: ignore-file[SC204] x\n" * n,
                                      suppressed),
    "config: links": (links, quiet(lambda text: configuration.parse(text, "a"))),
    "config: tolerations": (tolerations, quiet(lambda text: configuration.parse(text, "a"))),
    "binlog: queries": (log, read_log),
}  # fmt: skip


def seconds(read: Read, text: str | bytes, times: int = 1) -> float:
    """CPU seconds, the best of so many."""
    best = float("inf")
    for _ in range(times):
        before = time.process_time()
        read(text)
        best = min(best, time.process_time() - before)
    return best


def measure(name: str, *, wanted: float, largest: int = LARGEST, times: int = 3) -> Growth:
    """The smaller size is the first that takes `wanted` CPU seconds, or whose text is as long as
    it may be.
    """
    make, read = CASES[name]
    size = 50
    read(make(size))  # what is imported and cached at the first call does not count
    while seconds(read, make(size)) < wanted and 2 * FACTOR * len(make(size)) <= largest:
        size *= 2
    larger = make(FACTOR * size)
    return Growth(len(larger), seconds(read, make(size), times), seconds(read, larger, times))


def main() -> None:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    worst = 0
    for name in (one for one in CASES if word in one):
        found = measure(name, wanted=WANTED)
        worst += found.doubling > MOST
        print(
            f"{name:48} {found.length:>9,} {found.first * 1e3:8.1f} ms {found.second * 1e3:8.1f} ms  "
            f"x{found.doubling:.2f}{'  <-- above' if found.doubling > MOST else ''}",
            flush=True,
        )
    sys.exit(1 if worst else 0)


if __name__ == "__main__":
    main()
