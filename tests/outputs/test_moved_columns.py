"""What people are told of columns that another column moves."""

from __future__ import annotations

import json

import pytest

import schemacheck
from schemacheck.outputs import github, gitlab, html, markdown, sarif

_SOURCE = "CREATE TABLE shop.t (id INT PRIMARY KEY, a INT, b VARCHAR(9), c DATE);"


@pytest.mark.parametrize("output", [github, gitlab, html, markdown, sarif])
def test_they_go_with_it(output):
    report = schemacheck.check(_SOURCE, _SOURCE.replace(" a INT,", ""), schemacheck.Link.of("mysql-8.0"))
    assert {finding.code for finding in report.findings} >= {"SC102", "SC203"}
    text = output.render(report).partition("<details>")[0].partition("<h2>What")[0]
    assert "SC102" in text
    assert "SC203" not in text


def test_a_finding_of_their_own_stays():
    replica = _SOURCE.replace(" a INT,", "").replace("id INT", "id SMALLINT")
    report = schemacheck.check(_SOURCE, replica, schemacheck.Link.of("mysql-8.0"))
    told = json.loads(gitlab.render(report))
    assert [(entry["check_name"], entry["severity"]) for entry in told] == [
        ("SC202 needs-all-lossy", "blocker"), ("SC102 extra-column-not-last", "blocker"),
    ]  # fmt: skip
