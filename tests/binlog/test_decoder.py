"""Laws of the decoder: portions do not matter, damage is named, nothing else is raised."""

from __future__ import annotations

import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck.binlog.decoder import MAX_EVENT, NEED_DATA, Decoder, decode
from schemacheck.binlog.errors import (
    BinlogError,
    ChecksumMismatch,
    DamagedEvent,
    EncryptedLog,
    NotABinlog,
    TruncatedLog,
)
from schemacheck.binlog.events.control import FormatDescription, Other
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.events.table_map import TableMap
from schemacheck.binlog.listing import lines
from schemacheck.binlog.listing.record import encode, record
from tests.binlog.logs import MAGIC, NAMES, description, event, log, query, table_map, write_rows


def run(data, portions):
    """Events and error of a log fed in portions of these sizes."""
    decoder = Decoder()
    events, at = [], 0
    sizes = iter(portions)
    try:
        while at < len(data):
            size = next(sizes)
            decoder.feed(data[at : at + size])
            at += size
            events += decoder.events()
        decoder.close()
        events += decoder.events()
    except BinlogError as error:
        return events, (type(error), error.offset, error.reason)
    return events, None


def whole(data):
    events = []
    try:
        for one in decode(data):
            events.append(one)  # noqa: PERF402 the events before the error count
    except BinlogError as error:
        return events, (type(error), error.offset, error.reason)
    return events, None


@pytest.mark.parametrize("name", NAMES)
def test_byte_by_byte_gives_the_same_events(name):
    data = log(name)
    decoder, events, error = Decoder(), [], None
    try:
        for n in range(len(data)):
            decoder.feed(data[n : n + 1])
            events += decoder.events()
        decoder.close()
        events += decoder.events()
    except BinlogError as found:
        error = (type(found), found.offset, found.reason)
    assert (events, error) == whole(data)


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["mysql-9.7-gtid", "mariadb-10.11-compressed"]), st.lists(st.integers(1, 700), min_size=1)
)
def test_any_portions_give_the_same_events(name, sizes):
    data = log(name)
    assert run(data, iter([*sizes, *[997] * len(data)])) == whole(data)


def test_an_event_is_complete_only_with_its_last_byte():
    data = MAGIC + description() + query("select 1")
    decoder = Decoder()
    decoder.feed(data[:-1])
    assert [type(one) for one in decoder.events()] == [FormatDescription]
    assert decoder.next_event() is NEED_DATA
    decoder.feed(data[-1:])
    assert decoder.next_event().query == "select 1"
    assert decoder.next_event() is NEED_DATA


@pytest.mark.parametrize("name", ["mysql-9.7-stopped", "mariadb-11.8-stopped", "mysql-9.7-compressed"])
def test_cut_anywhere(name):
    """Every prefix: the events that are whole, then TruncatedLog at the one that is not."""
    data = log(name)
    events, _ = whole(data)
    ends = [one.header.end for one in events]
    for length in range(5, len(data)):
        found, error = whole(data[:length])
        complete = [end for end in ends if end <= length]
        assert found == events[: len(complete)]
        if length in (4, *ends):
            assert error is None
        else:
            assert error[:2] == (TruncatedLog, complete[-1] if complete else 4)


@pytest.mark.parametrize("name", ["mysql-9.7-gtid", "mariadb-10.11-compressed", "mysql-5.6-images"])
def test_a_flipped_bit_is_found_by_the_checksum(name):
    data = log(name)
    events, _ = whole(data)
    for one in events[1::7]:
        for at in range(one.header.position, one.header.end, 5):
            broken = bytearray(data)
            broken[at] ^= 1 << at % 8
            found, error = whole(bytes(broken))
            assert found == events[: events.index(one)]
            assert error is not None
            assert issubclass(error[0], DamagedEvent | TruncatedLog)
            assert error[1] == one.header.position


def test_the_checksum_of_the_format_description_leaves_in_use_out():
    data = bytearray(log("mysql-9.7-gtid"))
    data[4 + 17] |= 1
    assert whole(bytes(data))[1] is None
    data[4 + 17] |= 2
    assert whole(bytes(data))[1][:2] == (ChecksumMismatch, 4)


def test_without_verification_damage_passes_where_nothing_contradicts_itself():
    data = log("damaged-flipped")
    assert len(list(decode(data, verify=False))) == 226


def test_after_an_error_always_the_same_error():
    decoder = Decoder()
    decoder.feed(log("damaged-flipped"))
    with pytest.raises(ChecksumMismatch) as first:
        list(decoder.events())
    with pytest.raises(ChecksumMismatch) as second:
        decoder.next_event()
    assert first.value is second.value
    assert first.value.offset == 5121


