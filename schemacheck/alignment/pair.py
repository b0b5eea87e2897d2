"""A source table and a replica table on a link, aligned as the applier aligns them.

By position: the first min(n, m) columns are compared, names are never looked at
(`table_def::compatible_with`). Two servers do otherwise: a generated invisible primary key on one
side only is left out (MySQL 8.0.30), and MariaDB 12 maps by name where the source logs full row
metadata (MDEV-36290).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import compress, count, repeat
from operator import is_not
from typing import Any, NamedTuple

from schemacheck.alignment.terms import MOST_JUDGED, Judged, Terms, terms
from schemacheck.conversion import Kind, Outcome, conversion, permitted, unreadable
from schemacheck.conversion.error import server_error
from schemacheck.conversion.own_values import ROW_TIMES
from schemacheck.conversion.wire import image
from schemacheck.dataclass import dataclass, maker
from schemacheck.model import Column, ColumnType, Key, Link, ServerError, Table, numbered

_NOTHING = Outcome.unchanged()


class Cell(NamedTuple):
    """A common column. `source_index` and `replica_index` count from 0; `kind` is the conversion,
    `allowed` the setting's answer, `outcome` what becomes of values when it is carried out. `same_type`:
    nothing of the type differs, collation included.
    """

    source_index: int
    replica_index: int
    source: Column
    replica: Column
    kind: Kind
    allowed: bool
    outcome: Outcome
    same_type: bool

    @property
    def same_name(self) -> bool:
        """Whether both ends call the column the same."""
        here, there = self.source.name, self.replica.name
        return here == there or here.casefold() == there.casefold()


#: Columns of both ends, side by side as far as both go, and the places of each in its table; no places: as
#: they stand there.
Columns = tuple[Sequence[Column], Sequence[Column], Sequence[int], Sequence[int]]
#: A Cell of these fields. (Most cells are of columns that are alike, and a NamedTuple's own constructor takes
#: three times as long.)
_like: Callable[[tuple[object, ...]], Cell] = partial(tuple.__new__, Cell)
_EXACT, _TRUE, _UNCHANGED = repeat(Kind.EXACT), repeat(object=True), repeat(_NOTHING)
_SAME_BYTES = Kind.EXACT
_EQUAL = (_SAME_BYTES, True, _NOTHING)


def _judged(here: ColumnType, there: ColumnType, link: Link, link_terms: Terms) -> Judged:
    """The three questions about two types, kept in the link's terms."""
    same = here == there
    # One server's column to its own like is read as it was written.
    answers = _EQUAL if same and link_terms.same_servers else _questions(here, there, link)
    judged = Judged(here, there, *answers, same, not link_terms.same_servers and _not_known(here, link))
    if len(link_terms.judged) >= MOST_JUDGED:
        link_terms.judged.clear()
    link_terms.judged[id(here), id(there)] = judged
    return judged


@lru_cache(maxsize=65536)
def _questions(here: ColumnType, there: ColumnType, link: Link) -> tuple[Kind, bool, Outcome]:
    """Their answers, which equal types share."""
    kind, out = conversion(here, there, link)
    return kind, permitted(kind, terms(link).modes, link.replica), out or _NOTHING


def unlike_columns(here: Sequence[Column], there: Sequence[Column]) -> list[int]:
    """The places, among those that both tables have, at which their columns are not equal. (Most are, and of
    tables that were read from rows most are one object. To look here at what others are made of takes a third
    of the time of asking each column whether it equals the other.)
    """
    return [
        place
        for place in compress(count(), map(is_not, here, there))
        if not (
            (column := here[place]).type is (other := there[place]).type
            and column.name == other.name
            and column.nullable is other.nullable
            and (column.default is other.default or column.default == other.default)
            and column.on_update is other.on_update
            and column.auto_increment is other.auto_increment
            and column.generated is other.generated
            and column.expression is other.expression
            and column.invisible is other.invisible
        )
        and column != other
    ]


def unlike(source: Table, replica: Table) -> list[int]:
    """The same of two tables, at once where they were compared before."""
    ours, theirs = source.shapes(), replica.shapes()
    if ours is None or theirs is None:
        return unlike_columns(source.columns, replica.columns)
    if ours == theirs:
        return []
    return numbered.unlike(ours, theirs, min(len(source.columns), len(replica.columns)))


