"""Recorded facts about differing definitions, held against the engine.

A fact says what a real replica did with one pair of definitions, settings and rows. The engine sees
the definitions and settings only; the recorded outcome and rows are looked at here, to judge.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.engine import check_pair
from schemacheck.model import Effect, Finding, Link, PairReport, Server, Table, with_incoming

Record = dict[str, Any]

#: Outcomes that say nothing about definitions.
NOTHING = ("ddl_refused", "source_refused", "mode_unsupported", "no_events")
REFUSED = (1677, 13146, 1535, 1146, 1347, 1610, 1105, 1030, 0)
MISREAD = (1610, 1105, 1030)
SETTINGS = {"explicit_defaults_for_timestamp": "ON"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """`verdict`: agreed, false_safe, false_alarm, unknown, wrong or skipped; `why` in words."""

    verdict: str
    why: str = ""


def read_facts(path: Path) -> tuple[Record, Iterator[Record]]:
    """The header and the cases of a file, plain or gzip."""

    def lines() -> Iterator[Record]:
        openers = {".gz": gzip.open, ".xz": lzma.open}
        with (
            openers[path.suffix](path, "rt", encoding="utf-8")
            if path.suffix in openers
            else path.open(encoding="utf-8") as handle
        ):
            for line in handle:
                if line.strip():
                    yield json.loads(line)

    records = lines()
    header = next(records)
    if "id" in header:  # a file without a header line: every record names its servers itself
        first = header
        return {}, (r for part in ([first], records) for r in part)
    return header, records


@lru_cache(maxsize=64)
def server_of(name: str, version: str, settings: tuple[tuple[str, str], ...]) -> Server:
    return Server.parse(f"{name.split('-', maxsplit=1)[0]}-{version}", dict(settings))


def settings_of(record: Record, *, source: bool) -> tuple[tuple[str, str], ...]:
    """The variables of one end of a case."""
    found = dict(SETTINGS)
    mode = record.get("source_sql_mode" if source else "sql_mode")
    if mode is not None:
        found["sql_mode"] = mode
    if source:
        found["binlog_format"] = record.get("binlog_format", "ROW")
        for name in ("binlog_row_image", "binlog_row_metadata"):
            if record.get(name):
                found[name] = record[name]
    else:
        found["slave_type_conversions"] = record.get("modes") or ""
    return tuple(sorted(found.items()))


@lru_cache(maxsize=4096)
def tables_of(script: str, server: Server, charset: str) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    schema = catalog.read(
        script, server, database="test", charsets={"test": (charset, collation_of(charset))}
    )
    return with_incoming(schema.tables), tuple(p.message for p in schema.problems if not p.skipped)


def collation_of(charset: str) -> str:
    """The recordings' databases have the plain collation of their character set."""
    return {"latin1": "latin1_swedish_ci"}.get(charset, f"{charset}_general_ci")


def script(statements: str | list[str] | None) -> str:
    if not statements:
        return ""
    return (statements if isinstance(statements, str) else ";\n".join(statements)) + ";"


def report_of(record: Record, header: Record) -> PairReport | str:
    """The engine's answer, or why the definitions could not be read."""
    name, replica_name = header["server"], header.get("replica", header["server"])
    source_server = server_of(name, header["source_version"], settings_of(record, source=True))
    replica_server = server_of(replica_name, header["replica_version"], settings_of(record, source=False))
    wanted = record.get("table", "t")
    # The tables were made under the server's own sql_mode; the case's came later.
    plain = Server(
        source_server.flavor,
        source_server.version,
        tuple(s for s in source_server.settings if s[0] != "sql_mode" and not s[0].startswith("binlog")),
    )
    charset = header.get("default_charset")
    ours, problems = tables_of(
        script(record.get("source_ddl")), plain, charset or plain.setting("character_set_server")
    )
    bare = Server(
        replica_server.flavor,
        replica_server.version,
        tuple(s for s in replica_server.settings if s[0] != "sql_mode" and "conversions" not in s[0]),
    )
    theirs, more = tables_of(
        script(record.get("replica_ddl")), bare, charset or bare.setting("character_set_server")
    )
    source = next((t for t in ours if t.name == wanted), None)
    replica = next((t for t in theirs if t.name == wanted), None)
    if source is None or problems or more:
        return "; ".join((*problems, *more)) or "no source table"
    return check_pair(source, replica, Link(source_server, replica_server))


def preserved_of(record: Record) -> str:
    """Whether all values arrived, over the columns that both tables name.

    The recorded `preserved` compares rows in table order, which differs where the keys differ; rows
    are compared as sets here before its `no` is believed.
    """
    kept = record.get("preserved")
    if kept and (kept != "no" or "source_rows" not in record):
        return str(kept)
    here, there = record.get("source_cols") or [], record.get("replica_cols") or []
    common = [c for c in here if c in there]
    mine = sorted(
        str([_plain(row[here.index(c)]) for c in common]) for row in record.get("source_rows") or []
    )
    yours = sorted(
        str([_plain(row[there.index(c)]) for c in common]) for row in record.get("replica_rows") or []
    )
    return "exact" if mine == yours else "no"


