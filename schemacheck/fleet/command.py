"""`schemacheck fleet`: options, and what is printed. Decides nothing."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from pathlib import Path

from schemacheck.text.printable import one_line

HELP = "check a whole fleet from information_schema snapshots, on Spark"

EPILOG = """\
examples:
  schemacheck fleet fleet.yaml --out run
  schemacheck fleet fleet.yaml /snapshots/2026-11-21 --out run --previous runs/2026-11-20 --fail-on stops
  schemacheck fleet what-if fleet.yaml --replica-version mysql-8.4.9 --of cluster=orders --out what-if
  schemacheck fleet upgrade fleet.yaml --to mysql-8.4.9 --out plan.json
  schemacheck fleet --make-zip schemacheck-fleet.zip

exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or unreadable input,
3 only unknowns stand in the way. docs/fleet.md describes inputs and outputs.
"""


#: How the command is used, and the words in TOPOLOGY's place.
_USAGES = (
    "[OPTION]... TOPOLOGY [SNAPSHOTS...]",
    "what-if TOPOLOGY [SNAPSHOTS...] [--replica-version SERVER] [--set NAME=VALUE]...",
    "upgrade TOPOLOGY [SNAPSHOTS...] --to SERVER [--out PLAN.json]",
    "diff RUN RUN",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the sub-command."""
    from schemacheck.model import Effect

    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = "\n       ".join(f"{parser.prog} {usage}" for usage in _USAGES)
    add, effects = parser.add_argument, [effect.value for effect in Effect]
    add(
        "topology",
        nargs="?",
        type=Path,
        metavar="TOPOLOGY",
        help="links of the fleet: fleet.yaml, or a table links.csv / .tsv / .parquet",
    )
    add(
        "snapshots",
        nargs="*",
        metavar="SNAPSHOTS",
        help="folders, globs or URLs of snapshots (default: what the topology names)",
    )
    add(
        "-o",
        "--out",
        metavar="PLACE",
        help="where the results go: a folder of this machine or a URL (default: fleet-report)",
    )
    add(
        "--fail-on",
        choices=effects,
        default="unsupported",
        metavar="EFFECT",
        help=f"fail from this effect on: {', '.join(effects)} (default: unsupported)",
    )
    add("--exit-zero", action="store_true", help="return 0 whatever is found (2 stays 2)")
    add(
        "--previous",
        metavar="RUN",
        help="an earlier run's folder or URL: list new, fixed, worse and better findings",
    )
    add(
        "--evidence",
        action="append",
        default=[],
        metavar="PROFILE",
        help="does it bite? INSTANCE.json, or a folder",
    )
    add("--only-biting", action="store_true", help="what bites nothing today does not fail the run")
    add("--cluster", metavar="NAME", help="let the exit status speak of this cluster only")
    add("--prometheus", type=Path, metavar="FILE", help="write the figures in Prometheus' text format")
    add("--webhook", metavar="URL", help="POST the figures and what is new or worse as JSON")
    add("--run-id", metavar="ID", help="what names the run in every row (default: time and chance)")
    add(
        "--snapshot-date",
        type=dt.date.fromisoformat,
        metavar="DATE",
        help="the day that the snapshots are of, YYYY-MM-DD (default: today)",
    )
    add = parser.add_argument_group("where it runs").add_argument
    add(
        "--engine",
        choices=("auto", "spark", "sail"),
        default="auto",
        help="embedded engine: Apache Spark, or Sail (no JVM); auto takes Sail where it is installed",
    )
    add("--master", metavar="URL", help="run on this Spark cluster (spark://..., yarn, k8s://..., local[N])")
    add("--remote", metavar="URL", help="run through Spark Connect (sc://host:port)")
    add("--memory", default="2g", metavar="SIZE", help="heap of the embedded JVM or driver (default: 2g)")
    add("--cores", type=_count, metavar="N", help="cores of the embedded engine (default: all)")
    add(
        "--conf",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of Spark, as spark-submit takes it; may be repeated",
    )
    add(
        "--archive",
        type=Path,
        metavar="ZIP",
        help="send this archive (of --make-zip) to workers that do not have schemacheck",
    )
    add(
        "--make-zip",
        type=Path,
        metavar="ZIP",
        help="write schemacheck as one archive for spark-submit, and end",
    )
    add = parser.add_argument_group("what-if TOPOLOGY: the same job, asked about something else").add_argument
    add("--replica-version", metavar="SERVER", help="replicas at this version, as mysql-8.4.9")
    add(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the links; may be repeated",
    )
    add(
        "--of",
        action="append",
        default=[],
        metavar="KIND=NAME",
        help="of these links only: cluster=, replica=, source=; may be repeated",
    )
    add("--to", metavar="SERVER", help="upgrade: to this version, in waves")
    parser.add_argument("--timings", action="store_true", help="say where the seconds went")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def _count(text: str) -> int:
    """A number that is not negative."""
    result = int(text)
    if result < 0:
        raise ValueError
    return result


