"""Servers told by variables, replication status, option files and dump headers."""

from __future__ import annotations

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.inputs.formats.sql import server_of_dump
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.option_file import read_options
from schemacheck.inputs.settings import from_rows, merged, server_from
from schemacheck.model import Server

NAMES = {"mysql-5.6": "MySQL 5.6.24", "mysql-9.7": "MySQL 9.7.4", "mariadb-11.8": "MariaDB 11.8.6"}


@pytest.mark.parametrize("server", NAMES)
@pytest.mark.parametrize("name", ["variables.tsv", "variables.vertical.txt"])
def test_variables_tell_the_server(dumps, server, name):
    found = open_schema(str(dumps / server / "columns.truth.jsonl"), beside=[str(dumps / server / name)])
    assert str(found.server) == NAMES[server]
    assert found.server is not None
    assert found.server.given("sql_mode")
    assert found.server.setting("binlog_row_image") == "FULL"
    assert not any("does not say" in p.message for p in found.problems)
    assert len(found.server.settings) < 90


@pytest.mark.parametrize("server", NAMES)
@pytest.mark.parametrize("name", ["replica_status.vertical.txt", "replica_status.batch.tsv"])
def test_replication_status_tells_filters(dumps, server, name):
    given = Server.parse(server)
    found = open_schema(
        str(dumps / server / "columns.truth.jsonl"), server=given, beside=[str(dumps / server / name)]
    ).server
    assert found is not None
    assert found.setting("replicate_do_db") == "shop"
    assert found.setting("replicate_wild_ignore_table") == r"shop.tmp\_%"
    assert found.setting("replicate_do_table") == "shop.orders"
    assert not found.given("source_host")


@pytest.mark.parametrize(
    ("names", "rows", "expected"),
    [
        # SHOW ALL SLAVES STATUS of MariaDB 11.8.9 with two connections, SHOW REPLICA STATUS of MySQL 9.7.4.
        (
            ("Connection_name", "Master_Host", "Replicate_Do_DB", "Using_Gtid", "Replicate_Do_Domain_Ids"),
            [("", "a", "x", "Slave_Pos", "3"), ("c1", "b", "y", "Slave_Pos", "")],
            {"replicate_do_db": "x,y", "using_gtid": "Slave_Pos", "replicate_do_domain_ids": "3"},
        ),
        (
            ("Source_Host", "Source_Server_Id", "Replicate_Ignore_Server_Ids", "Auto_Position", "SQL_Delay"),
            [("a", 34171, "7, 34171", 0, 60)],
            {"replicate_ignore_server_ids": "7, 34171", "auto_position": "0"},
        ),
        (
            ("CHANNEL_NAME", "DESIRED_DELAY", "PRIVILEGE_CHECKS_USER", "REQUIRE_ROW_FORMAT"),
            [("", 0, "'pc'@'localhost'", "YES")],
            {"privilege_checks_user": "'pc'@'localhost'", "require_row_format": "YES"},
        ),
    ],
)
def test_what_a_channel_tells(names, rows, expected):
    assert from_rows("REPLICA_STATUS", Rows(names, [(None, row) for row in rows])) == expected


@pytest.mark.parametrize("server", NAMES)
def test_option_file_tells_filters_too(dumps, server):
    found = open_schema(
        str(dumps / server / "columns.truth.jsonl"),
        server=Server.parse(server),
        beside=[str(dumps / server / "filters.cnf")],
    ).server
    assert found is not None
    assert found.setting("replicate_rewrite_db") == "old_shop->shop"
    assert found.setting("replicate_wild_do_table") == "sak%.%"


@pytest.mark.parametrize("server", NAMES)
def test_without_a_server_the_columns_tell_and_the_guess_is_noted(dumps, server):
    schema = open_schema(str(dumps / server / "columns.truth.jsonl"))
    assert schema.server is None
    (note,) = [p.message for p in schema.problems if "does not say which server" in p.message]
    assert {"mysql-5.6": "MySQL 5.6", "mysql-9.7": "MySQL 8.4", "mariadb-11.8": "MariaDB 11.8"}[
        server
    ] in note
    assert (
        schema.tables
        == open_schema(str(dumps / server / "columns.truth.jsonl"), server=Server.parse(server)).tables
    )


VERSIONS = [
    ({"version": "8.0.36"}, "MySQL 8.0.36"), ({"version": "9.7.4-2", "version_comment": "(Debian)"},
    "MySQL 9.7.4"),
    ({"version": "8.0.36-28", "version_comment": "Percona Server (GPL), Release 28"},
    "Percona Server 8.0.36"),
    ({"version": "10.11.6-MariaDB-log"}, "MariaDB 10.11.6"),
    ({"version": "5.5.5-10.6.12-MariaDB-1:10.6.12+maria~ubu2004"}, "MariaDB 10.6.12"),
    ({"version": "10.4.25", "version_comment": "MariaDB Server"}, "MariaDB 10.4.25"),
    ({"version_comment": "MariaDB"}, None), ({}, None),
]  # fmt: skip


@pytest.mark.parametrize(("values", "name"), VERSIONS)
def test_versions(values, name):
    found = server_from(values)
    if name is None:
        assert found is None or found.flavor == "mariadb"
    else:
        assert str(found) == name


