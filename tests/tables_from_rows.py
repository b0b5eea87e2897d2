"""Tables out of rows of information_schema, as `open_schema` makes them of a dump."""

from __future__ import annotations

from schemacheck.inputs.details import Details, One, Source
from schemacheck.inputs.rows import build, collect
from schemacheck.model import InputProblem, Schema, Server


def tables_from_rows(columns: One, *, server: Server, file: str = "-", **views: Source) -> Schema:
    """Mappings from heading to value, headings in any case and order; `views` as `Details.of` names them."""
    problems: list[InputProblem] = []
    drafts = collect(columns, server, file, problems)
    details = Details.of(problems, server=server, file=file, **views)
    built = build(drafts, details, file, problems)
    details.unlisted(drafts, file, problems)
    return Schema(tuple(built), tuple(problems))
