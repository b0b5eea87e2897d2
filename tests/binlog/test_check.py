"""Logs held against a replica: stops, silent changes, filters, definitions that move."""

from __future__ import annotations

import json
import struct
from typing import get_args

import pytest

from schemacheck import catalog
from schemacheck.applier import LogCheck, check_logs
from schemacheck.applier.report import document
from schemacheck.applier.text import render
from schemacheck.binlog.decoder import Decoder
from schemacheck.binlog.events.control import Stop
from schemacheck.binlog.header import Header
from schemacheck.binlog.readers import Event, Idle
from schemacheck.cli.commands.binlog import status
from schemacheck.model import Effect, Link, PairState, Server
from schemacheck.model.filters import FilterSet
from schemacheck.replay.end import End
from schemacheck.replay.logged import Logged
from tests.binlog.logs import MAGIC, description, event, log, query, table_map, write_rows

INT, BIGINT, VARCHAR, ENUM = b"\x03", b"\x08", b"\x0f", b"\xfe"


def check(events, replica, *, source=None, filters=None, modes="", server="8.0.36", database="d", **settings):
    link = Link.of("mysql-8.0.36", None, slave_type_conversions=modes)
    link = Link(link.source, link.replica.with_settings(settings))
    there = catalog.read(replica, link.replica, database=database)
    here = catalog.read(source, link.source, database=database) if source is not None else None
    assert not there.problems
    checker = LogCheck(there, link, filters=filters, source=here)
    decoder = Decoder()
    decoder.feed(MAGIC + description(server) + b"".join(events))
    for one in decoder.events():
        checker.take("bin.000001", one)
    decoder.close()
    report = checker.finish()
    json.dumps(document(report))
    render(report)
    return report


def test_an_event_that_the_check_does_not_follow_is_told():
    """One that has a reader too: what changes nothing is in `Idle` (binlog/readers.py)."""

    class New(Stop):
        pass

    checker = LogCheck(catalog.read("", Server.parse("mysql-9.7")), Link.of("mysql-9.7", None))
    for kind in (Stop, New):
        assert not checker.finish().problems
        checker.take("bin.000001", kind(Header(0, 99, 1, 19, 19, 0, 0)))
    assert "event of type 1 was skipped" in checker.finish().problems[0].message
    followed = set(get_args(Event)) - set(get_args(Idle))
    assert {kind.__name__ for kind in followed} == {
        "ExecuteLoadQuery", "FormatDescription", "Gtid", "Incident", "MariadbGtid", "Other", "Query", "Rows",
        "TableMap", "TransactionPayload", "XaPrepare", "Xid",
    }, "profile/log.py `take` and diagnose/row.py too say what they make of a new kind"  # fmt: skip


#: Of the optional metadata: that the numbers are signed.
SIGNED = b"\x01\x01\x00"


def insert(table, types, metadata, rows, number=5, optional=SIGNED, **kw):
    optional = optional if optional != SIGNED or types in (INT, BIGINT) else b""
    return table_map(number, table, types, metadata, optional=optional, **kw) + write_rows(
        number, len(types), rows
    )


def ints(*values):
    return b"".join(b"\0" + struct.pack("<I", v & 0xFFFFFFFF) for v in values)


XID = event(16, struct.pack("<Q", 1))


def test_the_first_stop_has_position_gtid_and_message():
    gtid = event(
        33, bytes([0]) + bytes(range(16)) + struct.pack("<q", 9) + b"\x02" + struct.pack("<qq", 0, 1)
    )
    begin = query("BEGIN")
    fine = insert("u", INT, b"", ints(1), number=4)
    report = check(
        [gtid, begin, fine, insert("t", INT, b"", ints(1)), XID],
        "CREATE TABLE t (a SMALLINT); CREATE TABLE u (a INT)",
    )
    stop = report.stop
    assert stop.error.number == 13146
    assert "'d.t' cannot be converted from type 'int' to type 'smallint" in stop.error.message
    assert stop.place.transaction == 127
    assert stop.place.position == 127 + len(gtid + begin + fine) + len(
        table_map(5, "t", INT, b"", optional=SIGNED)
    )
    assert stop.place.gtid == "00010203-0405-0607-0809-0a0b0c0d0e0f:9"
    assert report.verdict is Effect.STOPS
    assert [t.name for t in report.concerned] == ["d.t"]
    text = render(report)
    assert "the applier stops: error 13146" in text
    assert f"position {stop.place.position}" in text


