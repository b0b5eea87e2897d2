"""From an error to its cause, down to the column where both definitions are given."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck.dataclass import dataclass
from schemacheck.diagnose.answer import Answer, answer, contradiction, fields, triggers
from schemacheck.diagnose.definitions import of_definitions
from schemacheck.diagnose.effect import alike
from schemacheck.diagnose.known import Known, known
from schemacheck.diagnose.live import NOT_LIVE, Live
from schemacheck.diagnose.names import column_of, named, place_of, table_of
from schemacheck.diagnose.status import Status
from schemacheck.engine import check_pair, preflight
from schemacheck.link import Ends
from schemacheck.model import Effect, Finding, Link, Table
from schemacheck.model.difference import Difference, differences

#: What the definitions themselves show to be the cause; a table that is not there has its own words.
_SHOWN = frozenset(
    (
        "alter",
        "add",
        "default",
        "drop_key",
        "drop_foreign",
        "hidden",
        "program",
        "gone",
        "checks",
        "cut",
        "made",
    )
)
_CODE = re.compile(r"Error_code: (?:MY-)?0*(\d+)")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What stopped: `thread` (IO or SQL), number, message; `entry` what is known of it; `table` and `column`
    as far as they can be told; `findings` what the rules say of the same with the given definitions and
    settings; `rules` the codes of the rules that tell it beforehand, the likeliest first; `answer` what to
    do, of an error that is known; `beside` what stops or changes later rows of the table and is not mended by
    the answer's fix.
    """

    thread: str
    number: int
    message: str
    entry: Known | None
    table: str = ""
    column: str = ""
    findings: tuple[Finding, ...] = ()
    rules: tuple[str, ...] = ()
    answer: Answer | None = None
    beside: tuple[Difference, ...] = ()


def diagnose(
    status: Status,
    sources: Sequence[Table] = (),
    replicas: Sequence[Table] = (),
    link: Link | None = None,
    live: Live = NOT_LIVE,
) -> tuple[Diagnosis, ...]:
    """One Diagnosis for each thread with an error; the applier's first. `live` is the source, if asked."""
    out = []
    if status.sql_number or status.sql_message:
        out.append(_one("SQL", status.sql_number, status.sql_message, status, sources, replicas, link, live))
    if status.io_number or status.io_message:
        out.append(_one("IO", status.io_number, status.io_message, status, sources, replicas, link, live))
    return tuple(out)


def _one(
    thread: str,
    number: int,
    message: str,
    status: Status,
    sources: Sequence[Table],
    replicas: Sequence[Table],
    link: Link | None,
    live: Live,
) -> Diagnosis:
    inner = _CODE.search(message)
    number = number or (int(inner.group(1)) if inner else 0)
    table = table_of(message)
    entry = known(str(number))
    entry = entry.of(message) if entry is not None else None
    findings: tuple[Finding, ...] = ()
    if link is not None:
        tables = _of_tables(number, table, sources, replicas, link) if thread == "SQL" else []
        findings = (*tables, *_of_link(number, link))
    rules = _rules(entry, message, findings, looked=link is not None and bool(sources))
    findings = tuple(sorted(findings, key=lambda f: rules.index(f.code)))
    if not table and findings and findings[0].table:
        table = ".".join(part for part in (findings[0].database, findings[0].table) if part)
    reply = None
    ours, theirs = named(sources, table), named(replicas, table)
    column = column_of(message, filter(None, (ours, theirs))) or next(
        (f.column or "" for f in findings if f.column), ""
    )
    harm = _harm(ours, theirs, link)
    if entry is not None:
        server = link.replica if link is not None else None
        facts = fields(status, message, table, ours, theirs, column, findings, harm, live, server, sources)
        if server is not None:
            facts |= of_definitions(
                number, message, ours, theirs, sources=sources, replicas=replicas, server=server, live=live
            )
        place = place_of(message)
        if (
            link
            and ours
            and theirs
            and place is not None
            and place < len(ours.columns)
            and place < len(theirs.columns)
        ):
            facts |= contradiction(message, place, ours, theirs, link)
            if "otherwise" in facts:
                facts.pop("alter", None)
        if server is not None and (names := alike(number, message, server, sources, replicas)):
            facts["alike"] = names
        if not _SHOWN & facts.keys() and (raised := triggers(message, theirs)):
            entry = entry.out_of_trigger()
            facts = {k: facts[k] for k in ("use", "schema", "pattern") if k in facts} | {"triggers": raised}
        reply = answer(status, thread, entry, facts)
    mended = "\n".join(line for step in (reply.fix if reply else ()) for line in step.lines)
    if mended and not any(f.remedy_sql for f in findings):
        # A column that another one moved has no fix of its own.
        causes = [d.finding for d in harm if d.fix and d.fix in mended]
        findings = (*findings, *causes)
        rules = tuple(dict.fromkeys([*(f.code for f in causes), *rules]))
    beside = (
        tuple(d for d in harm if d.finding.code not in rules[:1] and d.fix not in mended) if reply else ()
    )
    return Diagnosis(thread, number, message, entry, table, column, findings, rules, reply, beside)


def _harm(source: Table | None, replica: Table | None, link: Link | None) -> tuple[Difference, ...]:
    """What stops the applier at this table or changes its rows, whatever the error was."""
    if source is None or replica is None or link is None:
        return ()
    every = differences((), (check_pair(source, replica, link),))
    return tuple(d for d in every if d.effect >= Effect.DIVERGES and not d.finding.statements)


def _rules(
    entry: Known | None, message: str, findings: Sequence[Finding], *, looked: bool
) -> tuple[str, ...]:
    """What the message says, then what findings show, those first that are known to lead to this error. Where
    nothing shows, all rules that lead to it; those of the link first where definitions were `looked` at.
    """
    if entry is None:
        return tuple(dict.fromkeys(f.code for f in findings))
    listed, shown = entry.told_by(message), [f.code for f in findings]
    if listed or any(code in entry.rules for code in shown):
        return tuple(dict.fromkeys([*listed, *sorted(shown, key=lambda code: code not in entry.rules)]))
    left = sorted(entry.rules, key=lambda code: not code.startswith("SC9")) if looked else entry.rules
    return tuple(dict.fromkeys([*(left[:1] if shown else left), *shown]))


def _of_tables(
    number: int, table: str, sources: Sequence[Table], replicas: Sequence[Table], link: Link
) -> list[Finding]:
    """Findings that have this number: of the named table, else of any other, of which one may refer to it.
    Of an error of which nothing is known: whatever may stop the applier.
    """
    ours = named(sources, table) if table else None
    entry = known(str(number))
    wanted = set(entry.numbers) if entry is not None else {number}
    every: list[Finding] = []
    for chosen in ([ours] if ours is not None else [], [t for t in sources if t is not ours]):
        findings = [
            f
            for t in chosen
            for f in check_pair(t, named(replicas, f"{t.database or ''}.{t.name}"), link).findings
        ]
        same = [f for f in findings if (f.error is not None and f.error.number in wanted) or number in f.also]
        if same:
            return sorted(same, key=lambda f: f.error is None or f.error.number != number)
        every += findings
    if entry is not None:
        return []
    if ours is not None:  # other tables have nothing to do with what nobody has words for
        every = [finding for finding in every if finding.table == ours.name]
    return sorted((f for f in every if f.effect > Effect.COMPATIBLE), key=lambda f: -f.effect.rank)


def _of_link(number: int, link: Link) -> list[Finding]:
    return [f for f in preflight(Ends(link)) if f.error is not None and f.error.number == number]
