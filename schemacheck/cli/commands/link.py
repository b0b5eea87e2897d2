"""Say whether a replication link runs at all, whatever its tables are.

SOURCE and REPLICA are versions (mysql-9.7, mariadb-10.11), or what tells one: a snapshot, a dump, an option
file (my.cnf, with --source-version or --replica-version), or mysql://user@host. The page says what stops the
link, which settings to change on which end, and what then remains. With --statements it also says whether
the statements of a file run over it, and rows stay equal.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.cli import asking, evidence_arguments, link_arguments, linking, output_arguments, reading
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.errors import UnknownServer, UsageError
from schemacheck.model.quantity import plural
from schemacheck.text.printable import as_json

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from schemacheck.config.model import Config
    from schemacheck.link import Ends
    from schemacheck.model import Finding, Schema, Server
    from schemacheck.workload import Answer

#: Reasons, and lines of a reason, that are printed.
_REASONS = 8
_OPTION_FILES = (".cnf", ".ini")

USAGE = "[OPTION]... SOURCE REPLICA"

ENDS = """
SOURCE   the source: a version, a snapshot, an option file, or mysql://user@host
REPLICA  the replica, in any of the same forms
"""
CHANNEL = """
--channel OPTION=VALUE ...   an option of CHANGE REPLICATION SOURCE (SOURCE_SSL=1); repeatable
--position {file,gtid,none}  how the channel finds its place
--plugin NAME                the authentication plugin of the replication account
"""
STATEMENTS = """
--statements FILE  a script that the source's client runs: what becomes of its statements on this link
--tables FILE      the tables that both ends have before, perhaps with rows: any input of `check` (default:
                   those of SOURCE and REPLICA)
"""
EPILOG = """\
exit status:
  0  the link runs, as far as versions and settings tell, and so do the statements of --statements
  1  it stops, or loses rows without an error, or those statements stop it or make rows differ
  3  not decided

