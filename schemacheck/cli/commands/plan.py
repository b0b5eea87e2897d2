"""Plan the rollout of a change: which servers get it first.

Reads the current definitions and a change: SQL with ALTERs, CREATEs, DROPs, RENAMEs, or the
new definitions. For every statement it asks what replication does while only one end has
it: rows of the old definition on the new one (replica first) and of the new one on the old
(source first). It answers replica-first, source-first, any order or lock-step, with what
breaks in the wrong order, and a runbook with the SQL.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import (
    asking,
    change_files,
    link_arguments,
    linking,
    live_access,
    output_arguments,
    reading,
    trusted_sides,
)
from schemacheck.cli.options import declare
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.linking import Wanted
    from schemacheck.config.model import Config
    from schemacheck.model import Schema, Server
    from schemacheck.plan import Plan

#: What --format takes.
FORMATS = ("text", "json", "markdown", "github")

EPILOG = """\
orders:
  any order      nothing stops and no value changes, whichever end is first
  replica-first  the replicas, then the source
  source-first   the source, then the replicas
  lock-step      neither end can go first: replicate the statement, or stop writes
  impossible     the new definition does not replicate even when both ends have it
  unknown        it could not be read or decided; never a pass

exit status:
  0  every statement can be rolled out: it is safe to replicate it, or there is an order
  1  for some statement there is none, or the link does not run, or loses rows, by its servers' versions
     and settings, or a table that drifted is harmed already
  2  wrong usage, or input that cannot be read
  3  only unknowns stand in the way

examples:
  schemacheck plan schema.sql migrations/V7__orders.sql --source-version 8.0.36
  schemacheck plan schema.sql new-schema.sql --source-version mysql-5.7 --replica-version mysql-8.0
  schemacheck plan --against origin/main schema.sql
"""


OPTIONS = """
CURRENT        the definitions of today: a .sql file or dump, a directory, `-`, or mysql://user@host/db
[CHANGE ...]   the change: files of ALTER, CREATE, DROP, RENAME, run in this order; or the new definitions in
               any form
--against REF  CURRENT is taken from this git commit; without CHANGE the working tree has the new definitions
kind: --as {auto,migration,schema}=auto
    what CHANGE is (default: auto: a dump, or a file that creates all that it names, is a schema)
--replica-schema FILE
    the replica's own definitions, where they have drifted: replicated statements run on them (default: it is
    taken to have the source's)
