"""What the engine has to be shown of two definitions, and its answer as one about the whole tables.

Rows tell by their columns one by one what becomes of them, so a column that is equal on both ends, in no key
and of a type that says nothing by itself on this link is left out, and the names of those that are left are
stand-ins: tables of a fleet that differ in the same way are one question. `tests/fleet/test_cut.py` holds
that the answers are those about the whole tables. What may look at more than that is not cut: statements,
partial images, clusters, columns by name, tables without a primary key, and whatever is odd about rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from schemacheck import engine
from schemacheck.alignment.terms import terms
from schemacheck.fleet import definition
from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, NULL, index_of
from schemacheck.fleet.piece import STAND_IN
from schemacheck.model import Effect, PairState, Table

if TYPE_CHECKING:
    from schemacheck.fleet.gathered import Definition
    from schemacheck.fleet.group import Stream

Answer = Mapping[str, Any]
#: Characters that stand for the names of columns.
STAND_INS = tuple(map(chr, range(0x4DC4, 0x4E00)))
#: Names, joined.
_ORDINARY = re.compile(f"[0-9A-Za-z_${FIELD}]+\\Z")
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


class Shape:
    """Two definitions with the columns that are left, shared by all pairs that differ so; `asked` is what
    the engine is asked about them, by the names of their tables.
    """

    __slots__ = ("asked", "replica", "source")

    def __init__(self, source: str, replica: str) -> None:
        self.source, self.replica = source, replica
        self.asked: dict[tuple[str, ...], Any] = {}


class Cut(NamedTuple):
    """What is left of a pair. `names` are those of the columns, where stand-ins stand in their place, and
    `places` where they stand in the whole tables, from 0.
    """

    shape: Shape
    names: Sequence[str]
    places: Sequence[int]


def of(stream: Stream, source: Definition, replica: Definition, *, apart: bool = True) -> list[Cut]:
    """The definitions cut down, `apart` for every column that differs where the link lets each be asked about
    alone; none where the whole tables have to be looked at.
    """
    ours, theirs = source.block, replica.block
    if ours is None or theirs is None or source.odd or replica.odd:
        return []
    dialect, rests = source.rest[0], (source.rest, replica.rest)
    shown = _KNOWN.get(dialect + stream.key)
    if shown is None:
        shown = _KNOWN[dialect + stream.key] = _Shown(stream, dialect)
    indexed = _indexed(*rests)
    if not shown.by_columns or indexed is None:
        return []
    places = ours.unlike(theirs)
    if places is None or not (source.has_primary_key and replica.has_primary_key):
        return []
    names, kinds, others = ours.names, ours.kinds, theirs.kinds
    joined = FIELD.join(names)
    if not _ORDINARY.match(joined) or len(set(joined.lower().split(FIELD))) < len(names):
        return []
    if (ours.marks | theirs.marks) & STAND_IN:
        return []
    alike = {n: told for n, kind in enumerate(kinds) if (told := shown[kind])}
    for n in (n for n, name in enumerate(names) if name in indexed) if indexed else ():
        alike.setdefault(n, kinds[n])
    for n in places:
        alike.pop(n, None)
    # (Two versions say something of tables, and of columns that are equal: it would be said twice.)
    apart = apart and len(places) > 1 and shown.same_servers and rests[0] == rests[1]
    apart = apart and not any(
        names[n] in indexed or _is_bound(kinds[n]) or _is_bound(others[n]) for n in places
    )
    made = []
    for some in [[n] for n in places] if apart else [places]:
        at = sorted((*alike, *some))
        if len(at) >= len(STAND_INS):
            return []
        here, there = ([alike.get(n) or end[n] for n in at] for end in (kinds, others))
        own = [names[n] for n in at]
        behind = not at or at[-1] < len(names) - 1
        shape = shown.shape(rests, own if indexed else None, here, there, behind)
        made.append(Cut(shape, () if indexed else own, at))
    return made


@lru_cache(maxsize=65_536)
def _is_bound(kind: str) -> bool:
    """Whether more hangs on a column than its own values: it is in a key, or some replicas make a table of
    all columns, in which they fail to make this one (SC217).
    """
    fields = kind.split(FIELD)
    return bool(fields[_EXTRA] or fields[_KEY]) or fields[1].startswith(("enum", "set"))


def _text(rest: str, names: Sequence[str], kinds: Sequence[str]) -> str:
    lines = [
        f"C{n:06}{FIELD}{name}{kind}" for n, (name, kind) in enumerate(zip(names, kinds, strict=True), 1)
    ]
    return rest[0] + LINE.join([*lines, rest[1:]] if len(rest) > 1 else lines)


@lru_cache(maxsize=4096)
def _indexed(source: str, replica: str) -> frozenset[str] | None:
    """The columns that keys of both ends name; None where other lines than those of plain keys and of one
    engine are there. (Of another engine, all columns count: they may be longer than a page.)
    """
    if definition.has_stand_in(source) or definition.has_stand_in(replica):
        return None
    indexed, engines = set(), []
    for rest in (source, replica):
        engine = ""
        for line in rest[1:].split(LINE) if len(rest) > 1 else ():
            if line[0] == "S":
                fields = line[1:].split(FIELD)
                if fields[_EXPRESSION] != NULL:
                    return None
                indexed.add(fields[_KEYED])
            elif line[0] != "T" or line.rpartition(FIELD)[2] not in ("", NULL):
                return None
            else:
                engine = engine or line
        engines.append((rest[0], engine))
    return frozenset(indexed) if engines[0] == engines[1] else None


class _Shown(dict[str, str]):
    """By what stands behind a column's name: what the engine is shown of a column that both ends have so on
    this link; '' for one that adds nothing to what it says of a table.
    """

    def __init__(self, stream: Stream, dialect: str) -> None:
        super().__init__()
        self._dialect = dialect
        self._link, self._dumped = stream.link, stream.dumped
        link_terms = terms(stream.link)
        self.same_servers = link_terms.same_servers and stream.same_dumps
        #: Whether row events of whole rows are all that a table's columns are asked about. (Pages of some
        #: formats count all columns.)
        self.by_columns = (
            link_terms.logs_rows
            and not (
                link_terms.logs_statements
                or link_terms.partial_image
                or link_terms.cluster
                or link_terms.by_name
            )
            and None not in link_terms.prefix_formats
        )
        self._alone = None if self.same_servers else self._told(_NUMBER)
        self._shapes: dict[tuple[object, ...], Shape] = {}

    def shape(
        self, rests: tuple[str, str], names: list[str] | None, here: list[str], there: list[str], behind: bool
    ) -> Shape:
        """The shape of columns that are left, under stand-ins without `names`; there are columns `behind`."""
        key = (rests, behind, tuple(names or ()), tuple(here), tuple(there))
        shape = self._shapes.get(key)
        if shape is None:
            if len(self._shapes) > _KEPT:
                self._shapes.clear()
            called = [*(names or STAND_INS[: len(here)]), *([STAND_INS[-1]] * behind)]
            filler = [_FILLER] * behind
            ends = zip(rests, (here, there), strict=True)
            shape = self._shapes[key] = Shape(
                *[_text(rest, called, [*kinds, *filler]) for rest, kinds in ends]
            )
        return shape

    def __missing__(self, kind: str) -> str:
        if len(self) > _KEPT:
            self.clear()
        fields = kind.split(FIELD)
        if not fields[_EXTRA] and not fields[_KEY]:
            shown = "" if self.same_servers or self._told(_NUMBER, kind) == self._alone else kind
        else:
            shown = _WIDTH.sub(FIELD + "int", kind, count=1)
            width = _kind(COLUMN_TYPE=fields[1], IS_NULLABLE="NO", EXTRA="", COLUMN_KEY="")
            if shown != kind and self[width]:
                shown = kind
        self[kind] = shown
        return shown

    def _told(self, *kinds: str) -> tuple[object, ...] | None:
        """What the engine says of a table with these columns on both ends; None where they are none."""
        text = _text(self._dialect, STAND_INS[: len(kinds)], kinds)
        servers = (self._dumped.source, self._dumped.replica)
        read = definition.read([(server, text) for server in servers])
        ends = [read[server, text] for server in servers]
        if not all(isinstance(end, Table) for end in ends):
            return None
        source, replica = (end.named("d", "t") for end in ends if isinstance(end, Table))
        report = engine.check_pair(source, replica, self._link)
        return report.state, report.reason, report.findings, report.smallest


#: By the dialect of definitions and the links' keys.
_KNOWN: dict[str, _Shown] = {}
_KEPT = 100_000


def whole(cut: Cut, finding: dict[str, Any]) -> None:
    """Make a finding about what was left one about the whole table, but for its names."""
    moved = 0
    for name in ("source_ordinal", "replica_ordinal"):
        if (ordinal := finding[name]) is not None:
            finding[name] = cut.places[ordinal - 1] + 1
            moved = finding[name] - ordinal
    if moved and finding["error"]:
        finding["error"] = _PLACE.sub(
            lambda match: f"Column {int(match[1]) + moved}", finding["error"], count=1
        )


def together(answers: Sequence[Answer], names: Sequence[str]) -> dict[str, Any] | None:
    """The answer about a pair whose differing columns were asked about one by one, in their order; `names`
    are all of the source's. None where they have to be asked about together.
    """
    if any(answer["state"] != _COMPARED or answer["reason"] or not answer["outcomes"] for answer in answers):
        return None
    places = {name: place for place, name in enumerate(names)}

    def order(finding: Mapping[str, Any]) -> tuple[int, bool, int, str]:
        """As `findings.order` has it; findings of one place stand by their rules."""
        column = finding["column"]
        place = -2 if column is None else places.get(column, len(names))
        return -_RANKS[finding["effect"]], finding["depends_on_rows"], place, finding["code"]

    findings = sorted((item for answer in answers for item in answer["findings"]), key=order)
    each = [[part.rpartition("=") for part in answer["outcomes"].split(";")] for answer in answers]
    worst = [
        max(range(len(each)), key=lambda n: (_RANKS[under[n][2]], -n)) for under in zip(*each, strict=True)
    ]
    outcomes = [under[n] for n, under in zip(worst, zip(*each, strict=True), strict=True)]
    smallest = next(
        (modes for modes, _, effect in outcomes if _RANKS[effect] <= Effect.COMPATIBLE.rank), None
    )
    reason = None if smallest is not None else answers[worst[-1]]["smallest_reason"]
    if smallest is None and not reason:
        return None
    of_tables = Counter(
        (finding["code"], finding["message"]) for finding in findings if finding["column"] is None
    )
    if len(of_tables) < of_tables.total():
        return None
    effects = [finding["effect"] for finding in findings]
    return {
        "state": _COMPARED,
        "reason": None,
        "findings": findings,
        "smallest": smallest,
        "smallest_reason": reason,
        "verdict": max(effects, key=_RANKS.__getitem__, default=Effect.IDENTICAL.value),
        "outcomes": ";".join(f"{modes}={effect}" for modes, _, effect in outcomes),
    }


_COMPARED = PairState.COMPARED.value
_RANKS = {effect.value: effect.rank for effect in Effect}