def run(args: argparse.Namespace) -> int:
    """Run the job, print ten lines, return the exit status."""
    from schemacheck.errors import DEFECT, DEFECTS, UsageError
    from schemacheck.fleet import alerts, archive, summary, timings
    from schemacheck.fleet.progress import Progress
    from schemacheck.fleet.run import Options
    from schemacheck.fleet.run import run as run_fleet
    from schemacheck.fleet.whatif import WhatIf
    from schemacheck.model import Effect
    from schemacheck.system import alert

    if args.make_zip:
        archive.make(args.make_zip)
        sys.stdout.write(f"{args.make_zip}: run it with spark-submit, see docs/fleet.md\n")
        return 0
    if args.topology is None:
        raise UsageError("TOPOLOGY is missing: the file that names the fleet's links")
    if str(args.topology) == "diff":
        return _diff(args)
    if str(args.topology) == "upgrade":
        return _upgrade(args)
    what_if = None
    if str(args.topology) == "what-if":
        what_if = WhatIf.of_words(args.replica_version, args.set, args.of)
        args.topology = Path(args.snapshots.pop(0)) if args.snapshots else None
        if args.topology is None:
            raise UsageError("what-if TOPOLOGY: the file that names the fleet's links is missing")
    elif args.replica_version or args.set or args.of or args.to:
        raise UsageError(
            "--replica-version, --set and --of belong to: schemacheck fleet what-if TOPOLOGY; --to: upgrade"
        )
    if args.only_biting and not args.evidence:
        raise UsageError("--only-biting needs --evidence: without it nothing is known to bite or not")
    if args.webhook:
        alert.checked(args.webhook)
    args.out = args.out or "fleet-report"
    options = Options(
        args.topology, args.out, tuple(args.snapshots), args.engine, args.master, args.remote, args.previous,
        args.memory, args.cores,
        what_if, args.archive, _conf(args), args.run_id, args.snapshot_date, args.cluster,
        args.evidence,
    )  # fmt: skip
    progress = Progress(wanted=not args.quiet)
    try:
        made = run_fleet(options, progress.say)
    finally:
        progress.end()
    # Other processes decide the pairs: what they leave undecided for a defect is told by its reason.
    DEFECTS.extend(cause["message"] for cause in made["causes"] if DEFECT in cause["message"])
    shown = [] if args.quiet else summary.lines(made, str(args.out))
    shown += timings.lines(made["timings"]) if args.timings else []
    sys.stdout.write("".join(f"{one_line(line)}\n" for line in shown))
    fail_on = Effect(args.fail_on)
    judged = summary.only_biting(made) if args.only_biting else made
    each, status = summary.statuses(judged, fail_on), summary.exit_status(judged, fail_on)
    if args.prometheus:
        _write(args.prometheus, alerts.prometheus(made, each))
    if args.webhook:
        alert.post(args.webhook, alerts.message(made, status, each, made["changes"], str(args.out)))
    if args.exit_zero:
        return 0
    return status if args.cluster is None else each[args.cluster]


def _diff(args: argparse.Namespace) -> int:
    """Compare two finished runs."""
    from schemacheck.errors import UsageError
    from schemacheck.fleet import diff, session
    from schemacheck.model import Effect

    if len(args.snapshots) != 2:
        raise UsageError("diff RUN RUN: two finished runs, the earlier one first")
    engine = session.start(args.engine, master=args.master, remote=args.remote, size=1, conf=_conf(args))
    try:
        counts, result = diff.rows(engine, *args.snapshots)
    finally:
        engine.stop()
    sys.stdout.write("".join(f"{one_line(line)}\n" for line in diff.lines(counts, result)))
    return int(diff.is_worse(result, Effect(args.fail_on)) and not args.exit_zero)


def _upgrade(args: argparse.Namespace) -> int:
    """Print the plan of an upgrade."""
    from schemacheck.errors import UsageError
    from schemacheck.fleet import upgrade
    from schemacheck.fleet.progress import Progress
    from schemacheck.fleet.run import Options
    from schemacheck.model import Effect, Server

    if args.to is None or not args.snapshots:
        raise UsageError("upgrade TOPOLOGY --to SERVER: the topology, and the version to come to")
    options = Options(
        Path(args.snapshots[0]), "", tuple(args.snapshots[1:]), args.engine, args.master, args.remote, None,
        args.memory, args.cores, archive=args.archive, conf=_conf(args),
    )  # fmt: skip
    progress = Progress(wanted=not args.quiet)
    try:
        made = upgrade.plan(options, Server.parse(args.to), Effect(args.fail_on), progress.say)
    finally:
        progress.end()
    sys.stdout.write("".join(f"{one_line(line)}\n" for line in upgrade.lines(made)))
    if args.out:
        _write(args.out, json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    return 0 if args.exit_zero else upgrade.status(made)


def _write(path: str | Path, text: str) -> None:
    """Write a file. Raises UsageError."""
    from schemacheck.errors import UsageError
    from schemacheck.system import whole_file

    try:
        whole_file.write(path, text.encode())
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None


def _conf(args: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Settings of Spark from --conf. Raises UsageError."""
    from schemacheck.errors import UsageError

    result = []
    for text in args.conf:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--conf takes NAME=VALUE, not {text!r}")
        result.append((name, value))
    return tuple(result)


def main() -> int:
    """The entry of the archive: `spark-submit schemacheck-fleet.zip ...`."""
    from schemacheck.errors import DEFECTS, SchemacheckError

    parser = argparse.ArgumentParser(prog="schemacheck fleet", description=HELP)
    add_arguments(parser)
    try:
        status = run(parser.parse_args())
        sys.stderr.write("".join(f"schemacheck: internal error: {one_line(each)}\n" for each in DEFECTS[:3]))
    except SchemacheckError as error:
        sys.stderr.write(one_line(f"schemacheck: error: {error}") + "\n")
        return error.exit_status
    return 4 if DEFECTS else status
