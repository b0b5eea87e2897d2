"""A report shown on two real servers, and what is printed of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from schemacheck.cli import linking, output_arguments, scratch_servers
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.config.model import Config
    from schemacheck.model import Report, Schema
    from schemacheck.prove import Certificate
    from schemacheck.prove.scratch import Scratch


def add(parser: argparse.ArgumentParser) -> None:
    """Add --prove and the servers for it to a command that checks."""
    group = parser.add_argument_group("proof")
    group.add_argument(
        "--prove",
        metavar="FILE",
        help="show every finding on two scratch servers of the link's versions; the certificate goes here",
    )
    scratch_servers.add(parser, group)


def checked(args: argparse.Namespace, links: int) -> None:
    """Raise UsageError, before anything is read, where --prove cannot do what it is asked for, or is not
    given and its options are.
    """
    if not args.prove:
        scratch_servers.unused(args, "--prove")
        return
    if links > 1:
        raise UsageError("--prove asks the servers of one link: choose it with --link NAME")
    scratch_servers.check(args)


def prove(args: argparse.Namespace, config: Config | None, report: Report) -> Certificate:
    """Ask the scratch servers about a report, and write the certificate. Raises UsageError for servers of
    other versions than the report is about.
    """
    from schemacheck.prove import prove as ask

    wanted = linking.wanted(args, config)
    settings = {
        name: value for side in ("source", "replica") for name, value in wanted.settings_of(side).items()
    }
    with scratch_servers.ends(args) as ends:
        _same_versions(report, ends)
        found = ask(report, _sides(report), ends, settings)
    output_arguments.write(json.dumps(found.document, indent=2, ensure_ascii=False) + "\n", args.prove)
    return found


def _same_versions(report: Report, ends: tuple[Scratch, Scratch]) -> None:
    for role, end in zip(("source", "replica"), ends, strict=True):
        said = getattr(report.link, role)
        if said.profile.name != end.server.profile.name:
            message = (
                f"the report is about {said} as {role}, the scratch server is {end.server}: "
                f"give --{role}-version, or another server"
            )
            raise UsageError(message)


def _sides(report: Report) -> tuple[Schema, Schema]:
    """The tables and views of the report's pairs."""
    from schemacheck.model import Schema

    both = [(pair.source, pair.replica) for pair in report.pairs]
    source, replica = (
        Schema(tuple(one for pair in both if (one := pair[side]) is not None)) for side in (0, 1)
    )
    return source, replica


def page(found: Certificate) -> str:
    """The certificate as text."""
    from schemacheck.model.quantity import plural
    from schemacheck.text.printable import one_line

    document = found.document
    versions = f"source {document['source']['version']}, replica {document['replica']['version']}"
    lines = [f"{versions}: {plural(found.asked, 'case')} asked"]
    for proof in found.proofs:
        finding = proof.finding
        said = f"{finding.code} {finding.effect.value} {finding.subject}: {' '.join(finding.message.split())}"
        lines.append(f"  {proof.outcome:12} {one_line(said)}")
    lines += [f"assumed: {one_line(one)}" for one in document["assumptions"]]
    lines += [f"not understood: {one_line(one)}" for one in document["unread"]]
    for answer in found.answers:
        if answer.verdict == "agreed":
            continue
        lines.append(f"{answer.verdict}: {one_line(answer.pair.name)}: {one_line(answer.why)}")
        if answer.record is not None and answer.verdict == "differs":
            lines += [f"    | {one_line(statement)}" for statement in answer.record["source_sql"]]
    lines.append(
        ("the servers did all that was said" if found.agreement else "SOMETHING DIFFERS")
        + f"; sha256 {document['sha256']}"
    )
    return "\n".join(lines) + "\n"
