"""Mistakes that people make: each is told with its place and the next thing to type."""

from __future__ import annotations

import pytest

DDL = "CREATE TABLE t (id int NOT NULL PRIMARY KEY, a int);\n"
SERVER = "a live server is written mysql://user@host:port/database"
MISTAKES = [
    # what is typed, and what the last line of the answer has
    (["chekc", "a.sql", "b.sql"], ["there is no command 'chekc'", "did you mean 'check'?"]),
    (["check", "a.sql"], ["REPLICA is missing", "give a file, a directory"]),
    (["check", "a.sql", "b.sq"], ["b.sq: No such file", "did you mean 'b.sql'?"]),
    (["check", "a.sql", "b.sql", "c.sql"], ["'c.sql' is one input too many", "check --help"]),
    (["check", "a.sql", "b.sql", "--sorce-version", "8.0"], ["--sorce-version", "mean '--source-version'?"]),
    (["check", "a.sql", "b.sql", "--source-version", "8.9"], ["no mysql 8.9", "did you mean 'mysql-8.4'?"]),
    (["check", "a.sql", "b.sql", "--source-version", "postgres-14"], ["write for example mysql-8.0.36"]),
    (["check", "mysql:/root@h/db", "b.sql"], ["mysql:/root@h/db", SERVER]),
    (["check", "mysql+pymysql://u@h/db", "b.sql"], ["mysql+pymysql", SERVER]),
    (["check", "jdbc:mysql://h:3306/db", "b.sql"], ["jdbc:mysql://h", SERVER]),
    (["check", "root@localhost", "b.sql"], ["root@localhost", SERVER]),
    (["check", "db1:3306", "b.sql"], ["db1:3306", SERVER]),
    (
        ["check", "postgres://u:secret@h/db", "b.sql"],
        ["postgres is not read", "mysql://user@host:port/database"],
    ),
    (["check", "mysql://u:secret@h/db", "b.sql"], ["a password in the DSN of h", "--defaults-file"]),
    (["check", "a.sql", "b.sql", "--format", "jsn"], ["there is no format 'jsn'", "mean 'json'?"]),
    (["check", "a.sql", "b.sql", "--type-conversions", "LOSSY"], ["'LOSSY'", "did you mean 'ALL_LOSSY'?"]),
    (["check", "a.sql", "b.sql", "--fail-on", "stop"], ["--fail-on", "'stops'"]),
    (["check", "a.sql", "b.sql", "--ignore", "SC999"], ["no rule 'SC999'", "`schemacheck rules` lists them"]),
    (["check", "a.sql", "b.sql", "--set", "binlog_fromat=ROW"], ["'binlog_fromat'", "'binlog_format'?"]),
    (["check", "a.sql", "b.sql", "--set", "binlog_format"], ["--set takes NAME=VALUE"]),
    (["check", "a.sql", "b.sql", "--baseline", "none.json"], ["none.json", "`schemacheck baseline write`"]),
    (["check", "a.sql", "b.sql", "--config", "none.yaml"], ["none.yaml", "cannot be read"]),
    (["check", "a.sql", "notes.txt"], ["notes.txt: not recognised as DDL", "known formats: "]),
    (["explain", "SC999"], ["no rule and no known error 'SC999'; did you mean 'SC929'?"]),
    (["explain", "sc123"], ["no rule and no known error 'sc123'; did you mean 'SC923'?"]),
    (["explain", "signednes"], ["did you mean 'signedness'?"]),
    (["explain", "9999"], ["error 9999", "perror 9999"]),
    (["plan", "a.sql"], ["CHANGE is missing", "--against REF"]),
    (["filter", "shop.t"], ["--filters"]),
    (["check", "a.sql", "b.sql", "--ask", "locl"], ["--ask locl: write local, local:PATH, docker:IMAGE"]),
]


@pytest.mark.parametrize(("words", "told"), MISTAKES, ids=lambda given: " ".join(given)[:60])
def test_a_mistake_is_told_with_what_to_type_next(run, tmp_path, words, told):
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text(DDL)
    (tmp_path / "notes.txt").write_text("buy milk\n")
    result = run(*words)
    assert result.status == 2, result
    assert result.out == ""
    last = result.err.splitlines()[-1]
    for part in told:
        assert part in last
    assert "secret" not in result.err
    assert len(last) < 500
    assert "Traceback" not in result.err


def test_the_same_file_on_both_sides_is_noted(run, tmp_path):
    (tmp_path / "a.sql").write_text(DDL)
    result = run("check", "a.sql", "a.sql")
    assert result.status == 0
    assert result.err == "schemacheck: note: both sides are the same file\n"
    (tmp_path / "change.sql").write_text("ALTER TABLE t ADD b INT;\n")
    assert run("check", "a.sql", "a.sql", "--change", "change.sql").err == ""
    (tmp_path / "change.sql").write_text("TRUNCATE t;\n")
    told = run("check", "a.sql", "a.sql", "--change", "change.sql").err
    assert told.startswith("schemacheck: note: the change loses: t: discards every row"), told
    assert run("check", "a.sql", "a.sql", "--source-version", "5.7", "--replica-version", "8.4").err == ""


def test_a_folder_without_sql_says_how_many_files_it_holds(run, tmp_path):
    (tmp_path / "a.sql").write_text(DDL)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("buy milk\n")
    result = run("check", "folder", "a.sql")
    assert result.status == 3
    assert "no table in this input (1 file without SQL or a dump), so nothing is compared" in result.out


def test_a_table_that_is_not_understood_has_its_place(run, tmp_path):
    (tmp_path / "a.sql").write_text(DDL)
    (tmp_path / "b.sql").write_text(
        "CREATE TABLE u (id int);\nCREATE TABLE t (id int NOT NULL PRIMARY KEY,, a int);\n"
    )
    for words in (("a.sql", "b.sql"), ("b.sql", "a.sql")):
        assert "b.sql:2:45" in run("check", *words).out