def test_a_missing_table():
    report = check([query("BEGIN"), insert("gone", INT, b"", ints(1)), XID], "CREATE TABLE t (a INT)")
    assert (report.stop.error.number, report.stop.error.message) == (
        1146,
        "Error executing row event: 'Table 'd.gone' doesn't exist'",
    )
    assert report.tables[0].pair.state is PairState.MISSING


def test_all_tables_of_a_statement_are_opened_before_its_first_row():
    """The table map of the bad table comes first, the rows of the good one do."""
    maps = table_map(1, "good", INT, b"") + table_map(2, "bad", INT, b"")
    rows = write_rows(1, 1, ints(1), end=False) + write_rows(2, 1, ints(1))
    report = check(
        [query("BEGIN"), maps, rows, XID], "CREATE TABLE good (a INT); CREATE TABLE bad (a TINYINT)"
    )
    assert report.stop.place.position == 127 + len(query("BEGIN") + maps)
    assert report.stop.what == "d.bad"


def test_reading_goes_on_behind_the_stop_and_names_every_table():
    one = insert("t", INT, b"", ints(1, 2, 3))
    two = insert("w", INT, b"", ints(1), number=6)
    report = check(
        [query("BEGIN"), one, XID, query("BEGIN"), two, two, XID],
        "CREATE TABLE t (a BIGINT); CREATE TABLE w (a TINYINT)",
    )
    assert report.stop.what == "d.t"
    assert {t.name: (t.events, t.rows, t.stop is not None) for t in report.concerned} == {
        "d.t": ({"insert": 1}, {"insert": 3}, True), "d.w": ({"insert": 2}, {"insert": 2}, True),
    }  # fmt: skip


def test_a_permitted_conversion_does_not_stop():
    report = check(
        [query("BEGIN"), insert("t", INT, b"", ints(1)), XID],
        "CREATE TABLE t (a BIGINT)",
        modes="ALL_NON_LOSSY",
    )
    assert report.stop is None
    assert report.verdict < Effect.LOSSY


def test_the_first_changed_value_is_told():
    optional = bytes([1, 1, 0x80])  # the first numeric column is unsigned
    rows = insert("t", INT, b"", ints(1, 2, 4_000_000_000, 4_000_000_001), optional=optional)
    report = check([query("BEGIN"), rows, rows, XID], "CREATE TABLE t (a INT)")
    assert report.stop is None
    assert report.verdict is Effect.DIVERGES
    (change,) = report.tables[0].changes
    assert (change.row, change.column, change.source, change.replica) == (
        3,
        "a",
        "4000000000",
        str(4_000_000_000 - (1 << 32)),
    )
    assert report.tables[0].rows == {"insert": 8}


def test_an_enum_changes_its_meaning():
    members = b"\x06\x05\x02\x01a\x01b"
    rows = insert("t", ENUM, b"\xf7\x01", b"\0\x02", optional=members)
    report = check([query("BEGIN"), rows, XID], "CREATE TABLE t (e ENUM('b','a'))")
    change = report.tables[0].changes[0]
    assert (change.source, change.replica) == ("'b'", "'a'")


def test_what_the_log_does_not_say_is_no_difference_and_not_known():
    """Without metadata nobody knows sign, names, character set or members."""
    types, metadata = INT + VARCHAR + ENUM, b"\x50\x00\xf7\x01"
    rows = insert("t", types, metadata, b"\0" + struct.pack("<i", -1) + b"\x01x\x01")
    report = check(
        [query("BEGIN"), rows, XID],
        "CREATE TABLE t (id INT UNSIGNED, v VARCHAR(20) CHARACTER SET utf8mb4, e ENUM('x','y'))",
    )
    assert report.tables[0].pair.verdict < Effect.LOSSY
    assert "sign" in " ".join(report.tables[0].unsaid)
    what = ("the order of columns", "the signs of numbers", "character sets", "the members of ENUM and SET")
    assert report.lacking == {what: ["d.t"]}
    assert report.verdict is Effect.UNKNOWN
    assert status(report, Effect.UNSUPPORTED) == 3
    assert f"  d.t: {'; '.join(what)}\n  remedy: Give the source's definitions (--source)\n" in render(report)


