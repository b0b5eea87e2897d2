"""`schemacheck link --statements`: what becomes of a file's statements, and that nothing unknown passes."""

from __future__ import annotations

import json

import pytest

from schemacheck.cli import main

TABLE = "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20));\n"
THREE = "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT);"
ROWS = TABLE + "-- rows\nINSERT INTO t VALUES (1, 'x');\nUPDATE t SET a = 'y' WHERE id = 1;\n"
PARENT = """CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE);
"""
DATABASE = "CREATE DATABASE d;\nCREATE TABLE d.t (a CHAR(9));\nINSERT INTO d.t VALUES (1);"
SAME = ("mysql-9.7", "mysql-9.7")
MINIMAL = ("mariadb-10.11",) * 2 + ("--binlog-format", "ROW", "--source-set", "binlog_row_image=MINIMAL")
DOWN = ("mariadb-11.8", "mariadb-10.11")
STATEMENT = (*SAME, "--binlog-format", "STATEMENT")
GENERAL = ("mysql-9.7", "mariadb-10.11", "--source-set", "collation_server=utf8mb4_general_ci")
NAMES = "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci;\n"
OLDER = ("mysql-5.7", "mysql-8.4")
UUID = "/* a comment */ INSERT INTO t\n VALUES (1, UUID());"


@pytest.mark.parametrize(
    ("link", "text", "status", "outcome", "line", "number"),
    [
        (SAME, ROWS, 0, "runs", None, None),
        (SAME, TABLE + "BEGIN;\nINSERT INTO t VALUES (1, 'x');\nCOMMIT;", 0, "runs", None, None),
        (DOWN, TABLE + "\nCREATE TABLE v (id INT, e VECTOR(3) NOT NULL);", 1, "sql_stops", 3, 4161),
        (STATEMENT, TABLE + UUID, 1, "diverges", 2, None),
        (
            ("mariadb-11.8", "mysql-9.7", "--position", "file", "--replica-set", "gtid_mode=ON"),
            ROWS,
            1,
            "io_stops",
            None,
            13117,
        ),
        # Nobody gave the GTID mode; the session is not the one that stops the link by default.
        (GENERAL, NAMES + ROWS.replace(");\n", ") COLLATE utf8mb4_general_ci;\n", 1), 0, "runs", None, None),
        (GENERAL, ROWS, 1, "sql_stops", 1, 22),
        (SAME, TABLE + "BEGIN;\nINSERT INTO t VALUES (1, 'x');", 3, "unknown", None, None),
        # Which names of time zones the replica knows is in its tables.
        (
            STATEMENT,
            TABLE + "SET time_zone = 'Europe/Berlin';\nINSERT INTO t VALUES (1, NOW());",
            3, "unknown", 3, None,
        ),
        (
            STATEMENT,
            TABLE + "SET time_zone = '+01:00';\nINSERT INTO t VALUES (1, NOW());",
            0, "runs", None, None,
        ),
        # 9.7.4 keeps the child and logs a deletion of its parent, which cascades on the replica.
        (SAME, PARENT + "REPLACE INTO p VALUES (1);", 3, "unknown", 3, None),
        (SAME, PARENT + "DELETE p, c FROM p JOIN c ON c.p = p.id;", 3, "unknown", 3, None),
        (("mysql-8.4", "mysql-8.4"), PARENT + "REPLACE INTO p VALUES (1);", 0, "runs", None, None),
        # The event carries the session's collation_server (asked of 10.11 to 11.8).
        (("mysql-5.6", "mysql-9.7"), DATABASE, 0, "runs", None, None),
        # The rows of a LIMIT are the same ones where the primary key orders them.
        (STATEMENT, TABLE + "DELETE FROM t WHERE a < 'x' ORDER BY id LIMIT 9;", 0, "runs", None, None),
        (STATEMENT, TABLE + "DELETE FROM t ORDER BY a LIMIT 9;", 3, "unknown", 2, None),
        # SC509 is about REPLACE.
        (MINIMAL, ROWS, 0, "runs", None, None),
        (MINIMAL, TABLE + "REPLACE INTO t (id) VALUES (1);", 3, "unknown", 2, None),
        # What two versions compute otherwise (asked of five pairs).
        ((*OLDER, "--binlog-format", "STATEMENT"), TABLE + "INSERT INTO t VALUES (1, 'a' RLIKE 'a.b');", 3,
         "unknown", 2, None),
        (
            (*DOWN, "--binlog-format", "STATEMENT"),
            TABLE + "INSERT INTO t VALUES (UNIX_TIMESTAMP('2050-01-01'), '');",
            3, "unknown", 2, None,
        ),
    ],
)  # fmt: skip
def test_statements_of_a_file(tmp_path, capsys, link, text, status, outcome, line, number) -> None:
    file = tmp_path / "app.sql"
    file.write_text(text)
    assert main(["link", "--no-config", *link, "--statements", str(file), "--format", "json"]) == status
    said = json.loads(capsys.readouterr().out)["statements"]
    at = None if line is None else f"{file}:{line}"
    assert (said["outcome"], said["at"], said["error"]) == (outcome, at, number)
    assert said["runs"] is {0: True, 1: False, 3: None}[status]


