"""Several profiles side by side: of each table the latest data, the data before it, what all logs write."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.profile import combined
from schemacheck.profile.document import Profile, TableProfile

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Taken:
    """A table and the profile in which it is."""

    profile: Profile
    table: TableProfile


@dataclass(frozen=True, slots=True)
class Sightings:
    """One table in all profiles: `data` the latest of its data, `before` that of the same server before it,
    `log` what the logs write to it (profiles of logs are added up; `profile` is the last of them).
    """

    data: Taken | None = None
    before: Taken | None = None
    log: Taken | None = None


def merge(profiles: Iterable[Profile]) -> dict[tuple[str, str], Sightings]:
    """The tables of all profiles by (schema, name)."""
    found: defaultdict[tuple[str, str], list[Taken]] = defaultdict(list)
    for profile in profiles:
        for table in profile.tables:
            found[table.schema, table.name].append(Taken(profile, table))
    return {name: _sightings(sorted(taken, key=lambda t: t.table.taken)) for name, taken in found.items()}


def _sightings(taken: list[Taken]) -> Sightings:
    latest = before = log = None
    for one in taken:
        if one.profile.kind == "binlog":
            log = Taken(one.profile, combined.written(log.table, one.table)) if log else one
        elif latest is None or one.profile.server == latest.profile.server:
            latest, before = one, latest
        else:
            latest, before = one, None
    return Sightings(latest, before, log)