def test_a_source_that_is_given_lacks_nothing():
    rows = insert("t", INT + INT, b"", b"\0" + struct.pack("<ii", 1, 2))
    tables = "CREATE TABLE t (a INT, b INT)"
    alone = check([query("BEGIN"), rows, XID], tables)
    assert list(alone.lacking) == [("the order of columns", "the signs of numbers")]
    assert check([query("BEGIN"), rows, XID], tables, source=tables).verdict is Effect.IDENTICAL
    other = check([query("BEGIN"), rows, XID], tables, source="CREATE TABLE t (b INT, a INT)")
    assert other.verdict is Effect.DIVERGES


def test_settings_of_the_applier_that_no_event_tells():
    """transaction_read_only = ON on the replica stops the first row event (13117, MySQL 9.7.4)."""
    tables, rows = "CREATE TABLE t (a INT)", insert("t", INT, b"", ints(1))
    report = check([query("BEGIN"), rows, XID], tables, source=tables, transaction_read_only="ON")
    assert [(finding.code, finding.error.number) for finding in report.link_findings] == [("SC944", 13117)]
    assert (report.verdict, status(report, Effect.UNSUPPORTED)) == (Effect.STOPS, 1)
    assert "stops SC944" in render(report)
    assert document(report)["link_findings"][0]["code"] == "SC944"


@pytest.mark.parametrize(
    ("words", "trust", "number", "exit_status"),
    [
        ("", {"log_bin_trust_function_creators": "ON"}, 0, 0),
        ("", {"log_bin_trust_function_creators": "OFF"}, 1418, 1),
        ("", {}, 0, 3),
        ("NOT DETERMINISTIC", {"log_bin_trust_function_creators": "0"}, 1418, 1),
        ("NO SQL", {"log_bin_trust_function_creators": "OFF"}, 0, 0),
        ("DETERMINISTIC", {}, 0, 0),
    ],
)
def test_a_function_that_only_a_trusting_replica_takes(words, trust, number, exit_status):
    """Asked of six pairs: 1418 whatever the format and the flavours."""
    sql = f"CREATE DEFINER=`root`@`%` FUNCTION `f`(a INT) RETURNS int {words}\nreturn a+1"
    report = check([query(sql)], "CREATE TABLE t (a INT)", source="CREATE TABLE t (a INT)", **trust)
    assert (report.stop.error.number if report.stop else 0) == number
    assert status(report, Effect.UNSUPPORTED) == exit_status


def test_a_time_zone_by_name_which_the_replica_may_lack():
    """Q_TIME_ZONE_CODE of BEGIN, in ROW format too (1298, asked of 9.7.4)."""
    tables, zone = "CREATE TABLE t (a INT)", b"Europe/Berlin"
    events = [query("BEGIN", status=bytes((5, len(zone))) + zone), insert("t", INT, b"", ints(1)), XID]
    report = check([*events, *events], tables, source=tables)
    assert [problem.message for problem in report.problems] == [
        "the replica may lack the time zone 'Europe/Berlin' in mysql.time_zone_name (error 1298)"
    ]
    assert not check(events, tables, source=tables, time_zone="europe/berlin").problems


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("seq_1_to_500", True),
        ("seq_9_to_1_step_2", True),
        ("SEQ_1_TO_5", False),
        ("seq_1_to_5_step_0", False),
    ],
)
def test_tables_of_the_sequence_engine(name, there):
    """They are there in every MariaDB (asked of 11.8)."""
    tables, maria = "CREATE TABLE t (a INT PRIMARY KEY)", Link.of("mariadb-11.8.6", None)
    end = End(catalog.read(tables, maria.replica, database="d"), maria)
    logged = Logged(f"INSERT INTO t SELECT seq FROM {name}", "d")
    ran = end.attempt(logged, None)
    assert (ran.error is None) is there
    assert all(changed.pair.verdict is Effect.IDENTICAL for changed in ran.changed)


PARENT, ORPHAN = "CREATE TABLE p (a INT PRIMARY KEY);", "CREATE TABLE c (a INT);"
CHILD_OF = "CREATE TABLE c (a INT, FOREIGN KEY (a) REFERENCES p (a){});"
CASCADE, REFUSE = CHILD_OF.format(" ON DELETE CASCADE"), CHILD_OF.format("")