--unlogged     change each server by itself, unlogged (default: replicate every statement that is safe so)
"""
OUTPUT = """
--out-dir DIR      write the runbook as one shell script per server here; nothing in it runs without --run
-o, --output FILE  write the plan here instead of to standard output
-q, --quiet        print only the summary line
-v, --verbose      explain what is safe too
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The current side, the change, the servers, and the output."""
    declare(parser, OPTIONS + asking.OPTIONS)
    link_arguments.add(parser)
    reading.add_arguments(parser)
    declare(parser.add_argument_group("what counts"), linking.FILTER_OPTIONS)
    output = parser.add_argument_group("output")
    output_arguments.add_format(output, FORMATS)
    declare(output, OUTPUT)


def run(args: argparse.Namespace) -> int:
    """Plan, print, return the exit status."""
    from schemacheck.plan.verdict import exit_status

    config = linking.configuration(args)
    with asking.asking(args, config) as answers:
        plan = answers.decided(lambda: _plan(args, config))
    plan = replace(plan, assumptions=(*plan.assumptions, *answers.said))
    if plan.runbook and not args.against:
        plan = _measured(plan, args)
    if args.out_dir:
        _write_scripts(plan, Path(args.out_dir))
    for target in output_arguments.targets(args, None):
        output_arguments.write(_rendered(plan, target.format, args), target.file)
    return exit_status(plan)


def _rendered(plan: Plan, name: str, args: argparse.Namespace) -> str:
    from schemacheck.plan import document, github, markdown
    from schemacheck.plan import text as texts
    from schemacheck.text.printable import visible

    if name == "text":
        # What comes from files that others wrote may not steer a terminal.
        return visible(texts.render(plan, verbose=args.verbose, quiet=args.quiet))
    renders = {"json": document.render, "markdown": markdown.render, "github": github.render}
    return renders[name](plan)


def _write_scripts(plan: Plan, folder: Path) -> None:
    from schemacheck.plan.scripts import scripts
    from schemacheck.system import whole_file

    made = scripts(plan)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in made.items():
            whole_file.write(folder / name, text.encode())
            (folder / name).chmod(0o755)
    except OSError as error:
        raise UsageError(f"--out-dir {folder}: {error.strerror or error}") from error
    names = ", ".join(made) or "nothing: there is no way to roll this out, or nothing to do"
    output_arguments.note(f"written to {folder}: {names}")


def _measured(plan: Plan, args: argparse.Namespace) -> Plan:
    from schemacheck.inputs import is_dsn

    if not is_dsn(args.current):
        return plan
    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.inputs.live import sizes
    from schemacheck.plan.runbook import runbook

    how = live_access.access(args, "source")
    names = [(t.old.database, t.old.name) for t in plan.tables if t.old and t.old.database]
    record = sizes(Endpoint.parse(args.current, how), names, seconds=how.seconds)
    return replace(plan, runbook=runbook(plan.stages, plan.link, record))


def _plan(args: argparse.Namespace, config: Config | None) -> Plan:
    from schemacheck.inputs.histories import own_tables
    from schemacheck.plan import plan, plan_change

    wanted = linking.wanted(args, config)
    server = linking.server(wanted, "source")
    changes = list(args.change)
    if not changes:
        if not args.against:
            raise UsageError(
                "CHANGE is missing: give a migration or the new definitions, or --against REF for "
                "what changed since a git commit"
            )
        changes = [args.current]
    if [args.current, *changes].count("-") > 1:
        raise UsageError("only one side can come from standard input")
    old = trusted_sides.doubted(args, wanted, _old(args, server), args.current, "source")
    replica = _replica(args, wanted, old)
    link, assumed = linking.link(wanted, old, replica)
    filters = linking.load_filters(args, wanted, link)
    if args.unlogged and link.kind.cluster:
        raise UsageError("--unlogged changes replicas one by one; nodes of a cluster get a statement once")
    drifted = replica if args.replica_schema else None
    given = change_files.scripts(args, changes, old, link.source)
    if given is None:
        new = reading.read(changes[0], "source", args, link.source)
        if args.against and changes == [args.current]:
            given, new = change_files.added(old, new, args.against, named=bool(args.history))
        given = given or new
    if isinstance(given, change_files.Scripts):
        for path, history in zip(changes, given.histories, strict=False):
            given.problems += trusted_sides.of_tool(args, history, path)
        if drifted is None:
            assumed = (*assumed, "the replica's definitions = the source's (--replica-schema gives others)")
        return plan_change(
            replace(old, problems=(*old.problems, *given.problems)),
            given.texts(),
            link,
            parts=given.parts(),
            database=args.database,
            filters=filters,
            assumptions=assumed,
            replica=drifted,
            unlogged=args.unlogged,
        )
    if len(changes) > 1:
        raise UsageError(
            "several files are a migration (--as migration); the new definitions are one file or directory"
        )
    given = trusted_sides.doubted(args, wanted, given, changes[0], "source")
    return plan(
        own_tables.set_aside(old, given),
        own_tables.set_aside(given, old),
        link,
        filters=filters,
        assumptions=assumed,
        replica=drifted,
        unlogged=args.unlogged,
    )


def _old(args: argparse.Namespace, server: Server | None) -> Schema:
    def read(path: str) -> Schema:
        # The first definitions of all change nothing that is there.
        return reading.read(path, "source", args, server, allow_empty=not args.against)

    if not args.against:
        return read(args.current)
    from schemacheck.plan import git

    return git.at(args.against, args.current, read)


def _replica(args: argparse.Namespace, wanted: Wanted, old: Schema) -> Schema:
    from schemacheck.model import Schema

    if not args.replica_schema:
        return Schema()
    replica = reading.read(args.replica_schema, "replica", args, wanted)
    return reading.alike(None, args.replica_schema, args, wanted, (old, replica))[1]
