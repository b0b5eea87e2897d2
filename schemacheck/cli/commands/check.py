"""Check whether a replica keeps replicating from a source.

Reads the definitions of both sides, pairs their tables, and says for each pair what
the replica will do with the source's changes: nothing differs, every value arrives,
values change without an error, or the applier stops, with which error. The last line
sums it up and names the smallest slave_type_conversions that keeps everything running.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from schemacheck.cli import asking, checking, evidence_arguments, linking, output_arguments
from schemacheck.cli.options import declare
from schemacheck.cli.streams import complain
from schemacheck.dataclass import replace
from schemacheck.text.printable import one_line

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.output_arguments import Target
    from schemacheck.model import Report

USAGE = "[OPTION]... SOURCE REPLICA"

OPTIONS = """
--all-links  check every link of the configuration, one after the other
--exit-zero  return 0 whatever is found (2 stays 2)
"""
EPILOG = """\
effects, harmless first:
  identical     nothing differs that replication can see
  compatible    differs; every value arrives unchanged
  incomplete    applies; a source column has no counterpart on the replica, its values do not arrive
  lossy         applies; a conversion that the replica's setting permits may truncate or round
  unsupported   the manual forbids it, or some rows stop the applier; else the server carries on
  diverges      applies without any error, and the replica holds other values than the source
  stops         the applier stops; the error is given
  unknown       could not be read or decided; never a pass

exit status:
  0  nothing at or above --fail-on that is not tolerated
  1  findings
  2  wrong usage, or input that cannot be read
  3  only unknowns stand in the way

suppressions in the SQL (at the line's end, or on the line before):
  -- schemacheck: ignore[SC204] the reason
  -- schemacheck: ignore-file[SC204] the reason

examples:
  schemacheck check schema/old.sql schema/new.sql --source-version 8.0.36
  mysqldump --no-data shop | schemacheck check - replica.sql --replica-version mariadb-10.11
  schemacheck check old/ new/ --type-conversions ALL_NON_LOSSY --format text --format sarif=out.sarif
  schemacheck check --against origin/main schema/     # the base branch's definitions, and the change's

more examples:
  schemacheck check --all-links --format text --format json=report-{link}.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the check, and how it is reported."""
    checking.add_arguments(parser)
    declare(parser, OPTIONS)
    output_arguments.add(parser)


def run(args: argparse.Namespace) -> int:
    """Check, print, return the exit status: the worst of all links, 1 before 3 before 0."""
    from schemacheck.engine.gate import FOUND, PASSED, UNDECIDED, exit_status

    config = linking.configuration(args)
    names = linking.chosen(args, config)
    targets = output_arguments.targets(args, config.format.value if config and config.format else None)
    output_arguments.several(targets, len(names))
    result = set()
    with asking.asking(args, config) as answers:
        for name in names:
            report = answers.decided(partial(checking.report, _with_link(args, name), config))
            report = evidence_arguments.stated(args, report)
            report = replace(report, assumptions=(*report.assumptions, *answers.said))
            result.add(exit_status(report))
            for target in targets:
                _write(report, target.of_link(name), args, f"link {name}" if len(names) > 1 else None)
    # An upgrade is checked with one file on both sides.
    upgrade = report.link.source.version != report.link.replica.version
    if args.source and args.source == args.replica and not (args.change or upgrade):
        complain("note: both sides are the same file")
    status = next((number for number in (FOUND, UNDECIDED) if number in result), PASSED)
    return PASSED if args.exit_zero else status


def _with_link(args: argparse.Namespace, name: str | None) -> argparse.Namespace:
    import argparse as parsing

    return args if name is None else parsing.Namespace(**{**vars(args), "link": [name]})


def _write(report: Report, target: Target, args: argparse.Namespace, heading: str | None) -> None:
    from schemacheck import outputs
    from schemacheck.engine.gate import with_sound

    style = output_arguments.style(args, to_file=target.file is not None)
    text = with_sound(report, lambda sound: outputs.render(sound, target.format, style))
    if heading and target.file is None and target.format == "text":
        text = f"{style.bold(one_line(heading))}\n\n{text}\n"
    output_arguments.write(text, target.file)
    if target.file is not None and not args.quiet:
        # Whoever sits there wants to know how it went.
        sentence = f"{target.file}: {target.format}; {outputs.summary(report)}"
        output_arguments.note(f"{heading}: {sentence}" if heading else sentence)
