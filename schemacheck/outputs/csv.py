"""CSV, one finding per line, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from schemacheck.model import Finding, Report
from schemacheck.model.fingerprint import fingerprints
from schemacheck.model.gate import blocks, entries

COLUMNS = (
    "effect", "code", "rule", "database", "table", "column", "message", "error", "source_type", "replica_type", "source_location",
    "replica_location", "setting", "remedy", "remedy_sql", "blocks", "tolerated", "fingerprint",
)  # fmt: skip

#: A spreadsheet takes a cell that starts like this for a formula (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def render(report: Report) -> str:
    """A heading, then the findings; RFC 4180 with LF line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    listed = entries(report)
    for finding, mark in zip(listed, fingerprints(listed), strict=True):
        writer.writerow([_cell(value) for value in _values(finding, report, mark)])
    return out.getvalue()


def _values(finding: Finding, report: Report, mark: str) -> list[str]:
    return [
        finding.effect.value, finding.code, finding.rule, finding.database or "", finding.table, finding.column or "", finding.message,
        str(finding.error.number) if finding.error else "", finding.source.text or "", finding.replica.text or "",
        str(finding.source.location or ""), str(finding.replica.location or ""), finding.setting or "", finding.remedy,
        finding.remedy_sql or "", "yes" if blocks(finding, report) else "no", finding.tolerated.reason or "yes" if finding.tolerated else "", mark,
    ]  # fmt: skip


def _cell(value: str) -> str:
    """A cell that no spreadsheet computes: a leading apostrophe turns it into text."""
    return "'" + value if value.startswith(_FORMULA) else value
