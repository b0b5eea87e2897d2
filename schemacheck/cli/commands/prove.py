"""Show what a check says on two real servers that may be lost.

Reads both sides like `check`, makes their tables on two scratch servers, runs rows and statements that show
each finding through a real channel, and holds what happens against what is said: the error, or the values on
both ends. The versions are those of the servers. The outcome is a certificate (--format json): versions,
settings, statements, rows before and after, whether all agrees, and a hash. What differs is a defect of
schemacheck; the certificate is the report of it.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments, linking, live_access, output_arguments, reading
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.model import Link, Schema
    from schemacheck.prove import Certificate
    from schemacheck.prove.scratch import Journal, Scratch

USAGE = "[OPTION]... SOURCE REPLICA"

EPILOG = """\
exit status:
  0  everything that was asked happened as it is said
  1  something differs: a defect of schemacheck
  2  wrong usage, or a server that cannot be used
  3  nothing could be asked of some pair

examples:
  schemacheck prove source.sql replica.sql --local
  schemacheck prove source.sql replica.sql --source-server mysql://root@127.0.0.1:3307/ \\
    --replica-server mysql://root@127.0.0.1:3308/ --type-conversions ALL_NON_LOSSY --format json -o proof.json
  schemacheck prove --restore .schemacheck-prove.json --source-server ... --replica-server ...