@pytest.mark.parametrize(
    ("source", "replica", "found"),
    [
        (CASCADE, CASCADE, set()),
        (CASCADE, ORPHAN, {("SC405", Effect.DIVERGES)}),
        (CASCADE, "", set()),
        (REFUSE, ORPHAN, set()),
        (ORPHAN, REFUSE, {("SC406", Effect.UNSUPPORTED)}),
        (ORPHAN, CASCADE, {("SC406", Effect.UNSUPPORTED), ("SC406", Effect.DIVERGES)}),
    ],
)
@pytest.mark.parametrize("form", ["rows", "statement", "insert", "unchecked"])
def test_foreign_keys_of_tables_that_are_not_in_the_log(source, replica, found, form):
    """What they do with the parent's rows is recorded on four servers (SC405, SC406)."""
    code, flags = (30 if form == "insert" else 32), 3 if form == "unchecked" else 1
    maps = table_map(5, "p", INT, b"", optional=SIGNED, nullable=False)
    rows = maps + write_rows(5, 1, ints(1), code=code, flags=flags)
    change = query("DELETE FROM p WHERE a = 1") if form == "statement" else rows
    report = check([query("BEGIN"), change, XID], PARENT + replica, source=PARENT + source)
    told = [f for table in report.tables for f in table.pair.findings]
    seen = {(f.code, f.effect) for f in told if f.code in ("SC405", "SC406")}
    assert seen == (found if form in ("rows", "statement") else set())


@pytest.mark.parametrize(
    ("filters", "source", "found"),
    [
        (FilterSet(ignore_table=("d.p",)), CASCADE, {("SC602", Effect.DIVERGES)}),
        (FilterSet(ignore_table=("d.p",)), REFUSE, set()),
        (FilterSet(ignore_table=("d.p", "d.c")), CASCADE, set()),
        (FilterSet(ignore_table=("d.p",)), None, None),
        (FilterSet(rewrite_db=(("d", "e"),)), CASCADE, {("SC405", Effect.DIVERGES)}),
        (FilterSet(rewrite_db=(("d", "e"),), ignore_table=("e.c",)), CASCADE, set()),
    ],
    ids=["parent", "acts on nothing", "both", "no source", "rewritten", "rewritten, child"],
)
def test_foreign_keys_of_tables_that_are_filtered_out(filters, source, found):
    """Asked of MySQL 9.7 and MariaDB 10.11 (SC602): the child's rows stay on the replica."""
    link = Link.of("mysql-8.0.36", None)
    ends = [
        catalog.read(PARENT + tables, link.replica, database=database)
        for tables, database in ((ORPHAN, "e" if filters.rewrite_db else "d"), (source or "", "d"))
    ]
    checker = LogCheck(ends[0], link, filters=filters, source=ends[1] if source is not None else None)
    decoder = Decoder()
    maps = table_map(5, "p", INT, b"", optional=SIGNED, nullable=False)
    decoder.feed(MAGIC + description("8.0.36") + maps + write_rows(5, 1, ints(1), code=32))
    for one in decoder.events():
        checker.take("bin.000001", one)
    report = checker.finish()
    told = [f for table in report.tables for f in table.pair.findings]
    if found is None:
        assert list(report.lacking) == [("what foreign keys of the source change in other tables",)]
        assert status(report, Effect.UNSUPPORTED) == 3
    else:
        assert {(f.code, f.effect) for f in told if f.effect >= Effect.LOSSY} == found
        assert status(report, Effect.UNSUPPORTED) == bool(found)


def test_a_statement_without_foreign_key_checks_moves_no_children():
    """Asked of four servers: foreign keys do not act then."""
    off = b"\x00" + struct.pack("<I", 1 << 26)
    changes = [query("DELETE FROM p WHERE a = 1", status=status_) for status_ in (b"", off)]
    codes = [
        {
            f.code
            for t in check([one], PARENT + ORPHAN, source=PARENT + CASCADE).tables
            for f in t.pair.findings
        }
        for one in changes
    ]
    assert ["SC405" in found for found in codes] == [True, False]


def test_the_source_s_foreign_keys_are_not_known_without_it():
    maps = table_map(5, "p", INT, b"", optional=SIGNED)
    what = {
        code: list(check([maps + write_rows(5, 1, ints(1), code=code)], "CREATE TABLE p (a INT)").lacking)
        for code in (30, 32)
    }
    assert what == {30: [], 32: [("what foreign keys of the source change in other tables",)]}


def test_the_length_in_bytes_counts_without_a_character_set():
    rows = insert("t", VARCHAR, b"\x51\x00", b"\0\x01x")
    report = check([query("BEGIN"), rows, XID], "CREATE TABLE t (v VARCHAR(20) CHARACTER SET utf8mb4)")
    assert report.stop.error.number == 13146
    assert "varchar(81(bytes))" in report.stop.error.message


