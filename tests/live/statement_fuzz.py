"""CREATE TABLE and ALTER TABLE statements given to a real server and to us: what it makes of them is what we
have, or we say unknown.

    python -m tests.live.statement_fuzz --count 100000 [--server mysql-9.7 --port 33971]

Without `--port` the MariaDB of this machine is started in a folder of its own. A given server is the
tester's own, on loopback, with an account without a password. Statements are hostile
to lexers: names that look like numbers, blanks that are none, comments of all kinds, strings in all quotes.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemacheck.catalog.script import Script
from schemacheck.model import Schema, Server
from schemacheck.sql.client import Statement
from tests.live.script_fuzz import Lab, add_arguments, lab_of

NAMES = (
    "a", "b", "c", "`a`", "`b c`", "0x", "0xg", "0b2", "1a", "1e", "1e5", "0x1", "0b1", "12", "`12`", "a$b",
    "$a", "_a", "é", "\u00a0", "`\u00a0`", "a\u00a0b", "`a``b`",
    "`a\\b`", "0X1F", "0B1", "1e5a", "\u0661", "\u3000x", "`é`", "A", "n", "x", "b'1'", "`x'1'`", "_utf8",
    "N", "9e9", "e1", "1_", "'a'", '"a"', "ß", "`\u2028`",
)  # fmt: skip
PLAIN = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "o", "p", "q", "r", "s")
TYPES = (
    "INT", "BIGINT", "TINYINT(1)", "INT UNSIGNED", "VARCHAR(10)", "CHAR(3)", "DECIMAL(5,2)", "DATE",
    "DATETIME(3)", "ENUM('a','b')", "SET('x')", "BIT(3)", "DOUBLE", "int",
    "VARCHAR(0x0a)", "VARCHAR(\u0661)", "INT\u00a0", "\u00a0INT", "INT(1\u00a0)", "TEXT", "BLOB", "YEAR",
    "VARBINARY(4)", "REAL", "INT8", "SERIAL", "ENUM(\"a\",'b''c')",
    "ENUM('a\\'b')", "ENUM(N'a')", "ENUM(x'61')", "INT /* c */ UNSIGNED", "INT/**/UNSIGNED", "VARCHAR/**/(3)",
    "VARCHAR (3)", "NATIONAL CHAR(3)", "DEC(3)", "FLOAT(5)",
)  # fmt: skip
ATTRIBUTES = (
    "", "", "", "NOT NULL", "NULL", "DEFAULT 1", "DEFAULT '1'", "DEFAULT 0x31", "DEFAULT x'31'",
    "DEFAULT b'1'", "DEFAULT 1e0", "DEFAULT .5", "DEFAULT 1.", "DEFAULT -1",
    "DEFAULT - 1", "DEFAULT +1", "DEFAULT N'1'", "DEFAULT _utf8'1'", "DEFAULT _utf8 '1'", "DEFAULT '1' '2'",
    "DEFAULT NULL", "COMMENT 'x'", 'COMMENT "x"', "COMMENT 'a\\'b;'",
    "COMMENT 'it''s'", "COMMENT '-- x'", "COMMENT '/*'", "DEFAULT 1 COMMENT 'y'", "DEFAULT 1.5e",
    "DEFAULT 0b1", "DEFAULT 0X1", "DEFAULT 1 -- c\n", "DEFAULT 1 --c\n",
    "DEFAULT 1 # c\n", "/*!50000 NOT NULL */", "/*!999999 NOT NULL */", "/*!50000NOT NULL*/",
    "/*M! NOT NULL */", "/*! NOT NULL", "/*!080000 NOT NULL */", "PRIMARY KEY", "UNIQUE", "KEY",
    "/*!\u0669\u0669\u0669\u0669\u0669 NOT NULL */", "--\x01 c\n", "--\u00a0c\n", "/*/ NULL */", "*/",
    "DEFAULT 1--1", "DEFAULT '\x00'", "\x01", "INVISIBLE",
)  # fmt: skip
BLANKS = (
    " ",
    " ",
    " ",
    " ",
    "\t",
    "\n",
    "\v",
    "\f",
    "\r",
    "  ",
    "/**/",
    "/* c */",
    " -- c\n",
    "#c\n",
    "\u00a0",
    "\u2003",
    "\u0085",
    "/*!*/",
    "\x1f",
    "",
)
ALTERS = (
    "ADD {n} {t} {a}", "ADD COLUMN {n} {t} {a} FIRST", "MODIFY {n} {t} {a}", "CHANGE {n} {m} {t} {a}",
    "DROP {n}", "DROP COLUMN {n}", "ALTER {n} SET DEFAULT 5",
    "RENAME COLUMN {n} TO {m}", "ADD ({m} {t}, {n} {t})", "ADD INDEX ({n})", "COMMENT 'x'",
    "ADD {m} {t} AFTER {n}", "ADD UNIQUE {m} ({n})", "MODIFY {n} {t} {a} FIRST", "MODIFY {n} {t} AFTER {o}",
    "CHANGE {n} {o} {t}", "RENAME COLUMN {n} TO {o}", "CHANGE {n} {m} {t} AFTER {o}", "ADD {m} {t} {a}",
    "ALTER {n} DROP DEFAULT", "ADD CHECK ({n} > 0)", "DROP INDEX {n}", "ADD COLUMN {m} {t} AS ({n}) VIRTUAL",
)  # fmt: skip
#: How columns of the row image are called that no catalogue lists.
HIDDEN = "DB_ROW_HASH_"
MODES = ("", "", "", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES")


def statement(rng: random.Random, table: str) -> list[str]:
    """A CREATE TABLE, and often an ALTER TABLE of it."""
    wild = rng.choice((0.0, 0.0, 0.05, 0.3))

    taken: list[str] = []

    def some(common: Sequence[str]) -> str:
        return rng.choice(common)

    def name() -> str:
        left = [one for one in (NAMES if rng.random() < wild * 2 + 0.2 else PLAIN) if one not in taken]
        taken.append(rng.choice(left))
        return taken[-1]

    def column() -> str:
        return (
            f"{name()} {some(TYPES) if rng.random() < 0.7 else 'INT'} "
            f"{some(ATTRIBUTES) if rng.random() < 0.3 else ''}"
        )

    parts = ", ".join(column() for _ in range(rng.randint(1, 4)))
    texts = [f"CREATE TABLE {table} ({parts})"]
    if rng.random() < 0.5:
        changes = ", ".join(
            some(ALTERS).format(n=some(taken), m=name(), o=some(taken), t=some(TYPES), a=some(ATTRIBUTES))
            for _ in range(rng.randint(1, 3))
        )
        texts.append(f"ALTER TABLE {table} {changes}")
    return [_blanked(rng, text, wild) for text in texts]


def _blanked(rng: random.Random, text: str, wild: float) -> str:
    """The text with other blanks between its words, here and there a character more or less."""
    out = "".join(
        rng.choice(BLANKS) if part == " " and rng.random() < wild else part for part in re.split("( )", text)
    )
    if rng.random() < wild / 3:
        at = rng.randrange(len(out) + 1)
        out = (
            out[:at]
            + rng.choice(("'", '"', "`", "\\", "*/", "/*", ";", "\u00a0", "-", "", ".", "$"))
            + out[at + rng.choice((0, 1)) :]
        )
    return out


Columns = list[tuple[str, str, bool]]


@dataclass(frozen=True)
class Difference:
    """Statements after which we have another table than the server; `theirs` None is a table that is not
    there.
    """

    kind: str
    texts: list[str]
    mode: str
    ours: Columns | None
    theirs: Columns | None
    errors: list[str]


def _ours(texts: Sequence[str], server: Server, table: str) -> Columns | str | None:
    """Our table's columns; None where there is none, 'unknown' where we say so."""
    base: Schema | None = None
    for text in texts:
        # Each statement is sent by itself, without a client.
        script = Script(text, server, "-", "fuzz", base, {})
        script.run(Statement(0, text, "/*" in text, whole=True))
        script.finish()
        base = script.catalog.schema()
        if any(not problem.skipped for problem in base.problems):
            return "unknown"
    if base is not None and any(one.database != "fuzz" for one in base.tables):
        # A name with a dot: that database is not there.
        return "unknown"
    found = next((one for one in base.tables if one.name == table), None) if base else None
    return (
        [(one.name, one.type.base, one.nullable) for one in found.columns if not one.name.startswith(HIDDEN)]
        if found
        else None
    )


