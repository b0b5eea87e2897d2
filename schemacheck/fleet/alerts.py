"""What a nightly run tells other programs: a text file of Prometheus, and JSON for a webhook."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from schemacheck.errors import InputError

#: Findings that a message lists; it counts all.
LISTED = 50
#: Seconds that a webhook has to answer.
_PATIENCE = 20


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
            yield _line("pairs", verdicts.get(verdict, 0), cluster=cluster, verdict=verdict)
    yield "# HELP schemacheck_findings Findings by rule and effect."
    yield "# TYPE schemacheck_findings gauge"
    for rule in summary["rules"]:
        yield _line("findings", rule["count"], code=rule["code"], rule=rule["rule"], effect=rule["effect"])
    yield "# HELP schemacheck_status Exit status: 0 fine, 1 findings, 3 only unknowns stand in the way."
    yield "# TYPE schemacheck_status gauge"
    for cluster, status in statuses.items():
        yield _line("status", status, cluster=cluster)
    if summary["previous"]:
        yield "# HELP schemacheck_changes Findings against the run before."
        yield "# TYPE schemacheck_changes gauge"
        for change, count in summary["previous"].items():
            yield _line("changes", count, change=change)
    finished = datetime.strptime(summary["finished"], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    yield "# HELP schemacheck_finished_seconds When the run ended."
    yield "# TYPE schemacheck_finished_seconds gauge"
    yield _line("finished_seconds", int(finished.timestamp()))


def _line(name: str, value: int, **labels: str) -> str:
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"schemacheck_{name}{{{inside}}} {value}" if inside else f"schemacheck_{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def message(
    summary: Mapping[str, Any], statuses: Mapping[str, int], changes: Sequence[Mapping[str, Any]], out: str
) -> dict[str, Any]:
    """What a webhook is sent: the figures, the status of every cluster, and the first of the findings that
    are new or worse among `changes`.
    """
    told = ("run_id", "snapshot_date", "finished", "pairs", "links", "verdicts", "findings", "previous")
    return {
        "schema_version": summary["schema_version"],
        **{name: summary[name] for name in told},
        "status": max(statuses.values(), key=(0, 3, 1).index, default=0),
        "clusters": dict(statuses),
        "changes": [row for row in changes if row["change"] in ("new", "worse")][:LISTED],
        "report": out,
    }


def post(url: str, value: Mapping[str, Any]) -> None:
    """Send JSON. Raises InputError where nobody takes it."""
    if not url.startswith(("http://", "https://")):
        problem = f"--webhook takes http:// or https://, not {url!r}"
        raise InputError(problem)
    data = json.dumps(value, ensure_ascii=False, default=str).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 see above
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE):  # noqa: S310 see above
            pass
    except (urllib.error.URLError, OSError) as error:
        problem = f"--webhook: the message was not taken: {error}; the results are in place"
        raise InputError(problem) from None
