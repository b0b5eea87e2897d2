"""Check a whole fleet from information_schema snapshots, on Spark.

It needs the fleet extra: pip install 'schemacheck[fleet]'. `fleet what-if`, `fleet upgrade` and `fleet diff`
have help of their own.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from schemacheck.cli.options import declare
from schemacheck.cli.progress import Progress
from schemacheck.text.printable import one_line

WORDS = {
    "what-if": "Check a fleet as it would be with replicas at another version, or with other settings.",
    "upgrade": "Say in which order a fleet's servers are upgraded, and which tables are in the way.",
    "diff": "Say what is new, fixed, worse or better in the second of two finished runs.",
}
EPILOG = """\
examples:
  schemacheck fleet fleet.yaml --out run
  schemacheck fleet fleet.yaml /snapshots/2026-11-21 --out run --previous runs/2026-11-20 --fail-on stops
  schemacheck fleet what-if fleet.yaml --replica-version mysql-8.4.9 --of cluster=orders --out what-if
  schemacheck fleet upgrade fleet.yaml --to mysql-8.4.9 --out plan.json
  schemacheck fleet diff runs/2026-11-20 runs/2026-11-21
  schemacheck fleet --make-zip schemacheck-fleet.zip

exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or unreadable input,
3 only unknowns stand in the way. docs/fleet.md describes inputs and outputs.
"""
_INPUTS = """
{topology}       links of the fleet: fleet.yaml, or a table links.csv / .tsv / .parquet
[SNAPSHOTS ...]  folders, globs or URLs of snapshots (default: what the topology names)
"""
_RUNS = """
BEFORE  the earlier of two finished runs: its folder or URL
NOW     the later one
"""
_JUDGED = """
--fail-on EFFECT=unsupported  fail from this effect on
--exit-zero                   return 0 whatever is found (2 stays 2)
-q, --quiet                   no progress, no summary
"""
_RESULTS = """
-o, --out PLACE         where the results go: a folder of this machine or a URL (default: fleet-report)
--previous RUN          an earlier run's folder or URL: list new, fixed, worse and better findings
--evidence PROFILE ...  does it bite? INSTANCE.json, or a folder
--only-biting           what bites nothing today does not fail the run
--cluster NAME          let the exit status speak of this cluster only
--prometheus FILE       write the figures in Prometheus' text format
--webhook URL           POST the figures and what is new or worse as JSON
--run-id ID             what names the run in every row (default: time and chance)
--snapshot-date DATE    the day that the snapshots are of, YYYY-MM-DD (default: today)
--timings               say where the seconds went
"""
_ENGINE = """
--engine {auto,spark,sail}=auto  embedded engine: Apache Spark, or Sail (no JVM)
--master URL            run on this Spark cluster (spark://..., yarn, k8s://..., local[N])
--remote URL            run through Spark Connect (sc://host:port)
--memory SIZE=2g        heap of the embedded JVM or driver
--cores N               cores of the embedded engine (default: all)
--conf NAME=VALUE ...   a setting of Spark, as spark-submit takes it; may be repeated
--archive ZIP           send this archive (of --make-zip) to workers that do not have schemacheck
"""
_ZIP = """
--make-zip ZIP  write schemacheck as one archive for spark-submit, and end
"""
_WHAT_IF = """
--replica-version SERVER  replicas at this version, as mysql-8.4.9
--set NAME=VALUE ...      a setting of the links; may be repeated
--of KIND=NAME ...        of these links only: cluster=, replica=, source=; may be repeated
"""
_UPGRADE = """
--to SERVER      to this version, as mysql-8.4.9
-o, --out FILE   write the plan as JSON
"""


def add_arguments(parser: argparse.ArgumentParser, word: str = "") -> None:
    """The options of the command, or of one of its words."""
    topology = _INPUTS.format(topology="TOPOLOGY" if word else "[TOPOLOGY]")
    tables = {
        "": (topology, _RESULTS, _JUDGED, _ENGINE, _ZIP),
        "what-if": (topology, _WHAT_IF, _RESULTS, _JUDGED, _ENGINE),
        "upgrade": (topology, _UPGRADE, _JUDGED, _ENGINE),
        "diff": (_RUNS, _JUDGED, _ENGINE),
    }
    for table in tables[word]:
        declare(parser, table)
    parser.set_defaults(word=word)


def run(args: argparse.Namespace) -> int:
    """Run the job, print ten lines, return the exit status."""
    from schemacheck.errors import DEFECT, DEFECTS, UsageError
    from schemacheck.fleet import alerts, archive, summary, timings
    from schemacheck.fleet.job import Options
    from schemacheck.fleet.run import run as run_fleet
    from schemacheck.fleet.whatif import WhatIf
    from schemacheck.model import Effect
    from schemacheck.system import alert

    if args.word in _ALONE:
        return _ALONE[args.word](args)
    if not args.word and args.make_zip:
        archive.make(Path(args.make_zip))
        sys.stdout.write(f"{args.make_zip}: run it with spark-submit, see docs/fleet.md\n")
        return 0
    if args.topology is None:
        raise UsageError("TOPOLOGY is missing: the file that names the fleet's links")
    what_if = WhatIf.of_words(args.replica_version, args.set, args.of) if args.word else None
    if args.only_biting and not args.evidence:
        raise UsageError("--only-biting needs --evidence: without it nothing is known to bite or not")
    if args.webhook:
        alert.checked(args.webhook)
    args.out = args.out or "fleet-report"
    options = Options(
        Path(args.topology), args.out, tuple(args.snapshots), **_where(args), previous=args.previous,
        what_if=what_if, run_id=args.run_id, snapshot_date=args.snapshot_date, cluster=args.cluster,
        evidence=args.evidence,
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
    from schemacheck.fleet import diff, session
    from schemacheck.model import Effect

    engine = session.start(args.engine, master=args.master, remote=args.remote, size=1, conf=_conf(args))
    try:
        counts, result = diff.rows(engine, args.before, args.now)
    finally:
        engine.stop()
    sys.stdout.write("".join(f"{one_line(line)}\n" for line in diff.lines(counts, result)))
    return int(diff.is_worse(result, Effect(args.fail_on)) and not args.exit_zero)


def _upgrade(args: argparse.Namespace) -> int:
    """Print the plan of an upgrade."""
    from schemacheck.errors import UsageError
    from schemacheck.fleet import upgrade
    from schemacheck.fleet.job import Options
    from schemacheck.model import Effect, Server

    if args.to is None:
        raise UsageError("upgrade TOPOLOGY --to SERVER: the version to come to is missing")
    options = Options(Path(args.topology), "", tuple(args.snapshots), **_where(args))
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


def _where(args: argparse.Namespace) -> dict[str, Any]:
    """Where it runs."""
    names = ("engine", "master", "remote", "memory", "cores")
    archive = Path(args.archive) if args.archive else None
    return {name: getattr(args, name) for name in names} | {"archive": archive, "conf": _conf(args)}


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


_ALONE = {"diff": _diff, "upgrade": _upgrade}
