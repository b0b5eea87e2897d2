"""Rows events of all generations. Their values are decoded when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.binlog.cursor import Cursor, bit, bits_set
from schemacheck.binlog.errors import DamagedEvent, ShortRead
from schemacheck.binlog.events.mariadb_zlib import inflate
from schemacheck.binlog.events.table_map import JSON, TableDefinition, WireColumn
from schemacheck.binlog.header import Format, Header
from schemacheck.binlog.values import ABSENT, Value, read_value
from schemacheck.binlog.values.json import Json, quoted, text
from schemacheck.dataclass import dataclass

OPERATIONS = {0: "replace", 1: "insert", 2: "remove"}


class JsonDiffs(Json):
    """A list of changes, itself JSON: [["replace", "$.a", 22], ["remove", "$.b[1]"]]; empty: unchanged."""

    __slots__ = ()


def read_diffs(raw: bytes) -> JsonDiffs:
    """Binary diffs: operation1, path (length packed), unless it removes JSON likewise. Raises ShortRead."""
    c = Cursor(raw)
    changes = []
    while c.left:
        operation = c.uint(1)
        if operation not in OPERATIONS:
            raise ShortRead(f"JSON change {operation}")
        path = quoted(c.take(c.packed()))
        value = f", {text(c.take(c.packed()))}" if operation != 2 else ""
        changes.append(f'["{OPERATIONS[operation]}", {path}{value}]')
    return JsonDiffs("[" + ", ".join(changes) + "]")


#: Type number -> what is done to the rows.
ACTIONS = {
    23: "insert", 24: "update", 25: "delete", 30: "insert", 31: "update", 32: "delete", 39: "update",
    166: "insert", 167: "update", 168: "delete", 169: "insert", 170: "update", 171: "delete",
}  # fmt: skip
VERSION_2 = frozenset({30, 31, 32, 39, 169, 170, 171})
COMPRESSED = frozenset(range(166, 172))
STATEMENT_END, NO_FOREIGN_KEY_CHECKS = 1, 2
#: 16 is of MySQL 9.x, 128 of MariaDB.
FLAG_NAMES = {
    1: "STMT_END_F", 2: "NO_FOREIGN_KEY_CHECKS_F", 4: "RELAXED_UNIQUE_CHECKS_F", 8: "COMPLETE_ROWS_F",
    16: "USE_SQL_FOREIGN_KEY_F",
    128: "NO_CHECK_CONSTRAINT_CHECKS_F",
}  # fmt: skip

Image = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One changed row. An image has a value for every column of the table map, ABSENT where the row image
    leaves it out. `before` is None for an insert, `after` for a delete.
    """

    before: Image | None
    after: Image | None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows events: 23-25 (v1), 30-32 (v2), 39 (partial JSON), 166-171 (MariaDB, compressed).

    =======  =================================================================================
    bytes    field (rows_event.h, Rows_event)
    =======  =================================================================================
    6        table_id
    2        flags, see FLAG_NAMES
    2 + n    v2: length of extra data (these 2 included), extra data
    packed   width: number of columns
    n        columns of the (before) image, a bit each
    n        UPDATE: columns of the after image
    rest     rows: null bits of the columns present, then their values; UPDATE: before, after.
             PARTIAL_UPDATE: before the after image value_options packed and, with bit 0,
             a bit per JSON column: it comes as a list of changes
    =======  =================================================================================

    `body` begins at width; `table` is the table map's definition, None where there was none.
    """

    header: Header
    table_id: int
    flags: int
    extra: bytes
    body: bytes
    table: TableDefinition | None

    @property
    def action(self) -> str:
        """`insert`, `update` or `delete`."""
        return ACTIONS[self.header.code]

    @property
    def flag_names(self) -> tuple[str, ...]:
        """The names of the flags that are set."""
        return tuple(name for flag, name in FLAG_NAMES.items() if self.flags & flag)

    def rows(self, unsigned: tuple[bool, ...] | None = None) -> Iterator[Row]:
        """The rows one by one; `unsigned` tells signs, else the optional metadata. Raises DamagedEvent."""
        if self.table is None:
            message = f"the rows of table {self.table_id} have no table map before them"
            raise DamagedEvent(message, self.header.position)
        try:
            yield from self._rows(self.table.columns(), self.body, unsigned)
        except ShortRead as error:
            message = f"a row of {self.table.qualified_name} contradicts its table map: {error}"
            raise DamagedEvent(message, self.header.position) from None

    def count(self) -> int:
        """How many rows there are. Raises DamagedEvent."""
        return sum(1 for _ in self.rows())

    def _images(self, c: Cursor, width: int) -> tuple[bytes, bytes, Cursor]:
        if c.packed() != width:
            raise ShortRead(f"the event has another number of columns than the table map's {width}")
        first = c.take((width + 7) // 8)
        second = c.take((width + 7) // 8) if self.action == "update" else first
        return first, second, Cursor(inflate(c.rest())) if self.header.code in COMPRESSED else c

    def _rows(
        self, columns: tuple[WireColumn, ...], body: bytes, unsigned: tuple[bool, ...] | None
    ) -> Iterator[Row]:
        code, action = self.header.code, self.action
        width = len(columns)
        first, second, c = self._images(Cursor(body), width)
        signs = unsigned or tuple(bool(column.unsigned) for column in columns)

        def image(present: bytes, partial: bytes = b"") -> Image:
            nulls = c.take((bits_set(present, width) + 7) // 8)
            values: list[Value] = []
            index = json = 0
            for n, column in enumerate(columns):
                changes = column.type == JSON and bool(partial) and bit(partial, json)
                json += column.type == JSON
                if not bit(present, n):
                    values.append(ABSENT)
                    continue
                index += 1
                if bit(nulls, index - 1):
                    values.append(None)
                    continue
                values.append(read_diffs(c.take(c.uint(4))) if changes else read_value(c, column, signs[n]))
            return tuple(values)

        json_columns = sum(column.type == JSON for column in columns)
        while c.left:
            at = c.pos
            if action == "insert":
                yield Row(None, image(first))
            elif action == "delete":
                yield Row(image(first), None)
            else:
                before = image(first)
                partial = b""
                if code == 39 and c.packed() & 1:
                    partial = c.take((json_columns + 7) // 8)
                yield Row(before, image(second, partial))
            if c.pos == at:
                raise ShortRead("a row of no bytes")


def read_rows(header: Header, c: Cursor, form: Format, tables: dict[int, TableDefinition]) -> Rows:
    """Reader of all rows events; `tables` are the table maps that are in force."""
    table_id, flags = c.uint(6), c.uint(2)
    extra = c.take(c.uint(2) - 2) if header.code in VERSION_2 else b""
    return Rows(header, table_id, flags, extra, c.rest(), tables.get(table_id))
