"""Tables out of rows of information_schema, as `open_schema` makes them of a dump."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from schemacheck.inputs.details import Details
from schemacheck.inputs.heading import Rows, union
from schemacheck.inputs.rows import build, collect
from schemacheck.model import InputProblem, Schema, Server

View = Iterable[Mapping[str, object]] | Rows


def _rows(given: View) -> Rows | tuple[()]:
    if isinstance(given, Rows):
        return given
    records = [{key.upper(): value for key, value in record.items()} for record in given]
    heading = union(records, "-")
    return (
        Rows(heading, [(None, [record.get(name) for name in heading]) for record in records])
        if records
        else ()
    )


def tables_from_rows(columns: View, *, server: Server, file: str = "-", **views: Any) -> Schema:
    """Mappings from heading to value, headings in any case and order; `views` as `Details.of` names them."""
    problems: list[InputProblem] = []
    drafts = collect(_rows(columns), server, file, problems)
    details = Details.of(
        problems, server=server, file=file, **{name: _rows(view) for name, view in views.items()}
    )
    built = build(drafts, details, file, problems)
    details.unlisted(drafts, file, problems)
    return Schema(tuple(built), tuple(problems))
