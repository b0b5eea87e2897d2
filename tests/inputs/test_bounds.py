"""Input that grows, includes without end, never ends: each meets a limit that its error names."""

from __future__ import annotations

import gzip
import os
import time

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import open_schema, source
from schemacheck.inputs.option_file import read_options
from schemacheck.inputs.source import decompress, read_source
from schemacheck.model import Server

SERVER = Server.parse("mysql-8.0")


def seconds(work) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_members_of_gzip_cost_what_they_weigh():
    member = gzip.compress(b"x")
    small, large = member * 20_000, member * 80_000
    assert decompress(small, "x") == b"x" * 20_000
    decompress(small, "x")
    assert seconds(lambda: decompress(large, "x")) < 12 * max(seconds(lambda: decompress(small, "x")), 0.02)
    # What begins like gzip itself (once in 65,536) is one more layer.
    mixed = b"x" + os.urandom(3_000_000) + b"y" * 3_000_000
    assert decompress(gzip.compress(mixed) + b"\0" * 100 + member, "x")[-2:] == b"yx"


def test_archives_in_archives(monkeypatch):
    monkeypatch.setattr(source, "FREE_BYTES", 1 << 20)
    inner = gzip.compress(bytes(20 << 20), 9)
    for bomb in (inner, gzip.compress(inner, 9)):
        with pytest.raises(InputError, match="grow to more than"):
            decompress(bomb, "x")
    with pytest.raises(InputError, match="more than 3 times"):
        decompress(gzip.compress(gzip.compress(gzip.compress(gzip.compress(b"x")))), "x")
    assert decompress(gzip.compress(gzip.compress(gzip.compress(b"x"))), "x") == b"x"


def test_a_file_without_end(monkeypatch):
    monkeypatch.setattr(source, "MAX_BYTES", 1 << 20)
    with pytest.raises(InputError, match="larger than"):
        read_source("/dev/zero")


@pytest.mark.parametrize(
    "encoding", ["idna", "punycode", "unicode_escape", "undefined", "hex", "rot13", "nowhere", "utf-8\0"]
)
def test_encodings_that_are_none(tmp_path, encoding):
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a INT);")
    with pytest.raises(InputError, match="no such encoding"):
        open_schema(str(tmp_path / "a.sql"), encoding=encoding)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "schema"
    made.mkdir()
    (made / "t.sql").write_text("CREATE TABLE t (a INT);")
    return made


@pytest.mark.parametrize(
    ("target", "why"),
    [("/etc/hostname", "outside of the directory"), ("../out.cnf", "outside of the directory"), ("/dev/zero",
    "outside of the directory"), ("pipe.cnf", "no regular file"),
     ("large.cnf", "larger than 4 MiB"), ("nowhere.cnf", "No such file")],
)  # fmt: skip
def test_includes_of_a_directory_stay_in_it(tmp_path, folder, target, why):
    (tmp_path / "out.cnf").write_text("[mysqld]\nserver_id=1\n")
    os.mkfifo(folder / "pipe.cnf")
    with (folder / "large.cnf").open("wb") as large:
        large.truncate(5 << 20)
    (folder / "my.cnf").write_text(f"[mysqld]\n!include {target}\n")
    schema = open_schema(str(folder), server=SERVER)
    told = {one.path.rpartition("/")[2]: one.why for one in schema.files}
    assert why in told["my.cnf"]


def test_includes_that_multiply(folder):
    for depth in range(8):
        (folder / f"{depth}.cnf").write_text("[mysqld]\n" + f"!include {depth + 1}.cnf\n" * 5)
    (folder / "8.cnf").write_text("[mysqld]\n")
    with pytest.raises(InputError, match="more than 200 files are included"):
        read_options((folder / "0.cnf").read_text(), str(folder / "0.cnf"))
    with pytest.raises(InputError, match="no regular file"):
        read_options("[mysqld]\n!include /dev/zero\n", "my.cnf")


def test_rows_that_take_no_room(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    table = pa.table(
        {
            name: pa.array(["x"] * 1_000_000)
            for name in ("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_TYPE")
        }
    )
    pq.write_table(table, tmp_path / "columns.parquet")
    assert (tmp_path / "columns.parquet").stat().st_size < 200_000
    with pytest.raises(InputError, match="1,000,000 rows in"):
        open_schema(str(tmp_path / "columns.parquet"))
