"""JUnit XML: one test suite per database, one test case per table, in the shape that Jenkins,
GitLab and Azure read (failure: findings keep the gate shut; error: not understood)."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from schemacheck.engine.gate import blocks, unread
from schemacheck.model import Effect, Finding, PairReport, PairState, Report
from schemacheck.outputs import _summary
from schemacheck.outputs._style import PLAIN
from schemacheck.outputs.text import finding_block

#: Characters that XML 1.0 cannot carry at all.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """All pairs; unread input and remarks stand in a suite of their own."""
    root = ET.Element("testsuites", {"name": "schemacheck"})
    if report.files:
        held = ET.SubElement(root, "properties")
        for account in _summary.accounts(report):
            ET.SubElement(held, "property", {"name": "file", "value": _clean(account)})
    databases: dict[str, list[PairReport]] = {}
    for pair in report.pairs:
        databases.setdefault(pair.database or "(no database)", []).append(pair)
    for database, pairs in databases.items():
        suite = ET.SubElement(root, "testsuite", {"name": _clean(database)})
        for pair in pairs:
            _case(suite, pair, report)
    if report.link_findings:
        suite = ET.SubElement(root, "testsuite", {"name": "(link)"})
        for finding in report.link_findings:
            case = ET.SubElement(
                suite, "testcase", {"classname": "link", "name": f"{finding.code} {finding.rule}"}
            )
            _outcome(case, [finding], None, report)
    loose = (*unread(report), *report.remarks)
    if loose:
        suite = ET.SubElement(root, "testsuite", {"name": "(input)"})
        for finding in loose:
            place = finding.source.location or finding.replica.location
            case = ET.SubElement(
                suite,
                "testcase",
                {
                    "classname": "input",
                    "name": _clean(f"{finding.code} {place or finding.subject or ''}".strip()),
                },
            )
            _outcome(case, [finding], None, report)
    for element in [*root.iter("testsuite"), root]:
        cases = list(element.iter("testcase"))
        element.set("tests", str(len(cases)))
        for kind in ("failure", "error", "skipped"):
            name = {"failure": "failures", "error": "errors", "skipped": "skipped"}[kind]
            if element is not root or kind != "skipped":
                element.set(name, str(sum(case.find(kind) is not None for case in cases)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, pair: PairReport, report: Report) -> None:
    case = ET.SubElement(
        suite, "testcase", {"classname": _clean(pair.database or "schemacheck"), "name": _clean(pair.table)}
    )
    if pair.state is PairState.NOT_REPLICATED and not any(blocks(f, report) for f in pair.findings):
        ET.SubElement(case, "skipped", {"message": _clean(f"{pair.state.value}: {pair.reason}")})
        return
    _outcome(case, list(pair.findings), pair, report)


def _outcome(case: ET.Element, findings: list[Finding], pair: PairReport | None, report: Report) -> None:
    """<failure>, or <error> where only unknowns stand in the way; the rest goes to <system-out>."""
    tables = (pair.source, pair.replica) if pair else (None, None)
    shut = [f for f in findings if blocks(f, report)]
    rest = [f for f in findings if not blocks(f, report)]
    if shut:
        undecided = all(f.effect is Effect.UNKNOWN for f in shut)
        worst = max(shut, key=lambda f: (f.effect is not Effect.UNKNOWN, f.effect))
        attributes = {"type": worst.code, "message": _clean(f"{worst.effect.value}: {worst.message}")}
        element = ET.SubElement(case, "error" if undecided else "failure", attributes)
        element.text = _clean("\n\n".join(finding_block(f, tables, PLAIN) for f in shut))
    if rest:
        ET.SubElement(case, "system-out").text = _clean(
            "\n\n".join(finding_block(f, tables, PLAIN) for f in rest)
        )


def _clean(text: str) -> str:
    """Without the characters that XML cannot carry."""
    return _ILLEGAL.sub("�", text)