class Common:
    """The columns that both tables have. Most are alike and few rules ask for those: their cells are made
    when somebody does. `judged` are the cells that are made, `places` where they stand; `order` is what
    `findings.order` has worked out.
    """

    __slots__ = ("_all", "_columns", "_judged", "_places", "order")

    def __init__(self, columns: Columns, places: Sequence[int], judged: Sequence[Cell]) -> None:
        self._columns, self._places, self._judged = columns, places, judged
        self._all: tuple[Cell, ...] | None = None
        self.order: Any = None

    def cells(self) -> tuple[Cell, ...]:
        """One for each, in the applier's order."""
        if self._all is None:
            here, there, at, to = self._columns
            made = list(
                map(_like, zip(at or count(), to or count(), here, there, _EXACT, _TRUE, _UNCHANGED, _TRUE,
                strict=False))
            )  # fmt: skip
            for place, cell in zip(self._places, self._judged, strict=True):
                made[place] = cell
            self._all = tuple(made)
        return self._all


@dataclass(frozen=True, slots=True)
class Pair:
    """What a rule sees.

    `differing` are those of the common columns (`cells`) about which something differs, `extra_source` and
    `extra_replica` the rest, `unreadable` the source columns whose type byte the replica does not know,
    `gipk_mismatch` says that the applier cannot tell where a generated invisible primary key is.
    """

    source: Table
    replica: Table
    link: Link
    terms: Terms
    common: Common
    differing: tuple[Cell, ...] = ()
    extra_source: tuple[Column, ...] = ()
    extra_replica: tuple[Column, ...] = ()
    unreadable: tuple[Column, ...] = ()
    gipk_mismatch: bool = False

    @classmethod
    def of(
        cls,
        source: Table,
        replica: Table,
        link: Link,
        unlike: Sequence[int] | None = None,
        known: Terms | None = None,
    ) -> Pair:
        """Align and classify. `unlike` are the places of the columns that are not equal by position, and
        `known` the link's terms, where they are worked out already. Raises KeyError where a type's wire image
        is not known.
        """
        known = known or terms(link)
        here: Sequence[Column] = source.columns
        there: Sequence[Column] = replica.columns
        at: Sequence[int] = ()
        to: Sequence[int] = ()
        rest_here: Sequence[Column] = ()
        rest_there: Sequence[Column] = ()
        mismatch = False
        if known.by_name or source.gipk or replica.gipk:
            (here, there, at, to), rest_here, rest_there, mismatch = _aligned(source, replica, known)
            unlike = None
        elif len(here) != len(there):
            rest_here, rest_there = here[len(there) :], there[len(here) :]
        # All columns at once: most pairs have many that are alike and few that are not.
        if unlike is None:
            unlike = unlike_columns(here, there)
        same_servers = known.same_servers
        places: Sequence[int] = unlike if same_servers else range(min(len(here), len(there)))
        cells: list[Cell] = []
        differing = cells if same_servers else []
        judged = known.judged
        unread = not same_servers and len(source.columns) > len(places)
        for n in places:
            column, other = here[n], there[n]
            ours_is, theirs_is = column.type, other.type
            _, _, kind, allowed, outcome, same, not_known = judged.get(
                (id(ours_is), id(theirs_is))
            ) or _judged(ours_is, theirs_is, link, known)
            cell = _like(
                (at[n] if at else n, to[n] if to else n, column, other, kind, allowed, outcome, same)
            )
            cells.append(cell)
            if not same_servers:
                unread = unread or not_known
                if n in unlike or kind is not _SAME_BYTES or outcome.changed:
                    differing.append(cell)
        return _make(
            source,
            replica,
            link,
            known,
            Common((here, there, at, to), places, cells),
            tuple(differing),
            tuple(rest_here),
            tuple(rest_there),
            _unreadable(source.columns, link) if unread else (),
            mismatch,
        )

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The common columns in the applier's order."""
        return self.common.cells()

    @property
    def by_name(self) -> bool:
        """Whether columns are paired by name."""
        return self.terms.by_name

    @property
    def logs_rows(self) -> bool:
        """Whether row events are logged: ROW, and MIXED, which may choose them."""
        return self.terms.logs_rows

    @property
    def logs_statements(self) -> bool:
        """Whether statements are logged: STATEMENT, and MIXED, which prefers them."""
        return self.terms.logs_statements

    def error(
        self, name: str, *, event: str = "Write_rows", key: str = "", table: str = ""
    ) -> ServerError | None:
        """The error `name` as the replica prints it; None where its version has no such error."""
        replica = self.replica
        return server_error(
            name, self.link.replica, replica.database, table or replica.name, event=event, key=key,
            engine=replica.engine,
        )  # fmt: skip

    @property
    def refused(self) -> Cell | None:
        """The first common column whose conversion is refused: the applier stops there."""
        return next((cell for cell in self.differing if not cell.allowed), None)

    @property
    def unsent(self) -> tuple[Cell, ...]:
        """Generated columns that UPDATE, DELETE and REPLACE events lack, not computed by the applier."""
        if not self.terms.cut_generated:
            return ()
        anew = self.link.replica.has("applier-computes-virtual-columns")
        return tuple(
            cell
            for cell in self.cells
            if cell.source.generated
            and cell.source.expression not in ROW_TIMES
            and not (anew and cell.replica.generated)
        )

    def sent_key(self) -> Key | None:
        """The key whose columns a MINIMAL before image carries: the primary key, else the first
        unique key without nullable columns (`TABLE::mark_columns_per_binlog_row_image`)."""
        for key in sorted(self.source.keys_as_asked, key=lambda k: k is not self.source.primary_key):
            whole = key is self.source.primary_key or all(part.length is None for part in key.parts)
            if (
                key.unique
                and key.parts
                and whole
                and all(_not_null(self.source, part.column) for part in key.parts)
            ):
                return key
        return None

    def lookup_key(self) -> Key | None:
        """The key by which the applier finds a row alone: the primary key, or a unique key without NULLs."""
        return next(self.lookup_keys(), None)

    def lookup_keys(self) -> Iterator[Key]:
        """All such keys, the primary key first."""
        primary = self.replica.primary_key
        if primary is not None:
            yield primary
        for key in self.replica.keys_as_asked:
            whole = key.unique and key.parts and key is not primary
            if whole and all(_not_null(self.replica, part.column) for part in key.parts):
                yield key


