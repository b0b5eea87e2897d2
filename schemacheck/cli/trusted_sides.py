"""What inputs of a change say about their servers, against what the trusted place says."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import reading, trust
from schemacheck.dataclass import replace
from schemacheck.errors import InputError, UsageError
from schemacheck.model import InputProblem, Location, Schema
from schemacheck.system import git

if TYPE_CHECKING:
    from schemacheck.cli.linking import Wanted
    from schemacheck.model.history import History


def sides(
    args: argparse.Namespace, wanted: Wanted, given: tuple[Schema, Schema], paths: tuple[str, str]
) -> tuple[Schema, Schema]:
    """Both sides; what a side says about its server, and did not at the trusted place, is unknown."""
    if trust.commit(args) is None:
        return given
    first, second = (
        doubted(args, wanted, schema, path, side)
        for side, schema, path in zip(("source", "replica"), given, paths, strict=True)
    )
    return first, second


def of_tool(args: argparse.Namespace, history: History | None, path: str) -> tuple[InputProblem, ...]:
    """What is wrong where files say which tool runs them, and do not at the trusted place."""
    from schemacheck.inputs.histories import opened, remarks
    from schemacheck.plan import git as commits

    place = _place(args, path)
    if place is None or args.history or history is None:
        return ()
    options = reading.history_options(args)

    def then(file: str) -> Schema:
        return Schema(history=opened.read(file, options).history)

    def beside(folder: str) -> Schema:
        for file in filter(Path.is_file, Path(folder).iterdir()):
            with contextlib.suppress(InputError):
                if (result := opened.read(str(file), options).history).kind == history.kind:
                    return Schema(history=result)
        return Schema()

    before = Schema()
    with contextlib.suppress(InputError, UsageError):
        before = commits.at(place.ref, path, then)
    if before.history is None:
        with contextlib.suppress(InputError, UsageError):
            before = commits.at(place.ref, str(Path(path).parent), beside)
    doubt = remarks.other_tool(before, Schema(history=history), f"git:{place.ref}")
    return () if doubt is None else (doubt,)


def _place(args: argparse.Namespace, path: str) -> git.Commit | None:
    """The trusted place, where the path is in its work tree."""
    place = trust.commit(args)
    outside = place is None or path == "-" or "://" in path or place.inside(Path(path)) is None
    return None if outside else place


def doubted(args: argparse.Namespace, wanted: Wanted, schema: Schema, path: str, side: str) -> Schema:
    """What was read; unknown where it names its server or tool, and does not at the trusted place."""
    from schemacheck.cli import linking, reading
    from schemacheck.plan import git as commits

    place = _place(args, path)
    if place is None:
        return schema
    doubts = of_tool(args, schema.history, path)
    if "SC093" not in {problem.code for problem in schema.problems}:
        schema = replace(schema, problems=(*schema.problems, *doubts))
    if schema.server is None:
        return schema

    def then(file: str) -> Schema:
        return reading.read(file, side, args, wanted)

    before = Schema()
    with contextlib.suppress(InputError, UsageError):
        before = commits.at(place.ref, path, then)
    now = linking.server(wanted, side, schema.server)
    if now == linking.server(wanted, side, before.server):
        return schema
    message = (
        f"it says itself which server it comes from ({schema.server}) or how that is set, and "
        f"git:{place.ref} does not have it so: "
        f"name the server and its settings in the trusted configuration or with --{side}-version"
    )
    problem = InputProblem("SC004", message, Location(path))
    return replace(schema, problems=(*schema.problems, problem))
