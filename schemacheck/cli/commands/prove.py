"""Show what a check says on two real servers that may be lost.

Reads both sides like `check`, makes their tables on two scratch servers, runs rows and statements that show
each finding through a real channel, and holds what happens against what is said: the error, or the values on
both ends. The versions are those of the servers. The outcome is a certificate (--format json): versions,
settings, statements, rows before and after, whether all agrees, and a hash. What differs is a defect of
schemacheck; the certificate is the report of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import (
    asking,
    link_arguments,
    linking,
    live_access,
    output_arguments,
    reading,
    scratch_servers,
)
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError
from schemacheck.model.quantity import plural
from schemacheck.text.printable import as_json, one_line

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.asking import Asking
    from schemacheck.config.model import Config
    from schemacheck.model import Link, Schema, Server
    from schemacheck.prove import Certificate
    from schemacheck.prove.scratch import Scratch

USAGE = "[OPTION]... SOURCE REPLICA"

OPTIONS = """
SOURCE     the source's definitions: SQL, or mysql://user@host/db
REPLICA    the replica's definitions, likewise
"""
OUTPUT = """
-o, --output FILE  write the certificate here
"""
EPILOG = """\
exit status:
  0  everything that was asked happened as it is said
  1  something differs: a defect of schemacheck
  2  wrong usage, or a server that cannot be used
  3  nothing could be asked of some pair, or some input was not understood

examples:
  schemacheck prove source.sql replica.sql --local
  schemacheck prove source.sql replica.sql --source-server mysql://root@127.0.0.1:3307/ \\
    --replica-server mysql://root@127.0.0.1:3308/ --type-conversions ALL_NON_LOSSY --format json -o proof.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Both sides, the servers, and how the certificate is written."""
    declare(parser, OPTIONS + asking.OPTIONS)
    scratch_servers.add(parser)
    link_arguments.add(parser)
    reading.add_arguments(parser)
    declare(parser.add_argument_group("output"), output_arguments.PLAIN_FORMAT + OUTPUT)


def run(args: argparse.Namespace) -> int:
    """Ask, print, return the exit status."""
    scratch_servers.check(args)
    config = linking.configuration(args)
    with scratch_servers.ends(args) as ends, asking.asking(args, config) as answers:
        certificate = _prove(args, config, ends, answers)
    text = (
        as_json(certificate.document) if output_arguments.plain_format(args) == "json" else _page(certificate)
    )
    output_arguments.write(text, args.output)
    if not certificate.agreement:
        return 1
    if certificate.document["unread"]:
        return 3
    asked = {id(answer.pair) for answer in certificate.answers if answer.verdict != "not asked"}
    return 3 if not asked or any(id(answer.pair) not in asked for answer in certificate.answers) else 0


def _prove(
    args: argparse.Namespace, config: Config | None, ends: tuple[Scratch, Scratch], answers: Asking
) -> Certificate:
    from schemacheck import engine
    from schemacheck.prove import prove
    from schemacheck.prove.experiment import DATABASE

    wanted = linking.wanted(args, config)
    args.database = args.database or DATABASE

    def read() -> tuple[Schema, Schema]:
        return (_read(args, "source", ends[0].server), _read(args, "replica", ends[1].server))

    schemas = answers.decided(read)
    settings = {
        name: value for side in ("source", "replica") for name, value in wanted.settings_of(side).items()
    }
    link = _link(ends, wanted, settings)
    report = engine.check(
        schemas[0].tables, schemas[1].tables, link, schemas[0].problems, schemas[1].problems
    )
    return prove(report, schemas, ends, settings)


def _read(args: argparse.Namespace, side: str, server: Server) -> Schema:
    """The definitions of a side, to be made on a scratch server: those of a live server as it prints them."""
    from schemacheck.inputs import is_dsn, live, read_schema
    from schemacheck.inputs.endpoint import Endpoint

    place = getattr(args, side)
    if not is_dsn(place):
        return reading.read(place, side, args, server)
    endpoint = Endpoint.parse(place, live_access.access(args, side))
    of, text = live.script(endpoint, seconds=args.timeout)
    if of.profile.name != server.profile.name:
        raise UsageError(
            f"{endpoint.name} is {of}, the scratch server {server}: give one of its version (--local-server)"
        )
    return read_schema({f"{endpoint.name}.sql": text.encode()}, endpoint.name, server=server)


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


def _page(certificate: Certificate) -> str:
    document = certificate.document
    versions = f"source {document['source']['version']}, replica {document['replica']['version']}"
    lines = [f"{versions}: {plural(certificate.asked, 'case')} asked"]
    for proof in certificate.proofs:
        finding = proof.finding
        text = f"{finding.code} {finding.effect.value} {finding.subject}: {' '.join(finding.message.split())}"
        lines.append(f"  {proof.outcome:12} {one_line(text)}")
    lines += [f"assumed: {one_line(item)}" for item in document["assumptions"]]
    lines += [f"not understood: {one_line(item)}" for item in document["unread"]]
    for answer in certificate.answers:
        if answer.verdict == "agreed":
            continue
        lines.append(f"{answer.verdict}: {one_line(answer.pair.name)}: {one_line(answer.why)}")
        if answer.record is not None and answer.verdict == "differs":
            lines += [f"    | {one_line(statement)}" for statement in answer.record["source_sql"]]
    lines.append(
        (
            "SOMETHING DIFFERS"
            if not certificate.agreement
            else "the servers did all that was said"
            if certificate.asked
            else "nothing could be asked, so nothing is shown"
        )
        + f"; sha256 {document['sha256']}"
    )
    return "\n".join(lines) + "\n"
