"""`prove` on Debian's MariaDB: what is said is shown, a wrong rule is found out, servers are put back."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pymysql
import pytest

from schemacheck.cli import main
from schemacheck.errors import UsageError
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.prove.arrived import plain
from schemacheck.prove.certificate import digest
from schemacheck.scratch import program, start
from schemacheck.scratch.where import program_maker
from tests.facts import record
from tests.facts.compact import FIELDS
from tests.facts.definitions import read_facts

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "facts" / "data"
#: The fields of a question.
ASKED = (*FIELDS[: FIELDS.index("outcome")], "source_may_fail", "source_goes_on")
SOURCE = """CREATE TABLE shop.parent (id int NOT NULL PRIMARY KEY, name varchar(20));
CREATE TABLE shop.t (
  id int unsigned NOT NULL PRIMARY KEY, state enum('new','paid') NOT NULL, price decimal(8,2), note text,
  at datetime(3), parent int, KEY (parent)
);
"""
REPLICA = SOURCE.replace("enum('new','paid')", "enum('paid','new')").replace("decimal(8,2)", "decimal(6,1)")
NARROW = SOURCE.replace("int unsigned", "smallint unsigned")


@pytest.fixture(scope="module")
def ends() -> Iterator[tuple[Endpoint, Endpoint]]:
    try:
        server = program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    with start.pair(program_maker(server), program_maker(server)) as found:
        yield found


@pytest.fixture
def call(ends, tmp_path, monkeypatch, capsys):
    """Run `prove` on the module's two servers; (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    for side, end in zip(("SOURCE", "REPLICA"), ends, strict=True):
        monkeypatch.setenv(f"SCHEMACHECK_{side}_PASSWORD", end.password or "")
    (tmp_path / "s.sql").write_text(SOURCE)
    (tmp_path / "r.sql").write_text(REPLICA)
    (tmp_path / "n.sql").write_text(NARROW)

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["prove", *arguments, *servers(ends), "--no-config"])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def servers(ends: tuple[Endpoint, Endpoint]) -> list[str]:
    return [
        word
        for side, end in zip(("source", "replica"), ends, strict=True)
        for word in (f"--{side}-server", f"mysql://{end.user}@{end.host}:{end.port}/?ssl-mode=DISABLED")
    ]


def ask(end: Endpoint, *statements: str) -> list[tuple]:
    connection = pymysql.connect(
        host=end.host, port=end.port, user=end.user, password=end.password or "", autocommit=True
    )
    with closing(connection), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return list(cursor.fetchall())


def untouched(ends: tuple[Endpoint, Endpoint]) -> bool:
    for end in ends:
        if ask(end, "SHOW DATABASES LIKE 'shop'") or ask(end, "SHOW ALL SLAVES STATUS"):
            return False
        if ask(end, "SELECT @@GLOBAL.slave_type_conversions, @@GLOBAL.binlog_format") != [("", "MIXED")]:
            return False
    return True


def test_findings_are_shown_and_the_servers_are_put_back(call, ends, tmp_path):
    options = ("--binlog-format", "ROW", "--type-conversions", "ALL_LOSSY,ALL_NON_LOSSY")
    status, out, _ = call("s.sql", "r.sql", *options, "--format", "json")
    document = json.loads(out)
    assert status == 0, out
    outcomes = {(one["code"], one["subject"]): one["outcome"] for one in document["findings"]}
    assert outcomes["SC208", "shop.t.state"] == "shown"
    assert {o for (code, subject), o in outcomes.items() if subject == "shop.t.price"} == {"shown"}
    assert document["agreement"] is True
    assert document["sha256"] == digest(document)
    state = next(c for c in document["cases"] if c["finding"] == "SC208")
    assert state["source"]["t"][1][0][1] == "new"
    assert state["replica"]["t"][1][0][1] == "paid"
    assert "MariaDB" in document["source"]["version"]
    assert untouched(ends)
    assert not list(tmp_path.glob(".schemacheck*"))


