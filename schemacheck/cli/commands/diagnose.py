"""Say why a replica has stopped, what to look at first, and the smallest safe fix.

STATUS is what SHOW REPLICA STATUS or SHOW SLAVE STATUS prints: one field a line, tab-separated,
with bars, or as JSON; `-` reads standard input, and a DSN asks a live replica. With both sides'
definitions the cause is told down to the column; SOURCE as a DSN also shows the row. REPLICA may
be left out where STATUS is a DSN.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

from schemacheck.cli import (
    evidence_arguments,
    link_arguments,
    linking,
    live_access,
    output_arguments,
    reading,
)
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs import is_dsn
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.inputs.source import read_source
from schemacheck.text.printable import as_json, disarmed, one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from schemacheck.cli.linking import Wanted
    from schemacheck.diagnose import Diagnosis, Live, Status, Step
    from schemacheck.model import Schema

USAGE = "[OPTION]... STATUS [SOURCE [REPLICA]]"
#: Where the lines of a step are typed.
_PLACES = {
    "replica": "on the replica", "replica, unlogged": "on the replica, with sql_log_bin = 0",
    "source": "on the source", "both ends": "on both ends", "shell": "in a shell",
}  # fmt: skip
#: Of a message: what the log's command says too.
_TAIL = re.compile(r", Error_code: (?:MY-)?\d+; handler error|; handler error")

OPTIONS = """
STATUS     a file with the status, - for standard input, or a live replica: mysql://user@host:port
[SOURCE]   the source's definitions
[REPLICA]  the replica's definitions
"""
EPILOG = """\
exit status:
  0  no thread has an error
  1  a thread has stopped, and what it is is said
  3  a thread has stopped, and nothing is known about its error