"""

_JOURNAL = ".schemacheck-prove.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Both sides, the servers, and how the certificate is written."""
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="the source's definitions: SQL")
    parser.add_argument("replica", nargs="?", metavar="REPLICA", help="the replica's definitions: SQL")
    group = parser.add_argument_group("scratch servers")
    group.add_argument(
        "--local",
        action="store_true",
        help="start the machine's own mariadbd or mysqld twice, on loopback, in a temporary folder",
    )
    group.add_argument("--local-server", metavar="PATH", help="the program that --local starts")
    group.add_argument(
        "--source-server", metavar="DSN", help="a server that may be lost: mysql://user@host:port/"
    )
    group.add_argument("--replica-server", metavar="DSN", help="another one")
    group.add_argument(
        "--allow-nonempty",
        action="store_true",
        help="use servers that hold tables of others (databases of the same names are dropped)",
    )
    group.add_argument(
        "--journal",
        metavar="FILE",
        default=_JOURNAL,
        help=f"where changes are noted while it runs (default: {_JOURNAL})",
    )
    group.add_argument(
        "--restore", metavar="FILE", help="put back what a run that was killed has changed, and do no more"
    )
    link_arguments.add(parser)
    reading.add_arguments(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    output.add_argument("--output", "-o", metavar="FILE", help="write the certificate here")


def run(args: argparse.Namespace) -> int:
    """Ask, print, return the exit status."""
    if args.local and (args.source_server or args.replica_server):
        message = "--local and --source-server, --replica-server exclude each other"
        raise UsageError(message)
    if not args.local and not (args.source_server and args.replica_server):
        message = "give --local, or --source-server and --replica-server: two servers that may be lost"
        raise UsageError(message)
    from schemacheck.prove.scratch import Journal

    if args.restore:
        _restore(args, Journal.load(Path(args.restore)))
        return 0
    if args.source is None or args.replica is None:
        message = "give both sides' definitions: SOURCE and REPLICA"
        raise UsageError(message)
    journal = Journal(None if args.local else Path(args.journal))
    if journal.file is not None and journal.file.exists():
        message = (
            f"{journal.file} is left from a run that did not end: put it back with --restore {journal.file}"
        )
        raise UsageError(message)
    with ExitStack() as stack:
        found = _prove(args, _ends(args, journal, stack))
    text = (
        json.dumps(found.document, indent=2, ensure_ascii=False) + "\n"
        if args.format == "json"
        else _page(found)
    )
    output_arguments.write(text, args.output)
    if not found.agreement:
        return 1
    asked = {id(one.pair) for one in found.answers if one.verdict != "not asked"}
    return 3 if not asked or any(id(one.pair) not in asked for one in found.answers) else 0


def _ends(args: argparse.Namespace, journal: Journal, stack: ExitStack) -> tuple[Scratch, Scratch]:
    """Both servers, connected; what was changed on them is put back when the stack ends."""
    from schemacheck.inputs.connection import connected
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.prove import local
    from schemacheck.prove.scratch import Scratch

    endpoints: tuple[Endpoint, Endpoint]
    if args.local:
        endpoints = stack.enter_context(local.pair(local.binary(args.local_server)))
    else:
        source, replica = (
            Endpoint.parse(getattr(args, f"{side}_server"), live_access.access(args, side))
            for side in ("source", "replica")
        )
        endpoints = (source, replica)
    out = []
    for number, endpoint in enumerate(endpoints):
        end = Scratch(stack.enter_context(connected(endpoint, args.timeout)), journal)
        if not args.local:
            if not args.allow_nonempty:
                end.must_be_scratch(replica=number == 1)
            stack.callback(end.put_back)
        out.append(end)
    return out[0], out[1]


def _restore(args: argparse.Namespace, journal: Journal) -> None:
    with ExitStack() as stack:
        args.allow_nonempty = True
        names = {end.name for end in _ends(args, journal, stack)}
    left = sorted(set(journal.servers) - names)
    if left:
        message = f"{args.restore} is about {', '.join(left)} too: name these servers"
        raise UsageError(message)


def _prove(args: argparse.Namespace, ends: tuple[Scratch, Scratch]) -> Certificate:
    from schemacheck import engine
    from schemacheck.prove import prove
    from schemacheck.prove.experiment import DATABASE

    config = linking.configuration(args)
    wanted = linking.wanted(args, config)
    args.database = args.database or DATABASE
    schemas = (
        reading.read(args.source, "source", args, ends[0].server),
        reading.read(args.replica, "replica", args, ends[1].server),
    )
    settings = {
        name: value for side in ("source", "replica") for name, value in wanted.settings_of(side).items()
    }
    link = _link(ends, wanted, settings)
    report = engine.check(
        schemas[0].tables, schemas[1].tables, link, (*schemas[0].problems, *schemas[1].problems)
    )
    return prove(report, _bare(schemas), ends, settings)


def _link(ends: tuple[Scratch, Scratch], wanted: linking.Wanted, settings: dict[str, str]) -> Link:
    """The link between the two servers as they are, with the settings of the run."""
    from schemacheck.model import Link

    source, replica = (
        end.server.with_settings(wanted.settings_of(side))
        for end, side in zip(ends, ("source", "replica"), strict=True)
    )
    if "slave_type_conversions" not in settings:
        replica = replica.with_settings({"slave_type_conversions": ""})
    return linking.of_kind(Link(source, replica), wanted)


def _bare(schemas: tuple[Schema, Schema]) -> tuple[Schema, Schema]:
    """Base tables alone: the others take no part in a channel's rows."""
    first, second = (
        replace(schema, tables=tuple(t for t in schema.tables if t.kind.value == "table"))
        for schema in schemas
    )
    return first, second


def _page(found: Certificate) -> str:
    """The certificate as text."""
    from schemacheck.model.quantity import plural
    from schemacheck.printable import one_line

    document = found.document
    versions = f"source {document['source']['version']}, replica {document['replica']['version']}"
    lines = [f"{versions}: {plural(found.asked, 'case')} asked"]
    for proof in found.proofs:
        finding = proof.finding
        said = f"{finding.code} {finding.effect.value} {finding.subject}: {' '.join(finding.message.split())}"
        lines.append(f"  {proof.outcome:12} {one_line(said)}")
    for answer in found.answers:
        if answer.verdict == "agreed":
            continue
        lines.append(f"{answer.verdict}: {one_line(answer.pair.name)}: {one_line(answer.why)}")
        if answer.record is not None and answer.verdict == "differs":
            lines += [f"    | {one_line(statement)}" for statement in answer.record["source_sql"]]
    lines.append(
        ("everything that was asked happened as it is said" if found.agreement else "SOMETHING DIFFERS")
        + f"; sha256 {document['sha256']}"
    )
    return "\n".join(lines) + "\n"
