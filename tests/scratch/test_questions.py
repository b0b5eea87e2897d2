"""What a scratch server is asked and answers, on a server of this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from schemacheck.errors import UsageError
from schemacheck.inputs import live
from schemacheck.inputs.connection import Refused, connected
from schemacheck.model import Server
from schemacheck.scratch import Limits, NoAnswer, ScratchServer, open_server, program, start
from schemacheck.scratch.where import program_maker

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def scratch() -> Iterator[ScratchServer]:
    try:
        server = program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    with open_server(f"local:{server.path}", server.server, limits=Limits(seconds=2)) as opened:
        yield opened


def test_a_definition_comes_back_as_the_server_has_it(scratch):
    with scratch.question({"shop": "CHARACTER SET latin1"}, {"sql_mode": "ANSI_QUOTES"}) as question:
        question.run('CREATE TABLE "t" (a varchar(10), b int AS (1 + 1))', database="shop")
        _, rows = question.run("SHOW CREATE TABLE t")
        assert "DEFAULT CHARSET=latin1" in rows[0][1]
        with pytest.raises(Refused) as refused:
            question.run("CREATE TABLE t (a int)")
        assert refused.value.number == 1050
        found = live.take(scratch.endpoint, databases=("shop",), passes=1)
        names, columns = found.views["COLUMNS"]
        assert [row[names.index("COLUMN_TYPE")] for row in columns] == ["varchar(10)", "int(11)"]
    with scratch.question({"shop": ""}) as question:
        assert question.run("SELECT DATABASE(), @@sql_mode", database="shop")[1] == [
            ("shop", scratch.server.setting("sql_mode"))
        ]
        with pytest.raises(Refused, match="doesn't exist"):
            question.run("SELECT * FROM t")


def test_a_question_knows_its_own_databases_alone(scratch):
    with scratch.question({"a%": "", "b_c": ""}) as question:
        question.run("CREATE TABLE `a%`.t (x int)")
        question.run("CREATE TABLE t (x int)", database="b_c")
        for other in ("ab", "bxc", "mysql", "test"):
            with pytest.raises(NoAnswer, match="denied"):
                question.run(f"CREATE TABLE {other}.t (x int)")
        question.run("DROP DATABASE b_c")
        question.run("CREATE DATABASE b_c")
    for names in ({"mysql": ""}, {"MySQL": ""}, {"schemacheck_scratch": ""}):
        with pytest.raises(NoAnswer, match="is a database of the server's own"), scratch.question(names):
            pass
    with pytest.raises(NoAnswer, match="Incorrect database name"), scratch.question({"a ": ""}):
        pass
    for options in ("COMMENT 'x'", "CHARACTER SET latin1; SHUTDOWN", "ENCRYPTION 'Y'"):
        with pytest.raises(NoAnswer, match="other options"), scratch.question({"a": options}):
            pass
    # Escaped, it is longer than what the tables of rights of some releases hold (10.11.19; not 10.11.18).
    with suppress(NoAnswer), scratch.question({"_" * 64: ""}) as question:
        answers = question.run(f"CREATE TABLE {'_' * 63}.t (x int)")
        pytest.fail(f"not denied: {answers}")


def test_variables_are_those_that_a_session_may_have(scratch):
    with scratch.question({}, {"time_zone": "+05:00", "sql_mode": "ANSI"}) as question:
        assert question.run("SELECT @@time_zone")[1] == [("+05:00",)]
    for name in ("general_log", "sql_log_bin", "no_such", "a = 1, b"):
        with pytest.raises(NoAnswer), scratch.question({}, {name: "1"}):
            pass


def test_what_takes_long_is_no_answer_and_the_next_question_is_asked(scratch):
    with scratch.question({"shop": ""}) as question:
        since = time.monotonic()
        with pytest.raises(NoAnswer, match="it takes more than 2 seconds"):
            question.run("SELECT SLEEP(30)")
        assert time.monotonic() - since < 5
    with scratch.question({"shop": ""}) as question:
        assert question.run("SELECT 1")[1] == [(1,)]


def test_a_warm_question_is_quick(scratch):
    seconds = []
    for _ in range(20):
        since = time.monotonic()
        with scratch.question({"shop": ""}) as question:
            question.run("CREATE TABLE t (a int PRIMARY KEY, b varchar(10), KEY (b))", database="shop")
            question.run("SHOW CREATE TABLE t")
        seconds.append(time.monotonic() - since)
    assert sorted(seconds)[3] < 0.2, seconds  # 15 ms where nothing else runs


def test_a_server_that_lives_is_asked_only_where_it_may_be_lost(monkeypatch):
    try:
        server = program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    maker = program_maker(server)
    with start.pair(maker, maker) as (living, _), connected(living, 30) as keeper:
        monkeypatch.setenv("SCHEMACHECK_PASSWORD", living.password or "")
        dsn = f"mysql://{living.user}@127.0.0.1:{living.port}/"

        def ask() -> None:
            with open_server(dsn, server.server) as opened:
                with (
                    pytest.raises(UsageError, match="another run asks this server"),
                    open_server(dsn, server.server),
                ):
                    pass
                with opened.question({"shop": ""}) as question:
                    question.run("CREATE TABLE t (a int)", database="shop")
                    with pytest.raises(NoAnswer, match="denied"):
                        question.run("SELECT * FROM mysql.user")

        def there() -> list[tuple]:
            return [keeper.query(one, "")[1] for one in ("SHOW DATABASES", "SELECT User FROM mysql.user")]

        with pytest.raises(UsageError, match="if it may: CREATE DATABASE schemacheck_scratch"):
            ask()
        keeper.query("CREATE DATABASE schemacheck_scratch", "")
        before = there()
        ask()
        assert there() == before
        with (
            pytest.raises(UsageError, match=r"is MariaDB .*, not MySQL 8\.0\.36"),
            open_server(dsn, Server.parse("mysql-8.0.36")),
        ):
            pass
        keeper.query("CREATE DATABASE shop", "")
        keeper.query("CREATE TABLE shop.orders (id int)", "")
        with pytest.raises(UsageError, match=r"this server holds tables: shop \(1\); nothing is asked"):
            ask()
        assert keeper.query("SELECT COUNT(*) FROM shop.orders", "")[1] == [(0,)]


def test_what_a_server_has_from_its_start_on_is_given_to_it():
    try:
        server = program.any_of_them()
    except UsageError as error:
        pytest.skip(str(error))
    told = {"lower_case_table_names": "1", "plugin_load": "evil", "explicit_defaults_for_timestamp": "x; y"}
    assert start.given(server.server.with_told(told)) == ("--lower_case_table_names=1",)
    with (
        open_server(f"local:{server.path}", server.server.with_told(told)) as scratch,
        scratch.question({"shop": ""}) as question,
    ):
        assert question.run("SELECT @@lower_case_table_names")[1] == [(1,)]
