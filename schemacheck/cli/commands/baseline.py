"""Write or show a baseline: findings that were there before and do not count.

`baseline write` runs the same check as `schemacheck check` and records what it finds;
afterwards `check --baseline FILE` counts only what is new, and says what is fixed.
`baseline show` prints the recorded findings. What is unknown never enters a baseline.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from schemacheck.cli import asking, checking, linking, output_arguments
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError
from schemacheck.text.printable import one_line

if TYPE_CHECKING:
    import argparse

DEFAULT_FILE = "schemacheck-baseline.json"

USAGE = "(write [OPTION]... SOURCE REPLICA | show [--baseline FILE])"

OPTIONS = """
action: {write,show}  what to do
"""
EPILOG = """\
exit status:
  0  written, or shown
  2  wrong usage, or input that cannot be read

example:
  schemacheck baseline write old/ new/ --source-version 8.0.36
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action, then the options of `check`."""
    declare(parser, OPTIONS)
    checking.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Write or show."""
    from schemacheck.model import Effect
    from schemacheck.model.quantity import plural
    from schemacheck.policy import baseline
    from schemacheck.system import git

    config = linking.configuration(args)
    file = checking.baseline_file(args, config) or DEFAULT_FILE
    if args.action == "show":
        if args.source or args.replica:
            raise UsageError("baseline show takes no input; name the file with --baseline")
        entries = baseline.load(file)
        lines = [one_line(f"{k.effect}[{k.code}] {k.subject}: {k.message}") + "\n" for k in entries]
        output_arguments.write("".join([*lines, f"{file}: {len(entries)} known findings\n"]), None)
        return 0
    if git.is_located(file):
        raise UsageError(f"{file}: a commit cannot be written to; name a file with --baseline")
    with asking.asking(args, config) as answers:
        report = answers.decided(lambda: checking.report(args, config, with_baseline=False))
    collect = baseline.collect(report)
    output_arguments.spare_inputs(file, args, but="baseline")
    output_arguments.write(baseline.dump(collect), file)
    unknown = sum(f.effect is Effect.UNKNOWN for f in report.findings) + sum(
        not p.skipped for p in report.problems
    )
    note = f"; {unknown} unknown are not in it: they still count" if unknown else ""
    print(one_line(f"{file}: {plural(len(collect), 'finding')} written{note}"), file=sys.stderr)  # noqa: T201
    return 0
