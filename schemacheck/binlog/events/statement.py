"""Events of statement-based logging, and those that begin, end and steer a transaction's statements."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.errors import DamagedEvent, ShortRead
from schemacheck.binlog.events.mariadb_zlib import inflate
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass

#: Status variable code -> (name, bytes) of those with a fixed size (server-side: statement_events.h,
#: Query_event).
FIXED_STATUS = {
    0: ("flags2", 4), 1: ("sql_mode", 8), 3: ("auto_increment", 4), 4: ("charset", 6), 7: ("lc_time_names",
    2),
    8: ("charset_database", 2), 9: ("table_map_for_update", 8), 10: ("master_data_written", 4),
    13: ("microseconds", 3),
    16: ("explicit_defaults_for_timestamp", 1), 17: ("ddl_xid", 8), 18: ("default_collation_for_utf8mb4", 2),
    19: ("sql_require_primary_key", 1), 20: ("default_table_encryption", 1), 128: ("hrnow", 3), 129: ("xid",
    8), 130: ("gtid_flags3", 1),
}  # fmt: skip
#: `updated_databases` says "more than can be listed".
TOO_MANY_DATABASES = 254


@dataclass(frozen=True, slots=True)
class Query:
    """QUERY_EVENT (2), QUERY_COMPRESSED_EVENT (165, MariaDB).

    =========  ==================================================================
    bytes      field
    =========  ==================================================================
    4          thread_id
    4          exec_time, seconds
    1          length of the default database's name
    2          error_code that the statement got on the source
    2          length of the status variables
    n          status variables, code1 and value each
    n + 1      default database, null-terminated
    rest       statement; zlib-compressed in type 165
    =========  ==================================================================
    """

    header: Header
    thread_id: int
    exec_time: int
    error_code: int
    database: str
    query: str
    status: bytes = b""

    def variables(self) -> dict[str, int | str | tuple[str, ...]]:
        """The status variables by name; an unknown code ends the list. Raises DamagedEvent."""
        return status_variables(self.status, self.header.position)


def status_variables(raw: bytes, position: int) -> dict[str, int | str | tuple[str, ...]]:
    """Status variables by name, see `Query.variables`; `position` is that of their event."""
    try:
        return dict(_parsed(raw))
    except ShortRead as error:
        raise DamagedEvent(f"the status variables contradict themselves: {error}", position) from None


@lru_cache(maxsize=1024)
def _parsed(raw: bytes) -> tuple[tuple[str, int | str | tuple[str, ...]], ...]:
    """A session's variables are the same in each of its events."""
    return tuple(_status(raw))


def _status(raw: bytes) -> Iterator[tuple[str, int | str | tuple[str, ...]]]:
    c = Cursor(raw)
    while c.left:
        code = c.uint(1)
        if code in FIXED_STATUS:
            name, size = FIXED_STATUS[code]
            if name == "auto_increment":
                yield "auto_increment_increment", c.uint(2)
                yield "auto_increment_offset", c.uint(2)
            elif name == "charset":
                yield "character_set_client", c.uint(2)
                yield "collation_connection", c.uint(2)
                yield "collation_server", c.uint(2)
            else:
                yield name, c.uint(size)
        elif code in (2, 6):
            yield "catalog", text(c.take(c.uint(1)))
            if code == 2:
                c.skip(1)
        elif code == 5:
            yield "time_zone", text(c.take(c.uint(1)))
        elif code == 11:
            yield "invoker_user", text(c.take(c.uint(1)))
            yield "invoker_host", text(c.take(c.uint(1)))
        elif code == 12:
            count = c.uint(1)
            if count == TOO_MANY_DATABASES:
                yield "updated_databases", ("",)
            else:
                yield "updated_databases", tuple(text(c.cstring()) for _ in range(count))
        elif code in (14, 15):
            yield ("commit_ts" if code == 14 else "commit_ts2"), c.uint(8)
        elif code == 131:
            count = c.uint(1)
            yield "character_set_collations", tuple(f"{c.uint(2)}={c.uint(2)}" for _ in range(count))
        else:
            return


_QUERY = struct.Struct("<IIBHH")


def read_query(header: Header, c: Cursor, form: Format) -> Query:
    """Reader of types 2 and 165."""
    thread, seconds, database_length, error, status_length = _QUERY.unpack(c.take(13))
    c.skip(max(0, form.post_header_length(header.code, 13) - 13))
    status = c.take(status_length)
    database = c.named(database_length)
    raw = c.rest()
    if header.code == 165:
        raw = inflate(raw)
    return Query(header, thread, seconds, error, database, text(raw), status)