def test_ddl_moves_both_ends():
    """A table that the log creates is there on the replica; one that it drops is not."""
    created = query("CREATE TABLE n (a INT)")
    row = insert("n", INT, b"", ints(1))
    report = check(
        [created, query("BEGIN"), row, XID, query("DROP TABLE n"), query("BEGIN"), row, XID],
        "CREATE TABLE t (a INT)",
    )
    assert report.stop.error.number == 1146
    assert report.stop.place.transaction == 127 + len(
        created + query("BEGIN") + row + XID + query("DROP TABLE n")
    )


def test_an_alter_table_in_the_log_reaches_the_replica():
    alter = query("ALTER TABLE t MODIFY a BIGINT")
    row = insert("t", BIGINT, b"", b"\0" + struct.pack("<q", 1))
    assert check([alter, query("BEGIN"), row, XID], "CREATE TABLE t (a INT)").verdict < Effect.LOSSY
    assert check([query("BEGIN"), row, XID], "CREATE TABLE t (a INT)").stop.error.number == 13146


def test_rename_in_the_log():
    report = check(
        [query("RENAME TABLE t TO t2"), query("BEGIN"), insert("t2", INT, b"", ints(1)), XID],
        "CREATE TABLE t (a INT)",
    )
    assert report.stop is None
    assert report.tables[0].pair.state is PairState.COMPARED


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        ("DROP TABLE nosuch", 1051),
        ("CREATE TABLE t (b INT)", 1050),
        ("RENAME TABLE nosuch TO x", 1146),
        ("INSERT INTO nosuch VALUES (1)", 1146),
    ],
)
def test_statements_that_fail_on_the_replica(sql, number):
    report = check([query(sql)], "CREATE TABLE t (a INT)")
    assert report.stop is not None
    assert report.stop.error.number == number
    assert report.stop.place.position == 127


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE IF EXISTS nosuch",
        "CREATE TABLE IF NOT EXISTS t (b INT)",
        "CREATE TABLE other.x (a INT)",
        "FLUSH TABLES",
    ],
)
def test_statements_that_do_not(sql):
    assert check([query(sql)], "CREATE TABLE t (a INT)").stop is None


def test_a_statement_that_failed_on_the_source_changes_nothing():
    report = check(
        [query("DROP TABLE t", error=1317), query("BEGIN"), insert("t", INT, b"", ints(1)), XID],
        "CREATE TABLE t (a INT)",
    )
    assert report.tables[0].pair.state is PairState.COMPARED


def test_filters_keep_tables_out():
    rows = insert("t", INT, b"", ints(1))
    ignored = check(
        [query("BEGIN"), rows, XID], "CREATE TABLE u (a INT)", filters=FilterSet(ignore_table=("d.t",))
    )
    assert ignored.stop is None
    assert ignored.tables[0].pair.state is PairState.NOT_REPLICATED
    assert "ignore-table" in ignored.tables[0].pair.reason
    assert ignored.verdict is Effect.IDENTICAL


def test_rewritten_databases():
    rows = insert("t", INT, b"", ints(1))
    report = check(
        [query("BEGIN"), rows, XID],
        "CREATE TABLE t (a TINYINT)",
        filters=FilterSet(rewrite_db=(("d", "e"),)),
        database="e",
    )
    assert report.stop.error.number == 13146
    assert "'e.t'" in report.stop.error.message
    assert report.tables[0].replica == "e.t"


def test_a_filtered_statement_does_not_move_the_replica():
    filters = FilterSet(ignore_table=("d.t",))
    assert check([query("ALTER TABLE t ADD b INT")], "CREATE TABLE t (a INT)", filters=filters).stop is None
    kept = check(
        [query("DROP TABLE nosuch")], "CREATE TABLE t (a INT)", filters=FilterSet(ignore_table=("d.nosuch",))
    )
    assert kept.stop is None


def test_the_log_is_believed_where_the_source_schema_says_otherwise():
    rows = insert("t", INT, b"", ints(1))
    report = check(
        [query("BEGIN"), rows, XID], "CREATE TABLE t (a INT)", source="CREATE TABLE t (a SMALLINT)"
    )
    assert report.stop is None
    assert "the log is believed" in report.notes[0]


