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
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from schemacheck import catalog
from schemacheck.ask import fact as facts
from schemacheck.conversion.own_values import own_value
from schemacheck.engine import check, check_pair, preflight
from schemacheck.engine.programs import with_programs
from schemacheck.link import Ends
from schemacheck.model import (
    Finding,
    Link,
    PairReport,
    PairState,
    Report,
    Schema,
    Server,
    Table,
    with_incoming,
)
from schemacheck.model.variable import canonical, known
from schemacheck.prove import arrived
from schemacheck.prove.arrived import Record
from schemacheck.prove.judging import NOTHING, VERDICTS, Judgement, judge_answers
from tests.facts import changes
from tests.facts.reached import logged, reached

#: What the recordings set on every server that has it.
SETTINGS = {"explicit_defaults_for_timestamp": "ON", "gtid_mode": "OFF", "enforce_gtid_consistency": "OFF"}
#: Variables that no setting of a server decides: a statement may be run under any of their values.
SESSION_ONLY = ("time_zone",)
#: Versions of the servers that the recordings over channels name by their series.
VERSIONS = {
    "mysql-5.6": "5.6.24", "mysql-9.7": "9.7.4", "mariadb-10.11": "10.11.19", "mariadb-11.8": "11.8.6",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which records of a file are judged: every `every`th, of one recorder's group, of one binlog_format."""

    every: int = 1
    group: str | None = None
    log: str | None = None
    verdict: str | None = None

    def takes(self, place: int, record: Record) -> bool:
        return (
            place % self.every == 0
            and self.group in (None, record.get("group"))
            and self.log in (None, record.get("binlog_format", "ROW"))
        )


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
                    yield from of_fact(json.loads(line))

    records = lines()
    header = next(records)
    if "id" in header:  # a file without a header line: every record names its servers itself
        first = header
        return {}, (r for part in ([first], records) for r in part)
    return header, records


def of_fact(line: Record) -> tuple[Record, ...]:
    """A line as it is; of a kept pair (docs/ask.md) the header and the record that say the same."""
    if "fact" not in line:
        return (line,)
    one = facts.read(line).document
    if one["fact"] != "pair":
        return ()
    header = {"via": "replication", "default_charset": one["question"]["default_charset"]}
    for side, server in (("source", one["server"]), ("replica", one["replica"]["server"])):
        flavor, _, version = server.rpartition("-")
        header |= {side: flavor, f"{side}_version": version}
    record = {"id": one["seal"], **one["question"], **one["answer"]}
    if "message" in record:  # with the database that recordings have
        record["message"] = re.sub(r"(?<=['`/.])schemacheck(?=[.'`/])", "test", record["message"])
    return header, record


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
    given = record.get("source_vars" if source else "replica_globals") or {}
    # Of a session's variables most decide nothing here; a replica's are set for what they decide.
    decides = known()
    found.update(
        {
            name: str(value)
            for name, value in given.items()
            if name not in SESSION_ONLY and (canonical(name) in decides or not source)
        }
    )
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


def ends_of(record: Record, header: Record) -> tuple[tuple[Table, ...], tuple[Table, ...], Link] | str:
    """Both sides' tables and the link of a case, or why the definitions could not be read."""
    name = header.get("server") or header["source"]
    replica_name = header.get("replica", name)
    source_server = server_of(
        name, header.get("source_version") or VERSIONS[name], settings_of(record, source=True)
    )
    replica_server = server_of(
        replica_name,
        header.get("replica_version") or VERSIONS[replica_name],
        settings_of(record, source=False),
    )
    # The tables were made under the server's own sql_mode; the case's came later.
    ours, problems = read(record.get("source_ddl"), without(source_server, "sql_mode", "binlog"), header)
    theirs, more = read(record.get("replica_ddl"), without(replica_server, "sql_mode", "slave_type"), header)
    if problems or more or not ours:
        return "; ".join((*problems, *more)) or "no source table"
    return ours, theirs, Link(source_server, replica_server)


def answers_of(record: Record, header: Record) -> tuple[PairReport, ...] | str:
    """The engine's answer for every table, or why the definitions could not be read."""
    given = ends_of(record, header)
    if isinstance(given, str):
        return given
    ours, theirs, link = given
    if changes.defines(record):
        here, there = (
            Schema(tables, events=told.events, routines=told.routines)
            for tables, told in (
                (ours, told_by(record, header, "source_ddl")),
                (theirs, told_by(record, header, "replica_ddl")),
            )
        )
        found = changes.answers(here, there, record, link)
        if isinstance(found, str) or record["outcome"] != "error":
            return found
        return (*found, _of_link(link))
    if "server" not in header:
        report = check(ours, theirs, link)
        if "FUNCTION" in script(record.get("source_ddl")).upper():
            ends = (told_by(record, header, field) for field in ("source_ddl", "replica_ddl"))
            report = _of_any_table(with_programs(report, *ends))
        pairs = tuple(_with_rows(pair, link) for pair in report.pairs)
        if record["outcome"] != "error":  # what links do by themselves is judged with links (links.py)
            return pairs
        return (*pairs, _of_link(link))
    wanted = record.get("table", "t")
    source = next((t for t in ours if t.name == wanted), None)
    replica = next((t for t in theirs if t.name == wanted), None)
    if source is None:
        return "no source table"
    return (_with_rows(check_pair(source, replica, link), link),)


def _of_any_table(report: Report) -> Report:
    """The report with what is said of functions at each table that a statement may change by them."""
    of_functions = [one for pair in report.pairs for one in pair.findings if one.code == "SC808"]
    pairs = tuple(
        replace(pair, findings=(*pair.findings, *(replace(one, table=pair.table) for one in of_functions)))
        for pair in report.pairs
    )
    return replace(report, pairs=pairs)


def _of_link(link: Link) -> PairReport:
    """What stops a link, by itself or where statements make use of something (XA, user variables)."""
    return PairReport(None, "", PairState.COMPARED, preflight(Ends(link)))


def _with_rows(pair: PairReport, link: Link) -> PairReport:
    """The pair with what its link says about row events: the recordings' channels run, so of what is known of
    a link they show only whether rows are read.
    """
    rows = _about_rows(link)
    return replace(pair, findings=(*rows, *pair.findings)) if rows else pair


@lru_cache(maxsize=256)
def _about_rows(link: Link) -> tuple[Finding, ...]:
    return tuple(f for f in check((), (), link).link_findings if f.code == "SC924")


def told_by(record: Record, header: Record, field: str) -> Schema:
    """What one end's definitions tell, its programs too."""
    name = header.get("server") or header["source"]
    if field == "replica_ddl":
        name = header.get("replica", name)
    server = server_of(name, VERSIONS[name], ())
    return catalog.read(script(record.get(field)), server, database="test")


def without(server: Server, *starts: str) -> Server:
    """The server without the settings whose names begin so."""
    kept = tuple(s for s in server.settings if not s[0].startswith(starts))
    return Server(server.flavor, server.version, kept)


def read(
    statements: str | list[str] | None, server: Server, header: Record
) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    charset = header.get("default_charset") or (
        "utf8mb4" if "server" not in header else server.setting("character_set_server")
    )
    return tables_of(script(statements), server, charset)


def preserved_of(record: Record) -> str:
    """Whether all values arrived, over the columns that both tables name.

    The recorded `preserved` compares rows in table order, which differs where the keys differ; rows
    are compared as sets here before its `no` is believed.
    """
    kept = record.get("preserved")
    if kept and (kept != "no" or "source_rows" not in record):
        return str(kept)
    return "no" if any(rows.differ() for rows in arrived.tables_of(record)) else "exact"


def judge(record: Record, header: Record) -> Judgement:
    """One fact, by the table in the facts' README."""
    if record["outcome"] in NOTHING:
        return Judgement("skipped", record["outcome"])
    answers = answers_of(record, header)
    if isinstance(answers, str):
        return Judgement("unknown", answers, "not read: " + answers[:80])
    # Recorded paths have the channel's own database; messages have "test" for it.
    message = (record.get("message") or "").replace("./rpl/", "./test/").replace("'rpl/", "'test/")
    judgement = judge_answers({**record, "message": message, "reaches": reached(record)}, answers)
    if judgement.cause == "changed" and record.get("binlog_format") == "STATEMENT":
        own = next(filter(None, map(own_value, logged(record))), None)
        if own is not None:  # the statement's doing on any two tables: binlog check and verify look at it
            return Judgement("skipped", "a statement with a function of the server's own")
    return judgement


def judge_file(
    path: str | Path, show: int = 0, out: Callable[[str], None] = print, wanted: Wanted | None = None
) -> dict[str, int]:
    """Judge a file; print the disagreements by their cause (and `show` cases of each)."""
    wanted = wanted or Wanted()
    header, records = read_facts(Path(path))
    counts = dict.fromkeys(("facts", *VERDICTS), 0)
    reasons: Counter[str] = Counter()
    causes: dict[tuple[str, str, str], list[tuple[Record, str]]] = {}
    for place, record in enumerate(records):
        if "id" not in record:  # a compact file holds several recordings, each behind its header
            header = record
            continue
        if not wanted.takes(place, record):
            continue
        header = record if "server" in record else header
        judgement = judge(record, header)
        counts[judgement.verdict] += 1
        if judgement.verdict == "skipped":
            reasons[judgement.why] += 1
            continue
        counts["facts"] += 1
        if judgement.verdict != "agreed" and wanted.verdict in (None, judgement.verdict):
            log = record.get("binlog_format", "ROW")
            causes.setdefault((judgement.verdict, log, judgement.cause), []).append((record, judgement.why))
    for (verdict, log, cause), cases in sorted(causes.items(), key=lambda c: (c[0][0], -len(c[1]))):
        out(f"  {verdict} {len(cases)}: {log} {cause}")
        for record, why in cases[:: max(1, len(cases) // show)][:show] if show else ():
            out(shown(record, why))
    for reason, number in reasons.most_common():
        out(f"  skipped {number}: {reason}")
    return counts


def shown(record: Record, why: str) -> str:
    """A case as a person reads it."""
    settings = " ".join(
        f"{name}={record[name]}"
        for name in (
            "modes",
            "binlog_row_image",
            "source_sql_mode",
            "sql_mode",
            "source_vars",
            "replica_globals",
        )
        if record.get(name)
    )
    statements = record.get("source_sql")
    lines = (
        f"    {record['id']} {settings}", why[:400], f"source  {script(record.get('source_ddl'))[:300]}",
        f"replica {script(record.get('replica_ddl'))[:300]}", f"sql     {script(statements)[:400]}",
    )  # fmt: skip
    return "\n        ".join(lines)
