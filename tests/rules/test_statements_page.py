"""The examples of docs/statements.md: each is found by the rule that it names, and was run on servers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from schemacheck import library
from schemacheck.model import Effect, Link

ROOT = Path(__file__).parents[2]
ROWS = [
    tuple(cell.strip().strip("`") for cell in line.strip("|").split(" | "))
    for line in (ROOT / "docs" / "statements.md").read_text("utf-8").splitlines()
    if re.search(r"\| SC\d+ \|$", line)
]
RECORDED = json.loads((Path(__file__).parent / "data" / "statements-page.json").read_text("utf-8"))


def case(source: str, replica: str) -> tuple[str, str]:
    return tuple(f"CREATE TABLE t (a INT PRIMARY KEY, {columns})" for columns in (source, replica))  # type: ignore[return-value]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
@pytest.mark.parametrize("server", ["mysql-9.7.4", "mariadb-10.11.19"])
def test_example_is_found(row: tuple[str, ...], server: str) -> None:
    source, replica, _, result, code = row
    report = library.check(*case(source, replica), Link.of(server, binlog_format="STATEMENT"))
    number = re.search(r"error (\d+)", result)
    named = [
        (f.error.number if f.error else 0, *f.also) if number else f.effect
        for f in report.findings
        if f.code == code.rstrip(" |")
    ]
    assert any(int(number[1]) in n for n in named) if number else Effect.DIVERGES in named


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2])
def test_example_was_run(row: tuple[str, ...]) -> None:
    """What MySQL 9.7.4 and MariaDB 10.11.19 did with it: an error's number, or other rows."""
    source, replica, statements, result, _ = row
    number = re.search(r"error (\d+)", result)
    for server in ("mysql-9.7", "mariadb-10.11"):
        seen = RECORDED[server]["; ".join((*case(source, replica), statements))]
        assert seen == (int(number[1]) if number else "differs")


def test_page_has_its_examples() -> None:
    assert len(ROWS) == 22
