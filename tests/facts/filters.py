"""Recorded replication filters against the evaluator: what did the server do, what do we say?"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from schemacheck.catalog.presence import Presence
from schemacheck.errors import BadSetting
from schemacheck.filters import Evaluator, Outcome
from schemacheck.filters.read.options import Given
from schemacheck.model import Link, Server
from schemacheck.sql.statements import Statement, parse_script
from tests.filter_options import from_options

#: The databases and tables that both sides of the recordings hold before each case.
DATABASES = ("db1", "db2", "d_1", "dx1", "DB1", "rw")
TABLES = ("t1", "t2", "t_1", "tx1", "T1")
GRANTS = {"mysql": ("help_keyword",)}
#: Statements of which the recordings say only whether they ran (the recorder's list).
SILENT = re.compile(
    r"^(analyze|optimize|repair|flush_table|create_exists|drop_absent|create_trigger|drop_trigger$|revoke_table|temp_create|create_sequence)"
)
#: Kinds of disagreement.
BUCKETS = ("agreed", "false_safe", "false_alarm", "unknown", "wrong")


def records(path: str | Path) -> list[dict[str, Any]]:
    """The records of a file (gzip or plain JSON lines)."""
    content = Path(path).read_bytes()
    text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    return [json.loads(line) for line in text.decode().splitlines() if line.strip()]


def schema(lower: int) -> dict[str, tuple[str, ...]]:
    """What a side holds: names that differ only by case exist where case is kept."""
    if lower:
        return {d: tuple(t for t in TABLES if t == t.lower()) for d in DATABASES if d == d.lower()}
    return dict.fromkeys(DATABASES, TABLES)


def _with(held: dict[str, tuple[str, ...]], named: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The schema and, in its databases, the tables that a case names beside it (they were there before)."""
    for table in named:
        if table["db"] in held and table["name"] not in held[table["db"]]:
            held = {**held, table["db"]: (*held[table["db"]], table["name"])}
    return held


def _made(statement: Statement, default: str | None) -> list[tuple[str, str]]:
    """Tables and views that a statement makes."""
    names = [new for _, new in statement.renames]
    if statement.verb.startswith(("create-table", "create-view", "create-sequence")):
        names.append((statement.refs[0].database, statement.refs[0].name))
    inner = [name for one in statement.body for name in _made(one, None)]
    return inner + [((database or default or "").lower(), name.lower()) for database, name in names]


class Case:
    """The definition side of a record: all that the evaluator may see."""

    def __init__(self, record: dict[str, Any]) -> None:
        lower = record.get("lower_case_table_names", 0)
        source_lower = record.get("source_lower_case_table_names", lower)
        self.options = [*(record.get("source_options") or ()), *(record.get("replica_options") or ())]
        source, _, replica = record["server"].partition("-to-")
        self.link = Link(
            Server.parse(
                source,
                {
                    "lower_case_table_names": str(source_lower),
                    "binlog_format": record.get("format", "STATEMENT"),
                },
            ),
            Server.parse(replica or source, {"lower_case_table_names": str(lower)}),
        )
        self.default = record.get("default_db")
        self.statement = record.get("statement", "")
        setup = list(record.get("setup") or ())
        only = list(record.get("setup_source_only") or ())
        made = {
            name
            for text in (self.statement, *setup, *only)
            for statement in parse_script(text, self.link.source)
            for name in _made(statement, self.default)
        }
        named = (
            [t for t in record["tables"] if (t["db"].lower(), t["name"].lower()) not in made]
            if isinstance(record.get("tables"), list)
            else []
        )
        missing = [tuple(name.split(".", 1)) for name in record.get("replica_missing") or ()]
        self.source = Presence.of(
            _with(schema(source_lower), named),
            setup + only,
            server=self.link.source,
            lower=bool(source_lower),
            default_database=self.default,
        )
        self.replica = Presence.of(
            _with(schema(lower), named),
            setup,
            server=self.link.source,
            missing=missing,
            lower=bool(lower),
            default_database=self.default,
        )

        for text in only:
            for statement in parse_script(text, self.link.source):
                self.replica.never_made(statement, self.default)

    def filters(self) -> Any:
        """The options, given as the recordings gave them: by statement where the server has it."""
        given = Given.STATEMENT if self.link.replica.has("change-replication-filter") else Given.OPTION
        return from_options(self.options, self.link.replica, given)

    def decide(self) -> Any:
        evaluator = Evaluator.of(self.filters(), self.link)
        return evaluator.decide(
            self.statement,
            default_database=self.default,
            source_catalog=self.source,
            replica_catalog=self.replica,
        )


