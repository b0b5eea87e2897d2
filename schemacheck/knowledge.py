"""The facts about servers that stand as YAML in the top-level `rules/` folder.

Python decides, YAML knows: no version number is compared anywhere else. A wheel carries the folder
as `schemacheck/_rules`; a checkout reads it beside the package.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from schemacheck import compiled
from schemacheck.errors import UnknownServer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

Version = tuple[int, int, int]


def folder() -> Traversable:
    """The folder of facts: inside the installed package, or `rules/` of a checkout."""
    package = resources.files("schemacheck")
    packed = package / "_rules"
    return packed if packed.is_dir() else package / ".." / "rules"


@cache
def load(name: str) -> Any:
    """The YAML document `name` (without ending) below the folder of facts."""
    return compiled.load(name, folder() / f"{name}.yaml")


def version(text: str) -> Version:
    """`8.0.36` -> (8, 0, 36); missing parts are 0."""
    numbers = [int(part) for part in re.findall(r"\d+", str(text))[:3]]
    return (*numbers, 0, 0, 0)[:3]  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Profile:
    """What one server version can do. `capabilities` are names, `defaults` its variables' defaults."""

    name: str
    flavor: str
    capabilities: frozenset[str]
    defaults: Mapping[str, str]


@cache
def series(flavor: str) -> tuple[tuple[Version, str, Version], ...]:
    """All described series of a flavour: (first version, document name, latest release), ascending."""
    found = []
    for entry in (folder() / "servers").iterdir():
        stem, _, ending = entry.name.rpartition(".")
        if ending == "yaml" and stem.rsplit("-", 1)[0] == flavor:
            document = load(f"servers/{stem}")
            found.append((version(document["from"]), stem, version(document["latest"])))
    return tuple(sorted(found))


@cache
def releases(flavor: str) -> tuple[Version, ...]:
    """The last release of every minor series of a flavour, ascending (`latest` and `releases` of the documents)."""
    found = {latest for _, _, latest in series(flavor)}
    for _, stem, _ in series(flavor):
        found.update(version(text) for text in load(f"servers/{stem}").get("releases", ()))
    return tuple(sorted(found))


@cache
def flavors() -> tuple[str, ...]:
    """The flavours that are described."""
    names = {
        e.name.rpartition(".")[0].rsplit("-", 1)[0]
        for e in (folder() / "servers").iterdir()
        if e.name.endswith(".yaml")
    }
    return tuple(sorted(names))


@cache
def profile(flavor: str, release: Version) -> Profile:
    """The profile of this release.

    A series' document says `from` (its first version), `latest` and `releases` (last releases), `extends` (its parent document),
    `capabilities` (name -> true, false, or the version that brought it, or a list of
    since/until ranges) and `defaults` (variable -> value, or a list of {value, since}).
    """
    stem = next((name for first, name, _ in reversed(series(flavor)) if first <= release), None)
    if stem is None:
        known = ", ".join(f"{name}" for _, name, _ in series(flavor)) or ", ".join(flavors())
        dotted = ".".join(map(str, release))
        message = f"nothing is known about {flavor} {dotted}; known: {known}"
        raise UnknownServer(message)
    chain = [load(f"servers/{stem}")]
    while "extends" in chain[-1]:
        chain.append(load(f"servers/{chain[-1]['extends']}"))
    capabilities: dict[str, bool] = {}
    defaults: dict[str, str] = {}
    for document in reversed(chain):
        for name, rule in (document.get("capabilities") or {}).items():
            capabilities[name] = holds(rule, release)
        for name, rule in (document.get("defaults") or {}).items():
            value = _value(rule, release)
            if value is not None:
                defaults[name] = value
    return Profile(stem, flavor, frozenset(n for n, holds in capabilities.items() if holds), defaults)


def holds(rule: Any, release: Version) -> bool:
    """Whether a capability's rule holds: bool, `since` version, or {since, until, backports}."""
    if isinstance(rule, bool):
        return rule
    if isinstance(rule, list):
        return any(holds(one, release) for one in rule)
    if isinstance(rule, dict):
        if "is" in rule:
            return bool(rule["is"])
        since = version(rule.get("since", "0"))
        until = version(rule["until"]) if "until" in rule else None
        return since <= release and (until is None or release < until)
    return version(rule) <= release


def _value(rule: Any, release: Version) -> str | None:
    """A default's value for this release; later entries win."""
    if not isinstance(rule, list):
        return str(rule)
    value = None
    for entry in rule:
        if version(entry.get("since", "0")) <= release:
            value = str(entry["value"])
    return value