examples:
  schemacheck link mysql-9.7 mariadb-10.11
  schemacheck link mysql-9.7 mariadb-10.11 --source-set collation_server=utf8mb4_general_ci \\
      --source-set default_collation_for_utf8mb4=utf8mb4_general_ci
  schemacheck link mariadb-11.8 mariadb-10.11 --statements release.sql --tables schema.sql
  schemacheck link source.jsonl replica.cnf --replica-version mariadb-11.8 --channel MASTER_SSL=1
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Both ends, the channel and its account."""
    declare(parser, ENDS + asking.OPTIONS + evidence_arguments.OPTIONS + output_arguments.TEXT_OR_JSON)
    link_arguments.add(parser)
    reading.add_arguments(parser)
    declare(parser.add_argument_group("the channel"), CHANNEL)
    declare(parser.add_argument_group("statements"), STATEMENTS)


def run(args: argparse.Namespace) -> int:
    """Print the page; the exit status says whether the link runs."""
    import datetime as dt

    from schemacheck import engine
    from schemacheck.link.releases import remarks
    from schemacheck.model import Effect, Report
    from schemacheck.text.printable import one_line
    from schemacheck.workload import of_others

    config = linking.configuration(args)
    ends, schemas = _ends(args, config)
    taken = linking.taken(linking.wanted(args, config), *schemas, ends.link)
    with asking.asking(args, config) as answers:
        answer = answers.decided(lambda: _answer(args, ends, schemas, config))
    report = Report(ends.link, (), link_findings=of_others(engine.preflight(ends), answer))
    findings = evidence_arguments.stated(args, report).link_findings
    sentences = (*remarks(ends.link, dt.datetime.now(tz=dt.UTC).date()), *taken, *_taken(args, ends))
    if args.statements is not None:
        sentences += linking.of_new_tables(ends.link, *schemas)
    if args.format == "json":
        record = document(ends, findings, sentences, _entry(args, answer))
        text = as_json(record | {"assumptions": list(answers.said)})
    else:
        text = _page(ends, findings, sentences) + _section(args, answer)
        text += f"assumed: {one_line('; '.join(answers.said))}\n" if answers.said else ""
    output_arguments.write(text, None)
    worst = max((f.effect for f in findings if f.effect is not Effect.UNKNOWN), default=Effect.IDENTICAL)
    decided = (_runs(findings), _equal(answer))
    return 1 if False in decided or worst >= Effect.UNSUPPORTED else 3 if None in decided else 0


def _answer(
    args: argparse.Namespace, ends: Ends, schemas: tuple[Schema, Schema], config: Config | None
) -> Answer | None:
    """What becomes of the statements of --statements; None without it. Raises UsageError, InputError."""
    from schemacheck.inputs import is_dsn
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.inputs.source import read_source
    from schemacheck.link.outcome import Kind, Outcome
    from schemacheck.workload import Answer, run_script

    if args.statements is None:
        if args.tables is not None:
            raise UsageError("--tables holds definitions for --statements, which is not given")
        return None
    if linking.wanted(args, config).filters is not None:
        why = "the filters of the link are not followed here (schemacheck filter)"
        return Answer(Outcome(Kind.UNKNOWN, why=why), 0)
    text = read_source(args.statements, encoding=args.encoding).text
    if args.tables is not None:
        source, replica = (
            reading.read(args.tables, side, args, server)
            for side, server in (("source", ends.source), ("replica", ends.replica))
        )
        schemas = (source, replica)
    database = args.database or (Endpoint.parse(args.source).database if is_dsn(args.source) else "") or ""
    answer = run_script(ends, text, schemas, file=args.statements, database=database)
    if not answer.count:
        raise UsageError(f"--statements: {args.statements} has no statement; give a script")
    if args.tables is None and answer.outcome.kind is Kind.RUNS and (names := _apart(ends, *schemas)):
        why = f"definitions differ: `check` says what becomes of {names}"
        return replace(answer, outcome=Outcome(Kind.UNKNOWN, why=why))
    return answer


def _apart(ends: Ends, source: Schema, replica: Schema) -> str:
    """The ends' own tables and programs that `check` does not pass, the first three; '' for none. SC801, an
    INSERT without a column list, is looked for in the statements themselves.
    """
    from schemacheck import engine
    from schemacheck.engine.programs import with_programs
    from schemacheck.model import Effect

    logged = ends.source.with_settings({"binlog_format": ends.link.binlog_format})
    link = replace(ends.link, source=logged)
    report = engine.check(source.tables, replica.tables, link, source.problems, replica.problems)
    pairs = with_programs(report, source, replica).pairs
    names = [
        pair.name
        for pair in pairs
        if pair.verdict is Effect.UNKNOWN
        or any(f.effect > Effect.COMPATIBLE and f.code != "SC801" for f in pair.findings)
    ]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _equal(answer: Answer | None) -> bool | None:
    """Whether the statements run and rows stay equal (so too where none are given); None: not decided."""
    from schemacheck.link.outcome import Kind

    if answer is None or answer.outcome.kind is Kind.RUNS:
        return True
    return None if answer.outcome.kind is Kind.UNKNOWN else False


def _entry(args: argparse.Namespace, answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    outcome = answer.outcome
    return {
        "file": args.statements, "count": answer.count, "outcome": outcome.kind.value,
        "runs": _equal(answer), "at": str(answer.at) if answer.at else None, "rule": outcome.rule or None,
        "error": outcome.number or None, "why": outcome.why or None, "remedy": outcome.change or None,
        "further": [
            {
                "outcome": other.kind.value, "at": str(place) if place else None, "rule": other.rule or None,
                "error": other.number or None, "why": other.why or None,
            }
            for other, place in answer.further
        ],
    }  # fmt: skip


def _section(args: argparse.Namespace, answer: Answer | None) -> str:
    from schemacheck.link.outcome import Kind
    from schemacheck.text.printable import one_line

    if answer is None:
        return ""
    outcome = answer.outcome
    at = f" at {answer.at}" if answer.at else ""
    if outcome.kind is Kind.RUNS:
        text = "they run, and rows stay equal"
    elif outcome.kind is Kind.UNKNOWN:
        text = f"not decided{at}"
    elif outcome.kind is Kind.DIVERGES:
        text = f"they run, and rows come to differ{at}"
    else:
        thread = "the receiver stops" if outcome.kind is Kind.IO else "the replica stops"
        if outcome.kind is Kind.CRASH:
            thread = "the replica crashes"
        if outcome.kind is Kind.REFUSED:
            thread = "the replica refuses the channel"
        text = f"{thread}{at}" + (f" with error {outcome.number}" if outcome.number else "")
    rule = f" [{outcome.rule}]" if outcome.rule else ""
    lines = ["", f"The statements of {one_line(args.statements)} ({answer.count}): {one_line(text)}{rule}"]
    lines += [f"  {one_line(outcome.why)}"] if outcome.why else []
    lines += [f"  What to change: {one_line(outcome.change)}"] if outcome.change else []
    places: dict[str, list[str]] = {}
    for other, place in answer.further:
        word = "" if other.kind is Kind.UNKNOWN else f"{other.kind.value}: "
        places.setdefault(word + other.why, []).append(str(place.line) if place else "end")
    if places:
        lines.append(f"  {plural(len(answer.further), 'more statement')} to look at, by line:")
    for why, numbers in list(places.items())[:_REASONS]:
        more = f" and {len(numbers) - _REASONS} more" if len(numbers) > _REASONS else ""
        lines.append(f"    {', '.join(numbers[:_REASONS])}{more}: {one_line(why)}")
    if len(places) > _REASONS:
        lines.append(f"    {plural(len(places) - _REASONS, 'more reason')}: --format json")
    return "\n".join(lines) + "\n"


def _ends(args: argparse.Namespace, config: Config | None) -> tuple[Ends, tuple[Schema, Schema]]:
    from schemacheck.link import Account, Channel, Ends

    wanted = linking.wanted(args, config)
    source = _schema(args.source, "source", args, wanted)
    replica = _schema(args.replica, "replica", args, wanted)
    link, _ = linking.link(wanted, source, replica)
    options = {name.upper(): value for name, value in link_arguments.pairs(args.channel, "--channel")}
    ends = Ends.of(link, source, replica)
    if options or args.position or args.plugin:
        ends = replace(
            ends, channel=Channel(options, args.position or "file"), account=Account(args.plugin or "")
        )
    return ends, (source, replica)


def _taken(args: argparse.Namespace, ends: Ends) -> Iterator[str]:
    """What neither the inputs nor the options tell, and the answer takes for right."""
    from schemacheck.link.session import without_zones

    yield from without_zones(ends.link)
    if ends.channel is not None:
        yield "It is assumed that account and position are usable: rights and purged logs are not read"
    for path, end, names in (
        (args.source, ends.source, ("log_bin", "server_id")), (args.replica, ends.replica, ("server_id",))
    ):  # fmt: skip
        if Path(path).suffix in _OPTION_FILES:
            absent = [name for name in names if not end.given(name)]
            rest = f", and {' and '.join(absent)} is set elsewhere" if absent else ""
            yield f"It is assumed that the server starts with {path}{rest}"


def _schema(text: str, side: str, args: argparse.Namespace, wanted: linking.Wanted) -> Schema:
    from schemacheck.model import Schema, Server

    if not text.strip():
        raise UsageError(f"{side.upper()} is empty: give a version, a file, or mysql://user@host")
    if "://" not in text and not Path(text).exists():
        try:
            named = Server.parse(text)
        except UnknownServer as error:
            raise UsageError(f"{side.upper()}: {error}; nor is it a file") from None
        wanted.servers.setdefault(side, (text, side.upper()))
        return Schema(server=named)
    if Path(text).suffix in _OPTION_FILES:
        return Schema(server=_of_options(text, linking.server(wanted, side), side))
    schema = reading.read(text, side, args, wanted)
    if schema.server is None and linking.server(wanted, side) is None:
        raise UsageError(f"{text}: nothing in it says which server it is from: give --{side}-version")
    return schema


def _of_options(path: str, server: Server | None, side: str) -> Server:
    from schemacheck.inputs.option_file import read_options
    from schemacheck.inputs.source import read_source

    if server is None:
        raise UsageError(f"{path}: an option file does not say which server it is for: give --{side}-version")
    text = read_source(path).data.decode("utf-8", "replace")
    given = read_options(text, path, server=server)
    return server.with_told(given)


def _runs(findings: tuple[Finding, ...]) -> bool | None:
    """Whether the link runs and loses nothing; None where that is not decided."""
    from schemacheck.model import Effect

    effects = {f.effect for f in findings}
    if effects & {Effect.STOPS, Effect.DIVERGES, Effect.UNSUPPORTED}:
        return False
    return None if Effect.UNKNOWN in effects else True


def _page(ends: Ends, findings: tuple[Finding, ...], sentences: tuple[str, ...]) -> str:
    from schemacheck.model import Effect
    from schemacheck.text.printable import one_line

    bad = [f for f in findings if f.effect > Effect.COMPATIBLE]
    rest = [f for f in findings if f.effect <= Effect.COMPATIBLE]
    stops = any(f.effect is Effect.STOPS for f in bad)
    answer = (
        "does not run"
        if stops
        else "loses rows without an error"
        if _runs(findings) is False
        else "is not decided"
        if bad
        else "runs, as far as versions and settings tell"
    )
    lines = [f"{ends.source} to {ends.replica}, {ends.link.binlog_format}: the link {answer}"]
    lines += [""] if bad else []
    for finding in bad:
        lines += [f"{finding.effect.value}[{finding.code}] {finding.rule}: {one_line(finding.message)}"]
        lines += [f"  evidence: {finding.evidence.sentence}"] if finding.evidence else []
    if bad:
        lines += ["", "What to change:"]
        lines += [f"  {one_line(text)}" for text in dict.fromkeys(f.remedy for f in bad if f.remedy)]
    if rest:
        lines += ["", "What then remains:" if bad else "What may still stop it:"]
        lines += [f"  [{f.code}] {one_line(f.message)}" for f in rest]
    if ends.channel is None:
        lines += [
            "",
            (
                "How the channel connects was not given: TLS, account, position and REQUIRE_ options are not "
                "looked at (--channel, --position, --plugin)."
            ),
        ]
    if sentences:
        lines += ["", "Remarks:", *(f"  {one_line(text)}" for text in sentences)]
    return "\n".join(lines) + "\n"


def document(
    ends: Ends,
    findings: tuple[Finding, ...],
    sentences: tuple[str, ...],
    statements: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """What `--format json` prints: whether the link runs (null: not decided), the findings, remarks
    about versions, and with --statements what becomes of them."""
    entries = [
        {
            "code": f.code, "rule": f.rule, "effect": f.effect.value, "message": f.message,
            "error": f.error.number if f.error else None, "remedy": f.remedy,
            **({"evidence": f.evidence.sentence} if f.evidence else {}),
        }
        for f in findings
    ]  # fmt: skip
    about = {} if statements is None else {"statements": statements}
    return {
        "source": str(ends.source), "replica": str(ends.replica), "binlog_format": ends.link.binlog_format,
        "runs": _runs(findings), "findings": entries, "remarks": list(sentences), **about,
    }  # fmt: skip
