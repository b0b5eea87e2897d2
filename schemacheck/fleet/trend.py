"""Runs: how one is named, and what those before it have told: figures by day, and findings of links."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import columns
from schemacheck.fleet.results import WORST_FIRST
from schemacheck.model import Effect

if TYPE_CHECKING:
    import pyarrow as pa

#: Every change that is told.
KINDS = ("new", "fixed", "worse", "better", "unseen")
_OF_LINK = ("link", "source", "replica", "channel", "cluster", "code", "rule", "message")
#: Runs that a summary lists.
KEPT = 400
_EFFECTS = frozenset(effect.value for effect in Effect)
_COUNTS = ("pairs", "findings", "links")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """What names a run in every row."""

    run_id: str
    snapshot_date: dt.date

    @classmethod
    def of(cls, run_id: str | None = None, snapshot_date: dt.date | str | None = None) -> Run:
        """The run of these, else a new one of today."""
        if isinstance(snapshot_date, str):
            try:
                snapshot_date = dt.date.fromisoformat(snapshot_date)
            except ValueError as error:
                raise UsageError(f"snapshot_date is written YYYY-MM-DD: {error}") from None
        now = dt.datetime.now(tz=dt.UTC)
        return cls(run_id or f"{now:%Y%m%dT%H%M%SZ}-{uuid.uuid4().hex[:8]}", snapshot_date or now.date())


class Changes(NamedTuple):
    """What has changed since an earlier run: counts by kind, the first rows of CHANGES, and the fingerprints
    of findings that are new.
    """

    counts: Mapping[str, int] = MappingProxyType({})
    first: Sequence[Row] = ()
    fresh: pa.ChunkedArray | None = None


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


def of_links(now: Iterable[Row], before: Iterable[Row], links: Iterable[Sequence[str]]) -> list[Row]:
    """Changes of what links are by themselves (`link_findings` of two summaries), as values for JSON like
    rows of CHANGES.
    """
    names = set(map(tuple, links))

    def worst(rows: Iterable[Row]) -> dict[tuple[object, ...], Row]:
        # The worst stand first.
        result: dict[tuple[object, ...], Row] = {}
        for row in rows:
            key = tuple(row.get(n) for n in ("source", "replica", "channel", "code", "error"))
            result.setdefault(key, row)
        return result

    ours, theirs = worst(now), worst(before)
    out = []
    for key in (*ours, *(key for key in theirs if key not in ours)):
        here, there = ours.get(key), theirs.get(key)
        if here is None:
            change = "fixed" if key[:3] in names else "unseen"
        elif there is None:
            change = "new"
        else:
            a, b = (WORST_FIRST.index(item["effect"]) for item in (here, there))
            change = "worse" if a < b else "better" if a > b else "unchanged"
        row = dict.fromkeys(c.name for c in columns.CHANGES if c not in columns.RUN) | {
            name: value for name, value in (here or there or {}).items() if name in _OF_LINK
        }
        effects = {"effect": here and here["effect"], "previous_effect": there and there["effect"]}
        out.append({**row, **effects, "change": change})
    return out
