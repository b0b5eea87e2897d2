"""LOAD DATA INFILE, whose file is in the log (5.0 and later)."""

from __future__ import annotations

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LoadBlock:
    """APPEND_BLOCK_EVENT (9), BEGIN_LOAD_QUERY_EVENT (17): file_id4, data. The latter begins a new file."""

    header: Header
    file_id: int
    block: bytes


def read_block(header: Header, c: Cursor, form: Format) -> LoadBlock:
    """Reader of types 9 and 17."""
    file_id = c.uint(4)
    c.skip(max(0, form.post_header_length(header.code, 4) - 4))
    return LoadBlock(header, file_id, c.rest())


@dataclass(frozen=True, slots=True)
class LoadFile:
    """DELETE_FILE_EVENT (11): file_id4."""

    header: Header
    file_id: int


@dataclass(frozen=True, slots=True)
class ExecuteLoadQuery:
    """EXECUTE_LOAD_QUERY_EVENT (18): a LOAD DATA statement over the file that came before.

    =====  ==============================================================================
    bytes  field
    =====  ==============================================================================
    13     as QUERY: thread_id4, exec_time4, database length1, error_code2, status length2
    4      file_id
    4 + 4  where the file name begins and ends in the statement
    1      duplicates: 0 error, 1 IGNORE, 2 REPLACE
    n      status variables, database, null, statement
    =====  ==============================================================================
    """

    header: Header
    thread_id: int
    exec_time: int
    error_code: int
    database: str
    query: str
    status: bytes
    file_id: int
    name_start: int
    name_end: int
    duplicates: int


def read_execute_load_query(header: Header, c: Cursor, form: Format) -> ExecuteLoadQuery:
    """Reader of type 18."""
    thread, seconds, database_length, error, status_length = (
        c.uint(4),
        c.uint(4),
        c.uint(1),
        c.uint(2),
        c.uint(2),
    )
    file_id, start, end, duplicates = c.uint(4), c.uint(4), c.uint(4), c.uint(1)
    c.skip(max(0, form.post_header_length(18, 26) - 26))
    status = c.take(status_length)
    database = c.named(database_length)
    return ExecuteLoadQuery(
        header, thread, seconds, error, database, text(c.rest()), status, file_id, start, end, duplicates
    )