def _plain(value: str | None) -> str | None:
    """A value as its number where it is one: -125 and -125.000000 are the same."""
    if value is None:
        return None
    if re.fullmatch(r"0x[0-9A-F]*", value):
        text = bytes.fromhex(value[2:]).strip(b"\0").decode("utf-8", "replace")
        if text.isprintable() and text.isascii() and text:
            return _plain(text)  # the same bytes, seen as another type
        return "0x" + value[2:].strip("0")  # padded with zero bytes
    if re.fullmatch(r"[-0-9: ]+(\.\d+)?", value) and ":" in value:
        seconds = value.rstrip("0").rstrip(".") if "." in value else value
        return seconds.removesuffix(" 00:00:00")  # midnight is the date
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    return str(number.normalize()) if number.is_finite() else value


def start_differs(record: Record) -> bool:
    """Whether the rows differed before anything was replicated: then the definitions are not to blame."""
    return bool(record.get("source_setup") or record.get("replica_setup")) and record.get(
        "source_setup"
    ) != record.get("replica_setup")


def judge(record: Record, header: Record) -> Judgement:
    """One fact, by the table in the facts' README."""
    outcome = record["outcome"]
    if outcome in NOTHING:
        return Judgement("skipped", outcome)
    answer = report_of(record, header)
    if isinstance(answer, str):
        return Judgement("unknown", answer)
    if answer.verdict is Effect.UNKNOWN:
        return Judgement("unknown", answer.findings[0].message)
    stops = [f for f in answer.findings if f.effect is Effect.STOPS]
    certain = [f for f in stops if not f.depends_on_rows]
    if outcome == "crash":
        return (
            Judgement("agreed")
            if any("dies" in f.message + (f.error.message if f.error else "") for f in stops)
            else Judgement("false_safe", "the replica crashed")
        )
    if outcome == "error":
        return _judge_error(record, answer, certain, header)
    return _judge_applied(record, answer, certain)


def _judge_error(record: Record, answer: PairReport, certain: list[Finding], header: Record) -> Judgement:
    number, message = int(record.get("errno") or 0), record.get("message") or ""
    if certain:
        error = certain[0].error
        if error is None or number not in (error.number, *certain[0].also):
            return Judgement("wrong", f"error {number} against {error.number if error else None}")
        same = next((f.error for f in certain if f.error and f.error.number == number), error)
        ours, theirs = _conversion_part(same.message), _conversion_part(message)
        if theirs and ours != theirs:
            return Judgement("wrong", f"{theirs} against {ours}")
        return Judgement("agreed")
    named = [
        f for f in answer.findings if f.error and f.depends_on_rows and number in (f.error.number, *f.also)
    ]
    named += [f for f in answer.findings if number in f.also]
    if named:
        return Judgement("agreed")
    if start_differs(record):
        return Judgement("skipped", "the rows differed before")
    if number in MISREAD and any(f.effect is Effect.STOPS for f in answer.findings):
        return Judgement("wrong", f"error {number} is not named")
    del header
    return Judgement("false_safe", f"error {number}: {message[:160]}")


def _conversion_part(message: str) -> str:
    """Column number and type names of a conversion error. Error logs hold members in latin1, recorded as U+FFFD."""
    return re.sub(r"[^\x00-\x7f]", "\ufffd", message) if "cannot be converted" in message else ""


def _judge_applied(record: Record, answer: PairReport, certain: list[Finding]) -> Judgement:
    kept = preserved_of(record)
    if certain:
        return Judgement("false_alarm", f"said to stop: {certain[0].message[:160]}")
    changes = [
        f
        for f in answer.findings
        if f.example is not None and (f.effect in (Effect.LOSSY, Effect.DIVERGES) or f.depends_on_rows)
    ]
    if kept in ("exact", "numeric", "float32", "bytes", "padded"):
        bad = [
            f for f in answer.findings if f.effect in (Effect.LOSSY, Effect.DIVERGES) and f.example is None
        ]
        return Judgement("false_alarm", bad[0].message) if bad else Judgement("agreed")
    if changes or any(f.effect is Effect.STOPS and f.depends_on_rows for f in answer.findings):
        return Judgement("agreed")
    if start_differs(record):
        return Judgement("skipped", "the rows differed before")
    return Judgement(
        "false_safe",
        f"a value changed: {str(record.get('source_rows'))[:80]} {str(record.get('replica_rows'))[:80]}",
    )


def judge_file(path: str | Path, show: int = 0, out: Callable[[str], None] = print) -> dict[str, int]:
    """Judge a file; print each kind of disagreement (and `show` cases of each)."""
    header, records = read_facts(Path(path))
    counts = dict.fromkeys(("facts", "agreed", "false_safe", "false_alarm", "unknown", "wrong", "skipped"), 0)
    shown: dict[str, int] = {}
    reasons: Counter[str] = Counter()
    for record in records:
        if "server" in record:  # a compact file holds several recordings, each behind its header
            header = record
            if "id" not in record:
                continue
        judgement = judge(record, header)
        if judgement.verdict == "skipped":
            reasons[judgement.why] += 1
        if judgement.verdict != "skipped":
            counts["facts"] += 1
        counts[judgement.verdict] += 1
        if judgement.verdict not in ("agreed", "skipped") and shown.setdefault(judgement.verdict, 0) < show:
            shown[judgement.verdict] += 1
            out(f"  {judgement.verdict}: {record['id']}\n      {judgement.why}")
            out(
                f"      source  {script(record['source_ddl'])[:300]}\n      replica {script(record['replica_ddl'])[:300]}"
            )
    for reason, number in reasons.most_common():
        out(f"  skipped {number}: {reason}")
    return counts
