"""Drifted pairs with random rows on two servers that may be lost: evidence first, then they are replicated.

    python -m tests.evidence.drifted COUNT --local [--seed N] [--log]
    python -m tests.evidence.drifted COUNT --source-server DSN --replica-server DSN [--changes FORMAT]

With --log the evidence is a profile of the source's binary log, which has every row. The law: what bites
happened, with as many rows as were counted; what is absent did not happen.

With --changes rows are also updated, deleted and replaced, and logged as FORMAT (ROW, STATEMENT, MIXED); the
evidence is both, rows and log. The law, by table: where every finding is `cannot`, the applier went on and
the rows are alike; a stop that bites stopped it. `past` counts what is `none today` and happened before.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from schemacheck.cli import live_access, scratch_servers
from schemacheck.inputs.connection import Refused, connected
from schemacheck.prove.arrived import plain
from schemacheck.prove.channel import Channel
from schemacheck.prove.scratch import Scratch

DATABASE = "drifted"
ROWS = 6
_NAMED = re.compile(rf"{DATABASE}\W+(t\d+)")
Values = Callable[[random.Random], str]
Row = tuple[str | None, ...]
_UTF8 = "CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"
_WORDS = ("", "a", "b ", "Bonn", "é", "Ünï", "x" * 11, "y" * 19, "z" * 33)


def _integer(most: int, least: int = 0) -> Values:
    return lambda r: str(r.choice([0, 1, r.randint(0, 100), r.randint(least, most), most]))


def _text(most: int) -> Values:
    return lambda r: f"'{r.choice(_WORDS)[:most]}'"


def _word(*words: str) -> Values:
    return lambda r: f"'{r.choice(words)}'"


#: Source type, replica type, values of the source.
KINDS: tuple[tuple[str, str, Values], ...] = (
    ("int", "tinyint", _integer(90)), ("int", "smallint", _integer(40_000)), ("int", "bigint", _integer(9)),
    ("bigint", "int", _integer(3 << 30)), ("int", "int unsigned", _integer(99, -9)),
    ("int unsigned", "int", _integer(99)), ("smallint unsigned", "tinyint unsigned", _integer(300)),
    ("decimal(10,4)", "decimal(10,2)", lambda r: r.choice(["1.25", "2.5", "3.1234", "0", "-7.1"])),
    ("decimal(12,2)", "decimal(8,2)", lambda r: r.choice(["1.25", "99999.99", "1234567.5"])),
    (f"varchar(40) {_UTF8}", f"varchar(20) {_UTF8}", _text(40)),
    (f"varchar(40) {_UTF8}", f"varchar(10) {_UTF8}", _text(12)),
    (f"varchar(20) {_UTF8}", f"varchar(60) {_UTF8}", _text(20)),
    (f"varchar(20) {_UTF8}", f"char(20) {_UTF8}", _text(20)),
    ("varchar(20) CHARACTER SET latin1", f"varchar(20) {_UTF8}", _text(20)),
    (f"varchar(20) {_UTF8}", "varchar(20) CHARACTER SET latin1", _text(20)),
    (f"text {_UTF8}", f"tinytext {_UTF8}", _text(33)),
    ("varbinary(8)", "binary(8)", lambda r: r.choice(["x'01'", "x'0102030405060708'"])),
    ("enum('a','b','c')", "enum('a','c','b')", _word("a", "b")),
    ("enum('a','b','c')", "enum('a','b')", _word("a", "c")),
    ("set('a','b')", "set('b','a')", _word("a", "", "a,b")),
    ("bit(8)", "bit(4)", lambda r: f"b'{r.choice(['1', '1111', '10000'])}'"),
    ("datetime(6)", "datetime(5)", _word("2024-02-29 10:11:12.123456", "2024-02-29 10:11:12")),
    ("datetime", "date", _word("2024-02-29 10:11:12", "2024-02-29 00:00:00")),
    ("float", "double", lambda r: r.choice(["1.5", "1.1", "0"])),
    ("int", "varchar(9)", _integer(9)),
)  # fmt: skip


def pair(number: int, r: random.Random) -> tuple[str, str, str, list[str]]:
    """The table on the source, on the replica, an INSERT ('' for an empty table), what is run behind it."""
    here, there, rows = ["id int NOT NULL PRIMARY KEY"], ["id int NOT NULL PRIMARY KEY"], []
    kinds = [r.choice(KINDS) for _ in range(r.randint(1, 2))]
    null = [r.random() < 0.3 for _ in kinds]
    for place, ((ours, theirs, _), nullable) in enumerate(zip(kinds, null, strict=True)):
        here.append(f"c{place} {ours} {'NULL' if nullable else 'NOT NULL'}")
        there.append(f"c{place} {theirs} {'NULL' if nullable and r.random() < 0.5 else 'NOT NULL'}")
    extra = r.random()
    if extra < 0.15:
        here.append("e int NULL")
    elif extra < 0.25:
        there.append("UNIQUE KEY k (c0)" if "text" not in kinds[0][1] else "e int NULL")
    for row in range(r.randint(0, ROWS) if r.random() < 0.9 else 0):
        values = [
            "NULL" if nullable and r.random() < 0.3 else kind[2](r)
            for kind, nullable in zip(kinds, null, strict=True)
        ]
        rows.append(f"({', '.join([str(row), *values, *(['NULL'] if extra < 0.15 else [])])})")
    made = [
        f"CREATE TABLE {DATABASE}.t{number} ({', '.join(columns)}) ENGINE=InnoDB" for columns in (here, there)
    ]
    insert = f"INSERT INTO {DATABASE}.t{number} VALUES {', '.join(rows)}" if rows else ""
    more = (["NULL"] if extra < 0.15 else [])  # fmt: skip
    return (
        made[0],
        made[1],
        insert,
        list(_changes(f"{DATABASE}.t{number}", [kind[2] for kind in kinds], more, r)),
    )


def _changes(table: str, values: list[Values], more: list[str], r: random.Random) -> Iterator[str]:
    """Up to four statements on rows that are there, or not."""
    for _ in range(r.choice([0, 1, 1, 2, 4])):
        row, value = r.randint(0, ROWS), values[0](r)
        every = f"({', '.join([str(row), *(of(r) for of in values), *more])})"
        yield r.choice([
            f"UPDATE {table} SET c0 = {value} WHERE id = {row}",
            f"UPDATE {table} SET c0 = {value} WHERE c0 = {values[0](r)}",
            f"UPDATE {table} SET c0 = {value} LIMIT 1",
            f"DELETE FROM {table} WHERE id = {row}",
            f"DELETE FROM {table} WHERE c0 = {value}",
            f"REPLACE INTO {table} VALUES {every}",
            f"INSERT IGNORE INTO {table} VALUES {every}",
            f"INSERT INTO {table} VALUES {every} ON DUPLICATE KEY UPDATE c0 = {value}",
        ])  # fmt: skip


def logged(source: Scratch, dsn: str, environment: dict[str, str], folder: Path) -> str:
    """A profile of the source's last log."""
    name = str(source.ask("SHOW BINARY LOGS")[-1][0])
    with connected(source.endpoint, 60) as session:
        (folder / name).write_bytes(b"\xfebin" + b"".join(session.log(name, 4)))
    environment = environment | {"SCHEMACHECK_PASSWORD": source.endpoint.password or ""}
    command = [sys.executable, "-m", "schemacheck", "profile", dsn, "--binlog", str(folder / name), "-o"]
    subprocess.run([*command, str(folder / "p.json")], env=environment, check=True, timeout=600)
    return str(folder / "p.json")


