"""Rows of a view become lines of their tables' definitions: columns of values go through Arrow's kernels;
Python only gathers a table's lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.fleet.column_lines import piece_of
from schemacheck.fleet.definition import FIELD, LINE, NULL, OWN, View
from schemacheck.fleet.dump_file import SIZES, unescaped
from schemacheck.fleet.needs_engine import kind_needs_engine, needs_engine

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

    def add(self, piece: Piece) -> None:
        """Rows of COLUMNS: the block where there are no others."""
        if self.columns or not piece.straight:
            if self.block is not None:
                self.pieces.append(self.block.text)
                self.block = None
            self.pieces.append(piece.text)
            self.straight = self.straight and piece.straight
        else:
            self.block = piece
        self.columns += len(piece.names)
        self.whole = self.whole and piece.ordinals is None
        self.odd = self.odd or piece.odd


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
        starts = [0, *_changes(owners)]
        firsts = pa.array(starts, pa.int32())
        names = list(zip(*(column.take(firsts).to_pylist() for column in owners), strict=True))
        if escaped:
            names = [(unescaped(database), unescaped(name)) for database, name in names]
        found = []
        for name in names:
            known = tables.get(name)
            if known is None:
                known = tables[name] = Gathered()
            found.append(known)
        if view.letter == "C":
            for known, piece in zip(found, _pieces(view, columns, starts, escaped=escaped), strict=True):
                known.add(piece)
            continue
        lines = _lines(view, columns)
        if escaped and pc.any(pc.match_substring(lines, "\\")).as_py():
            lines = pa.array([unescaped(line) for line in lines.to_pylist()], pa.string())
        runs = pa.ListArray.from_arrays(pa.array([*starts, batch.num_rows], pa.int32()), lines)
        for known, text in zip(found, pc.binary_join(runs, LINE).to_pylist(), strict=True):
            known.pieces.append(text)
        for number in _of_runs(pc.greater(lines[1:], lines[:-1]), starts):
            found[number].straight = False
        for number in {
            bisect_right(starts, at) - 1 for at in pc.indices_nonzero(needs_engine(view, columns)).to_pylist()
        }:
            found[number].odd = True
        if view.letter == "T":
            for known, (n_rows, n_bytes) in zip(found, _sizes(columns, firsts), strict=True):
                known.n_rows, known.n_bytes = n_rows, n_bytes


def _pieces(
    view: View, columns: dict[str, pa.Array], starts: Sequence[int], *, escaped: bool
) -> Iterator[Piece]:
    """The runs of rows of COLUMNS."""
    import pyarrow as pa

    names, ordinals = (columns[name].to_pylist() for name in ("COLUMN_NAME", "ORDINAL_POSITION"))
    joined = _joined([pa.scalar(""), *_values(view.carried[1:], columns, columns[view.database])])
    kinds = joined.dictionary_encode()
    texts = kinds.dictionary.to_pylist()
    odd = {text for text in texts if kind_needs_engine(text)}
    told = [unescaped(text) for text in texts] if escaped else texts
    each = [told[at] for at in kinds.indices.to_pylist()]
    strange = {told[at] for at, text in enumerate(texts) if text in odd}
    for at, end in zip(starts, [*starts[1:], len(names)], strict=True):
        yield piece_of(names[at:end], ordinals[at:end], each[at:end], strange, escaped=escaped)


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
        known.add(piece)


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

    joined = _joined(_values((*view.order, *view.carried), columns, columns[view.database]))
    return pc.binary_join_element_wise(pa.scalar(view.letter), joined, "")


def _joined(parts: Iterable[pa.Array | pa.Scalar]) -> pa.Array:
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*parts, FIELD, null_handling="replace", null_replacement=NULL)


def _values(
    names: Sequence[str], columns: dict[str, pa.Array], own: pa.Array
) -> Iterator[pa.Array | pa.Scalar]:
    """What lines have of these columns; `own` are the rows' databases."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in names:
        if name not in columns:
            yield pa.scalar(NULL)
        elif name in ("REFERENCED_TABLE_SCHEMA", "CHILD_SCHEMA"):
            given = columns[name]
            yield pc.if_else(pc.fill_null(pc.equal(given, own), fill_value=False), OWN, given)
        elif name in ("ORDINAL_POSITION", "SEQ_IN_INDEX"):
            yield pc.utf8_lpad(columns[name], 6, "0")
        else:
            yield columns[name]
