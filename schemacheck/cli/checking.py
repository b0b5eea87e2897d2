"""One check from the arguments to the Report: read, link, decide, apply policy."""

from __future__ import annotations

import datetime as dt
import os
import re
import shlex
from typing import TYPE_CHECKING

from schemacheck.cli import (
    asking,
    evidence_arguments,
    link_arguments,
    linking,
    live_access,
    reading,
    trust,
    trusted_sides,
)
from schemacheck.cli.options import declare
from schemacheck.cli.streams import complain
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError
from schemacheck.inputs.histories import own_tables, remarks
from schemacheck.link import Ends, by_settings
from schemacheck.model import Effect, Report, Schema
from schemacheck.policy import Policy, apply

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.linking import Wanted
    from schemacheck.config.model import Config, Placed
    from schemacheck.model import Link
    from schemacheck.model.filters import FilterSet
    from schemacheck.policy import Trusted
    from schemacheck.replay.change import Replayed


SIDES = """
[SOURCE]       the source's definitions: a .sql file, dump or directory, `-`, or mysql://user@host/db
[REPLICA]      the replica's definitions, likewise
--against REF  one path: as it is at this git commit it is the source, as it is in the working tree the
               replica; says how the change may be rolled out, and fails where it may not
--unlogged     with --against: each server is changed by itself (default: statements are replicated)
"""
FAIL_ON = """
--fail-on EFFECT  the effect from which the check fails
"""
COUNTS = f"""
{FAIL_ON}
{evidence_arguments.OPTIONS}{evidence_arguments.GATE}
--select RULES ...  count only these rules: codes, beginnings of codes (SC2) or names, comma-separated
--ignore RULES ...  do not count these rules; what is unknown always counts
--baseline FILE     findings that were known before do not count (see `schemacheck baseline write`)
--no-baseline       count known findings too
--no-inline-suppressions
    comments in the SQL suppress nothing; each one is remarked on
{linking.FILTER_OPTIONS}
--change FILE ...   definitions that the source is going to run; each is run on both ends as it is replicated,
                    what the replica refuses is a finding, then the tables are compared; may be repeated
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Both sides, the link, and what counts: shared by `check` and `baseline write`."""
    declare(parser, SIDES + asking.OPTIONS)
    link_arguments.add(parser)
    reading.add_arguments(parser)
    declare(parser.add_argument_group("what counts"), COUNTS)


def report(args: argparse.Namespace, config: Config | None, *, with_baseline: bool = True) -> Report:
    """Run the check that the arguments and the configuration describe."""
    args.against = args.against or _configured_ref(args, config)
    paths = _paths(args, config)
    if paths == ("-", "-"):
        raise UsageError("only one side can come from standard input")
    wanted = linking.wanted(args, config)
    if args.against:
        sides = _since(args.against, paths[0], args, wanted)
    else:
        sides = reading.both(*paths, args, wanted)
    sides = trusted_sides.sides(args, wanted, sides, paths)
    sides = own_tables.set_aside(*sides), own_tables.set_aside(sides[1], sides[0])
    source, replica = sides
    link, assumed = linking.link(wanted, source, replica)
    from schemacheck import engine
    from schemacheck.engine import gate
    from schemacheck.engine.programs import with_functions, with_programs

    filters = linking.load_filters(args, wanted, link)
    after = _changed(args, source, replica, link, filters)
    if after is not None:
        assumed = (*assumed, *linking.of_new_tables(link, source, replica))
    problems = (*source.problems, *(after.problems if after else ())), replica.problems
    if after:
        source, replica = after.source, after.replica
    check = engine.check(source.tables, replica.tables, link, *problems, filters)
    check = engine.with_refused(check, *((after.refused, *after.differing) if after else ()))
    if not args.against:
        check = with_programs(check, source, replica)
    elif args.unlogged:
        # Neither of a folder's two commits is a replica's own; functions differ until both ends have them.
        check = with_functions(check, source, replica)
    if filters is None and any(pair.verdict is Effect.UNKNOWN for pair in check.pairs):
        from schemacheck.prove.doubt import settled

        check = settled(check)
    if args.against and with_baseline:
        check = _rolled_out(check, args, paths[0], sides, filters)
    check = replace(
        check,
        assumptions=(*check.assumptions, *assumed),
        assumed_servers=linking.unnamed(wanted, source, replica),
        later=() if args.against or link.kind.cluster else by_settings.later(Ends.of(link, source, replica)),
        files=tuple(
            replace(file, side=side)
            for side, schema in (("source", source), ("replica", replica))
            for file in schema.files
        ),
    )
    texts = reading.texts((source, replica), encoding=args.encoding)
    trusted = trust.policy(args, config, texts, baseline_file(args, config))
    policy = _policy(args, config, trusted, with_baseline=with_baseline)
    today = dt.datetime.now(tz=dt.UTC).date()
    return gate.with_sound(check, lambda sound: apply(sound, policy, texts, today))