@pytest.mark.parametrize(
    ("then", "number"),
    [
        ("ALTER TABLE t MODIFY a BIGINT", None),
        ("CREATE INDEX l ON t (a)", None),
        ("CREATE TABLE t (b INT)", 1050),
    ],
)
def test_a_table_whose_index_is_dropped_is_still_there(then, number):
    """Asked of 5.6 and 9.7 over channels: what follows DROP INDEX finds the table."""
    replica = "CREATE TABLE t (a INT, KEY k (a))"
    report = check([query("DROP INDEX k ON t"), query(then)], replica, source=replica)
    assert (report.stop.error.number if report.stop else None) == number


UNIQUE = "CREATE TABLE t (a INT NOT NULL, UNIQUE KEY u (a))"
CHILD = "CREATE TABLE p (a INT PRIMARY KEY); CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES p (a))"


@pytest.mark.parametrize(
    ("replica", "source", "unsure"),
    [
        (UNIQUE, None, "stricter-unique-key"),
        (UNIQUE, UNIQUE, None),
        (UNIQUE, "CREATE TABLE x (a INT)", "stricter-unique-key"),
        ("CREATE TABLE t (a INT PRIMARY KEY)", None, "stricter-unique-key"),
        ("CREATE TABLE t (a INT, CHECK (a < 9))", None, "check-constraint"),
        (CHILD, None, "foreign-key"),
        ("CREATE TABLE t (a INT, KEY k (a))", None, None),
    ],
)  # fmt: skip
def test_what_only_the_replica_may_demand_is_unknown(replica, source, unsure):
    """A UNIQUE key that only the replica has stops it (1062, asked of 5.6, 9.7, 10.11 and 11.8)."""
    rows = insert("t", INT, b"", ints(1), nullable="NOT NULL" not in replica)
    report = check([query("BEGIN"), rows, XID], replica, source=source)
    found = {f.rule: f for table in report.tables for f in table.pair.findings if f.effect is Effect.UNKNOWN}
    assert set(found) == ({unsure} if unsure else set())
    assert report.stop is None
    assert report.verdict is (Effect.UNKNOWN if unsure else Effect.IDENTICAL)
    for one in found.values():
        assert one.message.startswith("the log does not say whether the source has one like it; if not, ")
        assert one.error is not None


@pytest.mark.parametrize(
    ("keys", "known"),
    [("PRIMARY KEY (a)", True), ("UNIQUE KEY (a)", True), ("UNIQUE KEY (a), CHECK (a < 9)", False)],
)
def test_the_primary_key_is_in_full_metadata(keys, known):
    """What it implies is safe."""
    full = SIGNED + b"\x04\x02\x01a\x08\x01\x00"
    rows = insert("t", INT, b"", ints(1), optional=full, nullable=False)
    report = check([query("BEGIN"), rows, XID], f"CREATE TABLE t (a INT NOT NULL, {keys})")
    assert report.verdict is (Effect.IDENTICAL if known else Effect.UNKNOWN)


def test_a_table_that_stops_at_once_is_no_question_of_its_keys():
    report = check([query("BEGIN"), insert("t", INT, b"", ints(1)), XID], UNIQUE.replace("INT", "DATE"))
    assert report.stop is not None
    assert report.verdict is Effect.STOPS


def test_the_source_schema_tells_what_the_log_does_not():
    rows = insert("t", INT, b"", ints(4_000_000_000), optional=b"")
    assert check([query("BEGIN"), rows, XID], "CREATE TABLE t (a INT)").verdict is Effect.UNKNOWN
    report = check(
        [query("BEGIN"), rows, XID], "CREATE TABLE t (a INT)", source="CREATE TABLE t (a INT UNSIGNED)"
    )
    assert report.verdict is Effect.DIVERGES
    assert report.tables[0].changes[0].source == "4000000000"


def test_unknown_events_and_incidents_are_never_a_pass():
    report = check(
        [event(200, b"??"), event(26, struct.pack("<HB", 1, 4) + b"lost")], "CREATE TABLE t (a INT)"
    )
    assert report.verdict is Effect.UNKNOWN
    assert len(report.problems) == 2


def test_each_pair_of_definitions_is_decided_once(monkeypatch):
    import schemacheck.applier.decide as module

    calls = []
    real = module.check_pair
    monkeypatch.setattr(module, "check_pair", lambda *a: calls.append(a) or real(*a))
    rows = insert("t", INT, b"", ints(1))
    check(
        [
            query("BEGIN"),
            *[rows] * 50,
            XID,
            query("CREATE TABLE x (a INT)"),
            query("BEGIN"),
            *[rows] * 50,
            XID,
        ],
        "CREATE TABLE t (a BIGINT)",
    )
    assert len(calls) == 1


