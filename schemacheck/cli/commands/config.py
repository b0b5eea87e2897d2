"""Write a first configuration, show the one that holds, or its JSON schema.

`config init` looks where the definitions or migrations are, which servers a dump's header or a DSN
names, and which commit a change is held against; it writes schemacheck.yaml and overwrites none.
`config show` prints every value with the place that it comes from: the command line,
schemacheck.yaml (file:line:column), or the server version's default.
`config schema` prints the JSON schema of schemacheck.yaml, for editors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments, linking, live_access, output_arguments
from schemacheck.cli.options import declare
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from schemacheck.config.model import Config

USAGE = "(init [PATH] [DSN] | show [OPTION]... | schema)"

OPTIONS = """
action: {init,show,schema}  what to do
inputs: [INPUT ...]         of init: the definitions or migrations, a server's DSN
"""
EPILOG = """\
examples:
  schemacheck config init db/migration mysql://ci@replica1/shop
  schemacheck config show --link production
  schemacheck config schema > schemacheck.schema.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The action and the options that a configuration could also hold."""
    declare(parser, OPTIONS)
    link_arguments.add(parser)
    live_access.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Write, or print."""
    if args.inputs and args.action != "init":
        raise UsageError(f"config {args.action} takes no input")
    if args.action == "init":
        from schemacheck.cli import first_config

        versions = (args.source_version or "", args.replica_version or "")
        text = first_config.write(args.inputs, versions, live_access.access(args, "source"))
        output_arguments.write(text, None)
        output_arguments.note("schemacheck.yaml is written; next: schemacheck check")
        return 0
    if args.action == "schema":
        from importlib import resources

        output_arguments.write(
            (resources.files("schemacheck.schemas") / "config-1.schema.json").read_text("utf-8"), None
        )
        return 0
    config = linking.configuration(args)
    rows = [*_link(linking.wanted(args, config)), *(_rest(config) if config else ())]
    heading = f"# configuration: {config.file if config else 'none found'}\n"
    body = "".join(f"{name} = {value}  # {origin}\n" for name, value, origin in rows)
    output_arguments.write(heading + body, None)
    return 0


def _link(wanted: linking.Wanted) -> Iterator[tuple[str, str, str]]:
    from schemacheck.model import Schema

    link, _ = linking.link(wanted, Schema(), Schema())
    ends = {"source": link.source, "replica": link.replica}
    for side, server in ends.items():
        name = wanted.servers.get(side)
        yield side, str(server), name[1] if name else "assumed; the input may say another one"
    for side, server in ends.items():
        names = sorted(
            {*server.profile.defaults, *(s.variable for s in wanted.settings.values() if s.side == side)}
        )
        for variable in names:
            setting = wanted.settings.get((side, variable))
            yield (
                f"{side} {variable}",
                server.setting(variable) or "''",
                setting.origin if setting else f"default of {server}",
            )
    if wanted.filters:
        yield "filters", *wanted.filters


def _rest(config: Config) -> Iterator[tuple[str, str, str]]:
    for name, placed in (
        ("source path", config.source),
        ("replica path", config.replica),
        ("against", config.against),
        ("ask", config.ask),
        ("format", config.format),
        ("baseline", config.baseline),
    ):
        if placed is not None:
            yield name, placed.value, str(placed.location)
    if config.fail_on is not None:
        yield "fail-on", config.fail_on.value.value, str(config.fail_on.location)
    for name, words in (("select", config.select), ("ignore", config.ignore)):
        for word in words:
            yield name, word.value, str(word.location)
    for entry in config.tolerate:
        what = " ".join(
            [
                entry.rule or "all rules",
                *entry.tables,
                *([f"until {entry.expires}"] if entry.expires else []),
                f"({entry.reason})",
            ]
        )
        yield "tolerate", what, str(entry.location)
