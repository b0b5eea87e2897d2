"""What a nightly run tells other programs: a text file of Prometheus, and JSON for a webhook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from schemacheck.system.alert import metric

#: Findings that a message lists; it counts all.
LISTED = 50


def prometheus(summary: Mapping[str, Any], statuses: Mapping[str, int]) -> str:
    """The run's figures in Prometheus' text format (node_exporter's textfile collector reads it). `statuses`
    are exit statuses by cluster.
    """
    return "".join(f"{line}\n" for line in _metrics(summary, statuses))


def _metrics(summary: Mapping[str, Any], statuses: Mapping[str, int]) -> Iterator[str]:
    yield "# HELP schemacheck_pairs Pairs of tables by verdict."
    yield "# TYPE schemacheck_pairs gauge"
    for cluster, verdicts in summary["clusters"].items():
        for verdict in summary["verdicts"]:
            yield metric("pairs", verdicts.get(verdict, 0), cluster=cluster, verdict=verdict)
    yield "# HELP schemacheck_findings Findings by rule and effect."
    yield "# TYPE schemacheck_findings gauge"
    for rule in summary["rules"]:
        yield metric("findings", rule["count"], code=rule["code"], rule=rule["rule"], effect=rule["effect"])
    yield "# HELP schemacheck_status Exit status: 0 fine, 1 findings, 3 only unknowns stand in the way."
    yield "# TYPE schemacheck_status gauge"
    for cluster, status in statuses.items():
        yield metric("status", status, cluster=cluster)
    if summary["previous"]:
        yield "# HELP schemacheck_changes Findings against the run before."
        yield "# TYPE schemacheck_changes gauge"
        for change, count in summary["previous"].items():
            yield metric("changes", count, change=change)
    finished = datetime.strptime(summary["finished"], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    yield "# HELP schemacheck_finished_seconds When the run ended."
    yield "# TYPE schemacheck_finished_seconds gauge"
    yield metric("finished_seconds", int(finished.timestamp()))


def message(
    summary: Mapping[str, Any],
    status: int,
    statuses: Mapping[str, int],
    changes: Sequence[Mapping[str, Any]],
    out: str,
) -> dict[str, Any]:
    """What a webhook is sent: the figures, the exit status of the run and of every cluster, and the first of
    the findings that are new or worse among `changes`.
    """
    fields = ("run_id", "snapshot_date", "finished", "pairs", "links", "verdicts", "findings", "previous")
    return {
        "schema_version": summary["schema_version"],
        **{name: summary[name] for name in fields},
        "status": status,
        "clusters": dict(statuses),
        "changes": [row for row in changes if row["change"] in ("new", "worse")][:LISTED],
        "report": out,
    }
