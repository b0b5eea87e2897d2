"""What the three rules about refused conversions (SC201, SC202, SC203) share."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion import Kind, needed_mode
from schemacheck.conversion.error import conversion_failed
from schemacheck.conversion.setting import column_effect, helping_setting
from schemacheck.model import Effect, Finding
from schemacheck.rules.definition import modify
from schemacheck.rules.finding import on_cell
from schemacheck.rules.pair import Cell, Pair
from schemacheck.rules.value import setting_name, setting_text


def refused(pair: Pair, *kinds: Kind) -> Iterator[Finding]:
    """One finding per common column whose conversion is of one of these kinds and not carried out."""
    if not pair.row_format:
        return
    for cell in pair.differing:
        if cell.allowed or cell.kind not in kinds:
            continue
        error = conversion_failed(
            cell.source_index, cell.source.type, cell.replica.type, pair.link.source, pair.link.replica, pair.source.database, pair.source.name
        )
        here, there = cell.source.type.sql(), cell.replica.type.sql()
        mode = needed_mode(cell.kind)
        if mode:
            missing = f"this conversion is {cell.kind.value}, and {setting_text(pair)} does not permit it"
            remedy = "Give the replica's column the source's type" + _alternative(cell, mode, pair)
        else:
            missing = "no setting permits this conversion"
            remedy = "Give the replica's column the source's type"
        yield on_cell(
            pair,
            cell,
            Effect.STOPS,
            f"{here} on the source, {there} on the replica: {missing}; the applier stops at the first row event",
            error=error,
            setting=setting_text(pair) if mode else None,
            remedy=remedy,
            remedy_sql=modify(pair.replica, cell.replica, cell.source),
        )


def _alternative(cell: Cell, mode: str, pair: Pair) -> str:
    """What a setting would do instead of the ALTER: help, or only hide the difference."""
    helping = helping_setting(cell.source.type, cell.replica.type, pair.link)
    if helping is not None:
        return f", or set {setting_name(pair)}='{helping}' until it has"
    tried = column_effect(cell.source.type, cell.replica.type, pair.link.with_modes(mode))[2]
    if tried is None or not tried.changed:
        return ""
    became = f"{tried.source} would arrive as {tried.replica}" if tried.replica else tried.note
    return f"; {mode} would only let it pass: {became}"
