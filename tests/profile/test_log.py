"""Profiles of recorded logs, of logs that are damaged, that have gaps, or statements without end."""

from __future__ import annotations

import pytest

from schemacheck.binlog.decoder import decode
from schemacheck.binlog.errors import BinlogError
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.unpack import unpacked
from schemacheck.profile import log as profile_log
from schemacheck.profile.document import Log, dump
from schemacheck.profile.log import read
from schemacheck.profile.reader import load, loads
from tests.binlog.logs import MAGIC, NAMES, description, event, log, query, table_map


def counted(name: str) -> dict[str, int]:
    """Rows by table as the decoder counts them."""
    counts: dict[str, int] = {}
    pending = list(decode(log(name)))
    while pending:
        one = pending.pop(0)
        if isinstance(one, TransactionPayload):
            pending = [*unpacked(one), *pending]
        elif isinstance(one, Rows) and one.table is not None:
            counts[one.table.qualified_name] = counts.get(one.table.qualified_name, 0) + one.count()
    return counts


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("damaged", "old"))])
def test_rows_of_recorded_logs_are_counted(name, tmp_path):
    file = tmp_path / "bin.000001"
    file.write_bytes(log(name))
    if name == "mysql-9.7-encrypted":
        with pytest.raises(BinlogError, match="MySQL has encrypted this log"):
            read([str(file)])
        return
    profile = read([str(file)])
    if "encrypted" in name:
        assert [s.reason.partition(" (")[0] for s in profile.skipped] == [
            "MariaDB has encrypted the log from here on"
        ]
        assert not profile.log.complete
        return
    assert loads(dump(profile, "x")) == profile
    written = {
        f"{t.schema}.{t.name}": t.writes.inserts + t.writes.updates + t.writes.deletes
        for t in profile.tables
        if t.writes.images
    }
    assert written == counted(name)
    assert {skipped.reason[:9] for skipped in profile.skipped} == ({"LOAD DATA"} if "old" in name else set())
    assert profile.log.complete is not bool(profile.skipped)


@pytest.mark.parametrize("name", ["damaged-flipped", "damaged-truncated"])
def test_a_damaged_log_ends_there_and_is_not_complete(name, tmp_path):
    file = tmp_path / "bin.000001"
    file.write_bytes(log(name))
    profile = read([str(file)])
    assert profile.statements or profile.tables
    assert not profile.log.complete
    (skipped,) = profile.skipped
    assert skipped.place.startswith(f"{file}@")


#: The status variable sql_mode: STRICT_TRANS_TABLES.
STRICT = b"\x01" + (1 << 21).to_bytes(8, "little")


def statements(*texts: str) -> bytes:
    return MAGIC + description() + b"".join(query(text, status=STRICT) for text in texts)


def test_a_gap_between_files_is_named(tmp_path):
    names = [str(tmp_path / f"bin.{number:06}") for number in (1, 2, 4)]
    for name in names:
        (tmp_path / name).write_bytes(statements("INSERT INTO t (a) VALUES (1)"))
    assert read(names[:2]).log == Log(("statement",), complete=True)
    profile = read(names)
    assert profile.log == Log(("statement",), complete=False)
    assert [s.place for s in profile.skipped] == [names[2]]
    assert profile.statements[0].count == 3


def test_what_fails_on_the_source_is_apart(tmp_path):
    file = tmp_path / "bin.000001"
    text = "INSERT INTO t (a) VALUES (1)"
    file.write_bytes(
        statements("BEGIN", text, "COMMIT", "SAVEPOINT `x`") + query(text, status=STRICT, error=1062)
    )
    assert [(s.count, s.features) for s in read([str(file)]).statements] == [
        (1, ("insert",)),
        (1, ("insert", "fails")),
    ]


def test_what_a_log_cannot_tell_is_not_passed_over(tmp_path):
    """A query that is logged for its function may do anything; an incident is a gap."""
    file = tmp_path / "bin.000001"
    file.write_bytes(statements("SELECT `s`.`f`(1)", "GRANT SELECT ON *.* TO a") + event(26, b"\x01\x00\x00"))
    profile = read([str(file)])
    assert [(s.text, s.features) for s in profile.statements] == [("SELECT `s`.`f`(?)", ("unread",))]
    assert [s.reason for s in profile.skipped] == ["the source lost events here (an incident)"]
    assert not profile.log.complete


def test_statements_are_told_apart_up_to_a_number(tmp_path, monkeypatch):
    monkeypatch.setattr(profile_log, "MOST", 3)
    file = tmp_path / "bin.000001"
    file.write_bytes(statements(*(f"INSERT INTO t{n % 7} (a) VALUES ({n})" for n in range(70))))
    profile = read([str(file)])
    assert [(s.text, s.count, s.features) for s in profile.statements] == [
        *((f"INSERT INTO t{n} (a) VALUES (?)", 10, ("insert",)) for n in range(3)),
        ("", 40, ("unread",)),
    ]


def test_numbers_without_a_sign_have_bounds_where_both_readings_agree(tmp_path):
    file = tmp_path / "bin.000001"
    tables = table_map(1, "known", b"\x01", b"") + rows(1, 5, 100) + table_map(2, "doubtful", b"\x01", b"")
    file.write_bytes(MAGIC + description() + tables + rows(2, 5, 200))
    known, doubtful = read([str(file)]).tables
    assert (known.columns["@1"].minimum, known.columns["@1"].maximum) == (5, 100)
    assert (doubtful.columns["@1"].minimum, doubtful.columns["@1"].maximum) == (None, None)
    assert doubtful.rows == 2


def rows(number: int, *values: int) -> bytes:
    """A WRITE_ROWS event (v2) of a table with one TINYINT."""
    body = number.to_bytes(6, "little") + b"\x01\x00\x02\x00" + b"\x01\x01"
    return event(30, body + b"".join(b"\x00" + bytes([value]) for value in values))


def test_the_command(run, tmp_path):
    (tmp_path / "bin.000001").write_bytes(log("mysql-9.7-gtid"))
    result = run("profile", "--binlog", "bin.000001", "-o", "p.json")
    assert (result.status, result.out, result.err) == (0, "", "")
    assert load("p.json").kind == "binlog"
    (tmp_path / "bin.000002").write_bytes(log("damaged-truncated"))
    result = run("profile", "--binlog", "bin.000001", "bin.000002", "-o", "p.json")
    assert result.status == 1
    assert "bin.000002@" in result.err
    assert run("profile", "--binlog", "none.000001", "-o", "p.json").status == 2
    assert run("profile", "--binlog", "bin.000001", "-o", "p.json", "--sample", "9").status == 2
    assert run("profile", "a.sql", "-o", "p.json").status == 2
    (tmp_path / "bin.000001.idx").write_bytes(b"\xfe\xfe\x0c\x01")  # MariaDB's, which bin.0* takes too
    assert run("profile", "--binlog", "bin.000001", "bin.000001.idx", "-o", "p.json").status == 0
    assert "index of a log" in run("profile", "--binlog", "bin.000001.idx", "-o", "p.json").err
    assert run("profile", "--binlog", "bin.000001").status == 2
