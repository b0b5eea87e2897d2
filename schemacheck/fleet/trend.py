"""The runs before this one, as far as each has told the next: figures by day for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from schemacheck.errors import InputError
from schemacheck.fleet import columns
from schemacheck.model import Effect

#: Runs that a summary lists.
KEPT = 400
_EFFECTS = frozenset(effect.value for effect in Effect)
_COUNTS = ("pairs", "findings", "links")


def earlier(text: str | None, run: str) -> dict[str, Any]:
    """The summary of an earlier run, from its file's text. Raises InputError where it cannot be compared."""
    try:
        loads = json.loads(text or "")
    except (ValueError, RecursionError):
        loads = None
    if not isinstance(loads, dict) or not loads:
        raise InputError(
            f"{run}: no finished run of `schemacheck fleet` (it has no summary.json and findings/)"
        )
    if loads.get("schema_version") != columns.VERSION:
        raise InputError(
            f"{run}: its data sets have schema version {loads.get('schema_version')}, these "
            f"{columns.VERSION}: the two cannot be compared"
        )
    rows = loads.get("link_findings", [])
    if not isinstance(rows, list) or not all(map(_is_finding, rows)):
        raise InputError(f"{run}: its summary.json is damaged (link_findings)")
    return loads


def _is_finding(row: Any) -> bool:
    """Whether it is a finding of a link, as `whole_links.rows` makes it."""
    return (
        isinstance(row, dict)
        and not any(isinstance(value, list | dict) for value in row.values())
        and row.get("effect") in _EFFECTS
    )


def of(summary: Mapping[str, Any], before: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The runs until this one, the first first."""
    entries = []
    if before is not None:
        listed = before.get("trend")
        entries = [
            point for row in (listed if isinstance(listed, list) else [before]) if (point := _point(row))
        ]
    own = _point(summary)
    return [*entries[-KEPT:], *([own] if own else [])]


def _point(row: Any) -> dict[str, Any] | None:
    """A run's figures; None for what has none."""
    if not isinstance(row, dict) or not isinstance(row.get("verdicts"), dict):
        return None
    verdicts = {e.value: row["verdicts"].get(e.value, 0) for e in Effect}
    counts = {name: row.get(name, 0) for name in _COUNTS}
    if not all(type(count) is int for count in (*verdicts.values(), *counts.values())):
        return None
    names = {name: str(row.get(name, ""))[:40] for name in ("run_id", "snapshot_date")}
    return {**names, **counts, "verdicts": verdicts}
