"""Findings about a source table and its counterpart, before any column is compared."""

from __future__ import annotations

from typing import Unpack

from schemacheck.alignment import Match
from schemacheck.findings.on_pair import More
from schemacheck.model import Effect, Finding, Side, Table


def on_match(
    match: Match,
    effect: Effect,
    message: str,
    *,
    column: str | None = None,
    other: Table | None = None,
    texts: tuple[str | None, str | None] = (None, None),
    ours: Side | None = None,
    reference: str = "",
    **more: Unpack[More],
) -> Finding:
    """A finding about the source's table; the rule's code and name are filled in later.

    `texts` are what the two sides show; `other` is the table that the replica's side points at, else the
    match's own where `texts` show something of it. `ours` replaces the source's side.
    """
    source = match.source
    other = other or (match.replica if texts[1] is not None else None)
    theirs = Side(other.location if other else None, texts[1])
    return Finding(
        "", "", effect, message, source.database, source.name, column,
        ours or Side(source.location, texts[0]), theirs, reference=reference, **more,
    )  # fmt: skip