@pytest.mark.parametrize(
    "text",
    [
        "ANALYZE TABLE t", "ANALYZE TABLE nobody", "OPTIMIZE LOCAL TABLE t", "REPAIR TABLE t",
        "CHECK TABLE t", "FLUSH PRIVILEGES", "flush tables", "FLUSH BINARY LOGS",
        "SET unique_checks = 0, autocommit = 1",
        "SET autocommit = 0; INSERT INTO t VALUES (2, 'y'); COMMIT; SET autocommit = 1",
        "START TRANSACTION; SET time_zone = '+00:00'; SAVEPOINT a; DELETE FROM t; ROLLBACK TO a; COMMIT",
        "BEGIN WORK; SAVEPOINT a; SAVEPOINT b; RELEASE SAVEPOINT b; ROLLBACK WORK TO SAVEPOINT a; COMMIT",
        "SET transaction_isolation = 'SERIALIZABLE'", "RENAME TABLE t TO u, u TO w, w TO t",
    ],
)  # fmt: skip
def test_upkeep_and_harmless_variables_run(tmp_path, capsys, text) -> None:
    file = tmp_path / "app.sql"
    file.write_text(f"{TABLE}\n{text};\nINSERT INTO t VALUES (1, 'x');\n")
    assert main(["link", "--no-config", *SAME, "--statements", str(file)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    "odd",
    [
        "LOAD DATA INFILE 'x' INTO TABLE t", "CALL p()", "CREATE FUNCTION f() RETURNS INT RETURN 1",
        "XA START 'x'",
        "GRUMBLE t", "INSERT INTO t VALUES (1, 'x",
        "source other.sql", "\\! ls", "SET GLOBAL sql_mode = ''",
        "BEGIN; SAVEPOINT a; RELEASE SAVEPOINT a; ROLLBACK TO a", "BEGIN; SET binlog_format = ROW",
        "SET autocommit = 0; INSERT INTO t VALUES (1, 'x')", "BEGIN; ROLLBACK TO a; COMMIT",
        "SET sql_log_bin = 0", "SET sql_mode = ANSI_QUOTES", "UPDATE other.t SET a = 1",
        "INSERT INTO nobody VALUES (1)", "INSERT INTO t VALUES (f(1), 'x')", "/*!50000 DROP TABLE t */",
        "USE other; CREATE TABLE t (a INT)",
        "GRANT ALL ON *.* TO x", "PREPARE s FROM 'DROP TABLE t'", "CREATE TEMPORARY TABLE u (a INT)",
        "SET NAMES nobody", "SET time_zone = @@global.time_zone", "CREATE TABLE t (a NOTHING)",
        "DO SLEEP(1)",
        "RENAME TABLE nobody TO u", "BEGIN; DROP TABLE t", "CREATE VIEW v AS SELECT 1", "LOCK TABLES t WRITE",
        "FLUSH TABLES WITH READ LOCK", "REPAIR TABLE t USE_FRM", "SET tx_isolation = 'READ-COMMITTED'",
        "BEGIN NOT ATOMIC DROP TABLE t; END", "EXECUTE IMMEDIATE 'DROP TABLE t'", "SELECT f()",
        "ROLLBACK AND CHAIN",
        "ALTER TABLE nobody ADD b INT", "SAVEPOINT a", "CREATE TABLE c SELECT * FROM t",
        "BEGIN; ANALYZE TABLE t",
        "/* open", "SET NAMES latin1, time_zone = '+00:00'",
        "SET binlog_format = 1",
        "SET /* a */ NAMES latin1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", [SAME[0], "mariadb-11.8"])
def test_what_the_model_does_not_cover_never_passes(tmp_path, capsys, end, odd) -> None:
    file = tmp_path / "app.sql"
    file.write_text(f"USE shop;\n{TABLE}{odd}\n;")
    assert main(["link", "--no-config", end, end, "--statements", str(file)]) == 3
    assert "not decided" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "-- nothing\n", "/* nothing */ ;"])
