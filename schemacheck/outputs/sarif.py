"""SARIF 2.1.0 (OASIS), as GitHub code scanning and IDEs read it.

One run. The first location of a result is the replica's definition where there is one (the file
that a pull request changes), the other side is in relatedLocations. Tolerated findings carry
`suppressions`, entries of the baseline that are gone `baselineState: absent`. GitHub takes at most
25,000 results of a run: the rest is counted in a closing result, never dropped silently. A difference that
changes nothing is no result.
"""

from __future__ import annotations

import re
from typing import Any

from schemacheck import rules
from schemacheck.engine.gate import annotated, blocks, exit_status, level
from schemacheck.model import Finding, KnownFinding, Location, Report, ToleratedBy
from schemacheck.model.fingerprint import fingerprints
from schemacheck.outputs import _summary
from schemacheck.outputs._document import link
from schemacheck.text.code_host import SARIF_SCHEMA, page, physical, sentences
from schemacheck.text.printable import as_json

#: GitHub's limit of results per run.
MOST_RESULTS = 25_000

Json = dict[str, Any]


def render(report: Report) -> str:
    """The report as a SARIF log with one run."""
    listed = annotated(report)
    marks = fingerprints(listed)
    fixed = report.fixed or ()
    codes = sorted({f.code for f in listed} | {k.code for k in fixed})
    index = {code: n for n, code in enumerate(codes)}
    ranked = sorted(zip(listed, marks, strict=True), key=lambda pair: not blocks(pair[0], report))
    room = MOST_RESULTS - 1 - len(fixed)
    results = [_result(f, mark, index, report) for f, mark in ranked[:room]] + [
        _absent(entry, index) for entry in fixed
    ]
    if len(ranked) > room:
        results.append(_rest(len(ranked) - room))
    run: Json = {
        "tool": {"driver": _driver(codes)},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": exit_status(report),
                "exitCodeDescription": _summary.line(report),
            }
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "The directory in which schemacheck ran."}}
        },
        "properties": {
            "verdict": report.verdict.value,
            "failOn": report.fail_on.value,
            "link": link(report.link),
            "assumptions": list(report.assumptions),
            "files": _summary.accounts(report),
        },
        "results": results,
    }
    return as_json({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(codes: list[str]) -> Json:
    from schemacheck.version import __version__

    return {"name": "schemacheck", "semanticVersion": __version__, "rules": [_rule(code) for code in codes]}


def _rule(code: str) -> Json:
    rule = rules.find(code)
    if rule is None:
        return {"id": code}
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": _first_paragraph(rule.doc) or rule.title},
        "help": {"text": rule.doc, "markdown": rule.doc},
        "helpUri": page(f"rules/{rule.code}-{rule.name}.md"),
        "properties": {"tags": ["replication", rule.name]},
    }


def _first_paragraph(page: str) -> str:
    _, _, below = page.partition("## What it finds")
    return " ".join(below.strip().split("\n\n", 1)[0].split("\n## ", 1)[0].split())


def _result(finding: Finding, mark: str, index: dict[str, int], report: Report) -> Json:
    sides = [("replica", finding.replica), ("source", finding.source)]
    placed = [(role, side) for role, side in sides if side.location]
    first = f"{finding.subject}: {finding.message}" if finding.subject else finding.message
    error = f"Error {finding.error.number}: {finding.error.message}" if finding.error else ""
    out: Json = {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": level(finding, report),
        "message": {"text": _plain(sentences(first, error, finding.remedy))},
        "partialFingerprints": {"schemacheck/v1": mark},
        "properties": {
            "effect": finding.effect.value,
            **({"evidence": finding.evidence.word} if finding.evidence else {}),
            "sourceType": finding.source.text,
            "replicaType": finding.replica.text,
            "setting": finding.setting,
        },
    }
    logical = _logical(finding)
    if placed:
        out["locations"] = [_location(placed[0][1].location, logical)]
    elif logical:
        out["locations"] = [{"logicalLocations": logical}]
    if len(placed) > 1:
        role, side = placed[1]
        related = _location(side.location, [])
        related["id"] = 1
        related["message"] = {
            "text": _plain(f"{role} ({side.location})" + (f": {side.text}" if side.text else ""))
        }
        out["relatedLocations"] = [related]
        out["message"]["text"] += f" See the [{role} definition](1)."
    if finding.tolerated:
        kind = "inSource" if finding.tolerated.by is ToleratedBy.COMMENT else "external"
        out["suppressions"] = [
            {
                "kind": kind,
                "status": "accepted",
                "justification": finding.tolerated.reason or finding.tolerated.by.value,
            }
        ]
    if report.fixed is not None:
        is_known = finding.tolerated is not None and finding.tolerated.by is ToleratedBy.BASELINE
        out["baselineState"] = "unchanged" if is_known else "new"
    return out


def _absent(entry: KnownFinding, index: dict[str, int]) -> Json:
    return {
        "ruleId": entry.code,
        "ruleIndex": index[entry.code],
        "level": "none",
        "kind": "pass",
        "message": {"text": _plain(f"{entry.subject}: {entry.message}")},
        "partialFingerprints": {"schemacheck/v1": entry.fingerprint},
        "baselineState": "absent",
    }


def _plain(text: str) -> str:
    """A message's text without links: backslash before backslash and bracket (SARIF 3.11.6)."""
    return re.sub(r"([\\\[\]])", r"\\\1", text)


def _rest(count: int) -> Json:
    text = (
        f"{count:,} further findings are not listed: a run holds at most {MOST_RESULTS:,} results. "
        "Use --format json for all."
    )
    return {"level": "warning", "message": {"text": text}}


def _logical(finding: Finding) -> list[Json]:
    if not finding.subject:
        return []
    kind = "column" if finding.column else "table"
    return [{"name": finding.column or finding.table, "fullyQualifiedName": finding.subject, "kind": kind}]


def _location(place: Location | None, logical: list[Json]) -> Json:
    """A file's place; an instance (no line) is only a logical location."""
    out: Json = {}
    if place and place.line is not None:
        out["physicalLocation"] = physical(place)
    if logical:
        out["logicalLocations"] = logical
    elif not out and place:
        out["logicalLocations"] = [{"fullyQualifiedName": str(place), "kind": "resource"}]
    return out
