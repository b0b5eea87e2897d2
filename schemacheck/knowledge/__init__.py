"""What servers can do, by version, from the YAML documents of the top-level `rules/` folder.

Python decides, YAML knows: no version number is compared anywhere else.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import UnknownServer, near
from schemacheck.knowledge import facts

if TYPE_CHECKING:
    from collections.abc import Mapping

Version = tuple[int, int, int]


def load(name: str) -> Any:
    """The document `name` below the folder of facts, without ending."""
    return facts.documents()[name]


def names(folder: str) -> tuple[str, ...]:
    """The documents in one folder of facts, without it and without ending."""
    return tuple(
        sorted(n.removeprefix(f"{folder}/") for n in facts.documents() if n.startswith(f"{folder}/"))
    )


def version(text: str) -> Version:
    """`8.0.36` -> (8, 0, 36); missing parts are 0."""
    numbers = [int(part) for part in re.findall(r"\d+", str(text))[:3]]
    return (*numbers, 0, 0, 0)[:3]  # type: ignore[return-value]


def is_before(release: Version, other: Version) -> bool:
    """Whether a release is older than another one of its flavour."""
    return release < other


@dataclass(frozen=True, slots=True)
class Profile:
    """What one server version can do. `capabilities` are names, `defaults` its variables' defaults."""

    name: str
    flavor: str
    capabilities: frozenset[str]
    defaults: Mapping[str, str]


@lru_cache(maxsize=256)
def series(flavor: str) -> tuple[tuple[Version, str, Version], ...]:
    """All described series of a flavour: (first version, document name, latest release), ascending."""
    result = []
    for stem in _servers():
        if stem.rsplit("-", 1)[0] == flavor:
            document = load(f"servers/{stem}")
            result.append((version(document["from"]), stem, version(document["latest"])))
    return tuple(sorted(result))


@lru_cache(maxsize=256)
def releases(flavor: str) -> tuple[Version, ...]:
    """The last release of every minor series of a flavour, ascending."""
    result = {latest for _, _, latest in series(flavor)}
    for _, stem, _ in series(flavor):
        result.update(version(text) for text in load(f"servers/{stem}").get("releases", ()))
    return tuple(sorted(result))


def _servers() -> list[str]:
    return [name.removeprefix("servers/") for name in facts.documents() if name.startswith("servers/")]


@cache
def flavors() -> tuple[str, ...]:
    """The flavours that are described."""
    return tuple(sorted({stem.rsplit("-", 1)[0] for stem in _servers()}))


def newest(flavor: str, numbers: tuple[int, ...]) -> Version:
    """The newest described release that begins with these numbers; what they spell where there is none or
    where they name a release. Without numbers: that of the series that is assumed (`rules/releases.yaml`).
    """
    numbers = numbers or version(load("releases")["assumed"][flavor])[:2]
    fitting = [item for item in releases(flavor) if item[: len(numbers)] == numbers]
    if len(numbers) < 3 and fitting:
        return fitting[-1]
    return (*numbers, 0, 0, 0)[:3]  # type: ignore[return-value]


#: No series of any flavour has had as many releases; a greater number is a typing error.
_MOST_RELEASES = 100


def release(flavor: str, numbers: tuple[int, ...]) -> Version:
    """The release that a person names: a series (its newest release) or a release of a described series,
    which may be newer than those described. Raises UnknownServer for any other, with a near miss.
    """
    result = newest(flavor, numbers)
    same = [item for item in releases(flavor) if item[:2] == result[:2]]
    dotted = ".".join(map(str, numbers))
    if not same:
        names = [f"{flavor}-{item[0]}.{item[1]}" for item in releases(flavor)]
        raise UnknownServer(f"no {flavor} {dotted} is known{near(f'{flavor}-{dotted}', names, cutoff=0.8)}")
    if result[2] >= _MOST_RELEASES:
        raise UnknownServer(
            f"no {flavor} {dotted} is known; the newest one of its series is {'.'.join(map(str, same[-1]))}"
        )
    profile(flavor, result)
    return result


def flavor_of(numbers: tuple[int, ...]) -> str:
    """The flavour that a bare number means: the first one with such a series; MySQL where none has it."""
    for flavor in ("mysql", "mariadb"):
        if any(item[: len(numbers[:2])] == numbers[:2] for item in releases(flavor)):
            return flavor
    return "mysql"


@lru_cache(maxsize=256)
def profile(flavor: str, release: Version) -> Profile:
    """The profile of this release.

    A series' document says `from` (its first version), `latest` and `releases` (last releases), `extends`
    (its parent where that is of another flavour; else it goes on from the series before it), `capabilities`
    (name -> true, false, or the version that brought it, or a list of since/until ranges) and `defaults`
    (variable -> value, or a list of {value, since}).
    """
    stem = next((name for first, name, _ in reversed(series(flavor)) if first <= release), None)
    if stem is None:
        text = ", ".join(f"{name}" for _, name, _ in series(flavor)) or ", ".join(flavors())
        dotted = ".".join(map(str, release))
        raise UnknownServer(f"nothing is known about {flavor} {dotted}; known: {text}")
    capabilities: dict[str, bool] = {}
    defaults: dict[str, str] = {}
    for name in reversed(lineage(stem)):
        document = load(f"servers/{name}")
        for capability, rule in (document.get("capabilities") or {}).items():
            capabilities[capability] = holds(rule, release)
        for variable, rule in (document.get("defaults") or {}).items():
            value = _value(rule, release)
            if value is not None:
                defaults[variable] = value
    return Profile(stem, flavor, frozenset(n for n, holds in capabilities.items() if holds), defaults)


def lineage(stem: str) -> tuple[str, ...]:
    """A series' document and those that it goes on from, the nearest first."""
    result = [stem]
    while (parent := load(f"servers/{result[-1]}").get("extends") or _before(result[-1])) is not None:
        result.append(parent)
    return tuple(result)


def _before(stem: str) -> str | None:
    """The document of the series before this one, of the same flavour."""
    names = [name for _, name, _ in series(stem.rsplit("-", 1)[0])]
    return names[names.index(stem) - 1] if names[0] != stem else None


def holds(rule: Any, release: Version) -> bool:
    """Whether a capability's rule holds: bool, `since` version, or {since, until, backports}."""
    if isinstance(rule, bool):
        return rule
    if isinstance(rule, list):
        return any(holds(item, release) for item in rule)
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