def test_a_file_without_statements_is_an_error(tmp_path, capsys, text) -> None:
    file = tmp_path / "app.sql"
    file.write_text(text)
    assert main(["link", "--no-config", *SAME, "--statements", str(file)]) == 2
    assert "has no statement" in capsys.readouterr().err


def test_tables_may_hold_rows(tmp_path, capsys) -> None:
    file, tables = tmp_path / "app.sql", tmp_path / "schema.sql"
    file.write_text("UPDATE t SET a = UUID();")
    tables.write_text("USE shop;\n" + TABLE)
    given = ["link", "--no-config", *STATEMENT, "--statements", str(file), "--tables", str(tables)]
    assert main(given) == 1
    assert f"rows come to differ at {file}:1" in capsys.readouterr().out
    tables.write_text(TABLE + "INSERT INTO t VALUES (1, 'x');")
    assert main(given) == 1
    tables.write_text(TABLE + "CREATE TABLE u (a NOTHING);\n")
    assert main(given) == 1
    file.write_text("UPDATE u SET a = 1;")
    assert main(given) == 3
    assert main(["link", "--no-config", *SAME, "--tables", str(tables)]) == 2


@pytest.mark.parametrize("more", ["replicate_do_db=a", "slave_skip_errors=all"])
def test_settings_that_hide_statements_are_not_passed(tmp_path, capsys, more) -> None:
    file = tmp_path / "app.sql"
    file.write_text(ROWS)
    given = ["link", "--no-config", *SAME, "--replica-set", more, "--statements", str(file)]
    assert main(given) in (1, 3)
    assert "not decided" in capsys.readouterr().out


def test_a_log_purged_under_a_connected_replica_is_not_decided(tmp_path, capsys) -> None:
    file = tmp_path / "app.sql"
    file.write_text(ROWS + "\nFLUSH LOGS;\nPURGE BINARY LOGS TO 'b.000002';\n")
    link = ("mysql-9.7", "mysql-9.7", "--set", "gtid_mode=ON", "--set", "enforce_gtid_consistency=ON")
    channel = ("--position", "gtid", "--channel", "SOURCE_AUTO_POSITION=1")
    assert main(["link", "--no-config", *link, *channel, "--statements", str(file)]) == 3
    assert "not decided" in capsys.readouterr().out


