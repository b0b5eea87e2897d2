"""Check whether a replica keeps replicating from a source.

Reads the definitions of both sides, pairs their tables, and says for each pair what
the replica will do with the source's changes: nothing differs, every value arrives,
values change without an error, or the applier stops, with which error. The last line
sums it up and names the smallest slave_type_conversions that keeps everything running.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import checking, linking, output_arguments

if TYPE_CHECKING:
    import argparse

USAGE = "[OPTION]... SOURCE REPLICA"

EPILOG = """\
effects, harmless first:
  identical     nothing differs that replication can see
  compatible    differs; every value arrives unchanged
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
  schemacheck check old/ new/ --type-conversions ALL_NON_LOSSY --format sarif -o out.sarif
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the check, and how it is reported."""
    checking.add_arguments(parser)
    parser.add_argument("--exit-zero", action="store_true", help="return 0 whatever is found (2 stays 2)")
    output_arguments.add(parser)


def run(args: argparse.Namespace) -> int:
    """Check, print, return the exit status."""
    from schemacheck import outputs
    from schemacheck.gate import exit_status

    config = linking.configuration(args)
    report = checking.report(args, config)
    name = args.format or output_arguments.format_of(args.output)
    name = name or (config.format.value if config and config.format else "text")
    output_arguments.write(outputs.render(report, name, output_arguments.style(args)), args.output)
    if args.output not in (None, "-") and not args.quiet:
        # Whoever sits there wants to know how it went.
        output_arguments.note(f"{args.output}: {name}; {outputs.summary(report)}")
    return 0 if args.exit_zero else exit_status(report)
