"""What inputs of a change say about their servers, against what the trusted place says."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import trust
from schemacheck.dataclass import replace
from schemacheck.errors import InputError, SchemacheckError, UsageError
from schemacheck.model import InputProblem, Location, Schema
from schemacheck.system import git

if TYPE_CHECKING:
    from schemacheck.cli.linking import Wanted


def sides(
    args: argparse.Namespace, wanted: Wanted, found: tuple[Schema, Schema], paths: tuple[str, str]
) -> tuple[Schema, Schema]:
    """Both sides; what an input of the work tree says about its server, and did not say at the trusted place,
    is unknown.

    A dump's header decides which rules hold: the change must not choose them where neither the command line
    nor the trusted configuration names the server.
    """
    place = trust.commit(args)
    if place is None:
        return found
    for side, files in (("source", args.source_also), ("replica", args.replica_also)):
        for file in files:
            found = _doubted_beside(found, side, file, place)
    first, second = (
        _doubted(args, wanted, schema, path, side, place)
        for side, schema, path in zip(("source", "replica"), found, paths, strict=True)
    )
    return first, second


def _doubted_beside(
    found: tuple[Schema, Schema], side: str, file: str, place: git.Commit
) -> tuple[Schema, Schema]:
    """Both sides; unknown where a further file about a server is not as the trusted place has it."""
    inside = place.inside(Path(file)) if file != "-" and "://" not in file else None
    if inside is None:
        return found
    try:
        same = dict(place.files(inside)) == _files(place, Path(file))
    except (OSError, SchemacheckError):
        same = False
    if same:
        return found
    message = (
        f"--{side}-also {file} says what the server is like, and git:{place.ref} has it otherwise: name the "
        f"server and its settings in the trusted configuration or with --{side}-version and --{side}-set"
    )
    problem = InputProblem("SC004", message, Location(file))
    first, second = found
    if side == "source":
        return replace(first, problems=(*first.problems, problem)), second
    return first, replace(second, problems=(*second.problems, problem))


def _files(place: git.Commit, path: Path) -> dict[str, bytes]:
    """The files at or below a path of the work tree, by their names from its root."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return {place.inside(one) or "": one.read_bytes() for one in files}


def _doubted(
    args: argparse.Namespace, wanted: Wanted, schema: Schema, path: str, side: str, place: git.Commit
) -> Schema:
    from schemacheck.cli import linking, reading
    from schemacheck.inputs.histories import remarks
    from schemacheck.plan import git as commits

    if (
        (schema.server is None and schema.history is None)
        or path == "-"
        or "://" in path
        or place.inside(Path(path)) is None
    ):
        return schema

    def then(file: str) -> Schema:
        return reading.read(file, side, args, linking.server(wanted, side))

    try:
        before = commits.at(place.ref, path, then)
    except (InputError, UsageError):
        before = Schema()
    doubt = None if args.history else remarks.other_tool(before, schema, f"git:{place.ref}")
    if doubt is not None and doubt.code not in {problem.code for problem in schema.problems}:
        schema = replace(schema, problems=(*schema.problems, doubt))
    if schema.server is None:
        return schema
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
