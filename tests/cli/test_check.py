from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import SAME

V = ("--source-version", "8.0.36")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("same.sql", "same2.sql"), 0),
        (("signed.sql", "wider.sql"), 1),
        (("signed.sql", "wider.sql", "--exit-zero"), 0),
        (("signed.sql", "wider.sql", "--type-conversions", "ALL_NON_LOSSY"), 1),
        (("signed.sql", "wider.sql", "--mode", "ALL_NON_LOSSY,ALL_UNSIGNED"), 0),
        (("signed.sql", "wider.sql", "--mode", "ALL_NON_LOSSY,ALL_UNSIGNED", "--fail-on", "compatible"), 1),
        (("signed.sql", "wider.sql", "--ignore", "SC201"), 0),
        (("signed.sql", "wider.sql", "--select", "SC1,SC3"), 0),
        (("signed.sql", "wider.sql", "--select", "SC2"), 1),
        (("broken.sql", "same.sql"), 3),
        (("same.sql", "broken.sql"), 3),
        (("broken.sql", "same.sql", "--exit-zero"), 0),
        (("same.sql", "other.sql"), 1),
        (("same.sql", "empty.sql"), 2),
        (("same.sql", "none.sql"), 2),
        (("same.sql", "none.sql", "--exit-zero"), 2),
        (("same.sql", "notext.sql"), 2),
        (("same.sql",), 2),
        (("same.sql", "same.sql", "--fail-on", "worst"), 2),
        (("same.sql", "same.sql", "--format", "pdf"), 2),
        (("same.sql", "same.sql", "--source-version", "oracle-9"), 2),
        (("same.sql", "same.sql", "--mode", "ALL_LOSSLESS"), 2),
        (("same.sql", "same.sql", "--binlog-format", "ROWS"), 2),
        (("same.sql", "same.sql", "--set", "nonsense"), 2),
        (("same.sql", "same.sql", "--set", "slave_type_conversion=ALL_LOSSY"), 2),
        (("same.sql", "same.sql", "--replica-set", "slave-exec-mode=IDEMPOTENT"), 0),
        (("same.sql", "same.sql", "--set", "innodb_flush_log_at_trx_commit=2"), 0),
        (("same.sql", "same.sql", "--source-set", "read_only=ON", "--source-set", "autocommit=0"), 0),
        (("same.sql", "same.sql", "--set", "innodb_strict_mod=OFF"), 2),
        (("same.sql", "same.sql", "--select", "SC999"), 2),
        (("same.sql", "same.sql", "--config", "none.yaml"), 2),
        (("same.sql", "same.sql", "--link", "main"), 2),
        (("same.sql", "same.sql", "--baseline", "none.json"), 2),
        (("-", "-"), 2),
        (("same.sql", "same.sql", "--output", "no/such/folder/x"), 2),
    ],
)
def test_exit_status(run, files, arguments, status):
    result = run("check", *arguments, *(() if "--source-version" in arguments else V))
    assert result.status == status, result
    if status == 2:
        assert "error:" in result.err
        assert result.out == ""
        assert "Traceback" not in result.err


def test_both_sides_and_the_summary_are_shown(run, files):
    result = run("check", "signed.sql", "wider.sql", *V)
    assert "(signed.sql:2)" in result.out
    assert "(wider.sql:2)" in result.out
    assert "1677" in result.out or "13146" in result.out
    assert "  fix      ALTER TABLE `shop`.`t`" in result.out
    last = result.out.splitlines()[-1]
    assert last.startswith("1 table: 1 stops")
    assert "ALL_NON_LOSSY,ALL_UNSIGNED" in last


def test_defaults_are_named(run, files):
    result = run("check", "same.sql", "same2.sql")
    assert "assumed: both versions (give --source-version)" in result.out
    assert "binlog_format = ROW" in run("check", "same.sql", "same2.sql", "-v").out
    told = run("check", "same.sql", "same2.sql", *V, "--binlog-format", "row", "-v")
    assert "binlog_format" not in next(line for line in told.out.splitlines() if line.startswith("assumed"))


def test_json_says_what_was_given(run, files):
    result = run(
        "check",
        "signed.sql",
        "wider.sql",
        *V,
        "--replica-version",
        "mariadb-10.11.6",
        "--replica-set",
        "SQL-Mode=",
        "-f",
        "json",
    )
    document = json.loads(result.out)
    assert document["link"]["source"] == {"flavor": "mysql", "version": "8.0.36", "settings": {}}
    assert document["link"]["replica"]["flavor"] == "mariadb"
    assert document["link"]["replica"]["settings"] == {"sql_mode": ""}
    assert not any(" server = " in text for text in document["assumptions"])
    assert document["exit_status"] == result.status == 1


def test_standard_input(process, files):
    text = (files / "signed.sql").read_text()
    result = process("check", "-", "wider.sql", *V, "-f", "concise", input=text)
    assert result.returncode == 1, result.stderr
    assert "wider.sql:2:3: stops" in result.stdout