def test_json_of_two_flavours_is_not_the_same_text(tmp_path, capsys) -> None:
    """MySQL sorts an object's keys, MariaDB keeps the text (asked of 9.7.4 and 11.8.9)."""
    file = tmp_path / "app.sql"
    table = TABLE.replace(");", ") COLLATE utf8mb4_general_ci;")
    file.write_text(f"{NAMES}{table}INSERT INTO t VALUES (1, JSON_OBJECT('b', 1, 'a', 2));")
    words = ("link", "--no-config", *GENERAL, "--binlog-format", "STATEMENT", "--statements", str(file))
    main([*words, "--format", "json"])
    statements = json.loads(capsys.readouterr().out)["statements"]
    assert (statements["outcome"], statements["at"]) == ("unknown", f"{file}:3")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("INSERT INTO t (id, a) VALUES (2, 'x')", 0),
        ("UPDATE t SET a = 'y' WHERE id = 1", 0),
        ("INSERT INTO t VALUES (2, 'x')", 1),
    ],
)
def test_the_tables_are_those_of_both_ends(tmp_path, capsys, text, status) -> None:
    """The replica alone has a further column: an INSERT without a column list stops it, others run."""
    ends = {"source": TABLE, "replica": TABLE.replace("));", "), b INT);")}
    for name, table in ends.items():
        (tmp_path / f"{name}.sql").write_text(table)
    (tmp_path / "app.sql").write_text(text)
    paths = [str(tmp_path / f"{name}.sql") for name in (*ends, "app")]
    arguments = ["link", "--no-config", *paths[:2], "--statements", paths[2], "--binlog-format", "STATEMENT"]
    versions = ["--source-version", "mariadb-11.8", "--replica-version", "mariadb-11.8"]
    assert main([*arguments, *versions, "--format", "json"]) == status
    outcome = json.loads(capsys.readouterr().out)["statements"]
    assert (outcome["outcome"], outcome["error"]) == (("runs", None) if status == 0 else ("sql_stops", 1136))


_DUPLICATE = "INSERT INTO t VALUES (1, 'x') ON DUPLICATE KEY UPDATE a = 'z';"
_UNIQUE = TABLE.replace("VARCHAR(20)", "VARCHAR(20) UNIQUE")


@pytest.mark.parametrize(
    ("form", "text", "status"),
    [  # MIXED logs rows where several unique keys are asked (asked of four servers)
        ("STATEMENT", TABLE + _DUPLICATE, 0),
        ("STATEMENT", _UNIQUE + _DUPLICATE, 3),
        ("MIXED", _UNIQUE + _DUPLICATE, 0),
        ("ROW", TABLE + "DELETE a, b FROM t a JOIN t b ON a.id = b.id;", 0),
        ("MIXED", TABLE + "DELETE a, b FROM t a JOIN t b ON a.id = b.id;", 3),
    ],
)
def test_statements_that_many_applications_send(tmp_path, form, text, status):
    file = tmp_path / "work.sql"
    file.write_text(text, "utf-8")
    assert main(["link", *SAME, "--binlog-format", form, "--statements", str(file)]) == status


def test_every_statement_that_is_not_decided_is_listed(tmp_path, capsys):
    file = tmp_path / "work.sql"
    file.write_text(
        _UNIQUE + f"{_DUPLICATE}\nINSERT INTO none VALUES (1);\n" + f"{_DUPLICATE}\n" * 9, "utf-8"
    )
    command = ["link", *STATEMENT, "--statements", str(file)]
    assert main(command) == 3
    out = capsys.readouterr().out
    assert "not decided at" in out
    assert "  10 more statements to look at, by line:\n    3: the definition of none is not known" in out
    assert "    4, 5, 6, 7, 8, 9, 10, 11 and 1 more: it is logged as a statement" in out
    assert main([*command, "--format", "json"]) == 3
    assert len(json.loads(capsys.readouterr().out)["statements"]["further"]) == 10


