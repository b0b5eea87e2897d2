"""Rows of a view become lines of their tables' definitions: columns of values go through Arrow's kernels;
Python only gathers a table's lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.fleet.definition import FIELD, LINE, NULL, OWN, View
from schemacheck.fleet.dump_file import SIZES, unescaped
from schemacheck.fleet.needs_engine import needs_engine

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.column_lines import Piece, Pieces

Name = tuple[str, str]


@dataclass(slots=True)
class Gathered:
    """What is known of one table: its lines, in pieces of one view each; how many are of COLUMNS. `block` are
    those of COLUMNS where they stand together in a text. `straight` says that every piece's lines ascend,
    `whole` that a piece of COLUMNS counts its ordinals from 1 without a gap, `odd` whether a row is odd (see
    Definition).
    """

    pieces: list[str] = field(default_factory=list)
    block: Piece | None = None
    columns: int = 0
    straight: bool = True
    whole: bool = True
    odd: bool = False
    n_rows: int | None = None
    n_bytes: int | None = None

    def spill(self) -> None:
        """Have the block among the pieces: there are other rows of COLUMNS too."""
        if self.block is not None:
            self.pieces.append(self.block.text)
            self.block = None


def of_rows(tables: dict[Name, Gathered], view: View, rows: pa.Table, *, escaped: bool) -> None:
    """Put each row's line where it belongs. A table's rows mostly stand together: each such run becomes one
    piece.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for batch in rows.to_batches(max_chunksize=1 << 16):
        if not batch.num_rows:
            continue
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        owners = [pc.fill_null(columns[name], "") for name in (view.database, "TABLE_NAME")]
        lines = _lines(view, columns)
        if escaped and pc.any(pc.match_substring(lines, "\\")).as_py():
            lines = pa.array([unescaped(line) for line in lines.to_pylist()], pa.string())
        starts = [0, *_changes(owners)]
        runs = pa.ListArray.from_arrays(pa.array([*starts, batch.num_rows], pa.int32()), lines)
        firsts = pa.array(starts, pa.int32())
        names = list(zip(*(column.take(firsts).to_pylist() for column in owners), strict=True))
        if escaped:
            names = [(unescaped(database), unescaped(name)) for database, name in names]
        found = []
        for name, piece in zip(names, pc.binary_join(runs, LINE).to_pylist(), strict=True):
            known = tables.get(name)
            if known is None:
                known = tables[name] = Gathered()
            known.pieces.append(piece)
            found.append(known)
        for number in _of_runs(pc.greater(lines[1:], lines[:-1]), starts):
            found[number].straight = False
        for number in {
            bisect_right(starts, at) - 1 for at in pc.indices_nonzero(needs_engine(view, columns)).to_pylist()
        }:
            found[number].odd = True
        if view.letter == "C":
            for known, at, end in zip(found, starts, [*starts[1:], batch.num_rows], strict=True):
                known.spill()
                known.columns += end - at
            ordinals = _ordinals(columns["ORDINAL_POSITION"])
            for number in _of_runs(pc.equal(pc.subtract(ordinals[1:], ordinals[:-1]), 1), starts):
                found[number].whole = False
            for number in pc.indices_nonzero(pc.not_equal(ordinals.take(firsts), 1)).to_pylist():
                found[number].whole = False
        elif view.letter == "T":
            for known, (n_rows, n_bytes) in zip(found, _sizes(columns, firsts), strict=True):
                known.n_rows, known.n_bytes = n_rows, n_bytes


def of_pieces(tables: dict[Name, Gathered], pieces: Pieces) -> None:
    """The same of rows of COLUMNS that were read as text (`column_lines`)."""
    for (database, table), piece in pieces:
        # The word NULL is no name, as in rows that Arrow reads.
        name = (
            unescaped(database) if database != "NULL" else "",
            unescaped(table) if table != "NULL" else "",
        )
        known = tables.get(name)
        if known is None:
            known = tables[name] = Gathered()
        if known.columns or not piece.straight:
            known.spill()
            known.pieces.append(piece.text)
            known.straight = known.straight and piece.straight
        else:
            known.block = piece
        known.columns += len(piece.names)
        known.whole = known.whole and piece.ordinals is None
        known.odd = known.odd or piece.odd


def _changes(owners: Sequence[pa.Array]) -> list[int]:
    """The rows that are of another table than the row before."""
    import pyarrow.compute as pc

    differs = [pc.not_equal(column[1:], column[:-1]) for column in owners]
    found: list[int] = pc.add(pc.indices_nonzero(pc.or_(*differs)), 1).to_pylist()
    return found


def _of_runs(follows: pa.Array, starts: list[int]) -> set[int]:
    """The runs in which a row does not follow the one before, as `follows` tells of every row but
    the first.
    """
    import pyarrow.compute as pc

    breaks = pc.add(pc.indices_nonzero(pc.invert(follows)), 1).to_pylist()
    return {bisect_right(starts, at) - 1 for at in set(breaks).difference(starts)}


def _ordinals(values: pa.Array) -> pa.Array:
    """ORDINAL_POSITION as numbers, 0 for what is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return pc.fill_null(values.cast(pa.int32()), 0)
    except pa.ArrowInvalid:
        return pa.array([ordinal(text or "") for text in values.to_pylist()], pa.int32())


def ordinal(text: str) -> int:
    """ORDINAL_POSITION as a number, 0 for what is none."""
    return int(text) if text.isdecimal() and len(text) < _DIGITS else 0


#: Digits of a number that is no ordinal any more.
_DIGITS = 9


def _sizes(columns: dict[str, pa.Array], at: pa.Array) -> Iterable[tuple[int | None, int | None]]:
    """TABLES' estimates of rows and bytes in some rows."""
    given = {
        name: [
            int(text) if text and text.isdecimal() else None for text in columns[name].take(at).to_pylist()
        ]
        for name in SIZES
        if name in columns
    }
    none: list[int | None] = [None] * len(at)
    n_bytes = (
        [
            sum(filter(None, one))
            for one in zip(*(given[name] for name in SIZES[1:] if name in given), strict=True)
        ]
        if len(given) > 1
        else none
    )
    return zip(given.get(SIZES[0], none), n_bytes, strict=True)


def _lines(view: View, columns: dict[str, pa.Array]) -> pa.Array:
    """One line per row: the letter, then what orders it, then what it carries."""
    import pyarrow as pa
    import pyarrow.compute as pc

    own = columns[view.database]

    def value(name: str) -> pa.Array | pa.Scalar:
        if name not in columns:
            return pa.scalar(NULL)
        given = columns[name]
        if name in ("REFERENCED_TABLE_SCHEMA", "CHILD_SCHEMA"):
            return pc.if_else(pc.fill_null(pc.equal(given, own), fill_value=False), OWN, given)
        return pc.utf8_lpad(given, 6, "0") if name in ("ORDINAL_POSITION", "SEQ_IN_INDEX") else given

    parts = [value(name) for name in (*view.order, *view.carried)]
    joined = pc.binary_join_element_wise(*parts, FIELD, null_handling="replace", null_replacement=NULL)
    return pc.binary_join_element_wise(pa.scalar(view.letter), joined, "")