examples:
  mysql -e 'SHOW REPLICA STATUS\\G' | schemacheck diagnose -
  schemacheck diagnose mysql://monitor@replica/ mysql://monitor@source/ --timeout 10
  schemacheck diagnose status.txt source.sql replica.sql --replica-version mysql-8.0
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The status, and both sides' definitions."""
    declare(parser, OPTIONS + evidence_arguments.OPTIONS + output_arguments.TEXT_OR_JSON)
    link_arguments.add(parser)
    reading.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print what is known of each error."""
    from schemacheck.diagnose import NOT_LIVE, diagnose, statuses
    from schemacheck.model import Schema

    channels = statuses(_text(args))
    live = is_dsn(args.status)
    if not channels and live:
        raise InputError(
            f"{Endpoint.parse(args.status, Access()).name}: the server is no replica: it has no channel"
        )
    if not channels:
        raise InputError(f"{args.status}: no status of a replica: Last_SQL_Errno or Last_IO_Errno is missing")
    if args.source and not args.replica and not live:
        raise UsageError("REPLICA is missing: a cause is looked for in both sides' definitions")
    config = linking.configuration(args)
    wanted = linking.wanted(args, config)
    result: list[tuple[Status, Diagnosis]] = []
    for channel in channels:
        if not (channel.sql_number or channel.sql_message or channel.io_number or channel.io_message):
            continue
        ours, theirs = (
            reading.read(name, side, args, wanted, allow_empty=True) if name else None
            for side, name in (("source", args.source), ("replica", args.replica))
        )
        if live and theirs is None:
            theirs = _replica(args, channel, wanted)
        link = None
        if ours and theirs:
            ours, theirs = reading.alike(args.source, args.replica, args, wanted, (ours, theirs))
            link = linking.link(wanted, ours, theirs)[0]
        ours, theirs = ours or Schema(), theirs or Schema()
        for problem in (p for p in (*ours.problems, *theirs.problems) if not p.skipped):
            output_arguments.note(f"not read: {problem.location or ''} {problem.message}")
        source = _source(args, channel) if args.source and is_dsn(args.source) else NOT_LIVE
        causes = diagnose(channel, ours.tables, theirs.tables, link, source)
        if link:
            ends = (ours.tables, theirs.tables)
            causes = tuple(
                replace(cause, findings=evidence_arguments.of_findings(args, cause.findings, *ends, link))
                for cause in causes
            )
        result += [(channel, cause) for cause in causes]
    if args.format == "json":
        text = as_json([entry(channel, diagnosis) for channel, diagnosis in result])
    else:
        text = (
            "\n".join(_page(channel, diagnosis) for channel, diagnosis in result)
            or "no thread has an error\n"
        )
    output_arguments.write(text, None)
    return (
        0
        if not result
        else 1
        if all(diagnosis.entry is not None or diagnosis.findings for _, diagnosis in result)
        else 3
    )


def _replica(args: argparse.Namespace, channel: Status, wanted: Wanted) -> Schema | None:
    """The replica's tables of the error's database; None, with a note, where they may not be seen."""
    import argparse
    from urllib.parse import quote, urlsplit

    from schemacheck.diagnose import table_of

    database = table_of(channel.sql_message).partition(".")[0]
    parts = urlsplit(args.status)
    if not database and not parts.path.strip("/"):
        return None
    within = parts._replace(path="/" + quote(database, safe="")) if not parts.path.strip("/") else parts
    given = argparse.Namespace(**{**vars(args), "replica": within.geturl()})  # a DSN of the command line
    try:
        return reading.read(given.replica, "replica", given, wanted, allow_empty=True)
    except InputError as error:
        output_arguments.note(f"the replica's definitions are not read: {error}")
        return None


def _source(args: argparse.Namespace, channel: Status) -> Live:
    """The source as it may be asked; its log comes with a note where it is not sent."""
    from schemacheck.diagnose import Live
    from schemacheck.inputs import replica_status

    access = live_access.access(args, "source")

    def log() -> Iterator[bytes]:
        try:
            yield from replica_status.log_events(args.source, access, channel.file, channel.position)
        except InputError as error:
            output_arguments.note(f"{error}; the account needs REPLICATION SLAVE for that")

    return Live(
        log,
        lambda name: replica_status.definition(args.source, access, name),
        lambda table, where: replica_status.insert(args.source, access, table, where),
    )


def _text(args: argparse.Namespace) -> str:
    path = args.status
    if is_dsn(path):
        from schemacheck.inputs import replica_status

        return json.dumps(replica_status.read(path, live_access.access(args, "replica")))
    return read_source(path, grows=True).data.decode("utf-8", "replace")


def entry(channel: Status, diagnosis: Diagnosis) -> dict[str, Any]:
    """One stopped thread, as `--format json` prints it."""
    reply = diagnosis.answer
    out: dict[str, Any] = {
        "channel": channel.channel, "thread": diagnosis.thread, "number": diagnosis.number,
        "message": diagnosis.message,
        "what": diagnosis.entry.what if diagnosis.entry else None, "table": diagnosis.table or None,
        "column": diagnosis.column or None, "rules": list(diagnosis.rules), "way": _way(diagnosis),
        "skipping_loses": diagnosis.entry.skip if diagnosis.entry else None, "gtid": channel.gtid or None,
        "log_file": channel.file or None, "log_position": channel.position or None,
    }  # fmt: skip
    if any(f.evidence for f in diagnosis.findings):
        out["evidence"] = [
            {"code": f.code, "says": f.evidence.sentence} for f in diagnosis.findings if f.evidence
        ]
    out["beside"] = [
        {"code": d.finding.code, "message": d.finding.message, "fix": d.fix} for d in diagnosis.beside
    ]
    if reply is not None:
        out |= {"happened": reply.happened, "equal_now": reply.equal}
        for name, steps in (
            ("look", reply.look),
            ("fix", reply.fix),
            ("back", reply.back),
            ("skip", reply.skip_sql),
        ):
            out[name] = [{"on": step.on, "lines": list(step.lines)} for step in steps]
    return out


def _way(diagnosis: Diagnosis) -> str:
    if diagnosis.answer is not None:
        return diagnosis.answer.advice
    return next((f.remedy_sql or f.remedy for f in diagnosis.findings if f.remedy_sql or f.remedy), "")


def _page(channel: Status, diagnosis: Diagnosis) -> str:
    thread = "applier (SQL thread)" if diagnosis.thread == "SQL" else "receiver (IO thread)"
    name = f" of channel {one_line(channel.channel)}" if channel.channel else ""
    message = _TAIL.split(one_line(diagnosis.message))[0]
    lines = _text_lines(f"The {thread}{name} stopped with error {diagnosis.number}: {message[:300]}")
    reply = diagnosis.answer
    if reply is None and not diagnosis.findings:
        return "\n".join([*lines, "Nothing is known about this error here."]) + "\n"
    if reply is not None:
        lines += ["", *_text_lines(f"What happened: {one_line(reply.happened)}")]
    listed = diagnosis.findings[:3]
    if reply is not None and diagnosis.entry and reply.happened != diagnosis.entry.what:
        listed = tuple(f for f in diagnosis.findings if f.code not in diagnosis.entry.rules)[:1]
    lines += [line for f in listed for line in _text_lines(f"{f.code}: {one_line(f.message)}")]
    if reply is None:
        lines += _text_lines(f"Fix: {one_line(_way(diagnosis))}")
    else:
        lines += ["", *_steps("Look first", reply.look)] if reply.look else []
        lines += _beside(diagnosis)
        lines += ["", *_steps("Next step" if reply.equal else "Fix", reply.fix, one_line(_way(diagnosis)))]
        lines += _steps("To go back", reply.back)
        lines += ["", *_steps("Skipping", reply.skip_sql, reply.skip)] if reply.skip else []
    lines += [
        line
        for f in diagnosis.findings
        if f.evidence
        for line in _text_lines(f"Evidence, {one_line(f.subject)} ({f.code}): {f.evidence.sentence}")
    ]
    if diagnosis.rules:
        codes = ", ".join(diagnosis.rules[:4])
        lines += ["", *_text_lines(f"Rules that warn of it: {codes} (schemacheck explain CODE)")]
    return "\n".join(lines) + "\n"


def _beside(diagnosis: Diagnosis) -> list[str]:
    if not diagnosis.beside:
        return []
    lines = ["", *_text_lines("Mend this too before the applier is started: later rows stop or change.")]
    for difference in diagnosis.beside:
        about = difference.finding
        text = f"{about.code}, {one_line(difference.subject)}: {one_line(about.message)}"
        lines += [f"  {line}" for line in _text_lines(text, 77)]
        lines += [f"    {disarmed(about.remedy_sql)}"] if about.remedy_sql else []
    return lines


def _text_lines(text: str, width: int = 79) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _steps(title: str, steps: tuple[Step, ...], why: str = "") -> list[str]:
    """Where the lines are typed, why, and the lines; a long command of the shell on several."""
    out = _text_lines(f"{title}: {why}") if why and not steps else []
    for step in steps:
        out += _text_lines(f"{title}, {_PLACES[step.on]}: {why}".rstrip())
        for line in step.lines:
            parts = _text_lines(line, 72) if step.on == "shell" else [line]
            out += [f"    {disarmed(part)}" for part in " \\\n".join(parts).split("\n")]
    return out
