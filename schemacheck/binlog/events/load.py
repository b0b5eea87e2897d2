"""LOAD DATA INFILE: five generations of events."""

from __future__ import annotations

from schemacheck.binlog.cursor import Cursor, text
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass

#: opt_flags of LOAD DATA (log_event.h).
LOAD_FLAGS = {1: "DUMPFILE", 2: "OPT_ENCLOSED", 4: "REPLACE", 8: "IGNORE"}


@dataclass(frozen=True, slots=True)
class Load:
    """LOAD_EVENT (6), NEW_LOAD_EVENT (12), CREATE_FILE_EVENT (8): a LOAD DATA INFILE in packed form.

    =======  =======================================================================================
    bytes    field (seed document)
    =======  =======================================================================================
    4        thread_id
    4        exec_time, seconds
    4        skip_lines
    1        length of the table's name
    1        length of the database's name
    4        number of columns
    4        CREATE_FILE only: file_id
    5 x 1+n  field_term, enclosed, line_term, line_start, escaped: length1 and bytes. The seed calls
             them null-terminated; its own example shows no null. LOAD: one byte each
    1        opt_flags; LOAD: one more byte, empty_flags, says which of the five are empty
    n x 1    lengths of the column names
    n x      column names, null-terminated
    1+n      table, database, file name: null-terminated
    rest     CREATE_FILE: the first block of data
    =======  =======================================================================================
    """

    header: Header
    thread_id: int
    exec_time: int
    skip_lines: int
    table: str
    database: str
    columns: tuple[str, ...]
    field_term: str
    enclosed: str
    line_term: str
    line_start: str
    escaped: str
    opt_flags: int
    file: str
    file_id: int | None = None
    block: bytes = b""

    @property
    def flag_names(self) -> tuple[str, ...]:
        """Names of the options that are set."""
        return tuple(name for flag, name in LOAD_FLAGS.items() if self.opt_flags & flag)


def read_load(header: Header, c: Cursor, form: Format) -> Load:
    """Reader of types 6, 8 and 12."""
    create = header.code == 8
    thread, seconds, skip = c.uint(4), c.uint(4), c.uint(4)
    table_length, database_length, count = c.uint(1), c.uint(1), c.uint(4)
    # Format 4 counts CREATE_FILE's post-header as the file id alone (4), behind LOAD's 18.
    file_id = c.uint(4) if create else None
    if header.code == 6:
        raw = [c.take(1) for _ in range(5)]
        flags, empty = c.uint(1), c.uint(1)
        delimiters = ["" if empty >> n & 1 else text(one) for n, one in enumerate(raw)]
    else:
        delimiters = [text(c.take(c.uint(1))) for _ in range(5)]
        flags = c.uint(1)
    lengths = c.take(count)
    columns = tuple(c.named(length) for length in lengths)
    table, database = c.named(table_length), c.named(database_length)
    file = text(c.cstring()) if create or b"\0" in c.data[c.pos : c.end] else text(c.rest())
    block = c.rest() if create else b""
    field_term, enclosed, line_term, line_start, escaped = delimiters
    return Load(header, thread, seconds, skip, table, database, columns, field_term, enclosed, line_term,
        line_start, escaped,
                flags, file, file_id, block)  # fmt: skip


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
    """EXEC_LOAD_EVENT (10), DELETE_FILE_EVENT (11): file_id4."""

    header: Header
    file_id: int


def read_file(header: Header, c: Cursor, form: Format) -> LoadFile:
    """Reader of types 10 and 11."""
    return LoadFile(header, c.uint(4))


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