def differences(lab: Lab, count: int, seed: int, *, batch: int = 500) -> Iterator[Difference | Counter[str]]:
    """Each difference, and at the end what was counted."""
    import pymysql

    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    for first in range(0, count, batch):
        made = []
        mode = rng.choice(MODES)
        server = lab.server.with_settings({"sql_mode": mode})
        with lab.connection() as connection, connection.cursor() as cursor:
            cursor.execute("DROP DATABASE IF EXISTS fuzz")
            cursor.execute("CREATE DATABASE fuzz CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
            cursor.execute("USE fuzz")
            cursor.execute(f"SET SESSION sql_mode = '{mode}'")
            for number in range(min(batch, count - first)):
                texts = statement(rng, f"t{number}")
                errors = []
                for text in texts:
                    try:
                        cursor.execute(text)
                    except pymysql.MySQLError as error:
                        errors.append(str(error)[:100])
                        break
                made.append((f"t{number}", texts, errors))
            cursor.execute(
                "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
                " WHERE table_schema = 'fuzz' ORDER BY table_name, ordinal_position"
            )
            theirs: dict[str, Columns] = {}
            for table, column, kind, nullable in cursor.fetchall():
                theirs.setdefault(table, []).append((column, kind, nullable == "YES"))
        for table, texts, errors in made:
            counted["statements"] += len(texts)
            have = _ours(texts, server, table)
            if have == "unknown":
                counted["unknown, refused by the server" if errors else "unknown, run by the server"] += 1
            elif errors:
                counted["read, refused by the server"] += 1
                yield Difference("refused", texts, mode, have, theirs.get(table), errors)  # type: ignore[arg-type]
            elif have != theirs.get(table):
                counted["different"] += 1
                yield Difference("different", texts, mode, have, theirs.get(table), errors)  # type: ignore[arg-type]
            else:
                counted["equal"] += 1
    yield counted


def main(arguments: Sequence[str]) -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    given = parser.parse_args(arguments)
    found = 0
    with lab_of(given, ()) as lab:
        for one in differences(lab, given.count, given.seed):
            if isinstance(one, Difference):
                found += 1
                print(
                    f"{one.kind} {one.mode} {one.texts!r}\n  ours   {one.ours}\n  theirs {one.theirs} "
                    f"{one.errors}",
                    flush=True,
                )
            else:
                print(dict(one), "seed", given.seed)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
