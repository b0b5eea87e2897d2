"""Ask two scratch servers a packaged set of questions, and hold the rules against the answers.

Pairs of column types under the settings of slave_type_conversions, and tables that differ in shape, logged
as rows (full and minimal images) and as statements: some hundred by default, all of them with --all. The
page says for every source type how many answers agree, and for every rule how often it was shown; what
differs is listed with its case.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from schemacheck.cli import live_access, output_arguments, scratch_servers
from schemacheck.text.printable import as_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from schemacheck.prove.certificate import Answer
    from schemacheck.prove.conform import Question
    from schemacheck.prove.scratch import Scratch

USAGE = "[OPTION]..."

EPILOG = """\
exit status:
  0  every answer agrees
  1  something differs: a defect of schemacheck
  2  wrong usage, or a server that cannot be used
  3  no question could be asked

examples:
  schemacheck conform --local
  schemacheck conform --all --format json -o run.json --source-server mysql://root@127.0.0.1:3307/ \\
    --replica-server mysql://root@127.0.0.1:3308/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The servers, how much is asked, and how it is written."""
    scratch_servers.add(parser)
    scratch_servers.add_restore(parser)
    live_access.add_arguments(parser)
    parser.add_argument("--all", dest="everything", action="store_true", help="ask all questions")
    output = parser.add_argument_group("output")
    output_arguments.add_plain_format(output)
    output.add_argument("--output", "-o", metavar="FILE", help="write the run here")
    output.add_argument("--facts", metavar="FILE", help="write the answers too, as facts (see docs/ask.md)")


def run(args: argparse.Namespace) -> int:
    """Ask, print, return the exit status."""
    from schemacheck.model import Link
    from schemacheck.prove.conform import conform, document, questions

    scratch_servers.check(args)
    if args.restore:
        scratch_servers.restore(args)
        return 0
    with scratch_servers.ends(args) as ends:
        link = Link(ends[0].server.with_settings({"binlog_format": "ROW"}), ends[1].server)
        found = list(conform(link, ends, questions(everything=args.everything)))
    said = document(link, ends, found)
    counts = Counter(answer.verdict for _, answer in found)
    text = as_json(said) if output_arguments.plain_format(args) == "json" else _page(said, found)
    output_arguments.write(text, args.output)
    if args.facts:
        output_arguments.write("".join(_facts(ends, found)), args.facts)
    if counts["differs"]:
        return 1
    return 0 if counts["agreed"] else 3


def _facts(ends: tuple[Scratch, Scratch], found: list[tuple[Question, Answer]]) -> Iterator[str]:
    """The lines of what was asked, in the form of kept answers."""
    from schemacheck.ask import fact
    from schemacheck.prove.conform import LOGGED
    from schemacheck.prove.doubt import ANSWER

    source, replica = ((end.server, end.version) for end in ends)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    own = {
        "source_sql_mode": ends[0].variables["sql_mode"], "sql_mode": ends[1].variables["sql_mode"],
        "default_charset": ends[0].variables["character_set_server"],
    }  # fmt: skip
    for question, answer in found:
        record = dict(answer.record or {})
        if answer.verdict == "not asked":
            continue
        told = {name: record.pop(name) for name in (*ANSWER, "link") if name in record}
        asked = record | own | LOGGED[question.logged] | {"modes": question.modes, "what": question.what}
        yield fact.pair(source, replica, when, asked, told).line() + "\n"


def _page(said: dict[str, object], found: list[tuple[Question, Answer]]) -> str:
    """Counts by what was asked about, then what differs."""
    from schemacheck.prove.conform import by_rule
    from schemacheck.text.printable import one_line

    source, replica = (said[side] for side in ("source", "replica"))
    assert isinstance(source, dict)
    assert isinstance(replica, dict)
    by_what: dict[str, Counter[str]] = {}
    for question, answer in found:
        kind = question.what.partition(" to ")
        by_what.setdefault(kind[0] if kind[1] else "shapes of tables", Counter())[answer.verdict] += 1
    room = max(map(len, by_what), default=0)
    lines = [f"source {source['version']}, replica {replica['version']}", ""]
    lines += [
        f"{what:{room}}  {counts['agreed']:>5} agree"
        + (f"  {counts['differs']:>4} DIFFER" if counts["differs"] else "")
        + (f"  {counts['not asked']:>4} not asked" if counts["not asked"] else "")
        for what, counts in by_what.items()
    ]
    rules = by_rule(found)
    room = max(map(len, rules), default=0)
    lines += ["", *(
        f"{rule:{room}}  {counts['shown']:>5} shown"
        + (f"  {counts['contradicted']:>4} CONTRADICTED" if counts["contradicted"] else "")
        + (f"  {counts['not shown']:>4} not shown" if counts["not shown"] else "")
        for rule, counts in rules.items()
    )]  # fmt: skip
    for question, answer in found:
        if answer.verdict == "differs":
            where = f"'{question.modes}', {question.logged}"
            lines += ["", f"differs: {question.what} under {where}: {one_line(answer.why)}"]
            lines += [f"    | {one_line(one)}" for one in (answer.record or {}).get("source_sql", ())]
    total = Counter(answer.verdict for _, answer in found)
    lines += ["", f"{total['agreed']:,} agree, {total['differs']:,} differ, {total['not asked']:,} not asked"]
    return "\n".join(lines) + "\n"