def _rolled_out(
    result: Report,
    args: argparse.Namespace,
    path: str,
    sides: tuple[Schema, Schema],
    filters: FilterSet | None,
) -> Report:
    """The report with how the change since --against gets to the servers, and what of it is unread."""
    from schemacheck import engine
    from schemacheck.cli import change_files
    from schemacheck.plan import git, plan, plan_change
    from schemacheck.plan.rollout import rollout, with_end

    old, new = sides
    link = result.link
    if link.source != link.replica:
        # The statements are run on the source: its grammar reads what they lead to.
        new = own_tables.set_aside(reading.read(path, "source", args, link.source), old)
    given, new = change_files.added(old, new, args.against, named=bool(args.history))
    if given:
        made = plan_change(
            replace(old, problems=(*old.problems, *given.problems)), given.texts(), link,
            parts=given.parts(), database=args.database, filters=filters, unlogged=args.unlogged,
        )  # fmt: skip
    else:
        made = plan(old, new, link, filters=filters, unlogged=args.unlogged)
    names = {(problem.code, problem.message) for problem in result.problems}
    problems = (
        *result.problems,
        *(problem for problem in made.problems if (problem.code, problem.message) not in names),
    )
    steps = rollout(made, _plan_command(args, path))
    if link.source != link.replica:

        def there(at: str) -> Schema:
            return reading.read(at, "replica", args, link.replica, allow_empty=True)

        ends = ((old, git.at(args.against, path, there)), (new, sides[1]))
        before, after = (
            engine.check(schema.tables, other.tables, link, schema.problems, other.problems, filters)
            for schema, other in ends
        )
        steps = with_end(steps, before, after)
    return replace(result, rollout=steps, problems=problems)


def _plan_command(args: argparse.Namespace, path: str) -> str:
    """What a person types to see the SQL of the rollout."""
    ref = args.against[:10] if re.fullmatch("[0-9a-f]{40}", args.against) else args.against
    words = ["schemacheck", "plan", "--against", ref, path]
    words += ["--unlogged"] if args.unlogged else []
    for option in ("source_version", "replica_version", "filters"):
        if value := getattr(args, option):
            words += [f"--{option.replace('_', '-')}", value]
    words += [f"--link={name}" for name in args.link or ()]
    return shlex.join(words)


def _changed(
    args: argparse.Namespace, source: Schema, replica: Schema, link: Link, filters: FilterSet | None
) -> Replayed | None:
    if not args.change:
        return None
    from schemacheck.inputs.source import read_source
    from schemacheck.plan import plan_change
    from schemacheck.plan.book import discards
    from schemacheck.replay.change import replay

    scripts = [
        (source.name, source.text) for source in (read_source(p, encoding=args.encoding) for p in args.change)
    ]
    made = plan_change(source, scripts, link, database=args.database, filters=filters)
    for loss in discards(made.statements):
        complain(f"note: the change loses: {loss}")
    return replay(source, replica, scripts, link, database=args.database, filters=filters)


def _configured_ref(args: argparse.Namespace, config: Config | None) -> str | None:
    if config is None or config.against is None or args.replica is not None or config.replica is not None:
        return None
    return config.against.value


def _paths(args: argparse.Namespace, config: Config | None) -> tuple[str, str]:
    """Where both sides are read: the options, else the configuration. With --against one path is both."""
    if not args.against:
        return (
            _path(args.source, config.source if config else None, "SOURCE", args),
            _path(args.replica, config.replica if config else None, "REPLICA", args),
        )
    if args.replica is not None:
        raise UsageError(f"--against takes one path: {args.against} has its old version")
    configured = (config.replica or config.source) if config else None
    path = _path(args.source, configured, "PATH", args)
    return path, path


def _since(ref: str, path: str, args: argparse.Namespace, wanted: Wanted) -> tuple[Schema, Schema]:
    """A path at a commit, and in the working tree."""
    from schemacheck.plan import git

    old = git.at(ref, path, lambda at: reading.read(at, "source", args, wanted))
    new = reading.read(path, "replica", args, wanted)
    return old, remarks.added(old, new, ref, named=bool(args.history))


def _path(given: str | None, configured: Placed[str] | None, name: str, args: argparse.Namespace) -> str:
    if given is not None:
        return given
    if configured is None:
        raise UsageError(
            f"{name} is missing: give a file, a directory, `-` or a DSN, or set "
            f"{'replica' if name == 'PATH' else name.lower()!r} in schemacheck.yaml"
        )
    live_access.check_configured(configured.value, str(configured.location), args)
    return beside(configured)


def beside(path: Placed[str]) -> str:
    """A path of the configuration, which is relative to the configuration's folder; shown
    relative to the working directory where that is possible."""
    if "://" in path.value or path.value == "-":
        return path.value
    full = trust.folder(path.location.file) / path.value
    relative = os.path.relpath(full)
    return str(full) if relative.startswith("..") else relative


def _policy(
    args: argparse.Namespace, config: Config | None, trusted: Trusted | None, *, with_baseline: bool
) -> Policy:
    fail_on = (
        Effect(args.fail_on)
        if args.fail_on
        else config.fail_on.value
        if config and config.fail_on
        else Effect.UNSUPPORTED
    )
    select = _words(args.select) or tuple(s.value for s in (config.select if config else ()))
    ignore = _words(args.ignore) + tuple(s.value for s in (config.ignore if config else ()))
    file = baseline_file(args, config)
    entries = None
    if file and with_baseline and not args.no_baseline:
        from schemacheck.policy import baseline

        entries = baseline.load(file)
    return Policy(
        fail_on, select, ignore, config.tolerate if config else (), entries, file or "",
        not args.no_inline_suppressions, "reason" in (config.require if config else ()), trusted,
    )  # fmt: skip


def baseline_file(args: argparse.Namespace, config: Config | None) -> str | None:
    """The baseline's path: the option, else the configuration's."""
    if args.baseline:
        return str(args.baseline)
    if not config or not config.baseline:
        return None
    from schemacheck.system import git

    placed = config.baseline
    if git.is_located(placed.location.file):
        return git.beside(placed.location.file, placed.value)
    return beside(placed)


def _words(texts: list[str] | None) -> tuple[str, ...]:
    return tuple(word.strip() for text in texts or () for word in text.split(",") if word.strip())
