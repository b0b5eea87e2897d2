"""How a recorded fact and the engine's answer are held against each other. A finding excuses only what it
names: its column's values, its table's rows, its error's number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemacheck.dataclass import dataclass
from schemacheck.model import Effect, Finding, PairReport
from schemacheck.prove.arrived import Record, Rows, tables_of


def written(record: Record) -> frozenset[str] | None:
    """The tables (folded) whose events came, else those reached; None where neither is known."""
    if "row_tables" in record:
        return frozenset(name.casefold() for name in record["row_tables"])
    if "reaches" not in record:
        return None
    return frozenset(name for names in record["reaches"] for name in names)


def carried(record: Record, changed: Iterable[str]) -> frozenset[str]:
    """The tables that statements bring the differences of the `changed` ones (folded) to."""
    result = set(changed)
    for names in record.get("reaches") or ():
        if result.intersection(names):
            result.update(names)
    return frozenset(result)


#: The rule about statements that the replica refuses.
REFUSED = "SC707"
VERDICTS = ("agreed", "false_safe", "weak", "false_alarm", "unknown", "wrong", "skipped")
#: Recorded words for values that arrived.
ARRIVED = ("exact", "numeric", "float32", "bytes", "padded")
#: Outcomes that say nothing about definitions.
NOTHING = ("ddl_refused", "source_refused", "mode_unsupported", "no_events")


@dataclass(frozen=True, slots=True)
class Judgement:
    """`verdict`: one of VERDICTS; `why` in words; `cause` groups like cases."""

    verdict: str
    why: str = ""
    cause: str = ""


def start_differs(record: Record) -> bool:
    """Whether the rows differed before anything was replicated: then the definitions are not to blame."""
    return bool(record.get("source_setup") or record.get("replica_setup")) and record.get(
        "source_setup"
    ) != record.get("replica_setup")


def judge_answers(record: Record, answers: Iterable[PairReport]) -> Judgement:
    """One fact that says something about definitions, against the reports of its tables."""
    reports = tuple(answers)
    for report in reports:
        if report.verdict is Effect.UNKNOWN:
            text = next(f.message for f in report.findings if f.effect is Effect.UNKNOWN)
            return Judgement("unknown", text, text)
    findings = [f for report in reports for f in report.findings]
    if record["outcome"] == "crash":
        dies = any("dies" in f.message + (f.error.message if f.error else "") for f in findings if _stops(f))
        return Judgement("agreed") if dies else Judgement("false_safe", "the replica crashed", "crash")
    if record["outcome"] == "error":
        return _judge_error(record, findings)
    return _judge_applied(record, findings, frozenset(b for report in reports for b in _bits(report)))


def _bits(report: PairReport) -> Iterable[str]:
    """`table.column` of columns that are BIT on both ends: their recorded bytes are one number."""
    if report.source is None or report.replica is None:
        return
    for column in report.source.columns:
        there = report.replica.column(column.name)
        if column.type.is_bit and there is not None and there.type.is_bit:
            yield f"{report.table}.{column.name}".casefold()


def _stops(finding: Finding) -> bool:
    """Whether a finding says that the applier stops, certainly or for some rows."""
    return finding.effect is Effect.STOPS or (finding.error is not None and finding.depends_on_rows)


def _certain(finding: Finding) -> bool:
    return finding.effect is Effect.STOPS and not finding.depends_on_rows


def _written(record: Record, finding: Finding) -> bool:
    """Whether events of a finding's table came at all, as far as that was recorded."""
    if "source_may_fail" not in record:
        return True
    if not finding.table:
        return bool(record.get("row_tables", True))
    came = written(record)
    return came is None or finding.table.casefold() in came


def _numbers(finding: Finding) -> tuple[int, ...]:
    also = finding.also if _stops(finding) or finding.effect is Effect.UNSUPPORTED else ()
    return (finding.error.number, *also) if finding.error else also


def _judge_error(record: Record, findings: list[Finding]) -> Judgement:
    number, message = int(record.get("errno") or 0), record.get("message") or ""
    stopping = [f for f in findings if _stops(f)]
    certain = [f for f in stopping if _certain(f) and _written(record, f)]
    # An event of another table may have come before, and rows before a definition that is refused.
    sure = {f.table for f in certain if f.code != REFUSED}
    naming = [f for f in stopping if (f in certain or f.table not in sure) and number in _numbers(f)]
    cause = f"{number} {_skeleton(message)}"
    if not naming:
        if start_differs(record) and not certain:
            return Judgement("skipped", "the rows differed before")
        sentences = sorted({n for f in stopping for n in _numbers(f)})
        verdict = "wrong" if stopping else "false_safe"
        return Judgement(verdict, f"error {number}, said {sentences}: {message[:200]}", cause)
    # What a link stops with has words of its own, which tests of links compare.
    own = [f for f in naming if f.error and f.error.number == number and f.table]
    # What names a number twice says that it comes with other words too (rows that are misread).
    beside = any(number in f.also and (f in own or _tells_of(f, message)) for f in naming)
    if own and number and message and not beside and not any(_says(f, message) for f in own):
        texts = {f.error.message for f in own if f.error}
        return Judgement("wrong", f"{message[:200]} against {sorted(texts)[:3]}", "message " + cause)
    return Judgement("agreed")