@pytest.mark.parametrize(
    ("data", "kind", "offset", "word"),
    [
        (b"", NotABinlog, 0, "empty"),
        (b"\xfeb", NotABinlog, 0, "2 bytes"),
        (b"CREATE TABLE t (a INT);", NotABinlog, 0, "43 52 45 41"),
        (b"\xfdbin" + bytes(508), EncryptedLog, 0, "binlog_encryption"),
        (MAGIC + event(30, b""), NotABinlog, 4, "type 30"),
        (MAGIC + event(1, bytes(56)), NotABinlog, 4, "before 5.0"),
        (MAGIC + description()[:40], TruncatedLog, 4, "40 of 123"),
        (MAGIC + description() + event(2, b""), DamagedEvent, 127, "type 2"),
        (MAGIC + description() + struct.pack("<IBIIIH", 0, 2, 1, 5, 0, 0), DamagedEvent, 127, "5 bytes"),
        (
            MAGIC + description() + struct.pack("<IBIIIH", 0, 2, 1, MAX_EVENT + 1, 0, 0),
            DamagedEvent,
            127,
            "bytes long",
        ),
        (MAGIC + description(header_length=12), DamagedEvent, 4, "12 bytes"),
        (MAGIC + description() + table_map(1, "t", b"\x64", b""), DamagedEvent, 127, "type 100"),
        (MAGIC + description() + table_map(1, "t", b"\x03", b"\x01"), DamagedEvent, 127, "too many"),
        (
            MAGIC + description() + event(165, struct.pack("<IIBHH", 1, 0, 0, 0, 0) + b"\0\x82\x00\x09xxx"),
            DamagedEvent,
            127,
            "compressed",
        ),
    ],
)
def test_clear_errors(data, kind, offset, word):
    with pytest.raises(kind, match=word) as found:
        list(decode(data))
    assert found.value.offset == offset
    assert f"offset {offset}" in str(found.value)


def test_an_encrypted_mariadb_log_is_named_where_it_begins():
    events, error = whole(log("mariadb-11.8-encrypted"))
    assert [one.header.code for one in events] == [15, 164]
    assert error[:2] == (EncryptedLog, 296)


def test_an_unknown_event_is_skipped_by_its_length_and_reported():
    data = MAGIC + description() + event(200, b"some future body") + query("select 1")
    _, unknown, last = decode(data)
    assert isinstance(unknown, Other)
    assert not unknown.known
    assert unknown.header.name == "UNKNOWN_EVENT_200"
    assert last.query == "select 1"


def test_lengths_come_from_the_files_own_description():
    """A later server may lengthen a post-header: what is behind the known fields is passed over."""
    body = struct.pack("<IIBHH", 7, 0, 1, 0, 0) + b"!?" + b"d\0select 1"
    data = MAGIC + description(lengths={2: 15, 19: 8, 30: 10}) + event(2, body)
    assert list(decode(data))[1].query == "select 1"


def test_common_header_length_comes_from_the_description_too():
    longer = bytearray(query("select 1"))
    longer[19:19] = b"++"
    longer[9:13] = len(longer).to_bytes(4, "little")
    data = MAGIC + description(header_length=21) + bytes(longer)
    assert list(decode(data))[1].query == "select 1"


def test_v5_servers_have_no_checksum_in_their_description():
    """5.5: every byte behind the header length is a post-header length."""
    table = bytes([56, 13, 0, 8, 0, 18, 0, 4, 4, 4, 4, 18, 0, 0, 84, 0, 4, 26, 8, 0, 0, 0, 8, 8, 8, 2, 0])
    raw = event(15, struct.pack("<H50sIB", 4, b"5.5.62-log", 0, 19) + table)
    described = next(decode(MAGIC + raw))
    assert described.checksum_algorithm is None
    assert described.post_header == tuple(table)


def test_rows_without_a_table_map_say_so():
    data = MAGIC + description() + write_rows(9, 1, b"\0\x01\0\0\0")
    rows = list(decode(data))[1]
    with pytest.raises(DamagedEvent, match="no table map") as found:
        list(rows.rows())
    assert found.value.offset == 127


def test_table_maps_end_with_their_statement():
    one = table_map(1, "t", b"\x03", b"") + write_rows(1, 1, b"\0\x01\0\0\0")
    rows = [
        e
        for e in decode(MAGIC + description() + one + write_rows(1, 1, b"\0\x02\0\0\0"))
        if isinstance(e, Rows)
    ]
    assert [e.table is None for e in rows] == [False, True]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damage_of_any_kind_is_one_kind_of_error(data):
    name = data.draw(st.sampled_from([n for n in NAMES if "encrypted" not in n]))
    raw = bytearray(log(name)[: 1 << 14])
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(
            st.sampled_from([0, 1, 127, 128, 250, 251, 252, 253, 254, 255])
        )
    try:
        for one in decode(bytes(raw), verify=False):
            encode(record(one))
            list(lines(one))
    except BinlogError as error:
        assert 0 <= error.offset <= len(raw)  # noqa: PT017 the error may come, or not


def test_a_reserved_checksum_algorithm_is_refused():
    raw = bytearray(description())
    raw[-5] = 7
    raw[-4:] = struct.pack("<I", zlib.crc32(bytes(raw[:-4])))
    with pytest.raises(DamagedEvent, match="algorithm 7"):
        list(decode(MAGIC + bytes(raw)))


def test_table_maps_of_one_table_are_one_value():
    maps = [
        e.table for e in decode(log("mysql-5.6-images")) if isinstance(e, TableMap) and e.table.name == "im"
    ]
    assert len(maps) > 5
    assert len({id(table) for table in maps}) == 1
