"""CSV, one finding per line, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io

from schemacheck.engine.gate import blocks, entries
from schemacheck.model import Finding, Report
from schemacheck.model.fingerprint import fingerprints
from schemacheck.text.printable import one_line

COLUMNS = (
    "effect", "code", "rule", "database", "table", "column", "message", "error", "source_type",
    "replica_type", "source_location",
    "replica_location", "setting", "remedy", "remedy_sql", "remedy_sql_on", "blocks", "tolerated",
    "fingerprint",
)  # fmt: skip

#: A spreadsheet takes a cell that starts like this for a formula (OWASP, CSV injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def render(report: Report) -> str:
    """A heading, then the findings; RFC 4180 with LF line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(report):
        writer.writerow([_cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def rows(report: Report) -> list[dict[str, str]]:
    """One flat row per finding, unread input and remarks included, with the keys COLUMNS; every
    value is text, '' where there is none."""
    listed = entries(report)
    return [_row(finding, report, mark) for finding, mark in zip(listed, fingerprints(listed), strict=True)]


def _row(finding: Finding, report: Report, mark: str) -> dict[str, str]:
    why = finding.tolerated
    values = (
        finding.effect.value, finding.code, finding.rule, finding.database, finding.table, finding.column,
        finding.message,
        str(finding.error.number) if finding.error else "", finding.source.text, finding.replica.text,
        str(finding.source.location or ""),
        str(finding.replica.location or ""), finding.setting, finding.remedy, finding.remedy_sql,
        finding.remedy_sql_on, "yes" if blocks(finding, report) else "no",
        (why.reason or why.by.value) if why else "", mark,
    )  # fmt: skip
    return {name: value or "" for name, value in zip(COLUMNS, values, strict=True)}


def _cell(value: str) -> str:
    """A cell that no spreadsheet computes: a leading apostrophe turns it into text. Line breaks
    and control characters are written out, so that every line of the file is a row."""
    text = one_line(value.replace("\r\n", "\n"))
    return "'" + text if value.startswith(_FORMULA) else text
