"""Insert the examples that findings print on two real servers, and look at what arrives.

    python -m tests.facts.examples FACTS... --local
    python -m tests.facts.examples FACTS... --source-server DSN --replica-server DSN

Run by hand, against two servers that may be lost, over the channel of `prove`. Asked are the findings about
a column with an example, of every pair of recorded definitions and slave_type_conversions of one table with
one column. What an example says must be SQL: `example.source` is inserted, the replica's value is compared
with `example.replica`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from schemacheck.cli import live_access, scratch_servers
from schemacheck.errors import BadSetting
from schemacheck.inputs.connection import Refused
from schemacheck.prove.channel import Channel
from schemacheck.prove.scratch import Scratch
from tests.facts.definitions import Record, answers_of, read_facts, script

BATCH = 400
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?", re.IGNORECASE)
TIME = re.compile(r"[-0-9: .]+")
#: 1118: a value does not fit the redo log of the server that is asked (MySQL 5.6).
TOO_LONG_FOR_THE_LOG = 1118
DATABASE = "examples"
#: The bytes that a client gets, as digits: text in utf8mb4, all else as it is.
AS_SENT = "IF(CHARSET({0}) = 'binary', HEX(CONCAT({0})), HEX(CONVERT({0} USING utf8mb4)))"
MODES = ("replica_type_conversions", "slave_type_conversions")


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
    try:
        answers = answers_of(record, header)
    except BadSetting:  # a setting of another version's alphabet says nothing
        return
    for pair in () if isinstance(answers, str) else answers:
        if not all(end and [c.name for c in end.columns] == ["c"] for end in (pair.source, pair.replica)):
            continue
        for finding in pair.findings:
            if finding.example is not None and finding.column is not None:
                yield Asked(
                    finding.code, str(record["source_ddl"]), str(record["replica_ddl"]),
                    record.get("modes") or "", finding.example.source, finding.example.replica,
                )  # fmt: skip


class Run:
    """Two servers with a channel between them."""

    def __init__(self, ends: tuple[Scratch, Scratch]) -> None:
        self.source, self.replica = ends
        for end in ends:
            end.databases.add(DATABASE)
        self.modes = next(name for name in MODES if name in self.replica.variables)
        self.channel = Channel(*ends)
        self.source.ask("SET SESSION binlog_format = 'ROW'")

    def batch(self, asked: list[Asked]) -> list[tuple[str, Asked, str]]:
        """The verdict on each: `agreed`, `wrong`, or why it was not asked."""
        kept: dict[int, Asked] = {}
        answers: list[tuple[str, Asked, str]] = []
        self.replica.set_global(self.modes, asked[0].modes)
        self.channel.restart_applier()
        for end in (self.replica, self.source):
            end.session.renew()
            end.ask("SET SESSION sql_log_bin=0")
            end.ask("SET SESSION sql_mode=DEFAULT")
            end.ask(f"DROP DATABASE IF EXISTS {DATABASE}")
            end.ask(f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
            end.ask(f"USE {DATABASE}")
        for number, one in enumerate(asked):
            try:
                for end, ddl in ((self.source, one.source_ddl), (self.replica, one.replica_ddl)):
                    end.ask(re.sub(r"^CREATE TABLE t\b", f"CREATE TABLE t{number}", ddl))
                kept[number] = one
            except Refused as error:
                answers.append(("no table", one, error.text))
        self.source.ask("SET SESSION sql_log_bin=1")
        for number, one in list(kept.items()):
            try:
                self.source.ask(f"INSERT INTO t{number} VALUES ({one.source_literal})")
            except Refused as error:
                verdict = "no room" if error.number == TOO_LONG_FOR_THE_LOG else "wrong"
                answers.append((verdict, kept.pop(number), f"the source does not take it: {error.text}"))
        stopped = self.wait()
        for number, one in kept.items():
            why = stopped.get(number) or self.compare(number, one)
            answers.append(("wrong" if why else "agreed", one, why))
        return answers

    def wait(self) -> dict[int, str]:
        """Until all is applied; the table and error of every event that stopped the applier, and
        was skipped.
        """
        stopped: dict[int, str] = {}
        while (error := self.channel.wait()) is not None:
            table = re.search(rf"`?{DATABASE}`?\.`?t(\d+)", error.message)
            if error.receiver or table is None or int(table[1]) in stopped:
                raise SystemExit(f"the channel does not go on: {error.message}")
            stopped[int(table[1])] = error.message
            self.channel.skip()
        return stopped

    def compare(self, number: int, one: Asked) -> str:
        """Why the value that arrived is not the one told; empty: it is."""
        number_too = "c+0" if one.replica.startswith("b'") else "0"
        here, there = (
            end.ask(f"SELECT {AS_SENT.format('c')}, HEX(c), {number_too} FROM t{number}")
            for end in (self.source, self.replica)
        )
        if not there:
            return "no row"
        value, as_hex, as_number = there[0]
        if one.replica == "another value":
            return "" if here[0][0] != value else "arrived unchanged"
        if here[0][0] == value and "x'" not in one.replica:
            return "arrived unchanged"
        if agrees(self.replica, one.replica_literal, value, as_hex, as_number):
            return ""
        return f"arrived as {text_of(value)[:60]!r} (hex {as_hex[:60]})"


def text_of(digits: str | None) -> str:
    """The text of a value that was read by AS_SENT."""
    return "NULL" if digits is None else bytes.fromhex(digits).decode("utf-8", "replace")


def agrees(end: Scratch, literal: str, value: str | None, as_hex: str | None, as_number: Any) -> bool:
    """Whether a stored value is the one that a literal means; `value` as `text_of` takes it."""
    text = text_of(value)
    if NUMBER.fullmatch(literal):
        try:
            return Decimal(text) == Decimal(literal) or float(text) == float(literal)
        except (InvalidOperation, ValueError):
            return False
    if literal.startswith("b'"):
        return int(as_number) == int(literal[2:-1], 2)
    if TIME.fullmatch(literal):
        return text == literal
    try:
        # Bytes that are no text are not converted: MySQL 9.7 refuses to (3854).
        same = end.ask(f"SELECT HEX({literal})")[0][0] == as_hex
        if same or "x'" in literal:
            return bool(same)
        return bool(end.ask(f"SELECT {AS_SENT.format(literal)}")[0][0] == value)
    except Refused:
        return False


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only each K-th example")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="examples of each disagreement")
    parser.add_argument("files", nargs="+", type=Path)
    scratch_servers.add(parser)
    live_access.add_arguments(parser)
    options = parser.parse_args(arguments)
    scratch_servers.check(options)
    with scratch_servers.ends(options) as ends:
        return ask(Run(ends), options)


def ask(run: Run, options: argparse.Namespace) -> int:
    """Ask the examples of all files and print what differs; 1 where something does."""
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