def judge(record: dict[str, Any]) -> tuple[str, str]:
    """The bucket of one record, and what differs."""
    try:
        case = Case(record)
        if not record.get("statement"):
            case.filters()
            return (
                ("false_safe", "the server refuses these options")
                if record["outcome"] == "options_refused"
                else ("skipped", "")
            )
        decision = case.decide()
    except BadSetting as error:
        if record["outcome"] == "options_refused":
            message = record["message"].split(": ", 1)[-1]
            return (
                ("agreed", "")
                if message in str(error)
                else ("wrong", f"refused with {error}, the server said {record['message']}")
            )
        return "wrong", f"options refused: {error}"
    if decision.outcome is Outcome.UNKNOWN:
        return "unknown", "; ".join(decision.unknown)
    return _compare(record, decision)


def _compare(record: dict[str, Any], decision: Any) -> tuple[str, str]:
    stopped = record.get("stopped")
    if record["outcome"] == "crash":
        dies = decision.error is not None and decision.error.number == 0
        return ("agreed", "") if dies else ("false_safe", "the replica process died")
    if record["logged"] != decision.logged:
        return "false_safe", f"logged: server {record['logged']}, said {decision.logged}"
    if stopped:
        if decision.error is None:
            return "false_safe", f"stop not foreseen: {stopped['errno']} {stopped['message'][:100]}"
        if decision.error.number != stopped["errno"]:
            return "wrong", f"stops with {stopped['errno']}, said {decision.error.number}"
        return "agreed", ""
    if decision.error is not None:
        return (
            "false_alarm",
            (
                f"said to stop with {decision.error.number} {decision.error.message}, outcome "
                f"{record['outcome']}"
            ),
        )
    differing = []
    if SILENT.match(record.get("kind", "")) and record.get("tables"):
        return _silent(record, decision)
    said = {_case(t.table, record): t.replica for t in decision.tables}
    temporary = {
        n.lower()
        for n in re.findall(r"(?i)CREATE TEMPORARY TABLE (?:IF NOT EXISTS )?([\w.`]+)", record["statement"])
    }
    names = {n.split(".")[-1] for n in temporary}
    for table, reached in (record.get("replicated") or {}).items():
        if table.split(".", 1)[-1].lower() in names:
            continue
        if (_seen(said.get(table), record) or False) != reached:
            differing.append(f"{table}: server {reached}, said {said.get(table)}")
    if differing:
        return "false_safe", "; ".join(differing)
    if not record.get("tables") and record["logged"] and not temporary:
        executed = (
            record["outcome"] in ("applied", "partial")
            or record.get("ran")
            or any(_runs(e) for e in record.get("replica_events") or ())
        )
        if executed != (decision.outcome in (Outcome.EXECUTED, Outcome.PARTLY)):
            return "false_safe", f"outcome {record['outcome']}, said {decision.outcome.value}"
    if record.get("replica_prepared_left"):
        return "false_safe", "an XA transaction is left prepared"
    return "agreed", ""


def _silent(record: dict[str, Any], decision: Any) -> tuple[str, str]:
    """Statements whose effect is not seen in a table: the recording says only whether they ran."""
    ran = any((record.get("replicated") or {}).values())
    executed = decision.outcome in (Outcome.EXECUTED, Outcome.PARTLY)
    return (
        ("agreed", "")
        if ran == executed
        else ("false_safe", f"ran: server {ran}, said {decision.outcome.value}")
    )


def _seen(said: str | None, record: dict[str, Any]) -> str | None:
    """What the recording could see of it: it looked for the rewritten database as the option spells it."""
    targets = [o.split("->", 1)[1] for o in record.get("replica_options", ()) if "->" in o]
    if (
        said
        and any(t != said.split(".")[0] and t.lower() == said.split(".")[0] for t in targets)
        and record.get("lower_case_table_names")
    ):
        return None
    return said


def _runs(event: str) -> bool:
    """Whether an event of the replica's own log is a statement or rows, not what stands around them."""
    return not re.match(r"^(BEGIN|COMMIT|ROLLBACK|xid|SAVEPOINT .*|XA.*)$", event)


def _case(table: str, record: dict[str, Any]) -> str:
    return table.lower() if record.get("lower_case_table_names") else table


def judge_file(path: str | Path, show: int = 0, every: int = 1) -> dict[str, int]:
    """Judge each `every`th record of a file; print the first `show` disagreements.

    `facts` is the sum of the buckets; records that are not to be used (`note`) are only `skipped`.
    """
    counts = dict.fromkeys(("facts", *BUCKETS, "skipped"), 0)
    for record in records(path)[::every]:
        bucket, why = ("skipped", "") if "note" in record else judge(record)
        counts[bucket] += 1
        if bucket == "skipped":
            continue
        counts["facts"] += 1
        if bucket != "agreed" and show > 0:
            show -= 1
            print(f"{bucket} {record.get('server')} #{record.get('id')} {record.get('statement')!r}: {why}")
    return counts