def test_live_servers_whose_tables_foreign_keys_tie(call, ends, monkeypatch):
    """The definitions are those that the servers print; rows without parents show what becomes of values."""
    tables = (
        "CREATE TABLE orders.customer (id int unsigned PRIMARY KEY, name varchar(100))",
        """CREATE TABLE orders.item (id int PRIMARY KEY, customer int unsigned NOT NULL, price decimal(10,2),
           CONSTRAINT of FOREIGN KEY (customer) REFERENCES orders.customer (id))""",
        "CREATE TRIGGER orders.up BEFORE INSERT ON orders.customer FOR EACH ROW SET NEW.name = UPPER('x')",
    )
    places = []
    # The servers that have the definitions are those that are asked.
    monkeypatch.setattr("schemacheck.prove.scratch.tables_of_others", lambda _session: "")
    try:
        for end, text in zip(ends, (tables, [t.replace("(10,2)", "(12,2)") for t in tables]), strict=True):
            ask(end, "SET sql_log_bin = 0", "CREATE DATABASE orders", *text)
            places.append(f"mysql://{end.user}@{end.host}:{end.port}/orders?ssl-mode=DISABLED")
        options = ("--binlog-format", "ROW", "--format", "json")
        status, out, err = call(*places, *options)
        document = json.loads(out or "{}")
        assert (status, err) == (0, ""), out
        assert [(f["code"], f["subject"], f["outcome"]) for f in document["findings"]] == [
            ("SC201", "orders.item.price", "shown")
        ]
        assert {case["pair"] for case in document["cases"]} == {"orders.customer", "orders.item"}
        assert "TRIGGER" in str(document["cases"])
    finally:
        for end in ends:
            ask(end, "SET sql_log_bin = 0", "DROP DATABASE IF EXISTS orders")


def test_a_stop_is_shown_with_its_error(call):
    status, out, _ = call("s.sql", "n.sql", "--binlog-format", "ROW")
    assert status == 0
    assert "shown        SC202 stops shop.t.id" in out
    assert out.splitlines()[-1].startswith("the servers did all that was said; sha256 ")


def bend(monkeypatch) -> None:
    """A rule bent on purpose: members in another order are called compatible."""
    from dataclasses import replace

    from schemacheck import engine

    real = engine.check

    def bent(*arguments: object):
        report = real(*arguments)
        pairs = tuple(
            replace(pair, findings=tuple(f for f in pair.findings if f.code != "SC208"))
            for pair in report.pairs
        )
        return replace(report, pairs=pairs)

    monkeypatch.setattr(engine, "check", bent)


def test_a_wrong_rule_is_found_out(call, monkeypatch):
    bend(monkeypatch)
    status, out, _ = call(
        "s.sql", "r.sql", "--binlog-format", "ROW", "--type-conversions", "ALL_LOSSY,ALL_NON_LOSSY"
    )
    assert status == 1
    assert "differs: shop.t: t.state" in out
    assert "SOMETHING DIFFERS" in out


def test_a_server_that_somebody_needs_is_refused(call, ends):
    ask(ends[0], "SET sql_log_bin = 0", "CREATE DATABASE theirs", "CREATE TABLE theirs.t (a int)")
    try:
        status, out, err = call("s.sql", "r.sql")
        assert (status, out) == (2, "")
        assert "holds tables of others: theirs (1)" in err
    finally:
        ask(ends[0], "SET sql_log_bin = 0", "DROP DATABASE theirs")
    ask(ends[1], "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=1")
    try:
        assert "replicates already" in call("s.sql", "r.sql")[2]
    finally:
        ask(ends[1], "RESET SLAVE ALL")


def test_a_setting_that_cannot_be_set_is_refused(call, ends):
    status, out, err = call("s.sql", "r.sql", "--lower-case-table-names", "1")
    assert (status, out) == (2, "")
    assert "lower_case_table_names cannot be set" in err
    assert untouched(ends)


def test_a_table_whose_values_are_not_known_is_undecided(call, tmp_path):
    (tmp_path / "v.sql").write_text(
        "CREATE TABLE v (id int PRIMARY KEY, p inet6 NOT NULL);\nCREATE VIEW w AS SELECT id FROM v;\n"
    )
    status, out, _ = call("v.sql", "v.sql", "--binlog-format", "ROW")
    assert status == 3
    assert "not asked: schemacheck.w: no statement is known that shows anything of it" in out


def test_facts_that_are_asked_again_have_the_same_answers(ends, tmp_path, monkeypatch, capsys):
    """The tests' recorder, over the same channel: what was recorded on MariaDB 10.11 happens again."""
    if not ask(ends[0], "SELECT VERSION()")[0][0].startswith("10.11."):
        pytest.skip("the facts were recorded on MariaDB 10.11")
    kept: list[dict] = []
    for name in ("fresh_statements", "fresh_shapes"):
        header, facts = read_facts(DATA / f"{name}.jsonl.xz")
        assert header["source"] == header["replica"] == "mariadb-10.11"
        kept += list(islice((one for one in facts if one["outcome"] in ("applied", "error")), 4))
    cases = tmp_path / "cases.jsonl"
    cases.write_text("\n".join(json.dumps({k: v for k, v in one.items() if k in ASKED}) for one in kept))
    monkeypatch.chdir(tmp_path)
    for side, end in zip(("SOURCE", "REPLICA"), ends, strict=True):
        monkeypatch.setenv(f"SCHEMACHECK_{side}_PASSWORD", end.password or "")
    assert record.main([str(cases), "out.jsonl", *servers(ends)]) == 0
    header, answers = read_facts(tmp_path / "out.jsonl")
    assert (header["source"], header["via"]) == ("mariadb-10.11", "replication")
    for before, after in zip(kept, answers, strict=True):
        for field in ("id", "outcome", "errno", "message", "source", "replica"):
            assert in_any_order(after.get(field)) == in_any_order(before.get(field)), (field, before)
    assert sum(map(int, re.findall(r"\d+", capsys.readouterr().out))) == len(kept)
    assert untouched(ends)


