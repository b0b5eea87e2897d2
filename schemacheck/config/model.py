"""What a configuration says, as frozen values; each with the place where it is written."""

from __future__ import annotations

import datetime as dt
from typing import Generic, TypeVar

from schemacheck.dataclass import dataclass
from schemacheck.model import Effect, Location

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Placed(Generic[T]):
    """A value and where it was written."""

    value: T
    location: Location


@dataclass(frozen=True, slots=True)
class LinkConfig:
    """One link. `options` are (option name, value) of
    LINK_OPTIONS, `source_set` and `replica_set` (server variable, value) of one end."""

    name: str
    location: Location
    source: Placed[str] | None = None
    replica: Placed[str] | None = None
    options: tuple[tuple[str, Placed[str]], ...] = ()
    source_set: tuple[tuple[str, Placed[str]], ...] = ()
    replica_set: tuple[tuple[str, Placed[str]], ...] = ()
    filters: Placed[str] | None = None
    kind: Placed[str] | None = None


@dataclass(frozen=True, slots=True)
class Tolerated:
    """Findings that the team lives with.

    `rule` is a code, the beginning of one (`SC2`) or a name, None for all; `tables` and `columns`
    are patterns (`shop.*`), empty for all; `files` are patterns of files' names, whole paths or their ends;
    `effect` is the worst effect that is still tolerated; `expires` is the first day on which it no longer is.
    """

    reason: str
    location: Location
    rule: str | None = None
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    effect: Effect | None = None
    expires: dt.date | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration file. Paths are as written, relative to the file's folder. `require` is what a
    suppression must have (REQUIREMENTS of the reader); `versions` are both servers where no link names them,
    `against` the commit that a path is held against where there is no other side, `ask` the scratch server
    that says what is not understood.
    """

    file: str
    source: Placed[str] | None = None
    replica: Placed[str] | None = None
    links: tuple[LinkConfig, ...] = ()
    fail_on: Placed[Effect] | None = None
    format: Placed[str] | None = None
    select: tuple[Placed[str], ...] = ()
    ignore: tuple[Placed[str], ...] = ()
    baseline: Placed[str] | None = None
    tolerate: tuple[Tolerated, ...] = ()
    require: tuple[str, ...] = ()
    versions: LinkConfig | None = None
    against: Placed[str] | None = None
    ask: Placed[str] | None = None


def named(links: tuple[LinkConfig, ...], name: str) -> LinkConfig | None:
    """The link of this name."""
    return next((link for link in links if link.name == name), None)
