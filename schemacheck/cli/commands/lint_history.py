"""Plan each step of a migration history for every server of the configuration.

Reads the migrations of Flyway, Liquibase (formatted SQL), golang-migrate, Diesel, dbmate or goose, what
Alembic, Django and EF Core write as SQL, or a directory of numbered scripts, and runs them
one by one on the tables that the ones before left. For each it asks what `schemacheck plan` asks:
do rows keep replicating while only one end has it, and does replicating it do; and whether the
servers of the link take its statements at all. Nothing is run on any server.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from schemacheck.cli import (
    asking,
    checking,
    link_arguments,
    linking,
    output_arguments,
    reading,
    trusted_sides,
)
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    from schemacheck.config.model import Config
    from schemacheck.inputs.histories.opened import Opened
    from schemacheck.model import InputProblem, Schema, Server
    from schemacheck.model.history import Migration
    from schemacheck.plan.history import Linted, OverLink

#: What --format takes.
FORMATS = ("text", "json")

EPILOG = """\
exit status:
  0  every migration that is linted goes: it is safe to replicate it, or there is an order
  1  for some migration there is no way, or a server of a link refuses it
  2  wrong usage, or a history that cannot be read
  3  only unknowns stand in the way

which servers:
  --source-version and --replica-version, else the links of --link, else all links of the
  configuration; without any of them MySQL 8.4

examples:
  schemacheck lint-history db/migration --source-version 8.0.36 --replica-version 8.4
  schemacheck lint-history migrations/ --against origin/main      # only what the change adds
  schemacheck lint-history changelog/ --format text --format json=history.json
"""


OPTIONS = """
[PATH]  the directory of migrations, or one file (default: 'replica' or 'source' of the configuration)
"""
HISTORY = f"""
{reading.HISTORY_OPTIONS}
--against REF    lint only the migrations that this git commit does not have, and remark on those that were
                 changed since
--since VERSION  lint only the migrations behind the one of this version
--base FILE      definitions that are there before the first migration, in any form that `check` reads; with
                 --since those of a server that has run the migrations up to that version
--database NAME  default database of the migrations
--encoding NAME  encoding of the files (default: UTF-8)
"""
OUTPUT = """
-o, --output FILE  write the report here instead of to standard output
-q, --quiet        print only the summary line
-v, --verbose      every migration, with its plan
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The history, what of it is linted, the servers, and the output."""
    declare(parser, OPTIONS + asking.OPTIONS)
    declare(parser.add_argument_group("history"), HISTORY)
    link_arguments.add(parser)
    declare(parser.add_argument_group("what counts"), linking.FILTER_OPTIONS)
    output = parser.add_argument_group("output")
    output_arguments.add_format(output, FORMATS)
    declare(output, OUTPUT)


def run(args: argparse.Namespace) -> int:
    """Lint, print, return the exit status."""
    config = linking.configuration(args)
    with asking.asking(args, config) as answers:
        linted = answers.decided(lambda: _linted(args, config))
    links = (replace(link, assumptions=(*link.assumptions, *answers.said)) for link in linted.links)
    linted = replace(linted, links=tuple(links))
    for target in output_arguments.targets(args, None):
        output_arguments.write(_rendered(linted, target.format, args), target.file)
    return linted.status


def _rendered(linted: Linted, name: str, args: argparse.Namespace) -> str:
    from schemacheck.plan import history_outputs as outputs
    from schemacheck.text.printable import visible

    if name == "text":
        return visible(outputs.text(linted, verbose=args.verbose, quiet=args.quiet))
    return outputs.json(linted)


def _linted(args: argparse.Namespace, config: Config | None) -> Linted:
    from schemacheck.inputs.histories import opened
    from schemacheck.plan.history import Linted

    path = _path(args, config)
    options = reading.history_options(args)
    now = opened.read(path, options, encoding=args.encoding)
    now = replace(now, problems=(*now.problems, *trusted_sides.of_tool(args, now.history, path)))
    only, problems = _only(args, path, now)
    if args.base and args.since is not None:
        now = replace(now, history=replace(now.history, migrations=_since(args, path, now)))
    links = tuple(_over(args, config, name, now, only) for name in _links(args, config))
    return Linted(path, now.history, links, (*now.problems, *problems))


def _path(args: argparse.Namespace, config: Config | None) -> str:
    from schemacheck.inputs import is_dsn

    if args.path is not None:
        return str(args.path)
    placed = (config.replica or config.source) if config else None
    if placed is None or is_dsn(placed.value):
        raise UsageError("PATH is missing: give the migrations' folder, or set 'source' in schemacheck.yaml")
    return checking.beside(placed)


def _only(
    args: argparse.Namespace, path: str, now: Opened
) -> tuple[tuple[Migration, ...] | None, tuple[InputProblem, ...]]:
    """The migrations that are linted, and remarks; None: all."""
    from schemacheck.inputs.histories import opened, remarks
    from schemacheck.model import Schema

    only = now.history.migrations
    problems: tuple[InputProblem, ...] = ()
    if args.since is not None:
        only = _since(args, path, now)
    if args.against:
        from schemacheck.plan import git

        def read(at: str) -> Schema:
            return Schema(
                history=opened.read(at, reading.history_options(args), encoding=args.encoding).history
            )

        old = git.at(args.against, path, read)
        fresh = frozenset(remarks.fresh(old.history, now.history))
        new = remarks.added(old, Schema(history=now.history), args.against, named=bool(args.history))
        problems = (*old.problems, *new.problems)
        only = tuple(migration for migration in only if migration in fresh)
    return (None if only == now.history.migrations else only), problems


def _since(args: argparse.Namespace, path: str, now: Opened) -> tuple[Migration, ...]:
    versions = [migration.version for migration in now.history.migrations]
    if args.since not in versions:
        raise UsageError(f"--since: {path} has no migration of version {args.since!r}")
    return now.history.migrations[versions.index(args.since) + 1 :]


def _links(args: argparse.Namespace, config: Config | None) -> tuple[str | None, ...]:
    if args.link:
        return tuple(dict.fromkeys(args.link))
    if args.source_version or args.replica_version or config is None or not config.links:
        return (None,)
    return tuple(link.name for link in config.links)


def _over(
    args: argparse.Namespace, config: Config | None, name: str | None, now: Opened,
    only: tuple[Migration, ...] | None,
) -> OverLink:  # fmt: skip
    from schemacheck.inputs.histories import own_tables
    from schemacheck.model import Schema
    from schemacheck.plan.history import over_link

    given = argparse.Namespace(**{**vars(args), "link": [name] if name else None})
    # Servers that are named on the command line need none of several links.
    wanted = linking.wanted(given, config if name or config is None or len(config.links) < 2 else None)
    base = _base(args, linking.server(wanted, "source"))
    link, assumed = linking.link(wanted, base, Schema())
    schema = own_tables.base(now.history.migrations, now.history, link.source, args.database)
    return over_link(
        now.history,
        link,
        name=name or "",
        base=Schema((*schema.tables, *base.tables), problems=base.problems),
        database=args.database,
        filters=linking.load_filters(args, wanted, link),
        assumptions=assumed,
        only=only,
    )


def _base(args: argparse.Namespace, server: Server | None) -> Schema:
    from schemacheck.inputs import open_schema
    from schemacheck.model import Schema

    if not args.base:
        return Schema()
    return open_schema(
        args.base, server=server, encoding=args.encoding, database=args.database, allow_empty=True
    )
