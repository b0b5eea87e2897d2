"""The change of `plan`: statements that run on the current definitions, or the new definitions."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import reading
from schemacheck.dataclass import replace
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.histories.opened import Opened
    from schemacheck.inputs.source import Source
    from schemacheck.model import InputProblem, Schema, Server
    from schemacheck.model.history import History, Migration, Part


class Scripts:
    """Texts that run in this order, what of each is run, and what was said where they were read."""

    def __init__(self, openeds: list[Opened]) -> None:
        self.migrations: list[Migration] = [
            migration for each in openeds for migration in each.history.migrations
        ]
        self.problems: tuple[InputProblem, ...] = tuple(
            problem for each in openeds for problem in each.problems
        )
        self.histories: list[History] = [opened.history for opened in openeds]

    def texts(self) -> list[tuple[str, str]]:
        """(file, text), each file once."""
        return list({migration.file: migration.text for migration in self.migrations}.items())

    def parts(self) -> dict[str, tuple[Part, ...]]:
        """What of each file is run."""
        out: dict[str, tuple[Part, ...]] = {}
        for migration in self.migrations:
            out[migration.file] = (*out.get(migration.file, ()), *migration.parts)
        return out


def scripts(
    args: argparse.Namespace, changes: list[str], old: Schema, server: Server
) -> Scripts | Schema | None:
    """The texts of a change; a Schema or None (to be read) where it is the new definitions."""
    from schemacheck.inputs import is_dsn
    from schemacheck.inputs.histories import opened
    from schemacheck.inputs.source import read_source

    if args.kind == "schema" or (args.kind == "auto" and (args.against and changes == [args.current])):
        return None
    options = reading.history_options(args)
    if args.kind == "migration" or len(changes) > 1:
        return Scripts([opened.read(path, options, encoding=args.encoding) for path in changes])
    if is_dsn(changes[0]) or Path(changes[0]).is_dir() or args.input_format not in (None, "sql"):
        return None
    return _told(read_source(changes[0], encoding=args.encoding), args, old, server)


def _told(source: Source, args: argparse.Namespace, old: Schema, server: Server) -> Scripts | Schema:
    """One file, as what it is. Raises UsageError where that is in doubt."""
    from schemacheck.inputs.bundle import assemble
    from schemacheck.inputs.formats import recognise
    from schemacheck.inputs.formats.sql import is_dump
    from schemacheck.inputs.histories import opened
    from schemacheck.inputs.piece import Options
    from schemacheck.plan.form import Form, form

    options = reading.history_options(args)
    if not source.data.strip() or recognise(source).NAME == "sql":
        result = opened.of_source(source, options)
        scripts = Scripts([result])
        text = next((text for _, text in scripts.texts()), "")
        what, there = form(
            text, old, server, parts=scripts.parts().get(source.name), database=args.database,
            dumped=is_dump(text),
        )  # fmt: skip
        if what is Form.MIGRATION or result.history.kind != opened.SCRIPTS:
            return scripts
        if what is Form.DOUBT:
            again = f"`schemacheck plan {shlex.quote(args.current)} {shlex.quote(source.name)} --as"
            raise UsageError(
                f"{source.name} makes {there} of the {len(old.tables)} tables of {args.current}: type "
                f"{again} schema` to reach that schema, without the others, {again} migration` to run it"
            )
    chosen = recognise(source)
    pieces = chosen.read(source, Options(args.null, history=options))
    return assemble(pieces, server=server, name=source.name, database=args.database)


def added(old: Schema, new: Schema, ref: str, *, named: bool) -> tuple[Scripts | None, Schema]:
    """Since a commit: the migrations added at a history's end (None: no such), and the new definitions."""
    from schemacheck.inputs.histories import opened, remarks

    new = remarks.added(old, new, ref, named=named)
    fresh = remarks.continued(old.history, new.history)
    if fresh is None or new.history is None:
        return None, new
    problems = tuple(
        problem for problem in new.problems if problem.code == "SC003" and problem not in old.problems
    )
    history = replace(new.history, migrations=fresh)
    return Scripts([opened.Opened(history, problems, ())]), new
