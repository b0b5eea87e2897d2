"""Functions, triggers, views and procedures that are equal in text, and not in what they were made under.

Asked of MariaDB 10.11.19 to 11.8.9.
"""

from __future__ import annotations

import pytest

from schemacheck import library
from schemacheck.model import Effect, Link, Report

TABLE = "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin);"
FUNCTION = "FUNCTION f(x VARCHAR(9)) RETURNS INT DETERMINISTIC RETURN IF(x = 'a' OR 'A' = 'a', 1, 2)"
TRIGGER = "TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 'A' = 'a'"
VIEW = "VIEW v AS SELECT a, 'A' = 'a' AS b FROM t"
OBJECTS = pytest.mark.parametrize("what", [FUNCTION, TRIGGER, VIEW])


def check(source: str, replica: str, binlog_format: str = "STATEMENT") -> Report:
    link = Link.of("mariadb-10.11.19", "mariadb-11.8.9", binlog_format=binlog_format)
    report = library.check(source, replica, link)
    assert not report.problems
    return report


def about(report: Report, word: str) -> list[str]:
    return [one.message for one in report.findings if word in one.message]


def stops_for_definer(report: Report) -> list[bool]:
    return [one.depends_on_rows for one in report.findings if one.error and one.error.number == 1449]


@OBJECTS
@pytest.mark.parametrize(
    ("source", "replica", "stops"),
    [
        ("DEFINER=root@localhost", "DEFINER=nobody@localhost", True),
        ("DEFINER=root@localhost", "DEFINER=`root`@`%`", True),
        ("DEFINER=root@localhost", "DEFINER = 'root'@'LOCALHOST'", False),
        ("DEFINER=root@localhost", "", False),
        ("", "DEFINER=nobody@localhost", False),
        ("DEFINER=root@localhost", "DEFINER=CURRENT_USER()", False),
        ("DEFINER=root@10.0.0.1", "/*!50017 DEFINER=`root`@`10.0.0.1`*/", False),
    ],
)
def test_another_definer_may_stop_the_applier(what: str, source: str, replica: str, stops: bool) -> None:
    ends = [f"{TABLE} CREATE {definer} {what};" for definer in (source, replica)]
    for binlog_format in ("STATEMENT", "MIXED"):
        assert stops_for_definer(check(*ends, binlog_format)) == [True] * stops
    assert check(*ends, "ROW").verdict is not Effect.STOPS


@pytest.mark.parametrize(
    ("source", "replica", "stops"),
    [("INVOKER", "INVOKER", 0), ("INVOKER", "DEFINER", 1), ("DEFINER", "INVOKER", 0)],
)
def test_views_that_run_with_the_rights_of_the_caller(source: str, replica: str, stops: int) -> None:
    ends = (
        f"{TABLE} CREATE DEFINER={name}@localhost SQL SECURITY {rights} {VIEW};"
        for name, rights in (("root", source), ("nobody", replica))
    )
    assert len(stops_for_definer(check(*ends))) == stops


@OBJECTS
@pytest.mark.parametrize(
    ("source", "replica", "differs"),
    [("general_ci", "bin", True), ("bin", "general_ci", True), ("bin", "bin", False), ("bin", "", False)],
)
def test_texts_have_the_collation_of_the_session_at_create(
    what: str, source: str, replica: str, differs: bool
) -> None:
    names = [f"SET NAMES utf8mb4 COLLATE utf8mb4_{one};" if one else "" for one in (source, replica)]
    report = check(*(f"{TABLE} {one} CREATE {what};" for one in names))
    assert (report.verdict is not Effect.IDENTICAL) is differs
    without = what.replace("'", "").replace("A", "a")
    assert not about(check(*(f"{TABLE} {one} CREATE {without};" for one in names)), "collation_connection")


@pytest.mark.parametrize("replica", ["general_ci", "bin"])
def test_parameters_have_the_collation_of_the_database(replica: str) -> None:
    ends = (
        f"CREATE DATABASE d COLLATE utf8mb4_{one}; USE d; {TABLE} CREATE {FUNCTION};"
        for one in ("general_ci", replica)
    )
    differs = about(
        check(*ends), "was made under the database's collation utf8mb4_general_ci, and utf8mb4_bin on"
    )
    assert bool(differs) is (replica == "bin")


CALLS = f"{TABLE} CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW CALL `p`(NEW.b);"
PROCEDURE = "CREATE PROCEDURE p(x VARCHAR(60)) INSERT INTO log_ VALUES ({});"


