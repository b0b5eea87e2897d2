"""Every file of `fixtures/ddl/`: what it expects is found, and nothing worse besides."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
import rule_fixture
from rule_fixture import FOLDER, Case

from schemacheck.model import Effect, Finding
from schemacheck.rules import HEADINGS, all_rules

FILES = sorted(FOLDER.rglob("*.sql"))
ROOT = FOLDER.parents[1]
RULES = {rule.name: rule for rule in all_rules()}


@functools.cache
def case_of(path: Path) -> Case:
    return rule_fixture.read(path)


@functools.cache
def found(path: Path) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """(server of the replica, findings) of each link of the file."""
    case = case_of(path)
    return tuple(
        (name[1], rule_fixture.findings(case, link))
        for name, link in zip(case.links, rule_fixture.links(case), strict=True)
    )


def shown(findings: tuple[Finding, ...]) -> str:
    return "\n".join(
        (
            f"  {f.code} {f.effect.value} {f.error.number if f.error else ''} {f.source.location} "
            f"{f.replica.location}: {f.message}"
        )
        for f in findings
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixture(path: Path) -> None:
    case = case_of(path)
    owner = RULES.get(path.parent.name)
    for server, findings in found(path):
        wanted = [e for e in case.expected if server.startswith(e.only)]
        for expectation in wanted:
            assert any(expectation.meets(f) for f in findings), (
                f"{server}: not found: {expectation}\n{shown(findings)}"
            )
        for finding in findings:
            counts = finding.effect > Effect.COMPATIBLE or (owner is not None and finding.code == owner.code)
            assert not counts or any(e.meets(finding) for e in wanted), (
                f"{server}: not expected:\n{shown((finding,))}"
            )
        texts = [f.error.message for f in findings if f.error]
        for only, message in case.messages:
            assert not server.startswith(only) or any(message in text for text in texts), (
                f"{server}: {message!r} is not in {texts}"
            )


@pytest.mark.parametrize("name", RULES)
def test_rule_has_a_firing_and_a_silent_case(name: str) -> None:
    paths = sorted((FOLDER / name).glob("*.sql"))
    code = RULES[name].code
    fires = {path.stem: {code in {f.code for f in findings} for _, findings in found(path)} for path in paths}
    assert any(True in seen for seen in fires.values()), f"{name} has no firing case"
    assert any(seen == {False} for seen in fires.values()), f"{name} has no silent case"


def test_folders_are_rules_and_the_manual() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == {*RULES, "manual"}


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_is_documented(rule) -> None:
    places = [rule.doc.find(f"## {heading}\n") for heading in HEADINGS]
    assert -1 not in places
    assert places == sorted(places)
    sections = rule.doc.split("## ")[1:]
    short = [one.split("\n")[0] for one in sections if len(one.split("\n", 1)[1].strip()) <= 20]
    assert not short, f"headings with no text, or one of 20 characters at most: {short}"
    assert (ROOT / "schemacheck" / "rules" / f"{rule.name.replace('-', '_')}.py").is_file()
    assert rule.title
    assert not rule.title.endswith(".")


def test_rule_pages_are_up_to_date(tmp_path) -> None:
    from schemacheck.cli import main

    assert main(["explain", "--all", "--directory", str(tmp_path)]) == 0
    wanted = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    pages = {path.name: path.read_text("utf-8") for path in (ROOT / "docs" / "rules").iterdir()}
    stale = sorted(name for name in {*wanted, *pages} if pages.get(name) != wanted.get(name))
    assert not stale, (
        "run `schemacheck explain --all --directory docs/rules`; git rm pages of rules that are gone"
    )