def told(source: Scratch, replica: Scratch, *, log: Path | None, changes: str = "") -> dict[str, Any]:
    """The report of both servers with the evidence of the source's rows, or of its log (`log`: a folder)."""
    dsns = []
    environment = dict(os.environ)
    for end, name in ((source, "SOURCE"), (replica, "REPLICA")):
        at = end.endpoint
        dsns.append(f"mysql://{quote(at.user or '')}@{at.host}:{at.port}/{DATABASE}")
        environment[f"SCHEMACHECK_{name}_PASSWORD"] = at.password or ""
    evidence = ["--evidence", logged(source, dsns[0], environment, log) if log else dsns[0]]
    if log and changes:
        evidence += ["--evidence", dsns[0], "--binlog-format", changes]
    options = (*evidence, "--format", "json", "--no-config")
    command = [sys.executable, "-m", "schemacheck", "check", *dsns, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode in (0, 1, 3), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def asked(
    source: Scratch, replica: Scratch, count: int, seed: int, *, log: Path | None = None, changes: str = ""
) -> Iterator[tuple[str, str]]:
    """(kind, what) of each finding: `bites`, `absent`, `could` held, `no bite`, `missed`, `count` did not.
    With `changes` (a binlog_format) of each table.
    """
    r = random.Random(seed)
    for end in (source, replica):
        end.make_database(DATABASE)
    name = (
        "replica_type_conversions"
        if "replica_type_conversions" in replica.variables
        else "slave_type_conversions"
    )
    replica.ask(
        f"SET GLOBAL {name} = '{r.choice(['ALL_LOSSY,ALL_NON_LOSSY', 'ALL_LOSSY,ALL_NON_LOSSY', ''])}'"
    )
    channel = Channel(source, replica)
    replica.ask(replica.word("STOP SLAVE SQL_THREAD"))
    if source.variables.get("binlog_format") != (changes or "ROW"):
        source.set_global("binlog_format", changes or "ROW")
    source.ask(f"SET SESSION sql_log_bin = 0, SESSION binlog_format = '{changes or 'ROW'}'")
    texts = [pair(number, r) for number in range(count)]
    for here, there, *_ in texts:
        source.ask(here)
        replica.ask(there)
    source.ask("SET SESSION sql_log_bin = 1")
    source.ask("FLUSH BINARY LOGS")
    for _, _, insert, more in texts:
        for statement in [*([insert] if insert else []), *(more if changes else ())]:
            with contextlib.nullcontext() if statement == insert else contextlib.suppress(Refused):
                source.ask(statement)
    report = told(source, replica, log=log, changes=changes)
    replica.ask(replica.word("START SLAVE SQL_THREAD"))
    stopped = set()
    while (error := channel.wait()) is not None:
        named = _NAMED.search(error.message)
        stopped.add(named[1] if named else error.message)
        channel.skip()
    for table in report["tables"]:
        for kind, why in (_changed if changes else _judged)(table, source, replica, stopped):
            yield kind, f"{table['table']} {why} {texts[int(table['table'][1:])]}"


def _judged(
    table: dict[str, Any], source: Scratch, replica: Scratch, stopped: set[str]
) -> Iterator[tuple[str, str]]:
    name = table["table"]
    stops = name in stopped
    found = [f for f in table["findings"] if f.get("evidence")]
    certain = [f for f in found if f["effect"] == "stops" and f["evidence"]["state"] == "bites"]
    if stops:
        may = any(not f["evidence"]["absent"] for f in found)
        yield ("bites", "stopped") if may else ("missed", f"stopped {found}")
        return
    for one in certain:
        yield "no bite", f"{one['code']} {one['message']}"
    ours, theirs, names = _rows(name, source, replica)
    for one in found:
        if one["column"] not in names or one["effect"] == "incomplete" or not _of_values(one):
            continue
        place = names.index(one["column"])
        # A NULL is another finding's than a value.
        null = one["code"] == "SC501"
        changed = sum(
            a[place] != b[place] and (a[place] is None) is null for a, b in zip(ours, theirs, strict=True)
        )
        state = one["evidence"]
        what = f"{one['code']} {changed} of {len(ours)} changed, said {state['state']} {state['count']}"
        if state["absent"]:
            yield ("missed" if changed else "absent"), what
        elif state["state"] == "bites":
            wrong = changed < state["count"] or (changed != state["count"] and not state["at_least"])
            yield ("no bite" if not changed else "count" if wrong else "bites"), what
        else:
            yield "could", what


def _rows(name: str, source: Scratch, replica: Scratch) -> tuple[list[Row], list[Row], list[str]]:
    """The rows of a table on both ends, and the source's columns; what one end lacks is NULL."""
    columns = list(_columns(source, name))
    asked = ", ".join(_hex(column, base) for column, base in columns)
    names = [column for column, _ in columns]
    common = set(names) & {column for column, _ in _columns(replica, name)}
    there = ", ".join(
        _hex(column, base) if column in common else "NULL" for column, base in _columns(replica, name)
    )
    ours, theirs = (
        [tuple(map(_plain, row)) for row in end.ask(f"SELECT {what} FROM {DATABASE}.{name} ORDER BY id")]
        for end, what in ((source, asked), (replica, there))
    )
    return ours, theirs, names


def _changed(
    table: dict[str, Any], source: Scratch, replica: Scratch, stopped: set[str]
) -> Iterator[tuple[str, str]]:
    """What the law says of a table whose rows were changed: see above."""
    name, found = table["table"], [f for f in table["findings"] if f.get("evidence")]
    states = [f["evidence"]["state"] for f in found]
    ours, theirs, _ = _rows(name, source, replica)
    width = min(map(len, (*ours, *theirs)), default=0)  # without a column of one end, which is the last
    ours, theirs = ([row[:width] for row in rows] for rows in (ours, theirs))
    if name in stopped or ours != theirs:
        past = all(f["evidence"]["absent"] for f in found)
        kind = "missed" if set(states) <= {"cannot"} else "past" if past else "happened"
        yield kind, f"{name in stopped} {[(f['code'], f['evidence']['looked_at']) for f in found]}"
    else:
        bites = [f["code"] for f in found if f["effect"] == "stops" and f["evidence"]["state"] == "bites"]
        kind = "cannot" if states and set(states) == {"cannot"} else "quiet"
        yield ("no bite", str(bites)) if bites else (kind, "")


def _of_values(finding: dict[str, Any]) -> bool:
    return finding["code"].startswith("SC2") or finding["code"] in ("SC301", "SC501")


def _columns(end: Scratch, table: str) -> Iterator[tuple[str, str]]:
    """Names and types."""
    for name, base in end.ask(
        "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = "
        f"'{DATABASE}' AND table_name = '{table}' ORDER BY ordinal_position"
    ):
        yield str(name), str(base)


def _hex(name: str, base: str) -> str:
    if base in ("binary", "varbinary"):
        return f"HEX({name})"
    return f"HEX(CONVERT(CONCAT({name}{' + 0' if base == 'bit' else ''}) USING utf8mb4))"


def _plain(digits: str | None) -> str | None:
    return None if digits is None else plain(bytes.fromhex(digits).decode("utf-8", "replace"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.drifted")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="also what could be")
    parser.add_argument("--log", action="store_true", help="evidence of the source's log")
    parser.add_argument("--changes", choices=("ROW", "STATEMENT", "MIXED"), default="", help="see above")
    scratch_servers.add(parser)
    live_access.add_arguments(parser)
    args = parser.parse_args()
    scratch_servers.check(args)
    counts: Counter[str] = Counter()
    with scratch_servers.ends(args) as (source, replica), tempfile.TemporaryDirectory() as folder:
        log = Path(folder) if args.log or args.changes else None
        for kind, why in asked(source, replica, args.count, args.seed, log=log, changes=args.changes):
            counts[kind] += 1
            if kind == "could" and args.show:
                print(f"  could: {why}")
            if kind in ("no bite", "missed", "count"):
                print(f"  {kind}: {why}")
    print(" ".join(f"{kind}={number}" for kind, number in sorted(counts.items())))
    return int(any(counts[kind] for kind in ("no bite", "missed", "count")))


if __name__ == "__main__":
    sys.exit(main())
