"""Scripts fed to a real client and server, and to us: what the server has afterwards is what we have, or we
say unknown.

    python -m tests.live.script_fuzz --count 50000
    python -m tests.live.script_fuzz --server mysql-9.7 --port 33971 --count 5000 -- chroot /lab/sid mysql

Without `--port` the MariaDB of this machine is started in a folder of its own. A given server is the
tester's own, on loopback, with an account without a password; what stands behind `--` starts its client. It
goes on behind errors (`--force`): statements that define nothing are taken to run. Databases whose names
begin with `fuzz_` are made and dropped. Each difference is printed with its script.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from schemacheck.catalog import read
from schemacheck.model import Server
from schemacheck.model.table import TableKind

STATEMENTS = (
    "CREATE TABLE t{n} (a INT)", "CREATE TABLE t{n} (a INT, /*!50000 b INT, */ c INT)",
    "create table t{n}(\na int,\nb int)",
    "ALTER TABLE t1 MODIFY a BIGINT", "ALTER TABLE t1 ADD b{n} INT", "ALTER TABLE t2 MODIFY a SMALLINT",
    "DROP TABLE IF EXISTS t{n}",
    "SELECT 1", "SELECT ';'", 'SELECT "a;b"', "SELECT `a;b` FROM (SELECT 1 AS `a;b`) x", "SET @a = 'x\\';y'",
    "SET @a = 1",
    "CREATE PROCEDURE p{n}() SELECT 1", "CREATE PROCEDURE p{n}() BEGIN SELECT 1; DO 2; END", "DO 1",
    "/*!50000 ALTER TABLE t1 MODIFY a TINYINT */", "/*!999999 ALTER TABLE t1 MODIFY a TINYINT */",
    "RENAME TABLE t1 TO t{n}",
    "/*M! ALTER TABLE t1 ADD m{n} INT */", "CREATE TABLE t{n} (`a;` INT)", "INSERT INTO t1 (a) VALUES (1)",
    "BEGIN", "COMMIT",
    "SET sql_mode = 'ANSI_QUOTES'", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'", "SET sql_mode = ''",
    "CREATE TABLE t{n} (a INT COMMENT 'x\\\\')",
    "CREATE TABLE t{n} (delimiter_a INT,\ndelimiter_b\nINT)", 'CREATE TABLE "t{n}" (a INT)',
    "CREATE TABLE IF NOT EXISTS t{n} (z INT)",
    "CREATE TABLE t{n} (a INT CHECK (1 --/**/ 1), b INT CHECK (1\n))",
    "CREATE TABLE t{n} (a INT CHECK (1 --/*!*/ 1), b INT CHECK (1\n))", "ALTER TABLE t1 ADD b{n} INT --# c\n",
)  # fmt: skip
#: Statements that define nothing, or a view: the client stops where the server refuses one.
OTHERS = (
    "SELECT * FROM t1", "SELECT a FROM t{n}", "SELECT b FROM t1", "SELECT a, COUNT(*) FROM t1",
    "SELECT NOW(), VERSION()", "SELECT foo()",
    "SELECT 1 FROM (SELECT a FROM t1) x WHERE (SELECT COUNT(*) FROM t2) = 0", "SELECT *",
    "SELECT a FROM t1 WHERE a > 1 AND a IS NOT NULL ORDER BY a LIMIT 2",
    "SELECT CONCAT('a', @@sql_mode, @x) AS 'b'", "SELECT (SELECT 1 UNION SELECT 2)", "(SELECT 1)",
    "SELECT x.a FROM t1 x, t2 y", "SELECT a FROM t1, t2", "INSERT INTO t1 VALUES (1), (2)",
    "INSERT INTO t1 VALUES (1, 2)", "INSERT t2 SET a = 1", "INSERT INTO t{n} VALUES (1)",
    "INSERT INTO t2 SELECT a FROM t1",
    "INSERT INTO t1 (a) VALUES (DEFAULT) ON DUPLICATE KEY UPDATE a = VALUES(a)",
    "REPLACE INTO t1 (b) VALUES (1)", "UPDATE t1 SET a = 2 WHERE a = 1", "UPDATE t1 SET b = 1",
    "DELETE FROM t1 WHERE a = 1", "DELETE FROM t{n}", "DELETE a FROM t1 a", "LOCK TABLES t1 WRITE",
    "LOCK TABLES t1 READ, t2 WRITE", "LOCK TABLES t{n} READ", "UNLOCK TABLES", "START TRANSACTION",
    "ROLLBACK", "SAVEPOINT x", "RELEASE SAVEPOINT x", "COMMIT AND CHAIN",
    "SET foreign_key_checks = 0, @x = 1", "SET @x = @@sql_mode, sql_mode = @x", "SET sql_mode = @nowhere",
    "SET foo = 1", "SET time_zone = '+00:00'", "SET NAMES utf8mb4", "SET NAMES latin1 COLLATE utf8mb4_bin",
    "SET sql_mode = 'FOO'", "SET SESSION autocommit = 1", "SET @x = (SELECT 1)", "ANALYZE TABLE t1",
    "CHECK TABLE t{n}", "OPTIMIZE TABLE t1 QUICK", "PREPARE s FROM 'SELECT 1'",
    "PREPARE s FROM 'ALTER TABLE t1 ADD p{n} INT'", "EXECUTE s", "DEALLOCATE PREPARE s",
    "PREPARE s FROM 'SELECT nothing'", "SHOW TABLES", "SHOW WARNINGS", "SHOW NOTHING", "CALL p3()",
    "KILL 0", "XA RECOVER", "CREATE VIEW v{n} AS SELECT a FROM t1",
    "CREATE OR REPLACE VIEW v3 AS SELECT b FROM t1", "DROP VIEW IF EXISTS v3",
    "CREATE VIEW v{n} AS SELECT 1 AS a FROM t{n}", "CREATE PROCEDURE p{n}() BEGIN SELECT 1; END",
    "TRUNCATE t1", "TRUNCATE TABLE t{n}", "DROP TABLE t{n}", "CREATE INDEX i{n} ON t1 (a)",
    "SET STATEMENT sql_mode = '' FOR SELECT 1",
)  # fmt: skip
#: Statements with more grammar around their names, and what follows a query.
LONGER = (
    "CREATE VIEW v{n} (x, y) AS SELECT 1, 2", "CREATE VIEW v{n} AS SELECT 1 x, 2 y",
    "CREATE VIEW v{n} AS SELECT a FROM t1 WITH CHECK OPTION",
    "CREATE OR REPLACE ALGORITHM = MERGE VIEW v{n} AS SELECT a, a AS b FROM t1 WHERE a > 1 LIMIT 1",
    "CREATE VIEW v{n} AS SELECT a FROM t1 UNION SELECT 2", "CREATE VIEW v{n} AS (SELECT 1 AS a)",
    "CREATE VIEW IF NOT EXISTS v{n} AS WITH x AS (SELECT 1 AS a) SELECT * FROM x",
    "ALTER VIEW v3 AS SELECT 2 AS a", "CREATE TABLE t{n} LIKE t1", "CREATE TABLE t{n} (LIKE t1)",
    "CREATE TABLE t{n} AS SELECT a FROM t1", "CREATE TABLE t{n} SELECT 1 AS a, 'x' AS b",
    "CREATE OR REPLACE TABLE t{n} (a INT, b INT AS (a + 1), KEY k (a))",
    "CREATE TEMPORARY TABLE t{n} (a INT)", "DROP TEMPORARY TABLE IF EXISTS t{n}",
    "ALTER TABLE t1 ADD KEY k{n} (a), ADD c{n} INT FIRST", "ALTER TABLE t1 DROP b{n}, RENAME TO t{n}",
    "ALTER TABLE IF EXISTS t{n} ADD IF NOT EXISTS b INT AFTER a", "DROP INDEX k{n} ON t1",
    "DROP TABLE t{n}, t2", "DROP VIEW v{n}", "RENAME TABLE t1 TO t{n}, t2 TO t1",
    "CREATE SEQUENCE s{n} START 3", "CREATE DATABASE IF NOT EXISTS {db}",
    "CREATE TRIGGER g{n} BEFORE INSERT ON t1 FOR EACH ROW SET NEW.a = 1",
    "CREATE EVENT e{n} ON SCHEDULE EVERY 1 DAY DO SELECT 1", "SET @s = 'ALTER TABLE t1 ADD p{n} INT'",
    "PREPARE s FROM @s", "EXECUTE IMMEDIATE 'CREATE TABLE t{n} (a INT)'", "SET sql_mode = 4",
    "SET @@session.sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')",
    "SET NAMES 'utf8mb4' COLLATE utf8mb4_bin", "SET character_set_client = latin1",
    "SET autocommit = 0, @a := 1", "WITH x AS (SELECT 1) SELECT * FROM x", "VALUES (1), (2)", "TABLE t1",
    "DO SLEEP(0), @a := 2", "HANDLER t1 OPEN", "FLUSH TABLES", "SHOW COLUMNS FROM t1", "EXPLAIN SELECT 1",
    "DESC t1", "DESCRIBE t{n} a", "COMMENT", "BEGIN NOT ATOMIC SELECT 1; END", "IF 1 THEN SELECT 1; END IF",

)  # fmt: skip
ENDS = (
    ";", ";", ";\n", ";\n", "; ", "\n", "//", "//\n", "$$\n", " ; -- c\n", ";;", ";# c\n", "\\g", "\\G\n",
    " \\g\n", ";\r\n", "; /* c */ ", "",
)  # fmt: skip
LINES = (
    "delimiter //\n", "DELIMITER ;\n", "delimiter ;\n", "DELIMITER '//'\n", 'delimiter "//"\n',
    "delimiter `$$`\n", "delimiter \\\\\n",
    "delimiter // ", "delimiter //", "\\d //\n", "\\d ;\n", "\\d //", "delimiter ;;\n", "delimiter\n",
    "delimiter;; ", "delimiter $$ x\n",
    "delimiter\t//\n", " delimiter //\n", "delimiter '//\n", "delimiter a\n", "/* c */ delimiter //\n",
    "-- c\ndelimiter //\n", "delimiter //\t\n",
    "delimiter //\r\n", "Delimiter  //  \n", "delimiterx //\n", "\\q\n", "exit\n", "quit;", "use {db}\n",
    "USE {db};\n", "use `{db}`\n", "\\u {db}\n",
    "\\u {db};", "help x\n", "status\n", "\\c", "\\p\n", "notee\n", "\\N", "\\y", "warnings\n", "\\W", "\\w ",
    "nowarning\n", "clear\n", "print;", "go\n",
    "\\C utf8mb4\n", "charset utf8mb4\n", "rehash\n", "prompt x\n", "\\R x\n", "ego\n", "delimiter --\n",
    "delimiter #\n", "delimiter /*\n",
)  # fmt: skip
NOISE = (
    "-- c\n", "--c\n", "-----\n", "--#1\n", "# c\n", "/* c */", "/* ; */", "/*! */", "/*+ ; */", "/*+ c */",
    "\u00a0", "\x01", "'", '"', "`", "\\",
    "\r\n", "\t", "\v", "\f", "--\n", "--\x01 ;", "*/", "/*", "/*!", "$$", "'a;b'", '"a\\";b"', "`a;b`",
    "--\u00a0", "\u2028", "\u3000", "\u0085", ";", " ",
    "\n", "\n\n", "/**/", "/*/", "--\t;\n", "-- '\n", "# `\n", "/* ' */", "\\n", "\u0661",
)  # fmt: skip
#: Parts of lines in which the client's commands, its delimiter and statements come behind each other.
BUSY = (
    "ALTER TABLE t1 MODIFY a BIGINT", "RENAME TABLE t1 TO t{n}", "CREATE TABLE t{n} (a INT)", "DO 1",
    "SELECT 1", "ALTER TABLE t1 ADD b{n} INT", "SET sql_mode = 'ANSI_QUOTES'",
    "CREATE TABLE t{n} (delimiter_a INT)", ";", ";", ";", ";", "//", "//", "$$", ";;", "\\g", "\\G",
    "\\d //", "\\d ;", "\\d $$", "\\d", "\\d '//' ", "\\d a", "delimiter //", "delimiter ;",
    "DELIMITER $$", "delimiter", "delimiter;", "delimiter_a", " delimiter //", "prompt x", "\\R x",
    "\\T x", "tee x", "\\P x", "help", "help x'; ALTER TABLE t1 ADD h INT; -- ", "\\h x", "\\h", "status",
    "\\s", "\\c", "\\p", "print", "clear", "go", "ego", "\\W", "\\w", "\\N", "\\", "\\C utf8mb4",
    "charset utf8mb4", "use {db}", "\\u {db}", "\\q", "exit", "quit", "\\n", "\\t", "\\#", "rehash",
    "\\?", "\\-", "\\Q", "/*! ", "*/", "/* ", "/* c */", "/*!50000 ", "/*M! ", "-- c", "--c", "# c", "'",
    '"', "`", "\x0c", "\x0b", "\t", "\r", " ", " ", "\n", "\n", "\n", "\n",
)  # fmt: skip
#: What would reach outside of the server: other programs and files.
OUTSIDE = re.compile(
    r"\\[!e.rx]|(?i:system|edit|source|connect|outfile|dumpfile|load|install|shutdown|set\s+global|kill)"
)


def worded(rng: random.Random, statement: str) -> str:
    """A statement with a word or a sign left out, twice, changed for another or in another place."""
    parts = re.findall(r"\w+|\s+|[^\w\s]", statement)
    full = [at for at, part in enumerate(parts) if not part.isspace()]
    at, other = rng.choice(full), rng.choice(full)
    match rng.randrange(5):
        case 0:
            parts[at] = ""
        case 1:
            parts[at] += f" {parts[at]}"
        case 2:
            parts[at], parts[other] = parts[other], parts[at]
        case 3:
            parts[at] = parts[at][: rng.randrange(len(parts[at]))]
        case _:
            parts[at] += rng.choice((" ", "")) + rng.choice(BITS)
    return "".join(parts)


#: What a word is followed by where nothing belongs.
BITS = (
    "AS", "FROM", "a", "x", "1", "(", ")", "()", ",", "'a'", '"a"', "`a`", "=", "*", ".", "@a", "NULL", "t1",
    "AND 1", "FOR UPDATE", "LIMIT 1", "INTO @a", "-- c\n", "/* c */", "--1", "+", "IF EXISTS", "TABLE", "{n}",
)  # fmt: skip


def script(rng: random.Random, database: str) -> str:
    """A script that nobody would write."""
    out: list[str] = []
    wild = rng.choice((0.0, 0.02, 0.1, 0.2, 0.5))
    others = rng.choice((0.0, 0.1, 0.4))
    longer = rng.choice((0.0, 0.2, 0.6))
    words = rng.choice((0.0, 0.0, 0.1, 0.4))
    for _ in range(rng.randint(2, 9)):
        kind = rng.random()
        if kind > wild:
            end = rng.choice(ENDS) if rng.random() < wild * 2 else ";\n"
            kinds = OTHERS if rng.random() < others else LONGER if rng.random() < longer else STATEMENTS
            one = rng.choice(kinds).replace("{n}", str(rng.randint(3, 12)))
            out += (worded(rng, one) if rng.random() < words else one, end)
        elif kind > wild * 0.8:
            out += (*rng.choices(BUSY, k=rng.randint(2, 8)), rng.choice(("\n", "\n", ";\n", "\\g\n", "")))
        elif kind > wild / 3:
            out.append(rng.choice(LINES).replace("{db}", database))
        else:
            out.append(rng.choice(NOISE))
    text = "".join(out).replace("{n}", "4").replace("{db}", database)
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2)) if wild > 0.02 else 0):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(NOISE) + text[at + rng.choice((0, 0, 1)) :]
    return "CREATE TABLE t1 (a INT);\nCREATE TABLE t2 (a INT);\n" + text


#: The client says that the server refused a routine.
_ROUTINE = re.compile(r"\A-+\s+(?:/\*.*?\*/\s*)?CREATE (?:PROCEDURE|TRIGGER|EVENT)", re.DOTALL)
_NEAR = re.compile(r"^ERROR 1064 .* near '(.{5,}?)'? at line", re.DOTALL | re.MULTILINE)
Tables = dict[str, list[tuple[str, str]]]


def routine_refused(text: str, error: str) -> bool:
    """Whether the server refused the body of a routine, which is not read (docs/limits.md)."""
    if _ROUTINE.search(error):
        return True
    # Of several statements that are sent together the client does not show which one it was.
    near = _NEAR.search(error)
    before = text.partition(near[1][:20])[0] if near else ""
    begin = before.rfind("CREATE PROCEDURE")
    return begin >= 0 and ";" not in before[begin:]


def ours(text: str, server: Server, database: str) -> Tables | None:
    """The tables as we have them at the end; None where we say unknown, or that they are in another
    database, which is not there.
    """
    schema = read(text, server, database=database)
    if any(not problem.skipped for problem in schema.problems) or any(
        table.database != database for table in schema.tables
    ):
        return None
    return {
        table.name: [(column.name, column.type.base) for column in table.columns]
        for table in schema.tables
        if table.kind is TableKind.TABLE
    }


@dataclass
class Lab:
    """A client and a server."""

    server: Server
    port: int
    client: Sequence[str]
    user: str = "root"
    password: str = ""

    def connection(self):  # type: ignore[no-untyped-def]
        import pymysql

        return contextlib.closing(
            pymysql.connect(
                host="127.0.0.1",
                port=self.port,
                user=self.user,
                password=self.password,
                charset="utf8mb4",
                autocommit=True,
            )
        )

    def feed(self, text: str, database: str) -> str:
        """Run a script through the client; what it says to standard error."""
        command = [
            *self.client, "--no-defaults", "-h127.0.0.1", f"-P{self.port}", f"-u{self.user}",
            "--default-character-set=utf8mb4", "--force", database,
        ]  # fmt: skip
        environment = os.environ | {"MYSQL_PWD": self.password, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, env=environment, timeout=60, check=False
        )
        return done.stderr.decode("utf-8", "replace")

    def theirs(self, databases: Sequence[str]) -> dict[str, Tables]:
        """The tables of databases, as the server has them."""
        found: dict[str, Tables] = {database: {} for database in databases}
        names = ",".join(f"'{database}'" for database in databases)
        with self.connection() as connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT c.table_schema, c.table_name, column_name, data_type FROM "
                "information_schema.columns c JOIN information_schema.tables t USING (table_schema, "
                f"table_name) WHERE c.table_schema IN ({names}) AND table_type = 'BASE TABLE' ORDER BY "
                "c.table_schema, c.table_name, ordinal_position"
            )
            for database, table, column, kind in cursor.fetchall():
                found[database].setdefault(table, []).append((column, kind))
        return found


@dataclass(frozen=True)
class Difference:
    """A script of which we have other tables than the server, without saying that anything is unknown."""

    text: str
    ours: Tables
    theirs: Tables
    said: str


def differences(
    lab: Lab, count: int, seed: int, *, batch: int = 100, workers: int = 2
) -> Iterator[Difference | Counter[str]]:
    """Each difference, and at the end what was counted."""
    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    for first in range(0, count, batch):
        names = [f"fuzz_{os.getpid()}_{number}" for number in range(min(batch, count - first))]
        with lab.connection() as connection, connection.cursor() as cursor:
            for name in names:
                cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        texts = [script(rng, name) for name in names]
        texts = ["SELECT 1" if OUTSIDE.search(text) else text for text in texts]
        with ThreadPoolExecutor(workers) as pool:
            said = list(pool.map(lab.feed, texts, names))
        theirs = lab.theirs(names)
        with lab.connection() as connection, connection.cursor() as cursor:
            for name in names:
                cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        for name, text, error in zip(names, texts, said, strict=True):
            have = ours(text, lab.server, name)
            counted["scripts"] += 1
            counted["unknown" if have is None else "read"] += 1
            counted["the client failed"] += "ERROR" in error
            if have is not None and have != theirs[name] and routine_refused(text, error):
                counted["a routine is refused"] += 1
            elif have is not None and have != theirs[name]:
                counted["different"] += 1
                yield Difference(text, have, theirs[name], error)
    yield counted


def main(arguments: Sequence[str]) -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument("client", nargs="*", default=["mariadb"])
    given = parser.parse_args(arguments)
    found = 0
    with lab_of(given, given.client) as lab:
        for one in differences(lab, given.count, given.seed, workers=1):
            if isinstance(one, Difference):
                found += 1
                print(
                    f"{one.text!r}\n  ours   {one.ours}\n  theirs {one.theirs}\n  {one.said[:300]!r}",
                    flush=True,
                )
            else:
                print(dict(one), "seed", given.seed)
    return bool(found)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What both fuzzers take."""
    parser.add_argument("--server", default="mariadb-10.11")
    parser.add_argument("--port", type=int)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)


@contextlib.contextmanager
def lab_of(given: argparse.Namespace, client: Sequence[str]) -> Iterator[Lab]:
    """The server that was named, or one of this machine in a folder in memory."""
    from tests.live import conftest

    if given.port:
        yield Lab(Server.parse(given.server), given.port, client)
        return
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as folder:
        instance = conftest.start(Path(folder))
        try:
            lab = Lab(Server.parse("mariadb"), instance.port, client, password=instance.password)
            with lab.connection() as connection, connection.cursor() as cursor:
                cursor.execute("SELECT VERSION()")
                lab.server = Server.parse(str(cursor.fetchone()[0]))
            yield lab
        finally:
            instance.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
