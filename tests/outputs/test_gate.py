from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import sample

import schemacheck
from schemacheck import rules
from schemacheck.engine.gate import as_finding, blocking, entries, exit_status, level, unread
from schemacheck.model import Effect, InputProblem, Location, PairReport, PairState, Tolerance, ToleratedBy

LOSSY, SIGN, HARMLESS = sample.ROUND, sample.SIGN, sample.HARMLESS
UNKNOWN = dataclasses.replace(SIGN, effect=Effect.UNKNOWN, code="SC004")
PASSED = dataclasses.replace(SIGN, tolerated=Tolerance(ToleratedBy.COMMENT))
PROBLEM = InputProblem("SC001", "not understood", Location("a.sql", 1, 2))


PACKAGE = Path(schemacheck.__file__).parent


@pytest.mark.parametrize("code", sorted({
    code for path in PACKAGE.rglob("*.py") for code in re.findall(r'"(SC0\d\d)"', path.read_text("utf-8"))
}))  # fmt: skip
def test_every_code_of_a_problem_is_a_rule_that_makes_it_a_finding(code):
    rule = rules.find(code)
    assert rule is not None
    if rules.About.INPUT in rule.about:
        found = as_finding(InputProblem(code, "why"))
        assert (found.code, found.rule, found.effect) == (code, rule.name, Effect.UNKNOWN)


def report(*findings, problems=(), fail_on=Effect.UNSUPPORTED):
    return dataclasses.replace(
        sample.empty(),
        pairs=(PairReport("d", "t", PairState.COMPARED, findings),),
        problems=tuple(problems),
        fail_on=fail_on,
    )


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (report(), 0),
        (report(HARMLESS, LOSSY), 0),
        (report(LOSSY, fail_on=Effect.LOSSY), 1),
        (report(HARMLESS, fail_on=Effect.COMPATIBLE), 1),
        (report(SIGN), 1),
        (report(SIGN, fail_on=Effect.STOPS), 0),
        (report(PASSED), 0),
        (report(UNKNOWN), 3),
        (report(UNKNOWN, SIGN), 1),
        (report(UNKNOWN, PASSED), 3),
        (report(problems=[PROBLEM]), 3),
        (report(SIGN, problems=[PROBLEM]), 1),
        (report(UNKNOWN, fail_on=Effect.UNKNOWN), 3),
        (report(SIGN, fail_on=Effect.UNKNOWN), 0),
        (report(problems=[dataclasses.replace(PROBLEM, skipped=True)]), 0),
    ],
)
def test_exit_status(given, status):
    assert exit_status(given) == status
    assert bool(blocking(given)) is (status != 0)


def test_a_problem_that_a_finding_tells_is_listed_once():
    told = report(as_finding(PROBLEM), problems=[PROBLEM])
    assert len(entries(told)) == 1


def test_two_problems_without_a_place_are_two():
    first, second = InputProblem("SC002", "one"), InputProblem("SC002", "another")
    assert len(unread(report(as_finding(first), problems=[first, second]))) == 1


@pytest.mark.parametrize(
    ("finding", "word"),
    [(SIGN, "error"), (LOSSY, "warning"), (HARMLESS, "note"), (PASSED, "note"), (UNKNOWN, "error")],
)
def test_level(finding, word):
    assert level(finding, report(finding)) == word


def test_a_remark_warns_and_never_blocks_by_default():
    given = dataclasses.replace(report(), remarks=sample.report().remarks)
    assert level(given.remarks[0], given) == "warning"
    assert exit_status(given) == 0
