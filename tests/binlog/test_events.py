"""Events by themselves, and types that no recorded log has."""

from __future__ import annotations

import struct
import zlib

import pytest

from schemacheck.binlog.decoder import decode
from schemacheck.binlog.errors import DamagedEvent, MissingLibrary
from schemacheck.binlog.events.control import Incident, Other
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.statement import UserVar
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.listing import lines
from schemacheck.binlog.unpack import unpacked
from schemacheck.binlog.values import ABSENT
from tests.binlog.logs import MAGIC, description, event, query, table_map, write_rows


def one(raw, server="8.0.36", **kw):
    return list(decode(MAGIC + description(server, **kw) + raw))[1]


def test_header_flags_have_names():
    assert one(event(3, b"", flags=4)).header.flag_names == ("THREAD_SPECIFIC",)
    assert one(event(3, b"", flags=0xA1)).header.flag_names == ("BINLOG_IN_USE", "ARTIFICIAL", "IGNORABLE")


def test_incident():
    assert one(event(26, struct.pack("<HB", 1, 5) + b"gone!")) == Incident(
        one(event(26, struct.pack("<HB", 1, 5) + b"gone!")).header, 1, "gone!"
    )


@pytest.mark.parametrize("code", [27, 28, 36, 37, 41])
def test_events_of_no_concern_are_known(code):
    found = one(event(code, b"abc"))
    assert isinstance(found, Other)
    assert found.known
    assert found.body == b"abc"


@pytest.mark.parametrize("code", [6, 7, 8, 10, 12, 20, 21, 22])
def test_events_of_servers_before_5_1_16_are_not_read(code):
    assert not one(event(code, b"abc")).known


@pytest.mark.parametrize(
    ("raw", "value", "kind"),
    [
        (b"\x01", None, None),
        (b"\0\0" + struct.pack("<II", 33, 2) + b"hi", b"hi", "STRING"),
        (b"\0\x01" + struct.pack("<IId", 8, 8, -1.25), -1.25, "REAL"),
        (b"\0\x02" + struct.pack("<IIq", 8, 8, -5), -5, "INT"),
        (b"\0\x02" + struct.pack("<IIqB", 8, 8, -1, 1), (1 << 64) - 1, "INT"),
        (b"\0\x04" + struct.pack("<II", 8, 4) + b"\x04\x02" + bytes([0x80 + 12, 34]), "12.34", "DECIMAL"),
    ],
)
def test_user_variables(raw, value, kind):
    found = one(event(14, struct.pack("<I", 1) + b"v" + raw))
    assert isinstance(found, UserVar)
    assert (found.name, found.value, found.type) == ("v", value, kind)


def test_anonymous_gtid_of_57_and_80():
    head = bytes([0]) + bytes(16) + struct.pack("<q", 0) + b"\x02" + struct.pack("<qq", 3, 4)
    plain = one(event(34, head))
    assert (plain.last_committed, plain.sequence_number, plain.immediate_commit_timestamp) == (3, 4, 0)
    both = one(
        event(
            34,
            head
            + (1000 | 1 << 55).to_bytes(7, "little")
            + (900).to_bytes(7, "little")
            + b"\xfa"
            + struct.pack("<II", 80036 | 1 << 31, 50744),
        )
    )
    assert (both.immediate_commit_timestamp, both.original_commit_timestamp, both.transaction_length) == (
        1000,
        900,
        250,
    )
    assert (both.immediate_server_version, both.original_server_version) == (80036, 50744)
    assert both.gtid == "ANONYMOUS"


def test_mariadb_gtid_with_everything():
    raw = (
        struct.pack("<QIB", 5, 2, 2 | 64 | 4)
        + struct.pack("<Q", 77)
        + struct.pack("<IBB", 1, 2, 1)
        + b"abc"
        + bytes([4 | 16])
        + struct.pack("<QI", 4, 9)
    )
    found = one(event(162, raw), "10.11.6-MariaDB")
    assert (found.gtid, found.commit_id, found.xid, found.start_alter, found.thread_id) == (
        "2-1-5",
        77,
        (1, b"ab", b"c"),
        4,
        9,
    )


def test_rows_of_every_version():
    data = MAGIC + description(lengths={23: 8})
    value = b"\0\x2a\0\0\0"
    bits = bytes([1, 1])
    for code, extra, content in (
        (23, b"", bits + value), (24, b"", bits + b"\x01" + value * 2),
        (30, b"\x02\0", bits + value), (31, b"\x05\0\x01ab", bits + b"\x01" + value * 2), (32, b"\x02\0", bits + value),  # noqa: E501
        (169, b"\x02\0", bits + b"\x81\x05" + zlib.compress(value)),
    ):  # fmt: skip
        data += table_map(3, "t", b"\x03", b"") + event(code, struct.pack("<IHH", 3, 0, 1) + extra + content)
    rows = [e for e in decode(data) if isinstance(e, Rows)]
    assert len(rows) == 6
    images = [(e.action, [(r.before, r.after) for r in e.rows()]) for e in rows]
    assert images[0] == ("insert", [(None, (42,))])
    assert images[1] == images[3] == ("update", [((42,), (42,))])
    assert images[4] == ("delete", [((42,), None)])
    assert images[5] == ("insert", [(None, (42,))])
    assert rows[3].extra == b"\x01ab"


