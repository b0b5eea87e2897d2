"""Measure what values a server's tables hold, or what its binary logs write.

A profile answers whether a finding happens to the data that is there: `check --evidence`
reads it. Take it from a replica of the source where there is one: every row is read once.
No value leaves the server but the bounds of numbers and moments (docs/evidence.md).
A run that ends early is taken up again by the same command.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import output_arguments, progress
from schemacheck.cli.options import declare
from schemacheck.cli.streams import complain
from schemacheck.errors import InputError, UsageError
from schemacheck.system import whole_file
from schemacheck.text.printable import one_line

if TYPE_CHECKING:
    import argparse

    from schemacheck.profile.document import Profile, ServerOf
    from schemacheck.profile.part import Part

#: Lines about what was left out.
_SHOWN = 20
USAGE = "(SOURCE | [SOURCE] --binlog FILE...) -o FILE [OPTION]..."

EPILOG = """\
exit status:
  0  everything was measured
  1  something was left out: the file says what and why
  2  wrong usage, or a server or log that cannot be read

examples:
  schemacheck profile mysql://reader@replica1/shop -o shop.json
  schemacheck profile mysql://reader@replica1/ --for report.json -o shop.json
  schemacheck profile source.sql --binlog mysql-bin.0000* -o written.json
"""


OPTIONS = """
[SOURCE]               mysql://user@host/database; with --binlog any input with the definitions, which name
                       columns
--binlog FILE...       binary logs in order; compressed or not; - is standard input
-o, --output FILE      the profile; `-` is standard output
report: --for REPORT   measure only what this report of check --format json has findings about, and count the
                       rows
--sample N             read about one row of N; nothing is ruled out by it
--no-bounds            leave the bounds of numbers and moments out, too
--defaults-file FILE   option file with user, password, TLS files ([client])
--timeout SECONDS=3600
    for all work with one server
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The server or the logs, and what is asked."""
    declare(parser, OPTIONS)


def run(args: argparse.Namespace) -> int:
    """Measure, and write the file."""
    from schemacheck.profile.document import dump
    from schemacheck.version import __version__

    if args.output is None:
        raise UsageError("-o FILE is missing: where the profile goes")
    if args.binlog is None and args.source is None:
        raise UsageError("name a server: mysql://user@host/; or give logs: --binlog FILE...")
    if args.sample is not None and not 2 <= args.sample <= 1_000_000:
        raise UsageError(f"--sample {args.sample}: give a number from 2 to 1000000")
    profile, part = _logs(args) if args.binlog else _server(args)
    text = dump(profile, f"schemacheck {__version__}")
    if args.output == "-":
        output_arguments.write(text, None)
    else:
        try:
            whole_file.write(args.output, text.encode())
        except OSError as error:
            raise InputError(f"{args.output}: {error.strerror or error}") from None
    if part is not None:
        part.path.unlink(missing_ok=True)
    lines = [one_line(f"{skipped.place}: {skipped.reason}") for skipped in profile.skipped]
    if len(lines) > _SHOWN:
        lines[_SHOWN:] = [f"and {len(lines) - _SHOWN} more: they are in the file"]
    if lines:
        complain(*lines)
    return 1 if profile.skipped else 0


def _logs(args: argparse.Namespace) -> tuple[Profile, None]:
    from schemacheck.inputs import open_schema
    from schemacheck.inputs.endpoint import Access
    from schemacheck.profile.log import read

    for value, name in ((args.report, "--for"), (args.sample, "--sample")):
        if value:
            raise UsageError(f"{name} is for a live server, not for logs")
    access = Access(args.defaults_file, seconds=args.timeout)
    schema = open_schema(args.source, access=access) if args.source else None
    # A shell's mysql-bin.0* takes MariaDB's indexes of logs too.
    files = [name for name in args.binlog if not name.endswith(".idx")]
    if not files:
        raise UsageError(f"{args.binlog[0]}: MariaDB's index of a log; name the log")
    profile = read(files, schema=schema, bounds=not args.no_bounds, progress=progress.bytes_read())
    progress.clear()
    return profile, None


def _server(args: argparse.Namespace) -> tuple[Profile, Part | None]:
    from schemacheck.inputs import is_dsn
    from schemacheck.inputs.endpoint import Access, Endpoint
    from schemacheck.profile.data import Options, now, take
    from schemacheck.profile.part import Part
    from schemacheck.profile.wanted import from_report

    if not is_dsn(args.source):
        raise UsageError(f"{args.source}: values are asked of a live server: mysql://user@host:port/database")
    endpoint = Endpoint.parse(args.source, Access(args.defaults_file, seconds=args.timeout))
    wanted = from_report(args.report) if args.report else None
    options = Options((), wanted, args.sample, not args.no_bounds, args.timeout)
    part: Part | None = None

    def begin(server: ServerOf) -> Part:
        nonlocal part
        asked = [endpoint.database, args.sample, options.bounds, repr(wanted)]
        part = Part(
            Path(f"{args.output}.part"), {"server": repr(server), "asked": repr(asked), "from": now()}
        )
        return part

    try:
        profile = take(
            endpoint, options, part=begin if args.output != "-" else None,
            progress=progress.line,
        )  # fmt: skip
    except InputError as error:
        if part is None:
            raise
        raise InputError(f"{error}; the same command goes on from here ({args.output}.part)") from None
    finally:
        progress.clear()
    return profile, part