def test_a_table_that_one_end_s_settings_do_not_let_be_read_is_not_missing(tmp_path, capsys):
    (tmp_path / "tables.sql").write_text(
        "CREATE TABLE t (id INT PRIMARY KEY, d DATETIME DEFAULT '0000-00-00 00:00:00');", "utf-8"
    )
    (tmp_path / "work.sql").write_text("INSERT INTO t (id) VALUES (1);", "utf-8")
    files = ["--tables", str(tmp_path / "tables.sql"), "--statements", str(tmp_path / "work.sql")]
    assert main(["link", *SAME, *files, "--source-set", "sql_mode="]) == 3
    assert "the definition of t is not known" in capsys.readouterr().out
    assert main(["link", *SAME, *files, "--set", "sql_mode="]) == 0


@pytest.mark.parametrize(
    ("sql", "status"),
    [("UPDATE t SET rows = 1", 3), ("UPDATE t SET `rows` = 1", 0), ("UPDATE t SET t.rows = 1", 0)],
)
def test_a_word_that_is_reserved_on_the_replica_alone(tmp_path, sql, status):
    (tmp_path / "tables.sql").write_text(
        "CREATE TABLE t (id INT PRIMARY KEY, `rows` INT) CHARSET utf8mb4;", "utf-8"
    )
    (tmp_path / "work.sql").write_text(f"{NAMES}{sql} WHERE id = 1;", "utf-8")
    files = ["--tables", str(tmp_path / "tables.sql"), "--statements", str(tmp_path / "work.sql")]
    settings = ["--set", "explicit_defaults_for_timestamp=1", "--binlog-format", "STATEMENT"]
    assert main(["link", "mysql-5.6", "mariadb-10.11", *files, *settings]) == status


@pytest.mark.parametrize(
    ("zones", "form", "status"),
    [  # asked of two ends with other global and other system zones, 9.7, 10.11, 11.8
        (["--source-set", "time_zone=+00:00", "--replica-set", "time_zone=+03:00"], "STATEMENT", 0),
        (["--source-set", "system_time_zone=UTC", "--replica-set", "system_time_zone=CET"], "STATEMENT", 1),
        (["--source-set", "system_time_zone=UTC", "--replica-set", "system_time_zone=CET"], "ROW", 0),
    ],
)
def test_moments_under_the_zones_of_two_ends(tmp_path, zones, form, status):
    file = tmp_path / "work.sql"
    insert = "INSERT INTO t VALUES (1, '2024-01-01 10:00:00');"
    file.write_text(f"CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL);\n{insert}", "utf-8")
    assert main(["link", *SAME, "--binlog-format", form, "--statements", str(file), *zones]) == status


@pytest.mark.parametrize(("ends", "status"), [(SAME, 0), (("mysql-5.7", "mysql-8.0"), 1)])
def test_how_timestamps_default_comes_with_the_statement(tmp_path, ends, status):
    """Of MySQL 8.0.3 and later, and MariaDB: asked of 9.7, 10.11, 11.8."""
    for name, text in (
        ("today", "a (id INT PRIMARY KEY)"),
        ("change", "b (id INT PRIMARY KEY, t TIMESTAMP)"),
    ):
        (tmp_path / f"{name}.sql").write_text(f"CREATE TABLE {text};", "utf-8")
    today, change = str(tmp_path / "today.sql"), str(tmp_path / "change.sql")
    versions = ["--source-version", ends[0], "--replica-version", ends[1]]
    own = [
        f"--{end}-set=explicit_defaults_for_timestamp={value}"
        for end, value in (("source", 1), ("replica", 0))
    ]
    assert main(["check", today, today, "--change", change, *versions, *own]) == status