def _skeleton(message: str) -> str:
    body = re.sub(r"Could not execute \S+ event on table \S+; ", "", message)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'_'", body.removeprefix("Error '")))[:60]


def _tells_of(finding: Finding, message: str) -> bool:
    """Whether a message is about a finding's column, or the tables that its triggers write or keys bind."""
    column = finding.column and re.search(rf"[`'.]{re.escape(finding.column)}[`']", message)
    return (
        bool(column)
        or re.search("the tables that they write|that to other tables", finding.message) is not None
    )


def _says(finding: Finding, message: str) -> bool:
    """Whether the recorded message holds the finding's, in which `...` and a row's number are anything."""
    assert finding.error is not None
    # Error logs hold members in latin1, recorded as U+FFFD.
    text, recorded = (re.sub(r"[^\x00-\x7f]", "\ufffd", t) for t in (finding.error.message, message))
    if "cannot be converted from" in text:
        return text == recorded
    core = re.sub(r"^(Could not execute \S+ event on table \S+; |Error executing row event: ')", "", text)
    core = re.sub(r"(, Error_code: .*|(?<=exist)'|(?<=TABLE)'|(?<=TABLE')')$", "", core)
    parts = re.split(r"\.\.\.|at row \d+", core)
    return re.search(".*?".join(re.escape(part) for part in parts), recorded, re.DOTALL) is not None


def changed_columns(findings: Iterable[Finding], table: str) -> tuple[set[str], bool]:
    """The columns (folded) that findings say to change, and whether one says so of all rows."""
    columns: set[str] = set()
    whole = False
    for finding in findings:
        if finding.table.casefold() != table.casefold() or finding.example is None:
            continue
        # A note of equal tables says what certain statements do.
        note = finding.effect is Effect.COMPATIBLE and finding.depends_on_rows
        loses = note or finding.effect in (Effect.LOSSY, Effect.DIVERGES)
        if not loses and not (finding.effect is Effect.UNSUPPORTED and finding.error is None):
            continue
        # A column in the middle moves the values of all behind it, which one finding says.
        if finding.column is None or finding.rule == "extra-column-not-last":
            whole = True
        else:
            columns.add(finding.column.casefold())
    return columns, whole


def _judge_applied(record: Record, findings: list[Finding], bits: frozenset[str]) -> Judgement:
    certain = [f for f in findings if _certain(f) and _written(record, f)]
    if certain:
        return Judgement("false_alarm", f"said to stop: {certain[0].message[:200]}", certain[0].code)
    bare = [
        f
        for f in findings
        if f.effect in (Effect.LOSSY, Effect.DIVERGES)
        and f.example is None
        and not (f.code == REFUSED and f.depends_on_rows)
    ]
    changed = _unnamed(record, findings, bits)
    if changed is None:
        return Judgement("false_alarm", bare[0].message, bare[0].code) if bare else Judgement("agreed")
    if start_differs(record):
        return Judgement("skipped", "the rows differed before")
    stopping = any(_stops(f) for f in findings)
    return Judgement("weak" if stopping else "false_safe", changed, "changed")


def _unnamed(record: Record, findings: list[Finding], bits: frozenset[str]) -> str | None:
    """The change that no finding names, or None."""
    stored = record.get("preserved")
    if stored in ARRIVED:
        return None
    tables = tables_of(record, bits)
    if not tables:
        if stored is None or any(changed_columns([f], f.table) != (set(), False) for f in findings):
            return None
        return "a value changed"
    brought = _brought(record, findings)
    for rows in tables:
        if not rows.differ() or rows.table.casefold() in brought:
            continue
        columns, whole = changed_columns(findings, rows.table)
        if not whole and rows.differ(columns):
            return f"{rows.table}.{rows.blamed()}: {_some(rows)}"
    return None


def _brought(record: Record, findings: list[Finding]) -> frozenset[str]:
    """The tables (folded) that rows of others reach, whose findings say so."""
    from_ = {
        f.table.casefold()
        for f in findings
        if "to other tables" in f.message or "the tables that they write" in f.message
    }
    return frozenset(name for text in from_ for name in carried(record, {text}) - {text})


def _some(rows: Rows) -> str:
    ours, theirs = set(rows.ours), set(rows.theirs)
    return f"{sorted(map(str, ours - theirs))[:3]} against {sorted(map(str, theirs - ours))[:3]}"[:300]
