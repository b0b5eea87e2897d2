"""--evidence and --only-biting: profiles that say which findings bite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import live_access
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from schemacheck.model import Finding, Link, Report, Table
    from schemacheck.profile.document import Profile


OPTIONS = """
--evidence PROFILE ...  say of each finding whether it bites: a profile of `schemacheck profile`, or
                        mysql://user@host, of which one is taken now; may be repeated
"""
#: Of commands with a gate.
GATE = """
--only-biting  with --evidence: what nothing is there for today does not fail the check
"""


def stated(args: argparse.Namespace, report: Report) -> Report:
    """The report with what the evidence says of its findings. Raises UsageError, InputError."""
    only_biting = getattr(args, "only_biting", False)
    if not args.evidence:
        if only_biting:
            raise UsageError("--only-biting needs --evidence: without it nothing is known to bite or not")
        return report
    from schemacheck.evidence.decide import with_evidence

    return with_evidence(report, _profiles(args, report), only_biting=only_biting)


def of_findings(
    args: argparse.Namespace,
    findings: tuple[Finding, ...],
    ours: Sequence[Table],
    theirs: Sequence[Table],
    link: Link,
) -> tuple[Finding, ...]:
    """Findings about one table of both ends with their state."""
    from schemacheck.model import PairReport, PairState, Report

    if not args.evidence or not findings:
        return findings
    place = findings[0].database, findings[0].table
    source, replica = (
        next((t for t in tables if (t.database, t.name) == place), None) for tables in (ours, theirs)
    )
    pair = PairReport(*place, PairState.COMPARED, findings, source=source, replica=replica)
    return stated(args, Report(link, (pair,))).pairs[0].findings


def _profiles(args: argparse.Namespace, report: Report) -> list[Profile]:
    """Every named profile; of a server one is taken, of what the report is about."""
    from schemacheck.inputs import is_dsn
    from schemacheck.profile.reader import load

    return [_taken(name, args, report) if is_dsn(name) else load(name) for name in args.evidence]


def _taken(dsn: str, args: argparse.Namespace, report: Report) -> Profile:
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.outputs._document import document
    from schemacheck.profile.data import Options, take
    from schemacheck.profile.wanted import of_document

    how = live_access.access(args, "source")
    databases = {pair.source.database for pair in report.pairs if pair.source and pair.source.database}
    options = Options(tuple(sorted(databases)), of_document(document(report)), seconds=how.seconds)
    return take(Endpoint.parse(dsn, how), options)
