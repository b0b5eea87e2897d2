"""What a stranger found to pass and a server did not take: each class stays found."""

from __future__ import annotations

import pytest

from schemacheck import knowledge, library
from schemacheck.catalog import read
from schemacheck.inputs import snapshot_queries
from schemacheck.model import Link, Server, variable
from schemacheck.plan import plan_change
from schemacheck.plan.model import Order
from schemacheck.plan.verdict import exit_status

MYSQL, OLD, NEW = "mysql-9.7", "mariadb-10.11", "mariadb-11.8"
_TEXT = "a VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_{}"
_KEYED = "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, {});"
_BY_LIST = "PARTITION BY LIST COLUMNS (a) (PARTITION p VALUES IN ('de'))"
_HISTORY = "SYSTEM VERSIONING"
_ORDER = ["SET NEW.a = NEW.a + 1", "SET NEW.a = NEW.a * 2"]
_LONG = ", ".join(f"{name} VARCHAR(3000) CHARACTER SET latin1" for name in "abc")
_CHANGE = "CREATE TABLE n (a INT, s VARCHAR(500), KEY (s)) {};"


def _triggers(*bodies: str) -> str:
    made = (f"CREATE TRIGGER t{n} BEFORE INSERT ON t FOR EACH ROW {b};" for n, b in enumerate(bodies))
    return _KEYED.format("a INT") + "".join(made)


def _numbered(option: str) -> str:
    log = f"CREATE TABLE l (id INT AUTO_INCREMENT PRIMARY KEY, tid INT) {option};"
    fills = "CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO l (tid) VALUES (NEW.id);"
    return _KEYED.format("v INT") + log + fills


#: What it is, the server of both ends, the two definitions (one with {} for what differs), the log's format.
DEFINITIONS = [
    ("SC511", MYSQL, _KEYED.format(_TEXT + ", CHECK (a <> 'X')"), ("bin", "general_ci"), "ROW"),
    ("SC511", MYSQL, _KEYED.format(_TEXT + ", g INT AS (a = 'X') STORED"), ("bin", "general_ci"), "ROW"),
    ("SC511", OLD, _KEYED.format(_TEXT + ", g INT AS (a = 'X') VIRTUAL"), ("bin", "general_ci"), "ROW"),
    ("SC511", NEW, _KEYED.format("a INT({}) ZEROFILL, g VARCHAR(20) AS (CONCAT(a)) STORED"), "58", "ROW"),
    ("SC511", MYSQL, _KEYED.format("a BIT({}), g VARBINARY(9) AS (CONCAT(a)) STORED"), ("4", "12"), "ROW"),
    ("SC511", MYSQL, _KEYED.format("d DECIMAL({}), g VARCHAR(30) AS (d / 3) STORED"), ("6,2", "10,4"), "ROW"),
    ("SC511", MYSQL, f"CREATE TABLE t (id INT, {_TEXT}) {_BY_LIST};", ("0900_ai_ci", "0900_as_cs"), "ROW"),
    ("SC209", OLD, _KEYED.format("y YEAR({})"), "42", "ROW"),
    ("SC301", MYSQL, _KEYED.format("a VARCHAR(9) CHARACTER SET {}"), ("gb2312", "gbk"), "ROW"),
    ("SC410", MYSQL, _KEYED.format(_LONG + "{}"), ("", ", KEY (a), KEY (b), KEY (c)"), "ROW"),
    ("SC803", MYSQL, _KEYED.format("n TEXT, FULLTEXT KEY f (n) {}"), ("", "WITH PARSER ngram"), "STATEMENT"),
    ("SC507", NEW, _KEYED.format("v INT {}")[:-1] + f" WITH {_HISTORY};", ("", f"WITHOUT {_HISTORY}"),
     "STATEMENT"),
    ("SC804", MYSQL, "{}", (_triggers(*_ORDER), _triggers(*reversed(_ORDER))), "STATEMENT"),
    ("SC804", MYSQL, "{}", (_triggers(_ORDER[0]), _triggers(_ORDER[0], _ORDER[0])), "STATEMENT"),
    ("SC506", MYSQL, "{}", (_numbered(""), _numbered("AUTO_INCREMENT=1000")), "STATEMENT"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "server", "text", "ends", "log"), DEFINITIONS)