def test_a_damaged_log_is_checked_up_to_the_damage(tmp_path):
    path = tmp_path / "bin.000001"
    path.write_bytes(log("damaged-flipped"))
    link = Link.of("mysql-9.7")
    replica = catalog.read("CREATE TABLE x (a INT)", link.replica, database="ddl_bl")
    report = check_logs([str(path)], lambda _: LogCheck(replica, link))
    assert report.verdict is Effect.UNKNOWN
    assert "5121" in str(report.problems[-1].location)
    assert {t.table for t in report.tables} >= {"t_int", "t_num", "t_time"}


def test_the_source_server_is_the_logs():
    report = check([query("select 1")], "CREATE TABLE t (a INT)", server="5.7.44-log")
    assert report.link.source.version == (5, 7, 44)


def test_rows_inside_a_compressed_transaction(tmp_path):
    pytest.importorskip("zstandard")
    path = tmp_path / "bin.000001"
    path.write_bytes(log("mysql-9.7-compressed"))
    link = Link.of("mysql-9.7")
    schema = catalog.read(
        "CREATE TABLE z (id INT PRIMARY KEY, v VARCHAR(20), t TEXT)", link.replica, database="ddl_bl"
    )
    report = check_logs([str(path)], lambda _: LogCheck(schema, link), start_position=465)
    assert report.stop.error.number == 13146
    assert report.stop.place.position == 465
    assert report.tables[0].rows == {"insert": 6, "update": 2, "delete": 1}


def test_rows_without_a_table_map_are_a_problem():
    report = check([write_rows(7, 1, ints(1))], "CREATE TABLE t (a INT)")
    assert "table id 7" in report.problems[0].message
    assert check([write_rows(0x00FFFFFF, 1, b"")], "CREATE TABLE t (a INT)").problems == []


def test_filtered_domains(tmp_path):
    """MariaDB's receiver leaves out whole domains."""

    def gtid(domain):
        return event(162, struct.pack("<QIB", 5, domain, 0) + bytes(6))

    bad = insert("t", INT, b"", ints(1))
    link = Link.of("mariadb-10.11.6")
    schema = catalog.read("CREATE TABLE t (a SMALLINT)", link.replica, database="d")
    stops = {}
    for name, filters in {
        "none": FilterSet(),
        "ignore": FilterSet(ignore_domain_ids=(3,)),
        "do": FilterSet(do_domain_ids=(1,)),
    }.items():
        checker = LogCheck(schema, link, filters=filters)
        decoder = Decoder()
        decoder.feed(MAGIC + description("10.11.6-MariaDB") + gtid(3) + bad + XID + gtid(1) + bad + XID)
        for one in decoder.events():
            checker.take("f", one)
        stops[name] = checker.finish().stop.place.gtid
    assert stops == {"none": "3-1-5", "ignore": "1-1-5", "do": "1-1-5"}


@pytest.mark.parametrize(
    ("given", "number"),
    [({}, 1677), ({"character_set_server": "latin1"}, 1677), ({"character_set_server": "utf8mb4"}, None)],
)
def test_the_character_set_of_a_database_is_not_assumed_silently(given, number):
    """VARCHAR(5) in the log: 20 bytes say utf8mb4 on the source; of the replica's database nobody said
    anything.
    """
    made = [
        query("CREATE TABLE n (v VARCHAR(5))"),
        query("BEGIN"),
        insert("n", VARCHAR, b"\x14\x00", b"\0\x01x"),
        XID,
    ]
    link = Link.of("mysql-5.6", None, **given)
    checker = LogCheck(catalog.read("", link.replica), link)
    decoder = Decoder()
    decoder.feed(MAGIC + description("5.6.40") + b"".join(made))
    for one in decoder.events():
        checker.take("f", one)
    report = checker.finish()
    assert (report.stop.error.number if report.stop else None) == number
    assert any("default character set" in note for note in report.notes) == (not given)


def test_an_unknown_beside_a_finding_does_not_hide_it():
    rows = insert("t", INT, b"", ints(1))
    report = check([query("BEGIN"), rows, XID], "CREATE TABLE t (a INT NOT NULL, UNIQUE KEY u (a))")
    (table,) = report.tables
    assert {Effect.UNKNOWN, Effect.DIVERGES} <= {finding.effect for finding in table.pair.findings}
    assert status(report, Effect.UNSUPPORTED) == 1


