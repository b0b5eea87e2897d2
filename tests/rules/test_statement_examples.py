"""Every rule about statements has an example: it is found by its rule, and was run (tests/live)."""

from __future__ import annotations

import pytest

from schemacheck import library
from schemacheck.model import Effect, Link
from schemacheck.rules import find
from tests.rules.statement_examples import EXAMPLES

#: Servers that an example is about, where it is not about two of one version.
ENDS = {"SC805": ("mariadb-11.8.6", "mysql-9.7.4"), "SC806": ("mariadb-11.8.6", "mysql-9.7.4")}


def test_rules_about_statements_have_examples() -> None:
    assert sorted(EXAMPLES) == [f"SC80{number}" for number in range(1, 9)]
    assert all(example.statements for example in EXAMPLES.values())


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_is_found_by_its_rule(code: str) -> None:
    example = EXAMPLES[code]
    source, replica = ENDS.get(code, ("mariadb-10.11.19", "mariadb-10.11.19"))
    link = Link.of(source, replica, binlog_format="STATEMENT")
    report = library.check(example.source, example.replica, link)
    found = [finding for finding in report.findings if finding.code == code]
    assert found, find(code)
    assert max(finding.effect for finding in found) >= Effect.UNSUPPORTED
