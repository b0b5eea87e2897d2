"""Print the conversion table of a server version.

Without types: a table of common types, source in rows, replica in columns; each cell says
which setting lets the column replicate, and whether values change then.
With --from and --to: what the replica does under every setting, with the error that it prints.
With only one of them: one line per type of the other side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments, linking, output_arguments
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.text.printable import as_json

if TYPE_CHECKING:
    import argparse

    from schemacheck.library import Conversion
    from schemacheck.model import Link

TYPES = (
    "tinyint", "smallint", "mediumint", "int", "int unsigned", "bigint", "bigint unsigned", "decimal(10,2)",
    "float", "double", "bit(8)",
    "char(10)", "varchar(10)", "varchar(300)", "tinytext", "text", "longtext", "binary(10)", "varbinary(10)",
    "blob", "date", "time", "time(6)",
    "datetime", "datetime(6)", "timestamp", "year", "enum('a','b')", "set('a','b')", "json", "geometry",
)  # fmt: skip

#: Settings from small to large with their letter; signedness words are added where a server has them.
SETTINGS = (("", "="), ("ALL_NON_LOSSY", "N"), ("ALL_LOSSY", "L"), ("ALL_LOSSY,ALL_NON_LOSSY", "B"))
SIGNED = ("ALL_NON_LOSSY,ALL_SIGNED", "ALL_NON_LOSSY,ALL_UNSIGNED")

LEGEND = """\
=  under every setting     N  needs ALL_NON_LOSSY     L  needs ALL_LOSSY     B  needs both     x  under none
!  values change without any error     ~  values may be truncated or rounded
-  permitted, and the manual forbids it   ?  not known
"""

USAGE = "[OPTION]... [--from TYPE] [--to TYPE]"

EPILOG = """\
examples:
  schemacheck matrix --server mysql-8.0
  schemacheck matrix --from 'int unsigned' --to bigint --server mariadb-10.11
  schemacheck matrix --from 'varchar(300)' --format json
"""


OPTIONS = """
source_type: --from TYPE         the source column's type
replica_type: --to TYPE          the replica column's type
--server SERVER                  both servers, as mysql-8.0.36; the link's options can make them differ
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Types, server, format, and the link's options."""
    declare(parser, OPTIONS + output_arguments.TEXT_OR_JSON)
    link_arguments.add(parser)


def run(args: argparse.Namespace) -> int:
    """Print the table, the rows or the pair."""
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
    sources = (args.source_type,) if args.source_type else TYPES
    replicas = (args.replica_type,) if args.replica_type else TYPES
    settings = [modes for modes, _ in SETTINGS] + list(SIGNED if link.replica.has("signedness-modes") else ())
    if args.format == "json":
        text = as_json([_entry(a, b, link, settings) for a in sources for b in replicas])
    elif len(sources) == 1 and len(replicas) == 1:
        text = _pair(sources[0], replicas[0], link, settings)
    else:
        text = _table(sources, replicas, link)
    output_arguments.write(text, None)
    return 0


def _convert(source: str, replica: str, link: Link, modes: str) -> Conversion:
    from schemacheck.library import convert

    return convert(source, replica, link.with_modes(modes))


def _cell(source: str, replica: str, link: Link) -> str:
    """The smallest setting's letter and what happens to values then."""
    from schemacheck.model import Effect

    marks = {Effect.DIVERGES: "!", Effect.LOSSY: "~", Effect.UNSUPPORTED: "-"}
    for modes, letter in SETTINGS:
        conversion = _convert(source, replica, link, modes)
        if conversion.effect is Effect.UNKNOWN:
            return "?"
        if conversion.effect < Effect.STOPS:
            return letter + marks.get(conversion.effect, "")
    return "x"


def _table(sources: tuple[str, ...], replicas: tuple[str, ...], link: Link) -> str:
    def cell(source: str, replica: str) -> str:
        return _cell(source, replica, link)

    heading = (
        f"{link.source} to {link.replica}, {link.binlog_format}: source types in rows, replica types "
        "in columns\n\n"
    )
    if len(replicas) == 1 or len(sources) == 1:
        rows = [(a, b) for a in sources for b in replicas]
        room = max(len(a) for a, _ in rows), max(len(b) for _, b in rows)
        return (
            heading
            + "".join(f"{a:{room[0]}}  {b:{room[1]}}  {cell(a, b)}\n" for a, b in rows)
            + "\n"
            + LEGEND
        )
    room_ = max(map(len, sources))
    numbers = " ".join(f"{n:>2}" for n in range(1, len(replicas) + 1))
    lines = [f"{'':{room_ + 3}} {numbers}"]
    for n, source in enumerate(sources, 1):
        lines.append(f"{n:>2} {source:{room_}} " + " ".join(f"{cell(source, b):>2}" for b in replicas))
    return heading + "\n".join(lines) + "\n\n" + LEGEND


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


def _entry(source: str, replica: str, link: Link, settings: list[str]) -> dict[str, object]:
    plain = replace(_convert(source, replica, link, ""), findings=())
    outcomes = {}
    for modes in settings:
        under = _convert(source, replica, link, modes)
        outcomes[modes] = {"effect": under.effect.value, "error": under.error.number if under.error else None}
    return {
        "source": source, "replica": replica, "conversion": plain.kind, "needs": plain.needs,
        "values": plain.values, "note": plain.note,
        "example": {"source": plain.example.source,
        "replica": plain.example.replica} if plain.example else None, "settings": outcomes,
    }  # fmt: skip