KNOWN = "CREATE DATABASE d CHARACTER SET utf8mb4; CREATE TABLE d.z (a INT)"


@pytest.mark.parametrize(
    ("schema", "log", "charset"),
    [
        (KNOWN, (), "utf8mb4"),
        (KNOWN, ("ALTER DATABASE d CHARACTER SET latin1",), "latin1"),
        (KNOWN, ("DROP DATABASE d", "CREATE DATABASE d CHARACTER SET ucs2"), "ucs2"),
        (KNOWN, ("DROP DATABASE d", "CREATE DATABASE d"), "latin1"),
        (KNOWN, ("CREATE DATABASE IF NOT EXISTS d CHARACTER SET latin1",), "utf8mb4"),
        ("CREATE TABLE d.z (a INT)", ("ALTER DATABASE d CHARACTER SET utf8mb4",), "utf8mb4"),
        ("CREATE DATABASE d; CREATE TABLE d.z (a INT)", (), "latin1"),
    ],
)
def test_the_character_set_of_a_database_is_that_of_its_new_tables(schema, log, charset):
    link = Link.of("mysql-5.6.51", None)
    ends = [catalog.read(schema, link.source) for _ in range(2)]
    checker = LogCheck(ends[0], link, source=ends[1])
    decoder = Decoder()
    made = "CREATE TABLE d.t (a VARCHAR(10))"
    decoder.feed(MAGIC + description("5.6.51") + b"".join(map(query, (*log, made))))
    for one in decoder.events():
        checker.take("bin.000001", one)
    found = checker.end.tables.get("d", "t")
    assert found is not None
    assert found.columns[0].type.charset == charset


def test_a_primary_key_is_required_by_the_events():
    """The applier takes the source's value, which its event brings (asked of MySQL 9.7.4)."""
    report = check([query("CREATE TABLE np (a INT)")], "", source="", sql_require_primary_key="ON")
    assert (report.stop, report.verdict) == (None, Effect.IDENTICAL)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("UUID()", "UUID"), ("CURRENT_USER()", "CURRENT_USER"), ("@@server_id", "@@server_id"),
        ("ROW_COUNT()", "ROW_COUNT"), ("USER()", "USER"), ("a / 3", "div_precision_increment"),
        ("WEEK(NOW())", "default_week_format"), ("GROUP_CONCAT(a)", "group_concat_max_len"),
        ("AES_ENCRYPT('a', 'k')", "block_encryption_mode"), ("DISTINCT b", "max_sort_length"),
        ("NOW()", ""), ("LAST_INSERT_ID()", ""), ("RAND()", ""), ("@v", ""), ("WEEK(NOW(), 3)", ""),
        ("'UUID() / 3'", ""), ("CONCAT(UPPER('a'), CURDATE()) /* 1 / 2 */", ""),
    ],
)  # fmt: skip
def test_what_a_logged_statement_computes_on_the_replica_anew(value, word):
    """Functions that servers call unsafe, and settings that no event carries (asked of MySQL 9.7.4)."""
    tables = "CREATE TABLE t (a INT PRIMARY KEY, b TEXT)"
    text = f"INSERT INTO t SELECT {value}, 1 FROM t"
    report = check([query("BEGIN"), query(text), XID], tables, source=tables, max_sort_length="8")
    assert all(word in problem.message for problem in report.problems), report.problems
    assert status(report, Effect.UNSUPPORTED) == (3 if word else 0), report.problems


@pytest.mark.parametrize(
    ("text", "status_"),
    [
        ("INSERT INTO t (b) VALUES ('abc')", 0), ("UPDATE t SET b = 'x' WHERE b = 'abc'", 0),
        ("INSERT INTO t VALUES (1, 'abc')", 3), ("UPDATE t SET b = 'x' WHERE a > 5", 3),
    ],
)  # fmt: skip
def test_a_key_that_is_widened_on_the_replica_first(text, status_):
    """INSERT_ID comes along (asked of MariaDB 10.11.19)."""
    tables = "CREATE TABLE t (a {} AUTO_INCREMENT PRIMARY KEY, b VARCHAR(9))"
    ends = {"source": tables.format("INT")}
    report = check([query("BEGIN"), query(text), XID], tables.format("BIGINT"), **ends)
    assert status(report, Effect.UNSUPPORTED) in (status_, status_ and 1), report.tables
