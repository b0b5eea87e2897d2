"""The end of a run: figures, causes, page and summary of what its pairs tell."""

from __future__ import annotations

import datetime as dt
import json
import time
from importlib import metadata
from typing import TYPE_CHECKING, Any

from schemacheck.fleet import causes, report, routes, secret, snapshots, summary, trend, whole_links
from schemacheck.fleet.workers import WorkerPool
from schemacheck.model.quantity import plural
from schemacheck.system import leftovers

if TYPE_CHECKING:
    from schemacheck.fleet.job import Job
    from schemacheck.fleet.place import Place
    from schemacheck.fleet.profiles import Profiles
    from schemacheck.fleet.results import Results
    from schemacheck.fleet.trend import Changes, Run

#: Causes that have scripts, one for each replica.
_WITH_SCRIPTS = 10
#: Causes that are listed.
_LISTED = 500


def told(job: Job, place: Place, run: Run, results: Results, changes: Changes | None) -> dict[str, Any]:
    """The summary, written like all else; `changes` are those since an earlier run."""
    job.say("summing up")
    job.stages.begin("counting")
    fleet, resolved, given = job.fleet, job.resolved, job.given
    assert resolved is not None
    made = _summary(job, resolved, place, run, results, changes)
    if given is not None:
        ends = [(link.source, link.replica, link.channel) for link in fleet.links]
        of_links = trend.of_links(made["link_findings"], given.get("link_findings", ()), ends)
        for row in of_links:
            made["previous"][row["change"]] += 1
        first = [row for row in of_links if row["change"] in ("new", "worse")]
        made["changes"] = [*first, *made["changes"]]
        made["changes"] += [row for row in of_links if row["change"] in ("fixed", "better", "unseen")]
    made["trend"] = trend.of(made, given)
    made["not_looked_at"] = snapshots.not_looked_at(job.dumps or ())
    links_of = (resolved.links[profile] for profile in resolved.of.values())
    mixed = sum(link.of_rows is not link for link in links_of)
    if mixed:
        unsaid = f"row events are checked; on {plural(mixed, 'link')} the source may also log statements"
        made["not_looked_at"] += [f"{unsaid} (MIXED is its default): give binlog_format to have them checked"]
    problems, *_ = results.problems()
    job.stages.begin("causes")
    made["seconds"] = round(time.monotonic() - job.started, 2)
    servers = {n: str(s) for n, s in resolved.servers.items()}
    worst = results.worst(None if changes is None else changes.fresh)
    listed, in_all, scripts = causes.of(worst, servers, _WITH_SCRIPTS, _LISTED)
    made |= {"causes": listed, "causes_in_all": in_all}
    workers, WorkerPool.spent = WorkerPool.spent, None
    made["timings"] = job.stages.told(results.spent(), workers, sorted(leftovers.running()))
    job.stages.begin("page")
    for name, text in {**scripts, **report.files(results, worst, servers, made, problems)}.items():
        place.write(name, text)
    job.stages.end()
    made["seconds"] = round(time.monotonic() - job.started, 2)
    place.write(
        "summary.json", json.dumps({**made, "servers": resolved.taken}, indent=1, ensure_ascii=False) + "\n"
    )
    return made


def _summary(
    job: Job, resolved: Profiles, place: Place, run: Run, results: Results, changes: Changes | None
) -> dict[str, Any]:
    """The run's figures."""
    fleet, asked, what_if = job.fleet, job.asked, job.options.what_if
    assert asked is not None
    links = whole_links.rows(fleet, resolved, asked.evidence)
    try:
        ours = metadata.version("schemacheck")
    except metadata.PackageNotFoundError:
        ours = "(from an archive)"
    counts = None
    if changes is not None:
        counts = {name: changes.counts.get(name, 0) for name in trend.KINDS}
        stored = sum(row["count"] for row in results.findings())
        counts["unchanged"] = stored - counts["new"] - counts["worse"] - counts["better"]
    problems, unread, noted = results.problems()
    facts = {
        "version": ours,
        "run_id": run.run_id,
        "snapshot_date": run.snapshot_date.isoformat(),
        "finished": dt.datetime.now(tz=dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "engine": place.engine.label,
        "memory_key": secret.name(asked.key),
        "links": len(fleet.links),
        "links_by_effect": whole_links.counts(links),
        "link_findings": links,
        "instances": len({n for link in fleet.links for n in (link.source, link.replica)}),
        "profiles": len(resolved.links),
        "decisions": results.decisions(),
        "what_if": None if what_if is None else str(what_if),
        "seconds": 0.0,
    }
    ways = routes.follow(fleet, resolved, results.named)
    made = summary.summarise(results, facts, fleet.clusters, (unread, noted), counts)
    if unread:
        made["input_problems"]["first"] = problems[0]
    return {**made, "changes": [] if changes is None else [*changes.first], "topology": ways}