def test_partial_row_images():
    """binlog_row_image=MINIMAL: null bits only for the columns present."""
    data = (
        MAGIC
        + description()
        + table_map(3, "t", b"\x03\x0f\x03", b"\x0a\0")
        + event(
            31,
            struct.pack("<IHHH", 3, 0, 1, 2) + b"\x03" + b"\x01" + b"\x06" + b"\0\x07\0\0\0" + b"\x02\x02hi",
        )
    )
    row = next(list(decode(data))[2].rows())
    assert row.before == (7, ABSENT, ABSENT)
    assert row.after == (ABSENT, b"hi", None)


def test_a_row_that_runs_past_its_event():
    data = MAGIC + description() + table_map(3, "t", b"\x0f", b"\x0a\0") + write_rows(3, 1, b"\0\x09short")
    rows = list(decode(data))[2]
    with pytest.raises(DamagedEvent, match=r"d\.t contradicts its table map"):
        list(rows.rows())


def test_row_width_must_be_that_of_the_table_map():
    data = (
        MAGIC + description() + table_map(3, "t", b"\x03", b"") + write_rows(3, 2, b"\0\x01\0\0\0\x01\0\0\0")
    )
    with pytest.raises(DamagedEvent, match="another number of columns than the table map's 1"):
        list(list(decode(data))[2].rows())


def payload(inner, *, size=None, compression=255, raw=None):
    raw = inner if raw is None else raw
    head = (
        b"\x01\x09\xfe" + struct.pack("<Q", len(raw)) + b"\x02\x01" + bytes([compression])
        if compression < 251
        else b"\x01\x09\xfe" + struct.pack("<Q", len(raw)) + b"\x02\x03\xfc\xff\0"
    )
    head += b"\x03\x09\xfe" + struct.pack("<Q", len(inner) if size is None else size) + b"\0"
    return one(event(40, head + raw))


def test_payload_without_compression():
    inner = query("BEGIN") + table_map(1, "t", b"\x03", b"") + write_rows(1, 1, b"\0\x05\0\0\0")
    found = payload(inner)
    assert isinstance(found, TransactionPayload)
    events = list(unpacked(found))
    assert [e.header.code for e in events] == [2, 19, 30]
    assert next(events[2].rows()).after == (5,)
    assert [e.header.position for e in events] == [0, len(query("BEGIN")), len(inner) - events[2].header.size]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"size": 3}, "more than the 3"),
        ({"size": 10_000}, "not the 10000"),
        ({"compression": 7}, "compression 7"),
        ({"compression": 0}, "cannot be unpacked"),
    ],
)
def test_damaged_payloads(change, word):
    if change.get("compression") == 0:
        pytest.importorskip("zstandard")
    with pytest.raises(DamagedEvent, match=word) as found:
        list(unpacked(payload(query("BEGIN"), **change)))
    assert found.value.offset == 127


def test_a_damaged_event_inside_a_payload_has_the_outer_offset():
    with pytest.raises(DamagedEvent, match="inside the transaction payload") as found:
        list(unpacked(payload(query("BEGIN")[:-1])))
    assert found.value.offset == 127


def test_without_zstandard_the_message_says_what_to_install(monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *args, **kw):
        if name == "zstandard":
            raise ImportError(name)
        return real(name, *args, **kw)

    found = payload(query("BEGIN"), compression=0)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingLibrary, match=r"schemacheck\[zstd\]"):
        list(unpacked(found))


def test_a_compression_bomb_is_not_unpacked():
    zstandard = pytest.importorskip("zstandard")
    bomb = zstandard.ZstdCompressor().compress(bytes(200_000_000))
    assert len(bomb) < 20_000
    import tracemalloc

    tracemalloc.start()
    with pytest.raises(DamagedEvent):
        list(unpacked(payload(query("BEGIN"), compression=0, raw=bomb)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_status_variables_that_are_not_known_end_the_list():
    status = b"\x00\x01\0\0\0" + b"\x05\x03UTC" + b"\x0c\x02a\0b\0" + b"\xf0rest"
    found = one(event(2, struct.pack("<IIBHH", 7, 0, 1, 0, len(status)) + status + b"d\0select 1"))
    assert found.variables() == {"flags2": 1, "time_zone": "UTC", "updated_databases": ("a", "b")}


def test_status_variables_that_run_past_their_end():
    found = one(event(2, struct.pack("<IIBHH", 7, 0, 1, 0, 3) + b"\x01ab" + b"d\0select 1"))
    with pytest.raises(DamagedEvent, match="status variables") as error:
        found.variables()
    assert error.value.offset == 127


def test_statements_of_any_bytes_are_shown():
    found = one(event(2, struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"d\0select '\xe9'"))
    assert found.query == "select '\\xe9'"
    assert next(lines(found)).endswith(""" database="d" query="select '\\\\xe9'\"""")


def test_a_year_has_a_bit_among_the_signs():
    """The table map that MySQL 9.7.4 and MariaDB 11.8.9 write of (y YEAR, a INT UNSIGNED, b INT)."""
    raw = MAGIC + description() + table_map(1, "t", b"\x0d\x03\x03", b"", optional=b"\x01\x01\xc0")
    maps = [one for one in decode(raw) if isinstance(one, TableMap)]
    assert [column.unsigned for column in maps[0].table.columns()] == [None, True, False]
