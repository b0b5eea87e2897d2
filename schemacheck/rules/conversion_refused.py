"""What the three rules about refused conversions (SC201, SC202, SC203) share."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion import Kind, needed_mode
from schemacheck.conversion.error import conversion_failed
from schemacheck.model import Effect, Finding
from schemacheck.rules.definition import modify
from schemacheck.rules.finding import on_cell
from schemacheck.rules.pair import Pair
from schemacheck.rules.value import setting_text


def refused(pair: Pair, *kinds: Kind) -> Iterator[Finding]:
    """One finding per common column whose conversion is of one of these kinds and not carried out."""
    if not pair.row_format:
        return
    for cell in pair.cells:
        if cell.allowed or cell.kind not in kinds:
            continue
        error = conversion_failed(
            cell.source_index, cell.source.type, cell.replica.type, pair.link.source, pair.link.replica, pair.source.database, pair.source.name
        )
        here, there = cell.source.type.sql(), cell.replica.type.sql()
        mode = needed_mode(cell.kind)
        if mode:
            missing = f"this conversion is {cell.kind.value}, and {setting_text(pair)} does not permit it"
            remedy = f"Give the replica's column the source's type, or add {mode} to the replica's setting"
        else:
            missing = "no setting permits this conversion"
            remedy = "Give the replica's column the source's type"
        yield on_cell(
            pair,
            cell,
            Effect.STOPS,
            f"{cell.source.name}: {here} on the source, {there} on the replica: {missing}; the applier stops at the first row event",
            error=error,
            setting=setting_text(pair) if mode else None,
            remedy=remedy,
            remedy_sql=modify(pair.replica, cell.replica, cell.source),
        )
