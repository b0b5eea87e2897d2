"""JSON with a version and a published schema (`schemacheck/schemas/report-1.schema.json`)."""

from __future__ import annotations

import json

from schemacheck.model import Report
from schemacheck.outputs._document import document


def render(report: Report) -> str:
    """The whole report as one document."""
    return json.dumps(document(report), indent=2, ensure_ascii=False) + "\n"
