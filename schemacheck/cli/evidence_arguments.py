"""--evidence and --only-biting: profiles that say which findings bite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.model import Report
    from schemacheck.profile.document import Profile


def add(group: argparse._ArgumentGroup | argparse.ArgumentParser, *, gate: bool = True) -> None:
    """Add --evidence and, where there is a gate, --only-biting."""
    group.add_argument(
        "--evidence",
        action="append",
        default=[],
        metavar="PROFILE",
        help="say of each finding whether it bites: a profile of `schemacheck profile`, or "
        "mysql://user@host, of which one is taken now; may be repeated",
    )
    if gate:
        group.add_argument(
            "--only-biting",
            action="store_true",
            help="with --evidence: what nothing is there for today does not fail the check",
        )


def stated(args: argparse.Namespace, report: Report) -> Report:
    """The report with what the evidence says of its findings. Raises UsageError, InputError."""
    only_biting = getattr(args, "only_biting", False)
    if not args.evidence:
        if only_biting:
            raise UsageError("--only-biting needs --evidence: without it nothing is known to bite or not")
        return report
    from schemacheck.evidence.decide import with_evidence

    return with_evidence(report, profiles(args), only_biting=only_biting)


def profiles(args: argparse.Namespace) -> list[Profile]:
    """Every profile that is named."""
    from schemacheck.inputs import is_dsn
    from schemacheck.profile.reader import load

    return [load(name) for name in args.evidence if not is_dsn(name)]
