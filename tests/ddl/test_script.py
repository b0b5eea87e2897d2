"""Scripts: statements, comments by version, settings, databases, and what stands around tables."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.catalog.steps import steps
from schemacheck.model import Schema, Server, TableKind
from schemacheck.sql.script import statements
from schemacheck.sql.versioned_comment import interpret

MYSQL = Server.parse("mysql-8.0.36")
MARIADB = Server.parse("mariadb-10.11.6")

CUT = "its client cuts it at its first semicolon: put DELIMITER lines around it"


def names(schema: Schema, problems: tuple[str, ...] = ()) -> list[str]:
    assert tuple(one.message.split(" (")[-1].split(")")[0] for one in schema.problems) == problems
    return [table.qualified_name for table in schema.tables]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b", ["a", "b"]),
        ("a;;  ;b;", ["a", "b"]),
        ("a ';' b; c", ["a ';' b", "c"]),
        ("a 'it''s;' b; c", ["a 'it''s;' b", "c"]),
        (r"a '\';' b; c", [r"a '\';' b", "c"]),
        ('a ";" `;` b; c', ['a ";" `;` b', "c"]),
        ("-- x;\na; # y;\nb", ["a", "b"]),
        ("a--;b", ["a--", "b"]),
        ("/* ; */ a /* ; */ b; c", ["a /* ; */ b", "c"]),
        ("delimiter $$\na; b$$\nDELIMITER ;\nc; d", ["a", "b", "c", "d"]),
        (
            "DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\nDELIMITER ;\nx",
            ["CREATE PROCEDURE p() BEGIN SELECT 1; END", "x"],
        ),
        ("", []),
        (" \n-- only\n", []),
    ],
)
def test_statements(text: str, expected: list[str]) -> None:
    assert [one.text.strip() for one in statements(text, lambda: MYSQL)] == expected


def test_statements_keep_their_offsets() -> None:
    text = "-- c\na;\n  bb ;ccc"
    found = list(statements(text, lambda: MYSQL))
    assert [text[one.start : one.start + len(one.text)] for one in found] == [one.text for one in found]


def test_no_backslash_escapes() -> None:
    text = r"a '\'; b"
    assert [
        one.text.strip()
        for one in statements(text, lambda: MYSQL.with_settings({"sql_mode": "NO_BACKSLASH_ESCAPES"}))
    ] == [r"a '\'", "b"]
    schema = read(
        r"SET sql_mode='NO_BACKSLASH_ESCAPES'; CREATE TABLE t (a VARCHAR(9) DEFAULT '\'); CREATE TABLE u (a INT)",  # noqa: E501
        MYSQL,
    )
    assert names(schema) == ["t", "u"]
    assert schema.tables[0].columns[0].default is not None
    assert schema.tables[0].columns[0].default.text == "\\"


def test_the_line_of_a_problem() -> None:
    """Of a definition alone: rows and passwords are for no report."""
    text = "INSERT INTO x VALUES (7); CREATE TABLE t (\n  a INT,,\n); CREATE TABLE u (a INT,,)"
    assert [one.line for one in read(text, MYSQL).problems if one.table] == [
        "  a INT,,", " " * 3 + "CREATE TABLE u (a INT,,)",
    ]  # fmt: skip
    for secret in ("CREATE USER x IDENTIFIED BY 'pw' y; CREATE TABLE t (a INT)", "INSERT INTO x VALUES ('pw"):
        assert all("pw" not in one.line for one in read(secret, MYSQL).problems)


@pytest.mark.parametrize(
    "text",
    [
        "\\q", "\\G", "\\-", "/* /*! */ */;", "/* /*/ */;", "/* c */delimiter //\n",
        "/*!50000 MODIFY a INT; */",
        "/*! /* c */ */;", "/*+ ' */;", "--#c\n;", "---- c\n;", "--/* c */;", "a/* c */\u00e9;",
        "\ndelimiter\nx;",
    ],
)  # fmt: skip
def test_what_clients_may_read_in_different_ways_ends_the_reading(text: str) -> None:
    for server in (MYSQL, MARIADB):
        schema = read(
            f"CREATE TABLE t (a INT);\nALTER TABLE t ADD b INT {text} ALTER TABLE t ADD c INT;", server
        )
        assert any(problem.table is None for problem in schema.problems)
        assert all(len(table.columns) == 1 for table in schema.tables)


def test_a_delimiter_that_a_client_does_not_find_ends_the_reading() -> None:
    newest = Server.parse("mysql-9.7")
    for gap in ("  \n-- c\n", "/* a/b */\n"):
        schema = read(f"{gap}DELIMITER //\nCREATE TABLE t (a INT)//", newest)
        assert not schema.tables
        assert schema.problems[0].table is None


@pytest.mark.parametrize(
    ("comment", "server", "runs"),
    [
        ("/*! x */", "mysql-5.6", True),
        ("/*! x */", "mariadb-10.11", True),
        ("/*!50100 x */", "mysql-5.6", True),
        ("/*!80023 x */", "mysql-8.0.22", False),
        ("/*!80023 x */", "mysql-8.0.23", True),
        ("/*!80023 x */", "mariadb-10.11", False),
        ("/*!50700 x */", "mariadb-10.11", False),
        ("/*!50600 x */", "mariadb-10.11", True),
        ("/*!100301 x */", "mariadb-10.11", True),
        ("/*!100301 x */", "mysql-8.0.36", False),
        ("/*M!100301 x */", "mariadb-10.11", True),
        ("/*M!110000 x */", "mariadb-10.11", False),
        ("/*M!50701 x */", "mariadb-10.11", True),
        ("/* x */", "mysql-8.0.36", None),
        ("/*!080023 x */", "mysql-8.0.36", True),
        ("/*!99999x */", "mysql-8.0.36", False),
        ("/*!\u0669\u0669\u0669\u0669\u0669 x */", "mysql-8.0.36", True),
    ],
)
def test_versioned_comments(comment: str, server: str, runs: bool | None) -> None:
    read_as = interpret(f"a {comment} b", Server.parse(server))
    assert len(read_as) == len(f"a {comment} b"), "offsets stay"
    assert read_as.split() == (
        ["a", *comment.strip("/*M!0123456789 ").split(), "b"]
        if runs
        else ["a", "b"]
        if runs is False
        else ["a", "/*", "x", "*/", "b"]
    )


def test_comment_in_a_comment_that_runs() -> None:
    assert interpret("/*!50000 a /* b */ c */ d", MYSQL).split() == ["a", "/*", "b", "*/", "c", "d"]
    assert interpret("/*!99999 a /* b */ c */ d", MYSQL).split() == ["d"]
    assert interpret("'/*!50000 a */'", MYSQL) == "'/*!50000 a */'"


def test_column_in_a_comment_by_version() -> None:
    text = "CREATE TABLE t (a INT, b INT /*!80023 INVISIBLE */, c INT /*M!100303 INVISIBLE */)"
    assert [c.invisible for c in read(text, MYSQL).tables[0].columns] == [False, True, False]
    assert [c.invisible for c in read(text, MARIADB).tables[0].columns] == [False, False, True]
    assert [c.invisible for c in read(text, Server.parse("mysql-5.7")).tables[0].columns] == [
        False,
        False,
        False,
    ]


def test_several_databases() -> None:
    text = """CREATE DATABASE one CHARACTER SET latin1; USE one; CREATE TABLE t (v VARCHAR(9));
    CREATE SCHEMA IF NOT EXISTS two DEFAULT COLLATE utf8mb4_bin; CREATE TABLE two.t (v VARCHAR(9)); USE two; CREATE TABLE `one`.u (v CHAR);
    CREATE TABLE x (a INT); DROP DATABASE two; CREATE DATABASE three; CREATE TABLE three.t LIKE one.t"""  # noqa: E501
    schema = read(text, MYSQL, database="start")
    assert names(schema) == ["one.t", "one.u", "three.t"]
    assert [table.columns[0].type.collation for table in schema.tables] == ["latin1_swedish_ci"] * 3


def test_charset_of_a_database_that_is_given() -> None:
    schema = read("CREATE TABLE t (v VARCHAR(9))", MYSQL, database="d", charsets={"d": ("utf8", "utf8_bin")})
    assert (schema.tables[0].charset, schema.tables[0].collation) == ("utf8mb3", "utf8mb3_bin")


def test_dump_around_a_table() -> None:
    text = """-- MySQL dump 10.13  Distrib 8.0.36
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
DROP TABLE IF EXISTS `t`;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `t` (
  `id` int NOT NULL AUTO_INCREMENT,
  `d` date DEFAULT '0000-00-00',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci
/*!50100 PARTITION BY RANGE (id)
(PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB) */;
LOCK TABLES `t` WRITE;
INSERT INTO `t` VALUES (1,'a;b'),(2,'it''s \\' ; x');
UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`%`*/ /*!50003 TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.id = 1; END */;;
DELIMITER ;
/*!50001 CREATE VIEW `v` AS SELECT 1 AS `a`*/;
/*!50001 DROP VIEW IF EXISTS `v`*/;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`r`@`%` SQL SECURITY DEFINER */
/*!50001 VIEW `v` AS select `t`.`id` AS `id` from `t` */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
CREATE TABLE u (a INT);
GRANT SELECT ON *.* TO x@y;
"""  # noqa: E501
    schema = read(text, MYSQL, file="dump.sql", database="d")
    assert names(schema) == ["d.t", "d.v", "d.u"]
    assert [table.kind for table in schema.tables] == [TableKind.TABLE, TableKind.VIEW, TableKind.TABLE]
    default = schema.tables[0].columns[1].default
    assert default is not None
    assert default.text == "0000-00-00", "the dump's own sql_mode permits it"
    location = schema.tables[0].columns[1].location
    assert location is not None
    assert (location.file, location.line, location.column, location.end_column) == ("dump.sql", 9, 3, 32)
    assert schema.tables[0].text is not None
    assert schema.tables[0].text.startswith("CREATE TABLE `t` (")


def test_sql_mode_is_restored() -> None:
    text = """SET @old = @@SESSION.sql_mode, sql_mode = 'ANSI_QUOTES'; CREATE TABLE "t" ("a" INT DEFAULT 1);
    SET SESSION sql_mode = @old; CREATE TABLE u (a VARCHAR(5) DEFAULT "x"); SET sql_mode = DEFAULT, NAMES utf8mb4"""  # noqa: E501
    assert names(read(text, MYSQL, database="d")) == ["d.t", "d.u"]


def test_set_statements_that_set_no_variable() -> None:
    text = """SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET SESSION TRANSACTION READ WRITE; SET GLOBAL TRANSACTION ISOLATION LEVEL SERIALIZABLE;
    SET ROLE NONE; SET NAMES 'utf8mb4'; SET NAMES DEFAULT; SET CHARSET utf8; SET autocommit=1, NAMES utf8; CREATE TABLE t (a INT)"""  # noqa: E501
    assert names(read(text, MYSQL)) == ["t"]


def test_generated_invisible_primary_key() -> None:
    text = (
        "SET sql_generate_invisible_primary_key = ON; CREATE TABLE t (a INT); CREATE TABLE u (a INT "
        "PRIMARY KEY); SET @@sql_generate_invisible_primary_key=0; CREATE TABLE x (a INT)"
    )
    tables = read(text, MYSQL, database="d").tables
    assert [(table.gipk, [c.name for c in table.columns]) for table in tables] == [
        (True, ["my_row_id", "a"]),
        (False, ["a"]),
        (False, ["a"]),
    ]
    assert [table.gipk for table in read(text, Server.parse("mysql-8.0.28"), database="d").tables] == [
        False,
        False,
        False,
    ]


def test_explicit_defaults_for_timestamp() -> None:
    text = "SET explicit_defaults_for_timestamp = {}; CREATE TABLE t (a TIMESTAMP, b TIMESTAMP)"
    server = MYSQL.with_settings({"sql_mode": ""})
    off, on = (read(text.format(value), server).tables[0].columns for value in ("OFF", "ON"))
    assert [(c.nullable, c.on_update) for c in off] == [(False, True), (False, False)]
    assert [(c.nullable, c.on_update) for c in on] == [(True, False), (True, False)]


def test_routine_without_delimiter_does_not_hide_what_follows() -> None:
    text = (
        "CREATE TABLE t (a INT); CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN IF NEW.a "
        "THEN SET NEW.b = 1; END IF; SET NEW.c = CASE WHEN 1 THEN 2 END; END; CREATE TABLE u (a INT)"
    )
    schema = read(text, MYSQL)
    assert names(schema, (CUT,)) == ["t", "u"]
    (trigger,) = schema.tables[0].triggers
    assert (trigger.timing, trigger.event, trigger.body[:9], trigger.body[-5:]) == (
        "BEFORE",
        "INSERT",
        "BEGIN IF ",
        "; END",
    )


def test_order_matters() -> None:
    text = (
        "CREATE TABLE a (x INT); RENAME TABLE a TO b, b TO c; CREATE TABLE a (y INT); DROP TABLE a, "
        "c; CREATE TABLE IF NOT EXISTS a (z INT); CREATE TABLE IF NOT EXISTS a (w INT)"
    )
    schema = read(text, MYSQL)
    assert [(t.name, t.columns[0].name) for t in schema.tables] == [("a", "z")]


def test_a_table_created_twice_is_unknown() -> None:
    schema = read("CREATE TABLE t (a INT); CREATE TABLE t (b INT)", MYSQL, database="d")
    assert schema.tables == ()
    assert [(p.table, "1050" in p.message) for p in schema.problems] == [("t", True)]
    assert [
        t.columns[0].name
        for t in read("CREATE TABLE t (a INT); CREATE OR REPLACE TABLE t (b INT)", MARIADB).tables
    ] == ["b"]


def test_name_case_by_server() -> None:
    text = "CREATE TABLE T (a INT); CREATE TABLE t (b INT)"
    assert len(read(text, MYSQL).tables) == 2
    assert read(text, MYSQL.with_settings({"lower_case_table_names": "1"})).problems[0].table == "t"


def test_sequence_and_view_are_no_tables() -> None:
    kinds = [
        t.kind
        for t in read(
            "CREATE SEQUENCE s START 1; CREATE OR REPLACE VIEW db.v AS SELECT 1", MARIADB, database="d"
        ).tables
    ]
    assert kinds == [TableKind.SEQUENCE, TableKind.VIEW]


def test_byte_order_mark() -> None:
    assert names(read("\ufeffCREATE TABLE t (a INT)", MYSQL)) == ["t"]


ROUTINES = {
    "CASE statement": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW BEGIN CASE NEW.s WHEN 1 "
                      "THEN SET NEW.s = 2; ELSE SET NEW.s = 3; END CASE; END",
    "string": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.s = 'begin', NEW.t = "
              '"case"; END',
    "comments": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW BEGIN /* begin of day */ SET "
                "NEW.s = 1; -- begin\nSET NEW.t = 2; # case\nEND",
    "names": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.`case` = 1, NEW.case "
             "= 2, NEW.begin = NEW.end; SELECT begin, end FROM x WHERE end > begin INTO @begin, @end; END",
    "one statement": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET NEW.s = 'begin'",
    "trigger order": "CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW FOLLOWS begin BEGIN SET "
                     "NEW.s = 1; END",
    "event": "CREATE EVENT e ON SCHEDULE EVERY 1 DAY COMMENT 'begin' DO DELETE FROM x",
    "event block": "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM x; IF 1 THEN BEGIN "
                   "SELECT 1; END; END IF; END",
    "body without a block": "CREATE PROCEDURE p() IF 1 THEN SELECT 1; ELSE SELECT 2; END IF",
    "function": "CREATE FUNCTION begin(begin INT) RETURNS INT DETERMINISTIC BEGIN RETURN CASE WHEN "
                "begin THEN 2 END; END",
    "loops": """CREATE PROCEDURE p(IN begin INT) COMMENT 'x' one: BEGIN
      DECLARE EXIT HANDLER FOR NOT FOUND BEGIN SELECT 1; END;
      l: LOOP LEAVE l; END LOOP l;
      WHILE 1 DO SET @a = IF(1, 2, 3); END WHILE;
      REPEAT SET @a = CASE WHEN 1 THEN IF(1, 2, 3) ELSE CASE 1 WHEN 2 THEN REPEAT('x', 3) END END; UNTIL 1 END REPEAT;
      IF (1) THEN SELECT 1; ELSEIF 2 THEN SELECT 2; ELSE IF 1 THEN SELECT 1; END IF; END IF;
      CREATE TABLE made_by_the_procedure (a INT);
    END one""",  # noqa: E501
    "handler": "CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR SQLSTATE '23000' BEGIN END; "
               "SELECT 1; END",
}  # fmt: skip


@pytest.mark.parametrize("kind", ROUTINES)
def test_routines_hide_nothing(kind: str) -> None:
    for between in (
        f"{ROUTINES[kind]};\n",
        f"DELIMITER ;;\n{ROUTINES[kind]} ;;\nDELIMITER ;\n",
        f"DELIMITER //\n/*!50003 {ROUTINES['loops']} */ //\nDELIMITER ;\n",
    ):
        made = "CREATE TABLE a (s INT, t INT, `case` INT, `begin` INT, `end` INT)"
        found = read(f"{made};\n{between}CREATE TABLE b (x INT);", MYSQL)
        cut = not between.startswith("DELIMITER") and ";" in ROUTINES[kind]
        assert names(found, (CUT,) if cut else ()) == ["a", "b"]


@pytest.mark.parametrize(
    ("rest", "tables"),
    [
        ("CREATE TABLE b (x INT);", []),
        ("USE d; CREATE TABLE b (x INT);", ["b"]),
        ("CREATE TRIGGER x AFTER DELETE ON t FOR EACH ROW SET @a = 1; CREATE TABLE b (x INT);", ["b"]),
    ],
)
def test_a_routine_that_does_not_end_is_told(rest: str, tables: list[str]) -> None:
    schema = read(f"-- x\nCREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1; END IF;\n{rest}", MYSQL)
    assert [table.name for table in schema.tables] == tables
    problem, *_ = (p for p in schema.problems if not p.skipped)
    assert problem.location is not None
    assert problem.location.line == 2
    assert "not closed" in problem.message


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        # As the clients of MySQL before 9 and of MariaDB 10.11 and 11.8 take them (recorded on those of
        # MariaDB).
        ("USE x\nCREATE TABLE t (a INT);", ["x.t"]), ("  use `x`\nCREATE TABLE t (a INT);", ["x.t"]),
        ("#c\nuse x\nCREATE TABLE t (a INT);", ["x.t"]),
        ("\\u x\nCREATE TABLE t (a INT);", ["x.t"]), ("USE x\n;CREATE TABLE t (a INT);", ["x.t"]),
        ("\\d //\nCREATE TABLE t (a INT)//CREATE TABLE u (a INT)//", ["d.t", "d.u"]),
        ("warnings\nCREATE TABLE t (a INT);", ["d.t"]), ("\\W CREATE TABLE t (a INT);", ["d.t"]),
        ("help create table\nCREATE TABLE t (a INT);", ["d.t"]),
        ("delimiter //\nuse x//\ncreate table t (a INT)//", ["x.t"]), ("prompt x>\nCREATE TABLE t (a INT);",
        ["d.t"]), ("tee /tmp/x\nCREATE TABLE t (a INT);", ["d.t"]),
    ],
)  # fmt: skip
def test_commands_of_the_client_end_with_their_line(text: str, tables: list[str]) -> None:
    """Or it is told that they are not followed."""
    schema = read(text, MYSQL, database="d")
    assert schema.problems or names(schema) == tables


@pytest.mark.parametrize(
    "text",
    [
        "source b.sql\n",
        "SOURCE b.sql;\n",
        "CALL p();\n",
        "SELECT 1 INTO @q; PREPARE s FROM @q; EXECUTE s;",
        "EXECUTE s;",
        "SET @q = (SELECT 1); PREPARE s FROM @q; EXECUTE s;",
    ],
)
def test_what_runs_unseen_is_told(text: str) -> None:
    schema = read(text + "CREATE TABLE t (a INT);", MYSQL, database="d")
    assert [table.name for table in schema.tables] == ["t"]
    assert {problem.skipped for problem in schema.problems} == {False}


@pytest.mark.parametrize(
    "text", ["exit\n", "quit;\n", "\\q", "connect other\n", "system rm x\n", "\\! rm x\n", "\\y "]
)
def test_what_the_client_does_itself_is_told(text: str) -> None:
    schema = read(f"{text} ALTER TABLE t MODIFY a INT;", MYSQL, database="d")
    assert not schema.tables
    assert [problem.skipped for problem in schema.problems][:1] == [False]


@pytest.mark.parametrize(
    "before",
    [
        "SET NAMES utf8mb4", "SET @a = 1", "SET sql_mode = ''", "COMMIT", "START TRANSACTION",
        "INSERT INTO x VALUES ('CREATE TABLE y (a INT)')", "LOCK TABLES x WRITE", "USE e",
        "DROP PROCEDURE p", "DROP TABLE IF EXISTS x", "CREATE DATABASE e", "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE x (a INT)", "SHOW TABLES", "SET STATEMENT max_statement_time=1 FOR",
        "CREATE TRIGGER tr BEFORE INSERT ON x FOR EACH ROW SET NEW.a = 1",
    ],
)  # fmt: skip
def test_a_missing_semicolon_is_told(before: str) -> None:
    for between in (" ", " /* x */ "):
        schema = read(f"{before}{between}CREATE TABLE t (a INT);", MARIADB, database="d")
        assert "t" in [problem.table for problem in schema.problems if not problem.skipped]
        assert "t" not in [table.name for table in schema.tables]


def test_a_temporary_table_hides_the_one_of_its_name() -> None:
    schema = read(
        "CREATE TABLE t (a INT); CREATE TEMPORARY TABLE t (b INT); CREATE TABLE u LIKE t; CREATE TABLE v "
        "AS SELECT * FROM t; DROP TABLE t; CREATE TABLE w LIKE t",
        MYSQL,
        database="d",
    )
    assert [(t.name, t.columns[0].name) for t in schema.tables] == [("t", "a"), ("w", "a")]
    assert [p.table for p in schema.problems] == ["u", "v"]


def test_privileges_and_texts_are_no_definitions() -> None:
    text = """CREATE TABLE t (a INT, KEY i (a)); ALTER TABLE t DROP INDEX i;
        GRANT SELECT,\nCREATE,\nCREATE VIEW,\nALTER,\nCREATE TEMPORARY TABLES ON x.* TO y;
        SHOW CREATE TABLE x;
        INSERT INTO x VALUES ('CREATE TABLE a (b INT)', "DROP TABLE c");
        SELECT 1 /* ALTER TABLE x */; -- CREATE TABLE z (a INT)
        """
    assert names(read(text, MYSQL)) == ["t"]


@pytest.mark.parametrize(
    "before",
    [
        "INSERT INTO x VALUES ('it's')",
        "SET @a = 'it's'",
        "COMMIT /*",
        "CREATE VIEW v AS SELECT 'it's'",
        "DROP PROCEDURE p /*",
    ],
)
def test_an_open_string_hides_nothing(before: str) -> None:
    schema = read(f"{before};\nCREATE TABLE t (a INT);", MYSQL, database="d")
    assert schema.tables == ()
    assert "t" in [problem.table for problem in schema.problems if not problem.skipped]


@pytest.mark.parametrize("kind", ["TRIGGER x BEFORE INSERT ON t FOR EACH ROW", "PROCEDURE x()"])
def test_a_delimiter_in_the_middle_of_a_statement_ends_nothing(kind: str) -> None:
    """The clients of MySQL 9.7 and MariaDB send it on (recorded)."""
    schema = read(
        f"DELIMITER //\nCREATE {kind} BEGIN\nSET @a = 'x\nDELIMITER ;';\nEND\nDELIMITER ;\nCREATE TABLE a "
        "(x INT);\nCREATE TABLE b (x INT);",
        MYSQL,
        database="d",
    )
    assert schema.tables == ()
    left = [
        (p.table, str(p.location)) for p in schema.problems if not p.skipped and "not read" not in p.message
    ]
    assert left == [(None, "-:6:1"), ("a", "-:7:1"), ("b", "-:8:1")]


def test_steps_tell_what_is_left_open() -> None:
    *_, last = steps(
        "CREATE TABLE t (a INT);\nCREATE PROCEDURE p() BEGIN SELECT 1; CREATE TABLE b (x INT);", MYSQL
    )
    assert [problem.location.line for problem in last.problems if problem.location] == [2]
    assert last.before == last.after


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("\\d //\nprompt x\nRENAME TABLE t TO u;delimiter //\n", None),
        ("\\d //\ndelimiter ;\nALTER TABLE t MODIFY a BIGINT;\n", "bigint"),
        ("\\p\ndelimiter //\nALTER TABLE t MODIFY a BIGINT //\n", "bigint"),
        ("\\\ndelimiter //\nALTER TABLE t MODIFY a BIGINT //\n", "bigint"),
        ("\\C utf8\ndelimiter //\nALTER TABLE t MODIFY a BIGINT //\n", "bigint"),
        ("\\d // \\d ;\nALTER TABLE t MODIFY a BIGINT;\n", "bigint"),
        ("/*! */ \\g /*! x \\c /* y */ ALTER TABLE t MODIFY a BIGINT; */ DO 2;\n", "int"),
        ("ALTER TABLE t ADD \\pdelimiter_a INT\nNOT NULL;\n", None),
        ("ALTER TABLE t ADD\ndelimiter_a\\\nINT;\n", None),
        ("ALTER TABLE t ADD\ndelimiter_a \\\nINT;\n", "int"),
        ("\\Q\nALTER TABLE t MODIFY a BIGINT;\n", None),
        ("/* c */ delimiter\n //\nALTER TABLE t MODIFY a BIGINT;\n", None),
        ("delimiter\\P x\n;\nALTER TABLE t MODIFY a BIGINT;\n", None),
        ("delimiter //\nhelp x'; ALTER TABLE t MODIFY a BIGINT; -- \n", None),
        ("\\h 'x'; ALTER TABLE t MODIFY a BIGINT;", None),
        ("\\h x  \nALTER TABLE t MODIFY a BIGINT;", None),
        ("help 'create table'\nALTER TABLE t MODIFY a BIGINT;", "bigint"),
        ("\\h x\nALTER TABLE t MODIFY a BIGINT;", "bigint"),
    ],
)
def test_lines_behind_commands(lines: str, kind: str | None) -> None:
    """A client whose buffer is empty behind a command looks for the next one at the line's begin; None: the
    server refuses something, or runs what the client was asked for help about (MariaDB 10.11's client and
    server). What is not followed is unknown.
    """
    found = read(f"CREATE TABLE t (a INT);\n{lines}", Server.parse("mariadb-10.11"))
    kinds = [table.columns[0].type.base for table in found.tables]
    assert any(not one.skipped for one in found.problems) or kinds[0] == kind


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("CREATE TABLE t (a INT); CREATE OR REPLACE DATABASE d; USE d;", {}),
        (
            (
                "CREATE DATABASE e CHARACTER SET latin1; CREATE DATABASE IF NOT EXISTS e CHARACTER SET utf8;"
                "USE e; CREATE TABLE t (a CHAR(1));"
            ),
            {"t": "latin1"},
        ),
        ("SET sql_mode = EMPTY_STRING_IS_NULL; CREATE TABLE t (a CHAR(1) DEFAULT '');", None),
        (
            (
                "CREATE TABLE t (a INT);SET @s = 'ALTER TABLE t MODIFY a BIGINT', @b = @s; PREPARE s FROM @b;"
                "EXECUTE s;"
            ),
            None,
        ),
    ],
)
def test_statements_that_change_what_is_there(text: str, kinds: dict[str, str] | None) -> None:
    """Asked of MariaDB 10.11."""
    found = read(text, Server.parse("mariadb-10.11"), database="d")
    made = {table.name: table.columns[0].type.charset for table in found.tables}
    assert (None if any(not one.skipped for one in found.problems) else made) == kinds


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        ("a INT CHECK (1 --/**/ 1), b INT CHECK (1\n)", None),
        ("a INT CHECK (1 --/* x */ 1), b INT CHECK (1\n)", None),
        ("a INT CHECK (1 --# c\n -1)", None),
        ("a INT CHECK (1 ---- c\n -1)", None),
        ("a INT CHECK (1 --\\p 1), b INT CHECK (1\n)", None),
        ("a INT CHECK (1 --/*!*/ 1), b INT CHECK (1\n)", 2),
        ("a INT CHECK (1 ---/*!*/ 1), b INT CHECK (1\n)", 2),
        ("a INT CHECK (1 ------/*!*/ 1), b INT CHECK (1\n)", None),
        ("a INT CHECK (1 /*! --*/ 1), b INT CHECK (1\n)", 2),
        ("a INT DEFAULT 1 --/*!*/c\n", None),
        ("a INT COMMENT '--# x', b INT -- -----\n", 2),
    ],
)
def test_dashes_before_comments(parts: str, count: int | None) -> None:
    """MariaDB's client takes comments out and puts a blank there: dashes before it begin a comment then.
    Before a versioned comment they are signs (MariaDB 10.11's client and server).
    """
    found = read(f"CREATE TABLE t ({parts});", Server.parse("mariadb-10.11"))
    counts = [len(table.columns) for table in found.tables]
    assert (None if found.problems else counts[0]) == count


@pytest.mark.parametrize("server", [MYSQL, MARIADB], ids=str)
@pytest.mark.parametrize(
    ("text", "encoding", "known"),
    [
        # The last byte of this letter and the backslash are one letter of GBK (asked of MariaDB: bigint).
        ("CREATE TABLE t (a INT); SET NAMES gbk;\nSELECT '\u7e17\\';\nALTER TABLE t ADD b BIGINT;\n-- ';\n",
         "utf-8", False),
        ("SET character_set_client = sjis; CREATE TABLE t (a INT COMMENT '\u30a2');", "utf-8", False),
        ("SET NAMES latin1; CREATE TABLE t (a INT, \u00e4 INT);", "utf-8", False),
        ("SET CHARACTER SET latin1; CREATE TABLE t (a INT COMMENT '\u00e4');", "utf-8", False),
        ("SET @x = 'gbk'; SET character_set_client = @x; CREATE TABLE \u00e4 (a INT)", "utf-8", False),
        ("SET NAMES latin1; CREATE TABLE t (a INT, \u00e4 INT);", "latin1", True),
        ("SET NAMES latin1; CREATE TABLE t (a INT);", "utf-8", True),
        ("SET NAMES binary; CREATE TABLE t (a INT COMMENT '\u00e4');", "utf-8", True),
        ("SET NAMES utf8; CREATE TABLE t (a INT COMMENT '\u00e4');", "utf-8", True),
        ("SET NAMES latin1; SET NAMES DEFAULT; CREATE TABLE t (a INT COMMENT '\u00e4');", "utf-8", True),
        ("SET @s=@@character_set_client; SET NAMES gbk; SET character_set_client=@s; SELECT '\u00e4'",
         "utf-8", True),
    ],
)  # fmt: skip
def test_the_character_set_that_a_script_says_it_has(
    text: str, encoding: str, known: bool, server: Server
) -> None:
    assert (not read(text, server, database="d", encoding=encoding).problems) is known


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("CREATE TABLE count(a INT)", False), ("CREATE TABLE t (a INT, KEY now(a))", False),
        ("CREATE TABLE d.count(a INT)", True), ("CREATE TABLE count (a INT)", True),
        ("CREATE TABLE `count`(a INT)", True), ("SET sql_mode = 'ANSI'; CREATE TABLE count (a INT)", False),
        ("CREATE TABLE t (a DATETIME DEFAULT NOW() ON UPDATE NOW())", True),
        ("CREATE TABLE IF NOT EXISTS t LIKE t", False), ("CREATE TABLE t (a INT, ss INT, \u00df INT)", True),
        ("CREATE TABLE t (i INT, \u0130 INT)", False), ("CREATE TABLE t (\u03c3 INT, \u03a3 INT)", False),
        ("CREATE TABLE t (a INT); ALTER ONLINE TABLE t MODIFY a BIGINT", False),
        ("CREATE TABLE t (a INT); CREATE INDEX i ON t (a) LOCK=some", False),
        ("CREATE TABLE t (a BIT(3*/))", False), ("CREATE TABLE t (a DECIMAL(3*/,1))", False),
        ("CREATE TABLE t (a INT); ALTER TABLE t ADD j VARCHAR(0x0a), MODIFY j INT", False),
        ("CREATE TABLE t (a INT); ALTER TABLE t ADD j SERIAL AS (a) VIRTUAL, MODIFY j INT", False),
        ("CREATE TABLE t (a INT); ALTER TABLE t ADD j CHAR(3), MODIFY j INT", False),  # MariaDB permits it
    ],
)  # fmt: skip
def test_what_servers_refuse(text: str, known: bool) -> None:
    """Asked of MariaDB 10.11."""
    assert (not read(text, MARIADB, database="d").problems) is known
