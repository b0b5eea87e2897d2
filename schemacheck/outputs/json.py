"""JSON with a version and a published schema (`schemacheck/schemas/report-1.schema.json`)."""

from __future__ import annotations

from schemacheck.model import Report
from schemacheck.outputs._document import document
from schemacheck.text.printable import as_json


def render(report: Report) -> str:
    """The whole report as one document."""
    return as_json(document(report))