def test_what_a_person_gives_wins():
    reading, told, note = merged(
        Server.parse("mysql-8.0.30", {"sql_mode": "ANSI"}),
        {"version": "10.11.6-MariaDB", "sql_mode": "STRICT_ALL_TABLES", "binlog_format": "MIXED"},
    )
    assert str(reading) == "MySQL 8.0.30"
    assert reading is not None
    assert (reading.setting("sql_mode"), reading.setting("binlog_format")) == ("ANSI", "MIXED")
    assert str(told) == "MariaDB 10.11.6"
    assert "comes from MariaDB 10.11.6; read as MySQL 8.0.30" in note


def test_an_unknown_version_is_noted():
    reading, told, note = merged(Server.parse("mysql-5.6"), {"version": "3.23.58"})
    assert (str(reading), told is None or told == reading) == (str(Server.parse("mysql-5.6")), True)
    assert "3.23.58" in note


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (("-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n-- Host: h    Database: "
         "d\n-- ---\n-- Server version\t8.0.36\n"), {"version": "8.0.36"}),
        (("/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19-11.4.2-MariaDB, for "
         "Linux\n-- Server version\t11.4.2-MariaDB\n"), {"version": "11.4.2-MariaDB", "version_comment": "MariaDB"}),  # noqa: E501
        ("-- MySQLShell dump 2.0.1  Distrib Ver 8.0.36\n-- Server version\t5.7.44-log\n",
        {"version": "5.7.44-log"}),
        ("/*M!999999\\- enable the sandbox mode */ \nCREATE TABLE t (a INT);",
        {"version_comment": "MariaDB"}),
        ("CREATE TABLE t (a INT);", {}),
    ],
)  # fmt: skip
def test_dump_headers(head, told):
    assert server_of_dump(head) == told


OPTIONS = """
# comment
[client]
port = 1
[mysqld]
sql-mode = "STRICT_ALL_TABLES,ANSI" # end
binlog_format=MIXED
skip-log-slave-updates
loose-binlog-row-image = minimal
replicate-do-db=a
replicate-do-db=b
replica-type-conversions = ALL_LOSSY
log_bin
[mysqld-8.0]
binlog_format = ROW
[mysqldump]
quick
[mariadb-10.11]
init-connect='SET NAMES utf8\\s# no comment'
"""


def test_option_file():
    found = read_options(OPTIONS, "my.cnf")
    assert found == {
        "sql_mode": "STRICT_ALL_TABLES,ANSI", "binlog_format": "ROW", "log_slave_updates": "OFF",
        "binlog_row_image": "minimal", "replicate_do_db": "a,b",
        "slave_type_conversions": "ALL_LOSSY", "log_bin": "ON", "init_connect": "SET NAMES utf8 # no comment",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("binlog_fromat", "binlog_format"),
        ("binlog-formt", "binlog_format"),
        ("sql_modee", "sql_mode"),
        ("binlog_row_imege", "binlog_row_image"),
    ],
)
def test_a_slip_of_the_pen_is_no_variable(name, meant):
    """A server does not start with such a file, so it tells nothing about one."""
    with pytest.raises(InputError, match=rf"my\.cnf:2: .*{name}; did you mean {meant}\?"):
        read_options(f"[mysqld]\n{name}=x\n", "my.cnf")
    assert read_options(
        f"[mysqld]\nloose-{name}=x\nport=1\ninnodb_io_capacity=5\n[client]\n{name}=x\n", "my.cnf"
    )


def test_option_file_includes(tmp_path):
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "b.cnf").write_text("[mysqld]\nbinlog_format=ROW\n", "utf-8")
    (tmp_path / "conf.d" / "ignored.txt").write_text("nonsense", "utf-8")
    (tmp_path / "extra.cnf").write_text("[server]\nsql_mode=\n", "utf-8")
    main = tmp_path / "my.cnf"
    main.write_text("[mysqld]\nbinlog_format=MIXED\n!includedir conf.d\n!include extra.cnf\n", "utf-8")
    assert read_options(main.read_text("utf-8"), str(main)) == {"binlog_format": "ROW", "sql_mode": ""}


@pytest.mark.parametrize(
    ("text", "says"),
    [("a=1\n", r"my\.cnf:1: an option precedes"), ("[mysqld]\n!include nothing.cnf\n",
    r"my\.cnf:2: cannot include"), ("\n!frob x\n", r"my\.cnf:2: unknown directive !frob")],
)  # fmt: skip
def test_bad_option_files(text, says, tmp_path):
    file = tmp_path / "my.cnf"
    with pytest.raises(InputError, match=says):
        read_options(text, str(file))
    file.write_text(f"!include {file}\n", "utf-8")
    with pytest.raises(InputError, match="more than 10 deep"):
        read_options(file.read_text("utf-8"), str(file))


@pytest.mark.parametrize(
    ("values", "read"), [({"version": "10.11.6-MariaDB"}, "MariaDB 10.11.6"), ({}, None)]
)
def test_the_other_ends_name_is_below_what_the_input_tells(values, read):
    fallback = Server.parse("mysql-5.6")
    reading, told, note = merged(None, values, fallback)
    assert (str(reading), told and str(told), note) == (read or str(fallback), read, "")