def test_definitions_that_differ(code, server, text, ends, log):
    link = _link(server, {"binlog_format": log}, {"slave_type_conversions": "ALL_NON_LOSSY"})
    source, replica = (text.replace("{}", end) for end in ends)
    report = library.check(source, replica, link)
    assert code in {finding.code for pair in report.pairs for finding in pair.findings}
    assert library.exit_status(report) == 1
    alike = library.check(source, source, link)
    assert code not in {finding.code for pair in alike.pairs for finding in pair.findings}


@pytest.mark.parametrize("server", [MYSQL, OLD, NEW])
def test_keys_of_utf8mb3_and_of_its_like_in_utf8mb4_tell_the_same_texts_apart(server):
    link = _link(server, {"binlog_format": "ROW"}, {"slave_type_conversions": "ALL_NON_LOSSY"})
    text = "k VARCHAR(20) CHARACTER SET {0} COLLATE {0}_unicode_ci"
    parent = f"CREATE TABLE p ({text} PRIMARY KEY);"
    child = f"CREATE TABLE c (id INT PRIMARY KEY, {text}, UNIQUE (k), FOREIGN KEY (k) REFERENCES p (k));"
    old, new = ((parent + child).format(f"utf8mb{size}") for size in "34")
    assert library.exit_status(library.check(old, new, link)) == 0
    other = new.replace("unicode", "general")
    (remedy,) = {
        f.remedy for p in library.check(old, other, link).pairs for f in p.findings if f.code == "SC401"
    }
    assert "parent and child change together" in (remedy or "")


#: Variables of the replica (one with - before it: of the source), with the change that they meet.
SETTINGS = [
    (MYSQL, "slave_max_allowed_packet", "1024", ""), (NEW, "slave_max_statement_time", "0.001", ""),
    (NEW, "enforce_storage_engine", "Aria", ""), (NEW, "max_session_mem_used", "8192", ""),
    (MYSQL, "sql_safe_updates", "ON", ""), (MYSQL, "replicate_do_db", "other", ""),
    (MYSQL, "-binlog_do_db", "other", ""), (MYSQL, "div_precision_increment", "0", ""),
    (MYSQL, "-div_precision_increment", "8", ""),
    (MYSQL, "block_encryption_mode", "aes-256-ecb", ""), (NEW, "max_allowed_packet", "1024", ""),
    (NEW, "innodb_force_primary_key", "ON", ""),
    (MYSQL, "innodb_file_per_table", "OFF", "ROW_FORMAT=COMPRESSED"),
    (MYSQL, "innodb_default_row_format", "COMPACT", ""),
    (MYSQL, "disabled_storage_engines", "MyISAM", "ENGINE=MyISAM"),
]  # fmt: skip


@pytest.mark.parametrize(("server", "name", "value", "option"), SETTINGS)
def test_variables_that_decide(server, name, value, option):
    ends = {"source": {"binlog_format": "MIXED"}, "replica": {}}
    ends["source" if name[0] == "-" else "replica"][name.removeprefix("-")] = value
    report = library.check(
        _KEYED.format("a INT"),
        _KEYED.format("a INT"),
        _link(server, *ends.values()),
        change=_CHANGE.format(option),
    )
    assert library.exit_status(report) == 3


#: Variables of the replica that some tables alone meet, with what is found of such a table.
OF_TABLES = [
    (MYSQL, "ROW", {"max_heap_table_size": "16384"}, _KEYED.format("a INT")[:-1] + "ENGINE=MEMORY;", "SC703"),
    (MYSQL, "STATEMENT", {"explicit_defaults_for_timestamp": "OFF"},
     _KEYED.format("a TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP"), "SC802"),
]  # fmt: skip


@pytest.mark.parametrize(("server", "log", "settings", "text", "code"), OF_TABLES)
def test_variables_that_some_tables_meet(server, log, settings, text, code):
    for ends in ({}, settings), (settings, {}), (settings, settings):
        link = _link(server, {"binlog_format": log, **ends[0]}, ends[1])
        findings = {f.code for pair in library.check(text, text, link).pairs for f in pair.findings}
        assert (code in findings) is (ends[0] != ends[1])
        assert not library.check(_KEYED.format("a INT"), _KEYED.format("a INT"), link).pairs[0].findings


