"""JSON lines: one finding per line, as `json` prints it, then one line `{"summary": ...}`."""

from __future__ import annotations

import json

from schemacheck.engine.gate import entries
from schemacheck.model import Report
from schemacheck.model.fingerprint import fingerprints
from schemacheck.outputs._document import document, finding


def render(report: Report) -> str:
    """All findings, unread input and remarks; the last line has verdict, exit status and counts."""
    listed = entries(report)
    lines = [finding(f, report, mark) for f, mark in zip(listed, fingerprints(listed), strict=True)]
    whole = document(report)
    closing = {
        "summary": {
            key: whole[key]
            for key in (
                "schema_version",
                "verdict",
                "exit_status",
                "fail_on",
                "link",
                "summary",
                "smallest_setting",
            )
        }
    }
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, closing])