def in_any_order(answer: object) -> object:
    """An answer whose rows come in whichever order."""
    if not isinstance(answer, dict):
        return answer
    return {table: [columns, sorted(map(str, rows))] for table, (columns, rows) in answer.items()}


@pytest.mark.parametrize(
    ("text", "same"),
    [("2.50", "2.5"), ("9e9999999999", "9e9999999999"), ("x", "x"), ("2001-02-03 00:00:00", "2001-02-03")],
)
def test_a_value_is_the_same_however_a_server_prints_it(text, same):
    assert plain(text) == same


def test_local_starts_and_ends_its_own_servers(tmp_path, monkeypatch, capsys):
    try:
        server = program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)
    # A socket's name has 107 bytes at most: not below the folder of the test.
    own = Path(tempfile.mkdtemp(prefix="p"))
    monkeypatch.setattr("tempfile.tempdir", str(own))
    (tmp_path / "s.sql").write_text("CREATE TABLE t (id int PRIMARY KEY, a tinyint);\n")
    (tmp_path / "r.sql").write_text("CREATE TABLE t (id int PRIMARY KEY, a int);\n")
    arguments = ["prove", "s.sql", "r.sql", "--local", "--no-config", "--binlog-format", "ROW"]
    arguments += ["--type-conversions", "ALL_NON_LOSSY"]
    # Installed outside of /usr: its share folder is beside it.
    (tmp_path / "opt" / "share").mkdir(parents=True)
    (tmp_path / "opt" / "share" / "mysql").symlink_to(server.share or "")
    (tmp_path / "opt" / "bin").mkdir()
    shutil.copy(server.path, tmp_path / "opt" / "bin" / "mariadbd")
    assert program.named(str(tmp_path / "opt")).base == tmp_path / "opt"
    arguments += ["--local-server", str(tmp_path / "opt")]
    # Another run with the same certificate.
    words = [sys.executable, "-P", "-m", "schemacheck", *arguments, "-o", "proof.txt"]
    other = subprocess.Popen(words, env=os.environ | {"TMPDIR": str(own)}, stdout=subprocess.PIPE)
    assert main([*arguments, "-o", "proof.json"]) == 0
    assert (other.communicate()[1], other.returncode) == (None, 0)
    assert "1 case asked" in (tmp_path / "proof.txt").read_text()
    assert json.loads((tmp_path / "proof.json").read_text())["source"]["version"]
    names = sorted(one.name for one in tmp_path.iterdir())
    assert names == ["opt", "proof.json", "proof.txt", "r.sql", "s.sql"]
    assert list(own.iterdir()) == []
    own.rmdir()
    assert main([*arguments, "--local-server", "no-such-server"]) == 2
    assert "there is no program no-such-server" in capsys.readouterr().err


def test_definitions_have_no_rights_on_servers_of_our_own(tmp_path, monkeypatch, capsys):
    """Triggers run with the rights of an account of the tables alone; no example becomes a statement."""
    monkeypatch.chdir(tmp_path)
    table = "CREATE TABLE t (id int PRIMARY KEY, a {}); {}\n"
    trigger = "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET GLOBAL max_connections = 7;"
    evil = "enum('a; SET GLOBAL max_connections = 7; b', 'c')"
    elsewhere = "CREATE TABLE u (id int PRIMARY KEY) DATA DIRECTORY = '/tmp'; "
    (tmp_path / "s.sql").write_text(elsewhere + table.format(evil, trigger))
    (tmp_path / "r.sql").write_text(elsewhere + table.format("enum('c')", ""))
    arguments = ["prove", "s.sql", "r.sql", "--local", "--no-config", "--format", "json"]
    try:
        program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    assert main(arguments) == 3
    document = json.loads(capsys.readouterr().out)
    whys = [why for case in document["cases"] for why in (case["why"], *case.get("refused", ()))]
    assert any("Access denied; you need (at least one of) the SUPER" in why for why in whys)
    assert any("makes of DATA" in why for why in document["unread"])
    assert {case["table"] for case in document["cases"]} == {"t"}
