"""Say what a replica does with a column of another type, under every setting.

Prints the kind of the conversion, what becomes of values, and for each setting the effect, with the
error that the replica prints or a value that changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments, linking, output_arguments
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.library import Conversion
    from schemacheck.model import Link

#: Settings from small to large; signedness words are added where a server has them.
SETTINGS = ("", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
SIGNED = ("ALL_NON_LOSSY,ALL_SIGNED", "ALL_NON_LOSSY,ALL_UNSIGNED")

USAGE = "[OPTION]... --from TYPE --to TYPE"

EPILOG = """\
examples:
  schemacheck matrix --from 'int unsigned' --to bigint --server mariadb-10.11
"""


OPTIONS = """
source_type: --from TYPE         the source column's type
replica_type: --to TYPE          the replica column's type
--server SERVER                  both servers, as mysql-8.0.36; the link's options can make them differ
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Types, server, and the link's options."""
    declare(parser, OPTIONS)
    link_arguments.add(parser)


def run(args: argparse.Namespace) -> int:
    """Print what becomes of the pair."""
    from schemacheck.model import Schema

    if args.server:
        args.source_version = args.source_version or args.server
        args.replica_version = args.replica_version or args.server
    # Conversions happen to row events; a MariaDB source logs MIXED by default.
    args.binlog_format = args.binlog_format or "ROW"
    # Who names the server means it, whatever a configuration at hand says.
    chosen = args.config or args.link
    config = None if args.server and not chosen else linking.configuration(args)
    link, _ = linking.link(linking.wanted(args, config), Schema(), Schema())
    if not args.source_type or not args.replica_type:
        raise UsageError("give both types: --from TYPE --to TYPE")
    settings = [*SETTINGS, *(SIGNED if link.replica.has("signedness-modes") else ())]
    output_arguments.write(_pair(args.source_type, args.replica_type, link, settings), None)
    return 0


def _convert(source: str, replica: str, link: Link, modes: str) -> Conversion:
    from schemacheck.library import convert

    return convert(source, replica, link.with_modes(modes))


def _pair(source: str, replica: str, link: Link, settings: list[str]) -> str:
    from schemacheck.outputs._summary import conversions_variable

    conversion = _convert(source, replica, link, "")
    lines = [
        f"{source} to {replica}, {link.source} to {link.replica}, {link.binlog_format}",
        f"conversion: {conversion.kind}",
    ]
    if conversion.kind not in ("impossible", "unreadable"):
        lines.append(f"values: {conversion.values}" + (f" ({conversion.note})" if conversion.note else ""))
        if conversion.example:
            lines.append(
                f"example: {conversion.example.source} on the source becomes "
                f"{conversion.example.replica or 'something else'} on the replica"
            )
    lines += ["", f"{conversions_variable(link.replica)}:"]
    room = max(len(modes or "''") for modes in settings)
    for modes in settings:
        under = _convert(source, replica, link, modes)
        error = f": error {under.error.number}: {under.error.message}" if under.error else ""
        example = under.findings and max(under.findings, key=lambda f: f.effect).example
        change = f": {example.source} becomes {example.replica}" if example and not error else ""
        lines.append(f"  {modes or repr(''):{room}}  {under.effect.value}{error}{change}")
    return "\n".join(lines) + "\n"
