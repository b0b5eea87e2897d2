"""What the engine has to be shown of two definitions, and its answer as one about the whole tables.

Rows tell by their columns one by one what becomes of them, so a column that is equal on both ends, in no key
and of a type that says nothing by itself on this link is left out, and the names of those that are left are
stand-ins: tables of a fleet that differ in the same way are one question. `tests/fleet/test_cut.py` holds
that the answers are those about the whole tables. What may look at more than that is not cut: statements,
partial images, clusters, columns by name, tables without a primary key, and whatever is odd about rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from schemacheck import engine
from schemacheck.alignment.terms import terms
from schemacheck.fleet import definition
from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, NULL, index_of
from schemacheck.model import Table

if TYPE_CHECKING:
    from schemacheck.fleet.group import Stream
    from schemacheck.fleet.rows import Definition
    from schemacheck.model import Link

#: Characters that stand for the names of columns.
STAND_INS = tuple(map(chr, range(0x4DC4, 0x4E00)))
_ORDINARY = re.compile(r"[0-9A-Za-z_$]+\Z")
#: Errors that name a column by its place.
_PLACE = re.compile(r"\bColumn (\d+)\b")
_CARRIED = BY_NAME["columns"].carried[1:]
_EXTRA, _KEY = _CARRIED.index("EXTRA") + 1, _CARRIED.index("COLUMN_KEY") + 1
_KEYED, _EXPRESSION = (index_of("statistics", name) for name in ("COLUMN_NAME", "EXPRESSION"))


def _kind(**values: str) -> str:
    """What stands behind the name in a line of COLUMNS."""
    return FIELD + FIELD.join(values.get(name, NULL) for name in _CARRIED)


#: A column that is silent on every link: it stands for those behind the last one that is left.
_FILLER = _kind(COLUMN_TYPE="int", IS_NULLABLE="YES", EXTRA="", COLUMN_KEY="")
_NUMBER = _kind(COLUMN_TYPE="int", IS_NULLABLE="NO", EXTRA="", COLUMN_KEY="PRI")


#: An integer without a default: in a key of both ends its width says nothing.
_WIDTH = re.compile(f"{FIELD}(?:tiny|small|medium|big)?int(?: unsigned)?(?={FIELD}NO{FIELD}{NULL}{FIELD})")


class Cut(NamedTuple):
    """Two definitions with the columns that are left. `names` are theirs, where stand-ins stand in their
    place, and `places` where they stand in the whole tables, from 0.
    """

    source: str
    replica: str
    names: Sequence[str]
    places: Sequence[int]


def of(stream: Stream, source: Definition, replica: Definition) -> Cut | None:
    """The definitions cut down; None where the whole tables have to be looked at."""
    ours, theirs = source.block, replica.block
    if ours is None or theirs is None or source.odd or replica.odd:
        return None
    shown = _KNOWN.get(stream.key)
    if shown is None:
        shown = _KNOWN[stream.key] = _Shown(stream.link)
    if not shown.by_columns:
        return None
    places = ours.unlike(theirs)
    if places is None or not (source.has_primary_key and replica.has_primary_key):
        return None
    names = ours.names
    if not _ORDINARY.match("".join(names)) or len(set(map(str.lower, names))) < len(names):
        return None
    keyed = _of_keys(source.rest), _of_keys(replica.rest)
    if None in keyed:
        return None
    indexed = frozenset().union(*filter(None, keyed))
    unlike, at, here, there = set(places), [], [], []
    for n, kind in enumerate(ours.kinds):
        other = theirs.kinds[n] if n in unlike else shown[kind] or (kind if names[n] in indexed else "")
        if other:
            at.append(n)
            here.append(kind if n in unlike else other)
            there.append(other)
    if len(at) >= len(STAND_INS):
        return None
    called = [names[n] for n in at] if indexed else STAND_INS[: len(at)]
    if not at or at[-1] < len(names) - 1:
        called, here, there = [*called, STAND_INS[-1]], [*here, _FILLER], [*there, _FILLER]
    texts = (_text(source.rest, called, here), _text(replica.rest, called, there))
    return Cut(*texts, () if indexed else [names[n] for n in at], at)


def _text(rest: str, names: Sequence[str], kinds: Sequence[str]) -> str:
    lines = [
        f"C{n:06}{FIELD}{name}{kind}" for n, (name, kind) in enumerate(zip(names, kinds, strict=True), 1)
    ]
    return rest[0] + LINE.join([*lines, rest[1:]] if len(rest) > 1 else lines)


@lru_cache(maxsize=4096)
def _of_keys(rest: str) -> frozenset[str] | None:
    """The columns that keys name; None where other lines than those of plain keys and engines are there."""
    found = set()
    for line in rest[1:].split(LINE) if len(rest) > 1 else ():
        if line[0] == "S":
            fields = line[1:].split(FIELD)
            if fields[_EXPRESSION] != NULL:
                return None
            found.add(fields[_KEYED])
        elif line[0] != "T" or line.rpartition(FIELD)[2] not in ("", NULL):
            return None
    return frozenset(found)


class _Shown(dict[str, str]):
    """By what stands behind a column's name: what the engine is shown of a column that both ends have so on
    this link; '' for one that adds nothing to what it says of a table.
    """

    def __init__(self, link: Link) -> None:
        super().__init__()
        known = terms(link)
        self._link, self._same_servers = link, known.same_servers
        #: Whether row events of whole rows are all that a table's columns are asked about. (Pages of some
        #: formats count all columns.)
        self.by_columns = (
            known.row_format
            and not (known.statement_format or known.partial_image or known.cluster or known.by_name)
            and None not in known.prefix_formats
        )
        self._alone = None if self._same_servers else self._told(_NUMBER)

    def __missing__(self, kind: str) -> str:
        if len(self) > _KEPT:
            self.clear()
        fields = kind.split(FIELD)
        if not fields[_EXTRA] and not fields[_KEY]:
            shown = "" if self._same_servers or self._told(_NUMBER, kind) == self._alone else kind
        else:
            shown = _WIDTH.sub(FIELD + "int", kind, count=1)
            width = _kind(COLUMN_TYPE=fields[1], IS_NULLABLE="NO", EXTRA="", COLUMN_KEY="")
            if shown != kind and self[width]:
                shown = kind
        self[kind] = shown
        return shown

    def _told(self, *kinds: str) -> tuple[object, ...] | None:
        """What the engine says of a table with these columns on both ends; None where they are none."""
        text = _text("w", STAND_INS[: len(kinds)], kinds)
        read = definition.read([(self._link.source, text), (self._link.replica, text)])
        ends = [read[end, text] for end in (self._link.source, self._link.replica)]
        if not all(isinstance(end, Table) for end in ends):
            return None
        source, replica = (end.named("d", "t") for end in ends if isinstance(end, Table))
        report = engine.check_pair(source, replica, self._link)
        return report.state, report.reason, report.findings, report.smallest


#: By the links' keys.
_KNOWN: dict[str, _Shown] = {}
_KEPT = 100_000


def whole(cut: Cut, finding: Mapping[str, Any]) -> dict[str, Any]:
    """A finding about what was left as one about the whole table, but for its names."""
    made, moved = dict(finding), 0
    for name in ("source_ordinal", "replica_ordinal"):
        if (ordinal := finding[name]) is not None:
            made[name] = cut.places[ordinal - 1] + 1
            moved = made[name] - ordinal
    if moved and finding["error"]:
        made["error"] = _PLACE.sub(lambda found: f"Column {int(found[1]) + moved}", finding["error"], count=1)
    return made
