"""What a nightly run tells other programs."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from schemacheck.errors import InputError
from schemacheck.fleet import alerts, summary, task, trend
from schemacheck.model import Effect
from schemacheck.system import alert


def made(**more: Any) -> dict[str, Any]:
    none = {effect.value: 0 for effect in Effect}
    return {
        "schema_version": 2, "run_id": "r", "snapshot_date": "2026-11-21", "pairs": 3, "links": 2,
        "finished": "2026-11-21 02:00 UTC", "findings": 2,
        "verdicts": {**none, "stops": 1, "identical": 2},
        "clusters": {"orders": {"stops": 1, "identical": 1}, 'a "b"\\': {"identical": 1}},
        "rules": [{"code": "SC201", "rule": "needs-all-non-lossy", "effect": "stops", "count": 2}],
        "previous": {"new": 1, "fixed": 0, "worse": 0, "better": 0, "unchanged": 1},
        "link_findings": [], "topology": {"findings": []}, "input_problems": {"unread": 0, "noted": 0},
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


def test_what_a_link_is_by_itself_changes_too() -> None:
    from schemacheck.fleet import trend

    def row(source: str, effect: str, code: str = "SC902", error: int | None = 2059) -> dict[str, Any]:
        about = {"link": 0, "source": source, "replica": "r", "channel": "", "cluster": ""}
        return {**about, "code": code, "rule": "x", "effect": effect, "error": error, "message": "m"}

    before = [
        row("a", "stops"),
        row("b", "stops"),
        row("c", "stops"),
        row("d", "lossy"),
        row("gone", "stops"),
    ]
    now = [
        row("a", "stops"),
        row("c", "lossy"),
        row("d", "stops"),
        row("e", "stops"),
        row("a", "stops", "SC9"),
    ]
    found = trend.of_links(now, before, [(one, "r", "") for one in "abcde"])
    assert {(one["source"], one["code"]): one["change"] for one in found} == {
        ("a", "SC902"): "unchanged", ("a", "SC9"): "new", ("b", "SC902"): "fixed",
        ("c", "SC902"): "better", ("d", "SC902"): "worse", ("e", "SC902"): "new", ("gone", "SC902"): "unseen",
    }  # fmt: skip
    assert {(one["effect"], one["previous_effect"]) for one in found if one["source"] == "d"} == {
        ("stops", "lossy")
    }


def test_runs_are_told_on() -> None:
    one = made(run_id="1", snapshot_date="2026-11-19")
    two = made(run_id="2", snapshot_date="2026-11-20", trend=trend.of(one, None))
    three = trend.of(
        made(run_id="3"), {**two, "trend": [*trend.of(two, one), "x", {"verdicts": {"stops": "y"}}]}
    )
    assert [(row["run_id"], row["verdicts"]["stops"]) for row in three] == [("1", 1), ("2", 1), ("3", 1)]
    # A run that does not tell of those before it is one.
    assert [row["run_id"] for row in trend.of(made(run_id="3"), one)] == ["1", "3"]
    many = {**one, "trend": trend.of(one, None) * (trend.KEPT + 9)}
    assert len(trend.of(made(), many)) == trend.KEPT + 1


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "no finished run"), ("[]", "no finished run"), ("{", "no finished run"),
     ('{"schema_version": 1}', "schema version 1")],
)  # fmt: skip
def test_what_is_no_earlier_run_is_refused(text: str | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        trend.earlier(text, "s3a://reports/run")


def test_alike_findings_of_a_pair_have_fingerprints_of_their_own() -> None:
    one = {"column": None, "code": "SC406", "source_type": "", "replica_type": "", "message": "key a"}
    two, alone = {**one, "message": "key b"}, {**one, "message": "key b"}
    task._fingerprint("k", [one, two])
    task._fingerprint("k", [alone])
    assert one["fingerprint"] == alone["fingerprint"] != two["fingerprint"]
