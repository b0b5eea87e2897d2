"""Managed deployments whose vendor fixes which end may be changed: data in `rules/profiles/`, one
file each.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.dataclass import dataclass

_FOLDER = "profiles"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the vendor says, and what recorded servers did."""

    says: str
    recorded: str


@dataclass(frozen=True, slots=True)
class Profile:
    """`changed` is the only end that may be changed before the other one goes ('replica'); `steps` are the
    vendor's rules, `advice` those of its words that recorded servers contradict; `source` cites the page and
    the day.
    """

    name: str
    title: str
    source: str
    changed: str
    steps: tuple[str, ...]
    advice: tuple[Advice, ...]


def names() -> tuple[str, ...]:
    """The profiles that there are."""
    return knowledge.names(_FOLDER)


def load(name: str) -> Profile:
    """The profile of this name. Raises KeyError where there is none."""
    found = knowledge.load(f"{_FOLDER}/{name}")
    advice = tuple(Advice(one["says"], " ".join(one["recorded"].split())) for one in found["advice"])
    return Profile(
        found["name"], found["title"], found["source"], found["changed"], tuple(found["steps"]), advice
    )