@pytest.mark.parametrize(
    ("source", "replica", "verdict", "message"),
    [
        (CALLS + PROCEDURE, CALLS + PROCEDURE, Effect.IDENTICAL, ""),
        (CALLS + PROCEDURE, CALLS + PROCEDURE.replace("{}", "1"), Effect.DIVERGES, "procedure p has another"),
        (CALLS + PROCEDURE, CALLS, Effect.UNSUPPORTED, "the replica has no procedure p, or its"),
        (CALLS, CALLS, Effect.UNKNOWN, "the trigger tr calls p, and no input has a procedure of this name"),
        (TABLE + PROCEDURE, TABLE, Effect.IDENTICAL, ""),
        (
            f"{CALLS} CREATE PROCEDURE p(x INT) CALL q; CREATE PROCEDURE q() SET @a = 1;",
            f"{CALLS} CREATE PROCEDURE p(x INT) CALL q; CREATE PROCEDURE q() SET @a = 2;",
            Effect.DIVERGES,
            "the procedure q has another",
        ),
    ],
)  # fmt: skip
def test_procedures_that_a_trigger_calls(source: str, replica: str, verdict: Effect, message: str) -> None:
    report = check(source.replace("{}", "x"), replica.replace("{}", "x"))
    assert report.verdict is verdict
    assert bool(about(report, message)) is (verdict is not Effect.IDENTICAL)


@pytest.mark.parametrize(
    ("modes", "query", "verdict"),
    [
        ("PIPES_AS_CONCAT", "'x' || 'y'", Effect.DIVERGES),
        ("ANSI_QUOTES", '"a"', Effect.DIVERGES),
        ("ANSI_QUOTES", "a", Effect.IDENTICAL),
        ("STRICT_ALL_TABLES", "'x' || 'y'", Effect.IDENTICAL),
    ],
)
def test_a_view_is_read_under_the_sql_mode_of_its_create(modes: str, query: str, verdict: Effect) -> None:
    """Asked of MariaDB 11.8: an UPDATE that reads the view stores 0 on the source, 'xy' on the replica."""
    view = f"CREATE VIEW v AS SELECT a, {query} AS c FROM t;"
    report = check(f"{TABLE} {view}", f"{TABLE} SET sql_mode = '{modes}'; {view}")
    assert bool(about(report, "the view v is another view")) is (verdict is Effect.DIVERGES)
    assert (report.verdict is Effect.IDENTICAL) is (verdict is Effect.IDENTICAL)


@pytest.mark.parametrize("what", [FUNCTION, TRIGGER])
@pytest.mark.parametrize(
    ("source", "replica", "effect"),
    [
        ("", "STRICT_ALL_TABLES", Effect.UNKNOWN),
        ("STRICT_TRANS_TABLES", "STRICT_TRANS_TABLES,NO_ZERO_DATE", Effect.UNKNOWN),
        ("STRICT_TRANS_TABLES", "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION", None),
    ],
)
def test_another_strictness_is_not_known(what: str, source: str, replica: str, effect: Effect | None) -> None:
    """Asked of MariaDB 11.8: a trigger that clips a value on the source stops the replica with 1264."""
    ends = [f"{TABLE} SET sql_mode = '{modes}'; CREATE {what};" for modes in (source, replica)]
    for binlog_format in ("STATEMENT", "MIXED"):
        found = [one for one in check(*ends, binlog_format).findings if "on one end only" in one.message]
        assert [one.effect for one in found] == ([effect] if effect else [])
    assert not about(check(*ends, "ROW"), "on one end only")


@pytest.mark.parametrize("what", [FUNCTION, TRIGGER])
def test_the_strictness_that_nobody_gave_is_the_other_ends(what: str) -> None:
    script = f"{TABLE} CREATE {what};"
    report = library.check(script, script, Link.of("mysql-5.6", "mysql-9.7", binlog_format="STATEMENT"))
    assert not about(report, "on one end only")


@pytest.mark.parametrize("what", [FUNCTION, TRIGGER])
@pytest.mark.parametrize(
    ("modes", "differs"), [("", True), ("STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO", False)]
)
def test_a_strictness_that_one_end_gives_meets_the_others_default(
    what: str, modes: str, differs: bool
) -> None:
    """1264 on MySQL 9.7 where the source's trigger was made under an empty sql_mode."""
    ends = f"{TABLE} SET sql_mode = '{modes}'; CREATE {what};", f"{TABLE} CREATE {what};"
    for pair in (ends, ends[::-1]):
        assert bool(about(check(*pair), "on one end only")) is differs
