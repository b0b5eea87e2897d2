"""Logs as files: order, compression, standard input, positions, growth."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from schemacheck.binlog.errors import BinlogError, ChecksumMismatch, DamagedEvent, TruncatedLog
from schemacheck.binlog.files import read_logs
from schemacheck.binlog.listing import event_lines
from schemacheck.errors import InputError
from tests.binlog.logs import MAGIC, description, event, log, query

NAME = "mysql-9.7-gtid"


def positions(files, **options):
    return [one.header.position for _, one in read_logs(files, **options)]


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "bin.000001"
    path.write_bytes(log(NAME))
    return path


def test_compressed_files_are_the_same_log(plain, tmp_path):
    wanted = positions([str(plain)])
    assert wanted[:2] == [4, 127]
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(log(NAME)))
    assert positions([str(packed)]) == wanted
    half = len(log(NAME)) // 2
    packed.write_bytes(gzip.compress(log(NAME)[:half]) + gzip.compress(log(NAME)[half:]))
    assert positions([str(packed)]) == wanted
    zstandard = pytest.importorskip("zstandard")
    packed.write_bytes(
        zstandard.ZstdCompressor().compress(log(NAME)[:half])
        + zstandard.ZstdCompressor().compress(log(NAME)[half:])
    )
    assert positions([str(packed)]) == wanted


@pytest.mark.parametrize("cut", [30, 200, 700])
def test_damaged_archives_are_named(tmp_path, cut):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(log(NAME))[:cut])
    with pytest.raises(BinlogError, match=r"a\.gz: .*gzip data"):
        positions([str(path)])
    broken = bytearray(gzip.compress(log(NAME)))
    broken[cut] ^= 0x55
    path.write_bytes(bytes(broken))
    with pytest.raises(BinlogError, match=r"a\.gz: "):
        positions([str(path)])
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(log(NAME))
    path.write_bytes(packed[: min(cut, len(packed) - 1)])
    with pytest.raises(BinlogError, match=r"a\.gz: .*zstd data is damaged: it ends too early"):
        positions([str(path)])
    path.write_bytes(packed[:-40] + bytes(40))
    with pytest.raises(BinlogError, match=r"a\.gz: "):
        positions([str(path)])


def test_standard_input(plain, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(log(NAME))))
    assert positions(["-"]) == positions([str(plain)])


def test_several_files_in_order(plain, tmp_path):
    second = tmp_path / "bin.000002"
    second.write_bytes(log("mysql-9.7-stopped"))
    found = [(file, one.header.position) for file, one in read_logs([str(plain), str(second)])]
    assert [file for file, _ in found].index(str(second)) == len(positions([str(plain)]))
    assert found[-1][1] == positions([str(second)])[-1]


def test_no_such_file():
    with pytest.raises(InputError, match=r"nosuch.*No such file"):
        positions(["nosuch.000001"])


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "bin.000003"
    path.write_bytes(log("damaged-flipped"))
    with pytest.raises(ChecksumMismatch, match=r"bin\.000003: .*offset 5121") as found:
        positions([str(path)])
    assert (found.value.offset, found.value.file) == (5121, str(path))


@pytest.mark.parametrize("packed", [False, True])
def test_start_position(plain, packed):
    wanted = positions([str(plain)])
    if packed:
        plain.write_bytes(gzip.compress(log(NAME)))
    for start in (wanted[1], wanted[10], wanted[-1]):
        assert positions([str(plain)], start_position=start) == [4, *[p for p in wanted if p >= start]]


def test_start_position_where_no_event_begins(plain):
    with pytest.raises(DamagedEvent):
        positions([str(plain)], start_position=400)
    with pytest.raises(DamagedEvent, match="before the start position"):
        positions([str(plain)], start_position=100_000)


def test_a_large_start_position_is_reached_in_pieces(tmp_path):
    filler = query("x" * 700_000)
    data = MAGIC + description() + filler * 4 + query("last")
    path = tmp_path / "big"
    path.write_bytes(data)
    start = len(data) - len(query("last"))
    found = [one for _, one in read_logs([str(path)], start_position=start)]
    assert [type(one).__name__ for one in found] == ["FormatDescription", "Query"]
    assert found[-1].query == "last"
    assert found[-1].header.position == start


def test_without_follow_an_unfinished_event_is_an_error(tmp_path):
    path = tmp_path / "bin.000001"
    path.write_bytes((MAGIC + description() + query("one"))[:-5])
    with pytest.raises(TruncatedLog):
        positions([str(path)])


def test_a_relay_log(tmp_path):
    """Relay logs have descriptions of both servers, and log positions of the source."""
    source = description("8.0.36")
    data = (
        MAGIC
        + description("9.7.0")
        + event(4, (4).to_bytes(8, "little") + b"bin.000009", flags=0x20)
        + source
        + query("relayed")
    )
    path = tmp_path / "relay.000002"
    path.write_bytes(data)
    found = [one for _, one in read_logs([str(path)])]
    assert [type(one).__name__ for one in found] == [
        "FormatDescription",
        "Rotate",
        "FormatDescription",
        "Query",
    ]


def test_progress_counts_bytes(plain):
    seen = []
    positions([str(plain)], progress=lambda name, done: seen.append((name, done)))
    assert seen[-1] == (str(plain), len(log(NAME)))


@pytest.mark.parametrize("name", ["mysql-9.7-compressed", "mariadb-11.8-row-types", "mysql-9.7-partial-json"])
def test_json_lines_are_json(tmp_path, name):
    path = tmp_path / "log"
    path.write_bytes(log(name))
    records = [json.loads(line) for line in event_lines([str(path)], form="jsonl")]
    assert [r["position"] for r in records] == positions([str(path)])
    assert {"type", "name", "timestamp", "server_id", "size", "flags"} <= set(records[3])
    if name == "mariadb-11.8-row-types":
        rows = [r for r in records if r.get("rows")]
        assert rows[0]["rows"][0]["after"]["a"] == -128
        assert rows[0]["rows"][1]["after"]["lu"] == 18446744073709551615


def test_text_names_files_only_where_there_are_several(plain):
    one = list(event_lines([str(plain)]))
    two = list(event_lines([str(plain), str(plain)]))
    assert one[0].startswith("4 2025-01-01 00:00:00 FORMAT_DESCRIPTION_EVENT ")
    assert two[0] == f"# {plain}"
    assert any(line.startswith('  insert {"after": {"@1": ') for line in one)


def test_memory_does_not_grow_with_the_log(tmp_path):
    import tracemalloc

    path = tmp_path / "long"
    with path.open("wb") as out:
        out.write(MAGIC + description())
        out.write(query("insert into t values (1)") * 20_000)
    tracemalloc.start()
    for lines, _ in enumerate(event_lines([str(path)]), 1):
        if lines == 3_000:
            tracemalloc.reset_peak()
            early = tracemalloc.get_traced_memory()[0]
        if lines > 15_000:
            break
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < early + 1_000_000
