"""What a nightly run tells other programs."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from schemacheck import alert
from schemacheck.fleet import alerts, summary
from schemacheck.model import Effect


def made(**more: Any) -> dict[str, Any]:
    none = {effect.value: 0 for effect in Effect}
    return {
        "schema_version": 2, "run_id": "r", "snapshot_date": "2026-11-21", "pairs": 3, "links": 2,
        "finished": "2026-11-21 02:00 UTC", "findings": 2,
        "verdicts": {**none, "stops": 1, "identical": 2},
        "clusters": {"orders": {"stops": 1, "identical": 1}, 'a "b"\\': {"identical": 1}},
        "rules": [{"code": "SC201", "rule": "needs-all-non-lossy", "effect": "stops", "count": 2}],
        "previous": {"new": 1, "fixed": 0, "worse": 0, "better": 0, "unchanged": 1},
        "link_findings": [], "input_problems": {"unread": 0, "noted": 0},
        **more,
    }  # fmt: skip


def test_every_cluster_has_its_own_status() -> None:
    told = made(
        link_findings=[{"effect": "diverges", "cluster": ""}], clusters={"(none)": {}, "x": {"unknown": 1}}
    )
    assert summary.statuses(told, Effect.UNSUPPORTED) == {"(none)": 1, "x": 3}
    assert summary.statuses(made(), Effect.UNSUPPORTED) == {"orders": 1, 'a "b"\\': 0}


def test_prometheus_reads_it() -> None:
    lines = alerts.prometheus(made(), {"orders": 1, 'a "b"\\': 0}).splitlines()
    assert 'schemacheck_pairs{cluster="orders",verdict="stops"} 1' in lines
    assert 'schemacheck_pairs{cluster="a \\"b\\"\\\\",verdict="unknown"} 0' in lines
    assert 'schemacheck_findings{code="SC201",rule="needs-all-non-lossy",effect="stops"} 2' in lines
    assert 'schemacheck_status{cluster="orders"} 1' in lines
    assert 'schemacheck_changes{change="new"} 1' in lines
    assert "schemacheck_finished_seconds 1795226400" in lines
    assert len({line.split("{")[0] for line in lines if line[0] != "#"}) == 5
    assert all(
        f"# TYPE {line.split('{')[0].split(' ')[0]} gauge" in lines for line in lines if line[0] != "#"
    )


def test_a_webhook_is_sent_what_is_new_or_worse() -> None:
    taken: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    changes = [{"change": "new", "table": "t"}, {"change": "fixed", "table": "u"}] + [
        {"change": "worse"}
    ] * 60
    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        value = alerts.message(made(), 1, {"orders": 1, "b": 3}, changes, "s3a://reports/run")
        alert.post(f"http://127.0.0.1:{server.server_address[1]}/", value)
    finally:
        server.shutdown()
        server.server_close()
    assert taken == [value]
    assert (value["status"], value["clusters"]) == (1, {"orders": 1, "b": 3})
    assert (value["changes"][0], len(value["changes"])) == ({"change": "new", "table": "t"}, alerts.LISTED)
