"""What a run is asked for, and what is known of it before its engine is started."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import profiles, snapshots, timings, topology, trend
from schemacheck.fleet.place import local_text
from schemacheck.fleet.unchanged import Asked
from schemacheck.fleet.whatif import Scenario


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asks for. `out` and `previous` are folders or URLs; `what_if` is what is asked to be
    otherwise; `conf` are settings of Spark; `cluster` is the one that the caller will ask about.
    """

    topology: Path
    out: str
    snapshots: Sequence[str] = ()
    engine: str = "auto"
    master: str | None = None
    remote: str | None = None
    previous: str | None = None
    memory: str = "2g"
    cores: int | None = None
    what_if: Scenario | None = None
    archive: Path | None = None
    conf: Sequence[tuple[str, str]] = ()
    run_id: str | None = None
    snapshot_date: dt.date | None = None
    cluster: str | None = None
    evidence: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A run before its engine is started: `dumps` and `resolved` are None where they lie behind URLs, which
    only the engine can list; `started` is the clock's time, `given` the earlier run's summary where it lies
    here, `asked` what is to be asked, where that is known.
    """

    options: Options
    fleet: topology.Topology
    places: Sequence[str]
    dumps: list[snapshots.Dump] | None
    resolved: profiles.Profiles | None
    started: float
    say: Callable[[str], None]
    stages: timings.Stages
    given: dict[str, Any] | None = None
    asked: Asked | None = None

    @property
    def size(self) -> int:
        """Bytes of the dumps that are to be read, as far as they are known."""
        dumps = chain.from_iterable(group.dumps for group in self.asked.groups) if self.asked else self.dumps
        return sum(dump.size for dump in dumps or ())

    @property
    def is_told(self) -> bool:
        """Whether an earlier run on this machine has told all, of the same links."""
        asked, links = self.asked, len(self.fleet.links)
        return asked is not None and not asked.groups and (self.given or {}).get("links") == links


def prepared(
    options: Options,
    say: Callable[[str], None],
    changed: Callable[[topology.Topology], topology.Topology] | None = None,
) -> Job:
    """The job of options, with the topology as it is `changed`. Raises UsageError and InputError."""
    started, stages = time.monotonic(), timings.Stages()
    stages.begin("listing")
    if options.archive and not options.archive.is_file():
        raise UsageError(f"--archive {options.archive}: no such file; --make-zip writes one")
    given = None
    if options.previous and not snapshots.is_url(options.previous):
        given = finished_run(Path(options.previous))
    fleet = topology.read(options.topology)
    if not fleet.links:
        raise UsageError(f"{options.topology}: no links; nothing to check")
    if options.cluster not in (None, *fleet.clusters):
        raise UsageError(
            f"--cluster {options.cluster}: no link is of this cluster; there are {', '.join(fleet.clusters)}"
        )
    fleet = fleet if changed is None else changed(fleet)
    places = list(options.snapshots or fleet.snapshots)
    say("looking for snapshots")
    behind = [*places, *(instance.snapshot for instance in fleet.instances.values() if instance.snapshot)]
    here = None if any(map(snapshots.is_url, behind)) else snapshots.find(fleet, places)
    resolved = None if here is None else resolved_of(options, fleet, here, places)
    return Job(options, fleet, places, here, resolved, started, say, stages, given)


def resolved_of(
    options: Options, fleet: topology.Topology, dumps: list[snapshots.Dump], places: Sequence[str]
) -> profiles.Profiles:
    """The links' profiles. Raises InputError where there is no snapshot at all."""
    if not dumps:
        where = f"no snapshot found: looked in {', '.join(places)}"
        raise InputError(
            f"{where if places else 'no snapshots given: name a folder, or `snapshots:` in the topology'}; "
            "a snapshot is a folder INSTANCE/ with columns.tsv or "
            "columns.parquet, see docs/fleet.md"
        )
    return profiles.resolve(fleet, dumps, options.what_if)


def finished_run(run: Path) -> dict[str, Any]:
    """The summary of an earlier run. Raises InputError where the folder is none that can be compared."""
    text = local_text(run, "summary.json")
    return trend.earlier(text if (run / "findings").is_dir() else "", str(run))