def test_suppressions_in_standard_input(process, files):
    text = "-- schemacheck: ignore[SC201] small\n" + (files / "signed.sql").read_text()
    result = process("check", "-", "wider.sql", *V, input=text)
    assert result.returncode == 0, result.stdout
    with (files / "signed.sql").open() as stream:
        assert process("check", "-", "wider.sql", *V, stdin=stream).returncode == 1


def test_directories(run, tmp_path):
    for side, kind in (("a", "int"), ("b", "smallint")):
        (tmp_path / side / "deep").mkdir(parents=True)
        (tmp_path / side / "one.sql").write_text("CREATE TABLE shop.one (id int);\n")
        (tmp_path / side / "deep" / "two.sql").write_text(f"CREATE TABLE shop.two (\n  id {kind}\n);\n")
    result = run("check", "a", "b", *V, "-f", "concise")
    assert result.status == 1
    assert "two.sql:2:3: stops[SC202]" in result.out
    assert "2 tables: 1 ok, 1 stops" in result.out


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin1"])
def test_suppressions_are_read_in_the_files_encoding(run, tmp_path, encoding):
    text = (
        "CREATE TABLE shop.t (\n  id int unsigned NOT NULL PRIMARY KEY, -- schemacheck: "
        "ignore[SC204, SC403] ein Schl\u00fcssel\n  a int\n);\n"
    )
    (tmp_path / "s.sql").write_bytes(text.encode(encoding))
    (tmp_path / "r.sql").write_bytes(
        "CREATE TABLE shop.t (id bigint NOT NULL PRIMARY KEY, a int);".encode(encoding)
    )
    arguments = (
        "s.sql",
        "r.sql",
        *V,
        "--type-conversions",
        "ALL_NON_LOSSY",
        *(() if encoding == "utf-16" else ("--encoding", encoding)),
    )
    result = run("check", *arguments)
    assert result.status == 0, result
    (tmp_path / "s.sql").write_bytes(text.replace("schemacheck", "nothing").encode(encoding))
    assert run("check", *arguments).status == 1


def test_output_file(run, files):
    result = run("check", "signed.sql", "wider.sql", *V, "-f", "markdown", "-o", "report.md")
    assert (result.status, result.out) == (1, "")
    assert (files / "report.md").read_text().startswith("### schemacheck: Replication is at risk")


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "0"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colors(run, files, monkeypatch, arguments, environment, colored):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("check", "signed.sql", "wider.sql", *V, *arguments).out) is colored


def test_a_terminal_without_unicode_gets_ascii(process, files):
    (files / "u1.sql").write_text("CREATE TABLE shop.t (\n  `größe` int unsigned\n);\n", "utf-8")
    (files / "u2.sql").write_text("CREATE TABLE shop.t (\n  `größe` bigint\n);\n", "utf-8")
    result = process("check", "u1.sql", "u2.sql", *V, env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert result.returncode == 1, result.stderr
    assert result.stdout.isascii()
    assert r"gr\xf6\xdfe" in result.stdout


def test_quiet_and_verbose(run, files):
    assert len(run("check", "signed.sql", "wider.sql", *V, "-q").out.splitlines()) == 1
    verbose = run("check", "signed.sql", "wider.sql", *V, "-v").out
    assert "shop.t: stops (compared); smallest setting: ALL_NON_LOSSY,ALL_UNSIGNED" in verbose


def test_suppression_in_the_file(run, files):
    (files / "quiet.sql").write_text(
        (files / "signed.sql").read_text().replace("KEY\n", "KEY -- schemacheck: ignore[SC201] small\n")
    )
    result = run("check", "quiet.sql", "wider.sql", *V)
    assert result.status == 0, result.out
    assert "1 finding tolerated" in result.out
    assert "small" in run("check", "quiet.sql", "wider.sql", *V, "-v").out


CONFIG = """\
source: sql/old.sql
replica: sql/new.sql
links:
  main: {source: mysql-8.0.36, type-conversions: ALL_NON_LOSSY}
format: concise
"""


@pytest.fixture
def project(tmp_path, files):
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "old.sql").write_text((files / "signed.sql").read_text())
    (tmp_path / "sql" / "new.sql").write_text((files / "wider.sql").read_text())
    (tmp_path / "schemacheck.yaml").write_text(CONFIG)
    return tmp_path


def test_configuration_gives_paths_link_and_format(run, project, monkeypatch):
    result = run("check")
    assert result.status == 1
    assert result.out.startswith("sql/new.sql:2:3: diverges[SC204]")
    monkeypatch.chdir(project / "sql")
    assert run("check").out.startswith("new.sql:2:3: diverges[SC204]")
    assert run("check", "--mode", "ALL_NON_LOSSY,ALL_UNSIGNED").status == 0
    assert run("check", "--no-config").status == 2
    unknown = run("check", "--link", "mian")
    assert unknown.status == 2
    assert "it has: main" in unknown.err