@dataclass(frozen=True, slots=True)
class IntVar:
    """INTVAR_EVENT (5): kind1 (1 LAST_INSERT_ID, 2 INSERT_ID), value8."""

    header: Header
    kind: str
    value: int


def read_intvar(header: Header, c: Cursor, form: Format) -> IntVar:
    """Reader of type 5."""
    c.skip(form.post_header_length(5, 0))
    kind = c.uint(1)
    return IntVar(header, {1: "LAST_INSERT_ID", 2: "INSERT_ID"}.get(kind, str(kind)), c.uint(8))


@dataclass(frozen=True, slots=True)
class Rand:
    """RAND_EVENT (13): seed1 8, seed2 8."""

    header: Header
    seed1: int
    seed2: int


def read_rand(header: Header, c: Cursor, form: Format) -> Rand:
    """Reader of type 13."""
    c.skip(form.post_header_length(13, 0))
    return Rand(header, c.uint(8), c.uint(8))


#: Item_result numbers of a user variable.
USER_VAR_TYPES = {0: "STRING", 1: "REAL", 2: "INT", 3: "ROW", 4: "DECIMAL"}


@dataclass(frozen=True, slots=True)
class UserVar:
    """USER_VAR_EVENT (14): name_length4, name, is_null1; unless null: type1, charset4 (a collation's number),
    length4, value, and since 5.6 flags1 (1: unsigned). `value` is None, the bytes of a string, a float, an
    int or a decimal's text.
    """

    header: Header
    name: str
    type: str | None
    charset: int
    value: bytes | float | int | str | None
    unsigned: bool = False


def read_user_var(header: Header, c: Cursor, form: Format) -> UserVar:
    """Reader of type 14."""
    c.skip(form.post_header_length(14, 0))
    name = text(c.take(c.uint(4)))
    if c.uint(1):
        return UserVar(header, name, None, 0, None)
    kind, charset = c.uint(1), c.uint(4)
    raw = c.take(c.uint(4))
    unsigned = bool(c.uint(1) & 1) if c.left else False
    inner = Cursor(raw)
    value: bytes | float | int | str | None = raw
    if kind == 1:
        value = struct.unpack("<d", inner.take(8))[0]
    elif kind == 2:
        value = inner.uint(8) if unsigned else inner.sint(8)
    elif kind == 4:
        from schemacheck.binlog.values.number import decimal

        precision, scale = inner.uint(1), inner.uint(1)
        value = format(decimal(inner, precision, scale), "f")
    return UserVar(header, name, USER_VAR_TYPES.get(kind, str(kind)), charset, value, unsigned)


@dataclass(frozen=True, slots=True)
class Xid:
    """XID_EVENT (16): xid8. Commits a transaction."""

    header: Header
    xid: int


def read_xid(header: Header, c: Cursor, form: Format) -> Xid:
    """Reader of type 16."""
    c.skip(form.post_header_length(16, 0))
    return Xid(header, c.uint(8))


@dataclass(frozen=True, slots=True)
class XaPrepare:
    """XA_PREPARE_EVENT (38): one_phase1, format_id4, gtrid_length4, bqual_length4, gtrid and bqual."""

    header: Header
    one_phase: bool
    format_id: int
    gtrid: bytes
    bqual: bytes

    @property
    def xid(self) -> str:
        """The xid as servers print it: X'..',X'..',format."""
        return f"X'{self.gtrid.hex()}',X'{self.bqual.hex()}',{self.format_id}"


def read_xa_prepare(header: Header, c: Cursor, form: Format) -> XaPrepare:
    """Reader of type 38."""
    c.skip(form.post_header_length(38, 0))
    one_phase, format_id, gtrid, bqual = bool(c.uint(1)), c.uint(4), c.uint(4), c.uint(4)
    return XaPrepare(header, one_phase, format_id, c.take(gtrid), c.take(bqual))


@dataclass(frozen=True, slots=True)
class RowsQuery:
    """ROWS_QUERY_EVENT (29, MySQL): length1 (to be ignored), statement. ANNOTATE_ROWS_EVENT (160, MariaDB):
    the statement alone.

    The statement whose row changes follow."""

    header: Header
    query: str


def read_rows_query(header: Header, c: Cursor, form: Format) -> RowsQuery:
    """Reader of types 29 and 160."""
    c.skip(form.post_header_length(header.code, 0))
    if header.code == 29:
        c.skip(1)
    return RowsQuery(header, text(c.rest()))
