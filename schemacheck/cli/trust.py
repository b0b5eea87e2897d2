"""The trusted place of `--config git:REF:PATH`, against what the working tree says."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.config import discovery
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.model import Location
from schemacheck.model.policy import SuppressionUse
from schemacheck.system import git

if TYPE_CHECKING:
    import argparse

    from schemacheck.config.model import Config
    from schemacheck.policy import Trusted


def folder(file: str) -> Path:
    """The folder of the work tree that a configuration's paths of inputs start from."""
    if not git.is_located(file):
        return Path(file).parent
    commit, path = git.located(file)
    return commit.top / posixpath.dirname(path)


def commit(args: argparse.Namespace) -> git.Commit | None:
    """The commit that the policy comes from; None where it comes from elsewhere."""
    return git.located(args.config)[0] if args.config and git.is_located(args.config) else None


def take_from_place(args: argparse.Namespace) -> None:
    """Filters and baselines that the command line names in the work tree are those of the commit."""
    place = commit(args)
    for option in ("filters", "baseline"):
        name = getattr(args, option, None)
        if place is None or not name or name == "-" or git.is_located(name):
            continue
        inside = place.inside(Path(name))
        if inside is not None:
            setattr(args, option, f"{git.PREFIX}{place.ref}:{inside}")


def policy(
    args: argparse.Namespace, config: Config | None, texts: Mapping[str, str], baseline: str | None
) -> Trusted | None:
    """What the trusted place has of the files, and how the change's policy differs; None without one."""
    from schemacheck.policy import Trusted

    place = commit(args)
    if place is None:
        return _elsewhere(args, config)
    if config is None:
        return None
    there = {file: _text(place, file, args.encoding) for file in texts}
    different = _differences(place, config, baseline)
    if getattr(args, "filters", None) and git.is_located(args.filters):
        different += _changed(place, "filters", args.filters)
    return Trusted(f"git:{place.ref}", there, tuple(different))


def _elsewhere(args: argparse.Namespace, config: Config | None) -> Trusted | None:
    """For a policy outside of the checkout: what the checkout's own has beside it; else None."""
    from schemacheck.config import reader
    from schemacheck.policy import Trusted, trusted

    path = discovery.find(Path.cwd())
    if not args.config or config is None or path is None:
        return None
    top = next((parent for parent in (path.parent, *path.parents) if (parent / ".git").exists()), path.parent)
    if Path(args.config).resolve().is_relative_to(top.resolve()):
        return None
    try:
        own = reader.load(_shown(path))
    except SchemacheckError as error:
        wrong = SuppressionUse("configuration of the change", Location(_shown(path)), untrusted=str(error))
        return Trusted(args.config, None, (wrong,))
    return Trusted(args.config, None, trusted.differences(args.config, config, own))


def _shown(file: Path) -> str:
    """A file's name as other files are shown: from the working directory, where it is below."""
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def _text(place: git.Commit, file: str, encoding: str | None) -> str:
    from schemacheck.inputs.source import Source, decompress

    inside = place.inside(Path(file)) if file != "-" else None
    content = place.file(inside) if inside else None
    return "" if content is None else Source(file, decompress(content, file), encoding).text


def _differences(place: git.Commit, config: Config, baseline: str | None) -> list[SuppressionUse]:
    from schemacheck.config import reader
    from schemacheck.policy import trusted

    name = f"git:{place.ref}"
    out: list[SuppressionUse] = []
    path = git.located(config.file)[1]
    result = place.top / path if path else discovery.find(Path.cwd())
    if result is not None and result.is_file():
        try:
            own = reader.load(_shown(result))
        except SchemacheckError as error:
            out.append(
                SuppressionUse("configuration of the change", Location(_shown(result)), untrusted=str(error))
            )
        else:
            out += trusted.differences(name, config, own)
    for link in config.links:
        if link.filters is not None:
            out += _changed(place, "filters", git.beside(link.filters.location.file, link.filters.value))
    if baseline is not None and git.is_located(baseline):
        out += _grown(place, baseline)
    return out + _changed(place, "answers", git.beside(config.file, discovery.FACTS))


def _here(place: git.Commit, file: str) -> tuple[Path, bytes] | None:
    here = place.top / git.located(file)[1]
    try:
        return here, git.read_bounded(here)
    except InputError:
        return None


def _changed(place: git.Commit, what: str, file: str) -> list[SuppressionUse]:
    here = _here(place, file)
    if here is None or here[1] == place.file(git.located(file)[1]):
        return []
    why = f"git:{place.ref} has it otherwise"
    return [SuppressionUse(f"file of {what} {here[0].name}", Location(_shown(here[0])), untrusted=why)]


def _grown(place: git.Commit, file: str) -> list[SuppressionUse]:
    """One use for the findings that only the working tree's baseline knows."""
    from schemacheck.policy import baseline

    here = _here(place, file)
    if here is None:
        return []
    names = {entry.fingerprint for entry in baseline.load(file)}
    try:
        more = sum(entry.fingerprint not in names for entry in baseline.load(str(here[0])))
    except InputError as error:
        return [SuppressionUse("baseline of the change", Location(_shown(here[0])), untrusted=str(error))]
    if not more:
        return []
    what = f"baseline of the change, {more:,} findings longer,"
    return [SuppressionUse(what, Location(_shown(here[0])), untrusted=f"git:{place.ref} does not know them")]