#: Changes with the status of a check: on the source's sequence or tables, logged as this.
CHANGES = [
    (MYSQL, "STATEMENT", {}, "UPDATE t SET a = @@port;", 3),
    (MYSQL, "ROW", {}, "UPDATE t SET a = @@port;", 0),
    (MYSQL, "STATEMENT", {}, "DELETE FROM t LIMIT 1;", 3),
    (NEW, "ROW", {}, "ALTER TABLE t ADD s INT DEFAULT (NEXTVAL(q));", 1),
    (MYSQL, "ROW", {"log_bin_trust_function_creators": "OFF"},
     "CREATE FUNCTION f() RETURNS INT NOT DETERMINISTIC RETURN 1;", 1),
    (MYSQL, "ROW", {"log_bin_trust_function_creators": "OFF"},
     "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1;", 0),
]  # fmt: skip


@pytest.mark.parametrize(("server", "log", "settings", "change", "status"), CHANGES)
def test_changes_whose_rows_or_programs_differ(server, log, settings, change, status):
    base = _KEYED.format("a INT") + ("CREATE SEQUENCE q;" if server == NEW else "")
    link = _link(server, {"binlog_format": log}, settings)
    assert library.exit_status(library.check(base, base, link, change=change)) == status


@pytest.mark.parametrize(
    ("server", "corrects"),
    [
        (MYSQL, "MODIFY a INT ENGINE=InnoDB"),
        (MYSQL, "MODIFY a INT, START TRANSACTION"),
        (NEW, "MODIFY a INT STORAGE DISK"),
        (NEW, "MODIFY a INT, PAGE_COMPRESSED=1 PAGE_COMPRESSION_LEVEL=99"),
    ],
)
def test_a_correction_that_a_server_refuses_corrects_nothing(server, corrects):
    text = _KEYED.format("a INT") + f"ALTER TABLE t MODIFY a BIGINT; ALTER TABLE t {corrects};"
    assert library.exit_status(library.check(_KEYED.format("a INT"), text, _link(server, {}, {}))) != 0


def test_a_table_that_a_change_leaves_unknown_is_not_missing():
    base = "CREATE TABLE p (id INT PRIMARY KEY);" + _KEYED.format("a INT, KEY k (a){}")
    ends = base.format(""), base.format(", FOREIGN KEY (a) REFERENCES p (id)")
    report = library.check(*ends, _link(MYSQL, {}, {}), change="DROP INDEX k ON t;")
    assert "SC701" not in {finding.code for pair in report.pairs for finding in pair.findings}
    assert library.exit_status(report) == 3


@pytest.mark.parametrize(("kind", "status"), [("BIGINT", 1), ("INT", 0)])
def test_a_plan_for_a_replica_that_stops_already(kind, status):
    base, there = (read(_KEYED.format(f"a {one}, b INT"), Server.parse(MYSQL)) for one in ("INT", kind))
    found = plan_change(base, "ALTER TABLE t MODIFY b BIGINT", _link(MYSQL, {}, {}), replica=there)
    assert exit_status(found) == status


def test_values_that_a_column_of_the_replica_alone_takes_are_lost_source_first():
    base, there = (read(_KEYED.format(f"a INT{more}"), Server.parse(MYSQL)) for more in ("", ", extra INT"))
    found = plan_change(base, "ALTER TABLE t ADD n INT AFTER a", _link(MYSQL, {}, {}), replica=there)
    assert found.tables[0].order is Order.REPLICA_FIRST


def test_live_servers_are_asked_for_what_a_person_may_give():
    read = {variable.canonical(name) for name in snapshot_queries.variable_names()}
    assert not {variable.canonical(name) for name in knowledge.load("link_variables")["ends"]} - read


def _link(server: str, source: dict[str, str], replica: dict[str, str]) -> Link:
    return Link(
        Server.parse(server, {**source, "gtid_mode": "OFF"}),
        Server.parse(server, replica | {"gtid_mode": "OFF"}),
    )


def test_a_table_that_could_not_be_followed_is_not_missing():
    """The replica alone has a foreign key that the dropped index serves: that is in doubt, t is there."""
    parent = "CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE t (id INT PRIMARY KEY, a INT, KEY k (a)"
    source, replica = f"{parent});", f"{parent}, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id));"
    report = library.check(source, replica, _link(MYSQL, {}, {}), change="DROP INDEX k ON t")
    (pair,) = [pair for pair in report.pairs if pair.table == "t"]
    assert {finding.code for finding in pair.findings} == {"SC002"}
    assert library.exit_status(report) == 3
