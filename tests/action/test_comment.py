"""The one comment on a pull request, against a service of the tests' own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "comment.py"


def comment(folder: Path, service, text: str, event: object = None, **environment: str):
    (folder / "report.md").write_text(text)
    (folder / "event.json").write_text(
        json.dumps({"pull_request": {"number": 7}} if event is None else event)
    )
    given = {
        "PATH": os.environ["PATH"],
        "GITHUB_API_URL": f"http://127.0.0.1:{service.server_port}",
        "GITHUB_REPOSITORY": "somebody/shop",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_TOKEN": "t0ken",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), "report.md"],
        cwd=folder, env=given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "t0ken" not in done.stdout + done.stderr
    return done.stdout


def test_one_comment_is_written_and_kept_up_to_date(tmp_path, service):
    stranger = {"id": 1, "user": {"type": "User"}, "body": "<!-- schemacheck -->\nnot the tool's"}
    service.comments = [stranger, *({"id": n, "user": None, "body": "+1"} for n in range(2, 130))]
    before = len(service.comments)
    assert comment(tmp_path, service, "1 table: 1 stops") == ""
    assert comment(tmp_path, service, "1 table: 1 ok") == ""
    assert len(service.comments) == before + 1
    assert service.comments[-1]["body"] == "<!-- schemacheck -->\n1 table: 1 ok"
    assert stranger["body"].endswith("not the tool's")
    assert [method for method, _ in service.log] == ["GET", "GET", "POST", "GET", "GET", "PATCH"]
    assert comment(tmp_path, service, "another", SCHEMACHECK_COMMENT="warehouse") == ""
    assert service.comments[-1]["body"] == "<!-- schemacheck warehouse -->\nanother"


def test_a_long_report_is_cut_to_what_the_service_takes(tmp_path, service):
    comment(tmp_path, service, "x" * 100_000)
    assert len(service.comments[0]["body"]) == 65_000


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_token_that_may_not_write_is_said_and_no_fault(tmp_path, service, status):
    service.status = status
    said = comment(tmp_path, service, "text")
    assert said.startswith("::notice")
    assert "pull-requests: write" in said


def test_without_a_pull_request_a_token_or_a_service_nothing_happens(tmp_path, service):
    assert "no pull request" in comment(tmp_path, service, "text", {"ref": "refs/heads/main"})
    assert "no token" in comment(tmp_path, service, "text", GITHUB_TOKEN="")
    assert "does not answer" in comment(tmp_path, service, "text", GITHUB_API_URL="http://127.0.0.1:9")
    assert "cannot be read" in comment(tmp_path, service, "text", GITHUB_EVENT_PATH="/nowhere")
    assert service.log == []
