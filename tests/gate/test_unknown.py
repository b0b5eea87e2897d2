"""Nothing unknown is accepted: settings, words of sql_mode, names of filters and versions, wherever a person
writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from schemacheck import Link, Server, check
from schemacheck.cli import main
from schemacheck.config.options import LINK_OPTIONS
from schemacheck.config.reader import parse as configuration
from schemacheck.errors import BadSetting, UnknownServer, UsageError
from schemacheck.filters.read import parse as filters
from schemacheck.fleet import topology
from schemacheck.model import variable
from schemacheck.replay.logged import SQL_MODES

#: (variable, value, what the refusal says)
SETTINGS = [
    ("foo", "bar", "no variable 'foo'"),
    ("replica_type_conversion", "", "did you mean 'replica_type_conversions'?"),
    ("slave_typ_conversions", "", "did you mean 'slave_type_conversions'?"),
    ("type_conversion", "", "did you mean 'type_conversions'?"),
    ("slave_type_conversions", "ALL_NONLOSSY", "did you mean 'ALL_NON_LOSSY'?"),
    ("sql_mode", "FOO", "sql_mode has no value 'FOO'"),
    ("sql_mode", "STRICT_TRANS_TABLE", "did you mean 'STRICT_TRANS_TABLES'?"),
    ("binlog_format", "ROWS", "did you mean 'ROW'?"),
    ("lower_case_table_names", "3", "lower_case_table_names cannot be '3'"),
    ("character_set_server", "latin9", "no server has a character set 'latin9'"),
    ("server_id", "one", "server_id is a whole number"),
]
VERSIONS = [
    ("5.9", "did you mean 'mysql-5.7'?"),
    ("mysql-99", "no mysql 99 is known"),
    ("mysql-8.0.360", "the newest one of its series is 8.0."),
    ("mariadb-10.12", "no mariadb 10.12 is known"),
    ("mysqll-8.0", "did you mean 'mysql'?"),
    ("8.0.x", "is not a known server"),
    ("mysql-foo", "is not a known server"),
    ("percona-5.1", "no percona 5.1 is known"),
    ("8.0.36.1", "is not a known server"),
    ("", "is not a known server"),
]
FILTERS = [
    "[mysqld]\nreplicate-do-tabel=shop.t\n",
    "[mysqld]\nrelicate-do-db=shop\n",
    "[mysqld]\nloose-replicate-do-dbs=shop\n",
    "[mysqld]\nc1.replicate-wild-do-tables=shop.%\n",
    "CHANGE REPLICATION FILTER REPLICATE_DO_TABEL = (shop.t)",
    "SET GLOBAL replicate_do_tabel = 'shop.t'",
]


def _library(name: str, value: str) -> None:
    Link.of("8.0", **{name: value})


def _server(name: str, value: str) -> None:
    Server.parse("8.0", {name: value})


def _with(name: str, value: str) -> None:
    Server.parse("8.0").with_settings({name: value})


def _configuration(name: str, value: str) -> None:
    configuration(f"links:\n  main:\n    replica-set: {{{name}: {value!r}}}\n", "f.yaml")


def _topology(name: str, value: str, tmp: object = None) -> None:
    topology._settings({name: value}, "fleet.yaml: instance a")


@pytest.mark.parametrize("door", [_library, _server, _with, _configuration, _topology])
@pytest.mark.parametrize(("name", "value", "says"), SETTINGS)
def test_a_setting_that_is_not_known_is_refused(
    door: Callable[[str, str], None], name: str, value: str, says: str
) -> None:
    with pytest.raises(UsageError) as caught:
        door(name, value)
    assert says in str(caught.value)


@pytest.mark.parametrize("option", ["--set", "--source-set", "--replica-set"])
@pytest.mark.parametrize(("name", "value", "says"), SETTINGS)
@pytest.mark.parametrize("command", [("check", "a", "b"), ("matrix",), ("config", "show")])
def test_on_the_command_line_too(run, tmp_path, command, option, name, value, says) -> None:
    (tmp_path / "a").write_text("CREATE TABLE t (a int);")
    (tmp_path / "b").write_text("CREATE TABLE t (a int);")
    result = run(*command, option, f"{name}={value}")
    assert result.status == 2
    assert says in result.err
    assert option in result.err


@pytest.mark.parametrize(("option", "value"), [("--sql-mode", "FOO"), ("--type-conversions", "ALL_LOSY")])
def test_options_of_their_own_too(run, option, value) -> None:
    result = run("matrix", option, value)
    assert result.status == 2
    assert f"has no value {value!r}" in result.err


@pytest.mark.parametrize("name", ["type_conversions", "replica_type_conversions", "slave_type_conversions"])
def test_every_spelling_of_a_setting_works_everywhere(run, tmp_path, name) -> None:
    wanted = frozenset({"ALL_NON_LOSSY"})
    assert Link.of("8.0", **{name: "ALL_NON_LOSSY"}).type_conversions == wanted
    found = configuration(f"links:\n  a:\n    replica-set: {{{name}: ALL_NON_LOSSY}}\n", "f")
    assert variable.canonical(found.links[0].replica_set[0][0]) == "slave_type_conversions"
    assert topology._settings({name: "ALL_NON_LOSSY"}, "f") == {"slave_type_conversions": "ALL_NON_LOSSY"}
    option = f"--{name.replace('_', '-')}"
    for arguments in ((option, "ALL_NON_LOSSY"), ("--replica-set", f"{name}=ALL_NON_LOSSY")):
        shown = run("config", "show", *arguments)
        assert "replica slave_type_conversions = ALL_NON_LOSSY" in shown.out


def test_two_spellings_with_two_values_are_refused() -> None:
    with pytest.raises(BadSetting, match="given twice"):
        Link.of("8.0", type_conversions="ALL_LOSSY", slave_type_conversions="")


@pytest.mark.parametrize(("text", "says"), VERSIONS)
def test_a_version_that_is_not_known_is_refused(run, text, says) -> None:
    with pytest.raises(UnknownServer) as caught:
        Server.parse(text)
    assert says in str(caught.value)
    with pytest.raises(UsageError):
        configuration(f"links:\n  a:\n    source: {text!r}\n", "f")
    if text:
        with pytest.raises(UsageError):
            topology._server(text, "f")
        result = run("matrix", "--server", text)
        assert result.status == 2
        assert says in result.err


def test_what_an_input_tells_about_itself_is_not_a_slip_of_the_pen() -> None:
    assert str(Server.told("8.0.360")) == "MySQL 8.0.360"
    assert Server.told("5.5.5-10.6.12-MariaDB-log").flavor == "mariadb"
    assert Server.told("8.0", {"max_connections": "7"}).setting("max_connections") == "7"


@pytest.mark.parametrize("text", FILTERS)
def test_a_filter_that_is_not_known_is_refused(run, tmp_path, text) -> None:
    with pytest.raises(BadSetting, match="there is no filter"):
        filters(text)
    (tmp_path / "filters.cnf").write_text(text)
    result = run("filter", "shop.t", "--filters", "filters.cnf")
    assert result.status == 2
    assert "did you mean 'replicate-" in result.err
    assert "filters.cnf" in result.err


def test_options_that_only_begin_like_filters_are_none() -> None:
    text = "[mysqld]\nreplicate-same-server-id\nbinlog-format=ROW\nlog-bin=x\nreplicate-annotate-row-events\n"
    assert all(one.empty for one in filters(text).filters)


def test_the_data_agree_with_each_other() -> None:
    assert set(SQL_MODES) <= set(variable.knowledge.load("variables")["variables"]["sql_mode"]["set"])
    assert {spec.variable for spec in LINK_OPTIONS} <= variable.known()
    named = variable.knowledge.load("variables")["aliases"].values()
    assert {variable.standing(name) for name in named} <= {variable.Standing.DECIDES, variable.Standing.USE}


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_report_begins_with_the_server_that_nobody_named(run, tmp_path, form) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a int);")
    shown = run("check", "a.sql", "a.sql", "--format", form)
    assert shown.status == 0
    said = shown.out.index("The versions of the servers were not given: MySQL")
    assert said == 0 or said < shown.out.index("1 table: ")
    assert (
        "The versions of the servers"
        not in run("check", "a.sql", "a.sql", "--format", form, "--source-version", "8.0.36").out
    )


def test_json_and_the_library_say_it_too(run, tmp_path) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a int);")
    (tmp_path / "dump.sql").write_text("-- Server version\t8.0.36\nCREATE TABLE t (a int);")
    for files, sides in ((("a.sql", "a.sql"), ["source", "replica"]), (("a.sql", "dump.sql"), [])):
        assert json.loads(run("check", *files, "--format", "json").out)["assumed_servers"] == sides
    assert check("CREATE TABLE t (a int)", "CREATE TABLE t (a int)").assumed_servers == ("source", "replica")
    assert not check("CREATE TABLE t (a int)", "CREATE TABLE t (a int)", Link.of("8.0")).assumed_servers


def test_matrix_prints_the_server_that_it_is_asked_for(run, tmp_path) -> None:
    (tmp_path / "schemacheck.yaml").write_text(
        "links:\n  a: {source: mysql-5.6, replica: mariadb-10.11}\n  b: {source: mysql-5.7}\n"
    )
    shown = run("matrix", "--server", "8.4", "--from", "int", "--to", "bigint")
    assert shown.status == 0
    assert "MySQL 8.4." in shown.out
    assert "MariaDB" not in shown.out


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("a.inc", "-- orders\nCREATE TABLE a (x INT);\n", 3),
        ("a.tbl", "ALTER TABLE b ADD x INT;\n", 3),
        ("README.md", "# Tables\n\nRun:\n\n    CREATE TABLE a (x INT);\n", 0),
        ("a.py", 'op.execute("CREATE TABLE a (x INT)")\n', 0),
        ("a.sql.bak", "CREATE TABLE a (x INT);\n", 0),
    ],
)
def test_a_file_that_begins_with_a_definition_is_missed_whatever_its_ending(tmp_path, name, text, status):
    (tmp_path / "b.sql").write_text("CREATE TABLE b (id INT PRIMARY KEY);\n", "utf-8")
    (tmp_path / name).write_text(text, "utf-8")
    folder = str(tmp_path)
    assert main(["check", folder, folder, "--source-version", "mysql-9.7", "--no-config"]) == status