@pytest.mark.parametrize(("kind", "status"), [("VARCHAR(40)", 0), ("LONGTEXT", 3)])
def test_texts_that_are_joined_are_as_long_as_their_columns(tmp_path, kind, status):
    file = tmp_path / "work.sql"
    table = f"CREATE TABLE t (id INT PRIMARY KEY, a {kind} CHARACTER SET utf8mb4);\n"
    file.write_text(f"{table}UPDATE t SET a = CONCAT(a, 'x') WHERE id = 1;", "utf-8")
    limits = ["--set", "max_allowed_packet=1048576"]
    assert main(["link", *STATEMENT, *limits, "--statements", str(file)]) == status


@pytest.mark.parametrize(
    ("ends", "kind", "status"),
    [  # 5.6 to 10.11: asked; the replica keeps microseconds of its own
        (("mysql-5.6", "mariadb-10.11"), "DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", 1),
        (("mysql-5.6", "mariadb-10.11"), "DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP", 0),
        (("mysql-5.6", "mysql-5.7"), "DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)", 0),
    ],
)
def test_moments_that_fill_a_new_column(tmp_path, ends, kind, status):
    (tmp_path / "today.sql").write_text("CREATE TABLE t (id INT PRIMARY KEY) CHARSET latin1;", "utf-8")
    (tmp_path / "change.sql").write_text(f"ALTER TABLE t ADD COLUMN d {kind};", "utf-8")
    today, change = str(tmp_path / "today.sql"), str(tmp_path / "change.sql")
    versions = ["--source-version", ends[0], "--replica-version", ends[1], "--binlog-format", "ROW"]
    assert main(["check", today, today, "--change", change, *versions]) == status
    assert main(["plan", today, change, *versions]) == status


@pytest.mark.parametrize(
    ("source", "sql", "status"),
    [  # The own words of definitions are no names; a name in a trigger's body is one (1064).
        ("mysql-5.7", "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET NEW.id = 1;", 0),
        ("mysql-5.7", "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW INSERT INTO u (rank) VALUES (1);", 3),
        ("mariadb-10.11", "CREATE DATABASE other; DROP DATABASE IF EXISTS other;", 0),
        ("mysql-5.7", "ALTER TABLE t DROP COLUMN rows;", 3),
    ],
)
def test_words_that_are_reserved_on_the_replica_alone_in_definitions(tmp_path, source, sql, status):
    today, change = tmp_path / "today.sql", tmp_path / "change.sql"
    today.write_text("CREATE TABLE t (id INT PRIMARY KEY, `rows` INT) CHARSET latin1;", "utf-8")
    change.write_text(sql, "utf-8")
    versions = ["--source-version", source, "--replica-version", "mysql-8.0", "--binlog-format", "ROW"]
    assert main(["check", str(today), str(today), "--change", str(change), *versions]) == status


@pytest.mark.parametrize(
    ("replica", "text"),
    [
        ("CREATE TABLE t (id INT PRIMARY KEY, b INT, a INT);", "INSERT INTO t VALUES (1, 5, 6);"),
        (
            f"{THREE}CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 77;",
            "INSERT INTO t VALUES (1, 5, 6);",
        ),
        (
            f"{THREE}CREATE TRIGGER x BEFORE DELETE ON t FOR EACH ROW SIGNAL SQLSTATE '45000';",
            "DELETE FROM t WHERE a = 5;",
        ),
    ],
    ids=["order", "other values", "refused"],
)
@pytest.mark.parametrize("form", ["STATEMENT", "MIXED"])
def test_definitions_that_differ_do_not_pass(form, replica, text, tmp_path, capsys) -> None:
    """What `check` of the two inputs does not pass, no script passes (each differed on four pairs)."""
    (tmp_path / "source.sql").write_text(THREE)
    (tmp_path / "replica.sql").write_text(replica)
    (tmp_path / "work.sql").write_text(text)
    ends = (str(tmp_path / "source.sql"), str(tmp_path / "replica.sql"), "--source-version", "mysql-9.7")
    status = main(["link", *ends, "--binlog-format", form, "--statements", str(tmp_path / "work.sql")])
    assert status == 3
    assert "`check` says what becomes of t" in capsys.readouterr().out