def test_configuration_errors_name_the_place(run, project):
    (project / "schemacheck.yaml").write_text(CONFIG + "fail_on: stops\n")
    result = run("check")
    assert result.status == 2
    assert (
        "schemacheck.yaml:6:1: the configuration has no key 'fail_on'; did you mean 'fail-on'?" in result.err
    )


def test_several_links_need_a_choice(run, project):
    (project / "schemacheck.yaml").write_text(
        CONFIG.replace("format", "  other: {source: mariadb-10.11}\nformat")
    )
    assert "choose one with --link: main, other" in run("check").err
    assert run("check", "--link", "other").status == 1


def test_config_show_tells_where_values_come_from(run, project):
    out = run("config", "show", "--binlog-row-image", "MINIMAL").out
    assert "source = MySQL 8.0.36  # " in out
    assert "replica slave_type_conversions = ALL_NON_LOSSY  # " in out
    assert "replica slave_type_conversions = ALL_NON_LOSSY  # schemacheck.yaml:4:" in out
    assert "source binlog_row_image = MINIMAL  # --binlog-row-image" in out
    assert "source binlog_format = ROW  # default of MySQL 8.0.36" in out


def test_config_schema_is_the_published_one(run):
    assert json.loads(run("config", "schema").out)["$id"] == "urn:schemacheck:config:1"


def test_baseline_write_show_and_check(run, project):
    with (project / "schemacheck.yaml").open("a") as stream:
        stream.write("baseline: known.json\n")
    assert run("check").status == 2
    written = run("baseline", "write")
    assert (written.status, written.out) == (0, "")
    assert re.search(r"known.json: \d+ findings written", written.err)
    assert "diverges[SC204] shop.t.id" in run("baseline", "show").out
    assert run("check").status == 0
    assert run("check", "--no-baseline").status == 1
    (project / "sql" / "new.sql").write_text(
        "CREATE TABLE shop.t (\n  id int unsigned NOT NULL PRIMARY KEY\n);\n"
    )
    fixed = run("check")
    assert fixed.status == 0
    assert re.search(r"baseline: 0 new, 0 unchanged, \d fixed", fixed.out)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ("--set", "binlog_format=FOO"),
            "--set: binlog_format cannot be 'FOO'; known: ROW, STATEMENT, MIXED",
        ),
        (("--source-set", "binlog_row_image=SOME"), "--source-set: binlog_row_image cannot be 'SOME'"),
        (
            ("--replica-set", "lower_case_table_names=3"),
            "--replica-set: lower_case_table_names cannot be '3'",
        ),
        (("--default-charset", "bogus"), "--default-charset: no server has a character set 'bogus'"),
        (("--set", "character_set_server=bogus"), "--set: no server has a character set 'bogus'"),
        (("--set", "character_set_database=latin1"), "a session's own: give character_set_server"),
        (("--config", "c.yaml"), "c.yaml:3:33: binlog_format cannot be 'FOO'"),
    ],
)
def test_a_value_is_checked_however_it_is_given(run, files, options, told):
    (files / "c.yaml").write_text("links:\n  main:\n    source-set: {binlog_format: FOO}\n")
    refused = run("check", "same.sql", "same.sql", *V, *options)
    assert (refused.status, refused.out) == (2, "")
    assert told in refused.err
    assert (
        run(
            "check", "same.sql", "same.sql", *V, "--set", "binlog_format=row", "--default-charset", "utf8"
        ).status
        == 0
    )


@pytest.mark.parametrize("option", ["--default-charset latin1", "--set character_set_server=latin1"])
def test_settings_count_where_nobody_names_a_version(run, tmp_path, option):
    text = "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))"
    (tmp_path / "a.sql").write_text(f"{text};\n")
    (tmp_path / "b.sql").write_text(f"{text} CHARSET=latin1;\n")
    done = run("check", "a.sql", "b.sql", *option.split())
    assert (done.status, "assumed: both versions" in done.out) == (0, True)
    assert run("check", "a.sql", "b.sql").status == 1


def test_a_dump_that_tells_its_flavour_alone_is_of_the_other_ends_release(run, files):
    """mariadb-dump --skip-comments, --compact; and the replica's own log_bin says nothing of the source."""
    (files / "dump.sql").write_bytes(rb"/*M!999999\- enable the sandbox mode */ " + SAME.encode())
    (files / "replica").mkdir()
    (files / "replica/my.cnf").write_text("[mysqld]\nlog_bin = OFF\n", "utf-8")
    (files / "replica/a.sql").write_text(SAME, "utf-8")
    result = run("check", "dump.sql", "replica", "--replica-version", "mariadb-10.6", "--database", "shop")
    assert "link: MariaDB 10.6" in result.out
    assert "SC906" not in result.out
    assert "left out" not in result.out
    assert "11.8" not in result.out
