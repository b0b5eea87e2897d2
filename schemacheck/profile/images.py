"""The row images of one table in a log: bounds, lengths and counts of what they carry."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from operator import ne
from typing import TYPE_CHECKING, Any

from schemacheck.binlog.events import table_map as t
from schemacheck.binlog.table import table_from_map, unsaid
from schemacheck.binlog.values import ABSENT, Value
from schemacheck.dataclass import replace
from schemacheck.model import charset
from schemacheck.profile import combined
from schemacheck.profile.document import Bound, ColumnProfile, TableProfile, Writes, definition_of
from schemacheck.profile.measures import inside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.binlog.events.rows import Image, Rows
    from schemacheck.model import ColumnType, Table

#: Images, and bytes of events, that are gathered before they are measured.
_IMAGES, _BYTES = 2000, 1 << 20
_CODECS = {"utf8mb4": "utf-8", "utf8mb3": "utf-8", "latin1": "latin-1", "ascii": "ascii"}
#: Characters that MySQL's latin1 (cp1252) has beyond the first 256.
_WESTERN = frozenset(bytes(range(128, 160)).decode("cp1252", "ignore"))


class Images:
    """What the events of one table map carry. `like` is the table as definitions have it: it names columns
    and tells signs where the log does not.
    """

    def __init__(self, definition: t.TableDefinition, like: Table | None, *, bounds: bool) -> None:
        made = table_from_map(definition, like)
        self.definition = definition
        self.complete = True
        self._types = [column.type for column in made.columns]
        self._names = [column.name for column in made.columns]
        lent = list(like.columns) if like else []
        #: Whether the log, or the definition that it fits, tells all of a column.
        self._sure = [
            not unsaid(column) & {"sign", "charset"} or (at < len(lent) and lent[at].type == self._types[at])
            for at, column in enumerate(definition.columns())
        ]
        same = [(c.type, c.nullable) for c in lent] == [(c.type, c.nullable) for c in made.columns]
        self._mark = definition_of(like if same else made) if like else None
        self._bounds = bounds
        self._signs = tuple(kind.unsigned for kind in self._types)
        self._columns: dict[str, ColumnProfile] = {}
        self._images: list[Image] = []
        self._bytes = self._rows = 0
        self._counts = {"insert": 0, "update": 0, "delete": 0}
        self._changed = dict.fromkeys(self._names, 0)
        self._kinds: set[str] = set()

    def take(self, event: Rows) -> None:
        """The rows of one event. Raises DamagedEvent."""
        rows = list(event.rows(self._signs))
        action, count = event.action, len(rows)
        befores = [row.before for row in rows if row.before is not None]
        afters = [row.after for row in rows if row.after is not None]
        partial = any(ABSENT in images[0] for images in (befores, afters) if images)
        self._kinds.add("partial" if partial else "full")
        self._counts[action] += count
        if action == "update":
            for name, before, after in zip(
                self._names, zip(*befores, strict=True), zip(*afters, strict=True), strict=True
            ):
                absent = after.count(ABSENT) if partial else 0
                if absent < count:
                    self._changed[name] += sum(map(ne, before, after)) - absent
        self._images += befores + afters
        self._bytes += event.header.size
        if len(self._images) >= _IMAGES or self._bytes >= _BYTES:
            self._measure()

    def _measure(self) -> None:
        """Add what is gathered to the columns."""
        self._rows += len(self._images)
        for at, values in enumerate(zip(*self._images, strict=True)):
            present: Sequence[Value] = values
            if ABSENT in values:
                present = [value for value in values if value is not ABSENT]
                if not present:
                    continue
            piece = self._column(at, present)
            name = self._names[at]
            before = self._columns.get(name)
            self._columns[name] = combined.column(before, piece) if before else piece
        self._images, self._bytes = [], 0

    def _column(self, at: int, values: Sequence[Any]) -> ColumnProfile:
        kind, sure = self._types[at], self._sure[at]
        nulls = values.count(None)
        there = [value for value in values if value is not None] if nulls else values
        made = ColumnProfile(kind.sql(), nulls)
        if kind.is_whole:
            return self._numbers(made, there, doubtful=not sure)
        if kind.is_decimal:
            made = self._numbers(made, there)
            digits = (
                (len(f"{value:f}".partition(".")[2].rstrip("0")) for value in there) if kind.scale else ()
            )
            return replace(made, fraction=max(digits, default=0))
        if kind.is_approximate:
            return self._numbers(made, [Decimal(repr(value)) for value in there])
        if kind.is_temporal:
            return self._moments(made, kind, there)
        if kind.has_members:
            return self._members(made, kind, there)
        if kind.is_plain_string:
            if kind.is_binary:  # the log leaves out the zeros at a value's end
                there = [value.ljust(kind.length or 0, b"\0") for value in there]
            return _strings(made, kind.charset if sure else None, there)
        return made

    def _numbers(self, made: ColumnProfile, there: Sequence[Any], *, doubtful: bool = False) -> ColumnProfile:
        made = replace(made, zero=there.count(0))
        if not there or not self._bounds or (doubtful and min(there) < 0):
            return made
        return replace(made, minimum=Decimal(min(there)), maximum=Decimal(max(there)))

    def _moments(self, made: ColumnProfile, kind: ColumnType, there: Sequence[str]) -> ColumnProfile:
        low: Bound = None
        high: Bound = None
        if there and self._bounds:
            order = combined.order if kind.is_time else None
            low, high = min(there, key=order), max(there, key=order)
        if not kind.is_date:
            digits = (len(v.partition(".")[2].rstrip("0")) for v in there) if kind.fraction else ()
            made = replace(made, fraction=max(digits, default=0))
        if not kind.is_time:
            made = replace(made, zero=sum(not value.strip("0-: .") for value in there))
        return replace(made, minimum=low, maximum=high)

    def _members(self, made: ColumnProfile, kind: ColumnType, there: Sequence[int]) -> ColumnProfile:
        members = counts = Counter(there)
        if kind.is_set:
            members = Counter()
            for value, count in counts.items():
                members.update({n: count for n in range(value.bit_length()) if value >> n & 1})
        return replace(made, members=dict(sorted(members.items())), empty=counts[0])

    def profile(self, taken: str) -> TableProfile:
        """All that was seen."""
        if self._images:
            self._measure()
        changed = {name: count for name, count in self._changed.items() if count}
        inserts, updates, deletes = (self._counts[action] for action in ("insert", "update", "delete"))
        writes = Writes(0, inserts, updates, deletes, tuple(sorted(self._kinds)), changed)
        return TableProfile(
            self.definition.database, self.definition.name, taken, self._columns, self._mark,
            complete=self.complete, rows=self._rows, writes=writes,
        )  # fmt: skip


def _strings(made: ColumnProfile, set_of: str | None, there: Sequence[bytes]) -> ColumnProfile:
    """Lengths; of text whose character set Python has also what lies outside of others."""
    sizes = list(map(len, there))
    made = replace(made, longest_bytes=max(sizes, default=0), empty=sizes.count(0))
    name = charset.canonical(set_of or "binary")
    if name not in _CODECS:
        return made
    beyond = [value for value in there if not value.isascii()]
    texts = [value.decode(_CODECS[name], "replace") for value in beyond]
    western = (
        0 if name == "latin1" else sum(any(ord(c) > 255 and c not in _WESTERN for c in x) for x in texts)
    )
    outside = {"ascii": len(beyond), "latin1": western, "utf8mb3": sum(max(x) > "\uffff" for x in texts)}
    plain = (len(value) for value in there if value.isascii())
    return replace(
        made, longest_characters=max((*plain, *map(len, texts)), default=0),
        blanks=sum(value.endswith(b" ") for value in there),
        outside=outside | dict.fromkeys(inside(name), 0),
    )  # fmt: skip
