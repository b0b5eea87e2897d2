"""`diagnose` on the recorded error of every stopped replica: are the rule and the column right?

    python -m tests.diagnose.judge FILE... [--every N] [--show N]

FILE is a recording of definitions (`channel-*`, or those of `tests/facts/data`) or of links (`links*`).
A status is made of what the replica reported, in the form that clients print, and given to `diagnose`
with both sides' definitions and settings; the recorded rows and the outcome beside the error are not.

The rule is right where a finding has the recorded number, or, for links, where the rule that the model
of links names for the recorded outcome is the first or the second one of the answer. Where the message
numbers a column, that is right where the answer, and its first finding with a column, name the one that
has this place in the source's table.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from schemacheck.diagnose import Diagnosis, diagnose, statuses
from schemacheck.model import Link, Table
from schemacheck.prove.arrived import Record
from tests.facts import definitions, links

_NUMBERED = re.compile(
    r"Column (\d+)( \(counting the first column as number 1\))? of table '(?:\w+\.)?(\w+)'"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One status and what was said of it; `column` is None where the message tells none."""

    number: int
    rule: bool
    column: bool | None
    why: str


def status_text(number: int, message: str, *, receiver: bool = False) -> str:
    r"""SHOW REPLICA STATUS\G with this error."""
    sql, io = (("0", ""), (str(number), message)) if receiver else ((str(number), message), ("0", ""))
    fields = {
        "Slave_IO_Running": "No" if receiver else "Yes", "Slave_SQL_Running": "Yes" if receiver else "No",
        "Last_SQL_Errno": sql[0], "Last_SQL_Error": sql[1], "Last_IO_Errno": io[0], "Last_IO_Error": io[1],
    }  # fmt: skip
    lines = [f"{name:>32}: {value}" for name, value in fields.items()]
    return "\n".join(["*************************** 1. row ***************************", *lines])


def of_definitions(record: Record, header: Record) -> Answer | None:
    """A stopped applier of a recording of definitions; None where nothing stopped, or none is given."""
    if record.get("outcome") != "error" or not record.get("errno") or not record.get("source_ddl"):
        return None
    given = definitions.ends_of(record, header)
    if isinstance(given, str):
        return Answer(record["errno"], rule=False, column=None, why=f"not read: {given[:80]}")
    ours, theirs, link = given
    message = record.get("detail") or record.get("message") or ""
    said = _diagnosed(record["errno"], message, ours, theirs, link)
    right = any(
        (f.error is not None and f.error.number == record["errno"]) or record["errno"] in f.also
        for f in said.findings
    )
    why = f"{record['errno']} {message[:90]}: said {said.rules[:4]} {said.column!r}"
    return Answer(record["errno"], right, _column_is_right(message, said, ours), why)


def _column_is_right(message: str, said: Diagnosis, ours: tuple[Table, ...]) -> bool | None:
    found = _NUMBERED.search(message)
    if found is None:
        return None
    table = next((t for t in ours if t.name.casefold() == found.group(3).casefold()), None)
    if table is None:
        return False
    place = int(found.group(1)) - (1 if found.group(2) else 0)
    name = table.columns[place].name if place < len(table.columns) else ""
    first = next((f for f in said.findings if f.column), None)
    return said.column == name and (first is None or first.column == name)


def of_link(case: Record) -> Answer | None:
    """A stopped thread of a recorded link; None where none stopped, or the case is not counted."""
    if not links.counted(case) or case["outcome"] not in ("io_stops", "sql_stops") or not case["errno"]:
        return None
    expected = links.predict(case)
    if expected.number != case["errno"]:
        return None
    ends = links.ends_of(case)
    message = case.get("detail") or case["message"]
    alone = [text for text in case["replica_session"] if not text.upper().startswith("SET")]
    ours, theirs = (
        definitions.tables_of(definitions.script([*case["tables"], *more]), server, "utf8mb4")[0]
        for server, more in ((ends.source, []), (ends.replica, [text.replace(" d.", " ") for text in alone]))
    )
    receiver = case["outcome"] == "io_stops"
    said = _diagnosed(case["errno"], message, ours, theirs, ends.link, receiver=receiver)
    rules = said.rules
    why = f"{case['id']} {case['errno']} {message[:90]}: wanted {expected.rule}, said {rules[:5]}"
    return Answer(case["errno"], expected.rule in rules[:2], None, why)


def _diagnosed(
    number: int,
    message: str,
    ours: tuple[Table, ...],
    theirs: tuple[Table, ...],
    link: Link,
    *,
    receiver: bool = False,
) -> Diagnosis:
    (status,) = statuses(status_text(number, message, receiver=receiver))
    (said,) = diagnose(status, ours, theirs, link)
    return said


def answers(path: Path, every: int = 1) -> Iterator[Answer]:
    """The answers for every N-th stop of a file."""
    if path.name.startswith("links"):
        found = (answer for case in links.lines(path) if (answer := of_link(case)) is not None)
        yield from (answer for at, answer in enumerate(found) if at % every == 0)
        return
    header, records = definitions.read_facts(path)
    stops = 0
    for record in records:
        if "id" not in record:
            header = record
            continue
        if record.get("outcome") == "error" and record.get("errno"):
            stops += 1
            if stops % every == 0 and (
                answer := of_definitions(record, record if "server" in record else header)
            ):
                yield answer


def summary(found: list[Answer]) -> str:
    """One line: stops, right rules, named columns, right columns."""
    named = [answer for answer in found if answer.column is not None]
    return (
        f"stops={len(found)} rule={sum(answer.rule for answer in found)} "
        f"names_a_column={len(named)} column={sum(answer.column is True for answer in named)}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.diagnose.judge", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th stop of a file")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N wrong ones of each number")
    options = parser.parse_args(arguments)
    every: list[Answer] = []
    for path in options.files:
        found = list(answers(path, options.every))
        print(f"{path.name}: {summary(found)}", flush=True)
        every += found
    shown: Counter[int] = Counter()
    for answer in every:
        if not answer.rule or answer.column is False:
            shown[answer.number] += 1
            if shown[answer.number] <= options.show:
                print(f"  {answer.why}")
    print(f"wrong by number: {dict(shown.most_common())}")
    print(f"total: {summary(every)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