_make = maker(Pair)


def _unreadable(columns: Iterable[Column], link: Link) -> tuple[Column, ...]:
    """The source's columns whose type byte the replica does not know."""
    return tuple([column for column in columns if _not_known(column.type, link)])


@lru_cache(maxsize=65536)
def _not_known(kind: ColumnType, link: Link) -> bool:
    return unreadable(image(kind, link.source), link.replica)


def _not_null(table: Table, name: str | None) -> bool:
    column = table.column(name) if name else None
    return column is not None and not column.nullable


def _aligned(
    source: Table, replica: Table, link_terms: Terms
) -> tuple[Columns, list[Column], list[Column], bool]:
    """The common columns, those of the source alone and of the replica alone where some stand at other places
    than their counterparts, and whether the applier cannot tell where a generated key is.
    """
    ours: Sequence[int]
    theirs: Sequence[int]
    ours, theirs, mismatch = _positions(source, replica, link_terms.gipk)
    if link_terms.by_name:
        ours, theirs = _by_name(source, replica)
        rest = [n for n in range(len(source.columns)) if n not in ours]
        other_rest = [n for n in range(len(replica.columns)) if n not in theirs]
    else:
        rest, other_rest = list(ours[len(theirs) :]), list(theirs[len(ours) :])
    here = [source.columns[n] for n in ours]
    there = [replica.columns[n] for n in theirs]
    extra = [source.columns[n] for n in rest]
    return (here, there, ours, theirs), extra, [replica.columns[n] for n in other_rest], mismatch


def _by_name(source: Table, replica: Table) -> tuple[list[int], list[int]]:
    """The source's and the replica's places of the columns that both have, in the source's order."""
    positions = {column.name.casefold(): j for j, column in enumerate(replica.columns)}
    places = {
        i: positions[c.name.casefold()]
        for i, c in enumerate(source.columns)
        if c.name.casefold() in positions
    }
    return list(places), list(places.values())


def _positions(source: Table, replica: Table, gipk: tuple[bool, bool]) -> tuple[range, range, bool]:
    """The columns of each side that take part in pairing (server-side: Replica_key_and_gipk rules). `gipk`:
    whether the source, and the replica, know generated invisible primary keys.

    A replica that knows GIPK leaves out the one that only one side has. From a source that does
    not tell, an equal number of columns means that it has one too, one less that it has none.
    """
    ours, theirs = range(len(source.columns)), range(len(replica.columns))
    given, is_known = gipk
    if not is_known or not (source.gipk or replica.gipk):
        return ours, theirs, False
    if given:
        if source.gipk and not replica.gipk:
            return ours[1:], theirs, False
        if replica.gipk and not source.gipk:
            return ours, theirs[1:], False
        return ours, theirs, False
    if not replica.gipk or len(ours) == len(theirs):
        return ours, theirs, False
    return ours, theirs[1:], len(theirs) != len(ours) + 1
