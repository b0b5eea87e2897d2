"""Insert the examples that findings print on two real servers, and look at what arrives.

    python -m tests.facts.examples --source 127.0.0.1:3306 --replica 127.0.0.1:3307 FACTS...

Run by hand, against two servers that may be lost: the replica's channel is reset, the database
`examples` is dropped on both. Asked are the findings about a column with an example, of every pair of
recorded definitions and slave_type_conversions of one table with one column. What an example says must
be SQL: `example.source` is inserted, the replica's value is compared with `example.replica`.
The password is read from EXAMPLES_PASSWORD (none: empty).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pymysql

from tests.facts.definitions import Record, answers_of, read_facts, script

BATCH = 400
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?", re.IGNORECASE)
TIME = re.compile(r"[-0-9: .]+")
#: 1118: a value does not fit the redo log of the server that is asked (MySQL 5.6).
TOO_LONG_FOR_THE_LOG = 1118
#: Seconds without progress after which the channel is given up.
PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """One example of a finding about one pair of tables."""

    code: str
    source_ddl: str
    replica_ddl: str
    modes: str
    source: str
    replica: str

    @property
    def source_literal(self) -> str:
        """The value to insert; a time is shown without its quotes."""
        return f"'{self.source}'" if ":" in self.source and TIME.fullmatch(self.source) else self.source

    @property
    def replica_literal(self) -> str:
        """The value that is told, without the words behind it."""
        return re.sub(r" read as \w+$", "", self.replica)


class Server:
    """A connection; values come as bytes."""

    def __init__(self, address: str, user: str) -> None:
        host, _, port = address.partition(":")
        self.host, self.port, self.user = host, int(port), user
        self.password = os.environ.get("EXAMPLES_PASSWORD", "")
        self.link = pymysql.connect(
            host=host, port=self.port, user=user, password=self.password, charset="utf8mb4",
            use_unicode=False, conv={}, autocommit=True,
        )  # fmt: skip
        version = self.ask("SELECT VERSION()")[0][0].decode()
        self.mariadb = "MariaDB" in version
        self.new_words = not self.mariadb and int(version.split(".")[0]) >= 9

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        with self.link.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())

    def record(self, statement: str) -> dict[str, Any]:
        with self.link.cursor(pymysql.cursors.DictCursor) as cursor:
            cursor.execute(statement)
            row = cursor.fetchone()
            return dict(row) if row else {}

    def word(self, old: str) -> str:
        """A statement about replication, as the server spells it."""
        if not self.new_words:
            return old
        for left, right in (
            ("CHANGE MASTER", "CHANGE REPLICATION SOURCE"), ("SHOW MASTER", "SHOW BINARY LOG"),
            ("MASTER_", "SOURCE_"), ("SLAVE", "REPLICA"), ("slave_", "replica_"),
        ):  # fmt: skip
            old = old.replace(left, right)
        return old

    def position(self) -> tuple[str, int]:
        row = self.record(self.word("SHOW MASTER STATUS"))
        return row["File"].decode(), int(row["Position"])


def examples_of(path: Path) -> Iterator[Asked]:
    """Every example of a finding about a column, once for each pair and setting."""
    header, records = read_facts(path)
    seen: set[tuple[str, ...]] = set()
    for record in records:
        if record.get("outcome") != "applied" or record.get("binlog_format", "ROW") != "ROW":
            continue
        asked_before = (
            script(record.get("source_ddl")),
            script(record.get("replica_ddl")),
            record.get("modes") or "",
        )
        if asked_before in seen:
            continue
        seen.add(asked_before)
        yield from told(record, header)


def told(record: Record, header: Record) -> Iterator[Asked]:
    answers = answers_of(record, header)
    for pair in () if isinstance(answers, str) else answers:
        for finding in pair.findings:
            if finding.example is not None and finding.column is not None:
                yield Asked(
                    finding.code, str(record["source_ddl"]), str(record["replica_ddl"]),
                    record.get("modes") or "", finding.example.source, finding.example.replica,
                )  # fmt: skip


class Run:
    """Two servers with a channel between them."""

    def __init__(self, source: Server, replica: Server) -> None:
        self.source, self.replica = source, replica
        self.stop("STOP SLAVE")
        self.stop("RESET SLAVE ALL")
        file, position = source.position()
        change = (
            f"CHANGE MASTER TO MASTER_HOST='{source.host}', MASTER_PORT={source.port}, "
            f"MASTER_USER='{source.user}', MASTER_PASSWORD='{source.password}', MASTER_LOG_FILE='{file}', "
            f"MASTER_LOG_POS={position}, MASTER_CONNECT_RETRY=1"
        )
        if replica.mariadb:
            change += ", MASTER_USE_GTID=no, MASTER_SSL=0"
            try:
                replica.ask(change + ", MASTER_SSL_VERIFY_SERVER_CERT=0")
            except pymysql.err.Error:
                replica.ask(change)
        else:
            extra = ", SOURCE_SSL=0, GET_SOURCE_PUBLIC_KEY=1" if replica.new_words else ""
            replica.ask(replica.word(change) + extra)
        replica.ask(replica.word("START SLAVE"))

    def stop(self, statement: str) -> None:
        self.replica.ask(self.replica.word(statement))

    def batch(self, asked: list[Asked]) -> list[tuple[str, Asked, str]]:
        """The verdict on each: `agreed`, `wrong`, or why it was not asked."""
        kept: dict[int, Asked] = {}
        answers: list[tuple[str, Asked, str]] = []
        mode = asked[0].modes
        self.replica.ask(self.replica.word(f"SET GLOBAL slave_type_conversions='{mode}'"))
        for server in (self.replica, self.source):
            server.ask("SET SESSION sql_log_bin=0")
            server.ask("DROP DATABASE IF EXISTS examples")
            server.ask("CREATE DATABASE examples CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
            server.ask("USE examples")
        for number, one in enumerate(asked):
            try:
                for server, ddl in ((self.source, one.source_ddl), (self.replica, one.replica_ddl)):
                    server.ask(re.sub(r"^CREATE TABLE t\b", f"CREATE TABLE t{number}", ddl))
                kept[number] = one
            except pymysql.err.Error as error:
                answers.append(("no table", one, str(error)))
        self.source.ask("SET SESSION sql_log_bin=1")
        for number, one in list(kept.items()):
            try:
                self.source.ask(f"INSERT INTO t{number} VALUES ({one.source_literal})")
            except pymysql.err.Error as error:
                full = error.args[0] == TOO_LONG_FOR_THE_LOG
                answers.append(
                    (
                        "no room" if full else "wrong",
                        kept.pop(number),
                        f"the source does not take it: {error}",
                    )
                )
        stopped = self.wait()
        for number, one in kept.items():
            why = stopped.get(number) or self.compare(number, one)
            answers.append(("wrong" if why else "agreed", one, why))
        return answers

    def wait(self) -> dict[int, str]:
        """Until all is applied; the table and error of every event that stopped the applier, and
        was skipped.
        """
        file, end = self.source.position()
        stopped: dict[int, str] = {}
        since = time.monotonic()
        while time.monotonic() - since < PATIENCE:
            done = self.replica.ask(self.replica.word(f"SELECT MASTER_POS_WAIT('{file}', {end}, 2)"))[0][0]
            if done is not None and int(done) >= 0:
                return stopped
            state = self.replica.record(self.replica.word("SHOW SLAVE STATUS"))
            message = state["Last_SQL_Error"].decode()
            if not int(state["Last_SQL_Errno"]):
                continue
            table = re.search(r"examples\.t(\d+)", message)
            stopped[int(table[1]) if table else -1] = message
            self.stop("STOP SLAVE")
            self.replica.ask(self.replica.word("SET GLOBAL sql_slave_skip_counter=1"))
            self.replica.ask(self.replica.word("START SLAVE"))
            since = time.monotonic()
        raise SystemExit(
            f"the channel does not go on: {self.replica.record(self.replica.word('SHOW SLAVE STATUS'))}"
        )

    def compare(self, number: int, one: Asked) -> str:
        """Why the value that arrived is not the one told; empty: it is."""
        number_too = "c+0" if one.replica.startswith("b'") else "0"
        here, there = (
            server.ask(f"SELECT c, HEX(c), {number_too} FROM t{number}")
            for server in (self.source, self.replica)
        )
        if not there:
            return "no row"
        value, as_hex, as_number = there[0]
        if one.replica == "another value":
            return "" if here[0][0] != value else "arrived unchanged"
        if here[0][0] == there[0][0] and "x'" not in one.replica:
            return "arrived unchanged"
        if agrees(self.replica, one.replica_literal, value, as_hex, as_number):
            return ""
        return f"arrived as {value[:60]!r} (hex {as_hex[:60].decode()})"


def agrees(server: Server, literal: str, value: bytes, as_hex: bytes, as_number: bytes) -> bool:
    """Whether a stored value is the one that a literal means."""
    if NUMBER.fullmatch(literal):
        try:
            return Decimal(value.decode()) == Decimal(literal) or float(value) == float(literal)
        except (InvalidOperation, ValueError):
            return False
    if literal.startswith("b'"):
        return int(as_number) == int(literal[2:-1], 2)
    if TIME.fullmatch(literal):
        return value.decode() == literal
    try:
        meant = server.ask(f"SELECT {literal}, HEX({literal})")[0]
    except pymysql.err.Error:
        return False
    return as_hex == meant[1] or ("x'" not in literal and value == meant[0])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", required=True, metavar="HOST:PORT")
    parser.add_argument("--replica", required=True, metavar="HOST:PORT")
    parser.add_argument("--user", default="root")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only each K-th example")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="examples of each disagreement")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    run = Run(Server(options.source, options.user), Server(options.replica, options.user))
    counts: Counter[str] = Counter()
    causes: dict[str, list[str]] = {}
    for path in options.files:
        asked = sorted(set(list(examples_of(path))[:: options.every]), key=lambda a: a.modes)
        for mode in sorted({a.modes for a in asked}):
            mine = [a for a in asked if a.modes == mode]
            for begin in range(0, len(mine), BATCH):
                for verdict, one, why in run.batch(mine[begin : begin + BATCH]):
                    counts[verdict] += 1
                    if verdict != "agreed":
                        causes.setdefault(f"{verdict} {one.code} {why[:40]}", []).append(
                            f"{one.source_ddl} / {one.replica_ddl} [{one.modes}] {one.source} -> "
                            f"{one.replica}: {why}"
                        )
    for cause, cases in sorted(causes.items(), key=lambda c: -len(c[1])):
        print(f"  {len(cases)}: {cause}")
        for case in cases[: options.show]:
            print("      " + case[:300])
    print(f"asked={sum(counts.values())} " + " ".join(f"{k}={v}" for k, v in sorted(counts.items())))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
