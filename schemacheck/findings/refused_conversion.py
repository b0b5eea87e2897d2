"""What the three rules about refused conversions (SC201, SC202, SC203) share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion import Kind, needed_mode, unreadable
from schemacheck.conversion.error import conversion_failed
from schemacheck.conversion.setting import column_effect, helping_setting
from schemacheck.conversion.wire import image
from schemacheck.findings.changed_value import setting_name, setting_text
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Column, Effect, Finding
from schemacheck.model.definition_sql import modify

#: ER_SLAVE_CANT_CREATE_CONVERSION
CANNOT_CREATE_CONVERSION = 1678


_CONVERTED = frozenset((Kind.NON_LOSSY, Kind.LOSSY, Kind.VARIANT))


def makes_table(pair: Pair) -> bool:
    """Whether a column is converted before the first is refused: then all go into a table."""
    for cell in pair.differing:
        if not cell.allowed:
            return False
        if cell.kind in _CONVERTED:
            return True
    return False


def member_victims(pair: Pair) -> list[Cell]:
    """ENUM and SET columns whose counterpart has no members for the conversion table to take."""
    members = ("enum", "set")
    return [c for c in pair.differing if c.source.type.base in members and c.replica.type.base not in members]


def not_there(pair: Pair, cell: Cell) -> bool:
    """Whether the replica does not know the source column's type at all."""
    return unreadable(image(cell.source.type, pair.link.source), pair.link.replica)


def both_have(column: Column) -> str:
    """The remedy for a type that the replica does not know."""
    return f"Change {column.name} to a type that both servers have, such as LONGTEXT, on both ends"


def refusal(*kinds: Kind) -> Callable[[Pair], Iterator[Finding]]:
    """A rule's `check` of conversions of these kinds, see `refused`."""
    return lambda pair: refused(pair, *kinds)


def refused(pair: Pair, *kinds: Kind) -> Iterator[Finding]:
    """One finding per common column whose conversion is of one of these kinds and not carried out."""
    if not pair.logs_rows:
        return
    # Members taken from a column that has none: what the memory holds decides (recorded on 5.6.24: 1 of 5,600
    # gave 1678).
    by_chance = pair.link.replica.has("conversion-table-fails") and makes_table(pair) and member_victims(pair)
    also = (CANNOT_CREATE_CONVERSION,) if by_chance else ()
    for cell in pair.differing:
        if cell.allowed or cell.kind not in kinds:
            continue
        error = conversion_failed(
            cell.source_index,
            cell.source.type,
            cell.replica.type,
            pair.link.source,
            pair.link.replica,
            pair.replica.database,
            pair.replica.name,
        )
        here, there = cell.source.type.sql(), cell.replica.type.sql()
        mode = needed_mode(cell.kind)
        if mode:
            missing = f"{setting_text(pair)} does not permit this {cell.kind.value} conversion"
            remedy = "Give the replica's column the source's type" + _alternative(cell, mode, pair)
        else:
            missing = "no setting permits this conversion"
            remedy = "Give the replica's column the source's type"
        sql: str | None = modify(pair.replica, cell.replica, cell.source, pair.link.replica)
        if not_there(pair, cell):
            remedy, sql = both_have(cell.source), None
        yield on_cell(
            pair,
            cell,
            Effect.STOPS,
            f"{here} on the source, {there} on the replica: {missing}; the first row event stops the applier",
            error=error,
            also=also,
            setting=setting_text(pair) if mode else None,
            remedy=remedy,
            remedy_sql=sql,
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
    return f"; {mode} would let values change: {became}"
