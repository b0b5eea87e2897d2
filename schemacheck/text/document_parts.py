"""What every machine-readable document says alike: places, errors, examples and what was not understood."""

from __future__ import annotations

from typing import Any

from schemacheck.model import Example, InputProblem, Location, ServerError

Json = dict[str, Any]


def location(place: Location | None) -> Json | None:
    """A place; `line` and `column` count from 1, `end_column` is exclusive. None where there is none."""
    if place is None:
        return None
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_column": place.end_column,
        "ordinal": place.ordinal,
    }


def error(value: ServerError | None) -> Json | None:
    """A server's error."""
    return {"number": value.number, "symbol": value.symbol, "message": value.message} if value else None


def example(value: Example | None) -> Json | None:
    """A value before and after it is applied."""
    return {"source": value.source, "replica": value.replica} if value else None


def problem(value: InputProblem) -> Json:
    """What was not understood, or left out."""
    return {
        "code": value.code,
        "message": value.message,
        "location": location(value.location),
        "database": value.database,
        "table": value.table,
        "skipped": value.skipped,
    }
