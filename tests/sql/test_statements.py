"""Statements that are no definitions as typed values, read under the server's own lexical rules."""

import pytest

from schemacheck.model import Server
from schemacheck.sql.assignment import Assignment, Literal, Variable, Word
from schemacheck.sql.statements import parse, parse_script
from schemacheck.sql.statements.value import (
    AccountStatement,
    ChangeFilterStatement,
    DataStatement,
    PrepareStatement,
    ProgramStatement,
    SetStatement,
    TransactionStatement,
    UseStatement,
)

ANSI = Server.parse("mysql-9.7", {"sql_mode": "ANSI_QUOTES,NO_BACKSLASH_ESCAPES"})
MARIADB = Server.parse("mariadb-11.8")


@pytest.mark.parametrize(
    ("sql", "assignments"),
    [
        ("SET autocommit=0", [Assignment(("autocommit",), Literal("0"))]),
        ("SET @@SESSION.sql_mode := 'ANSI'", [
            Assignment(("sql_mode",), Literal("ANSI", quoted=True), "session"),
        ]),
        ("SET GLOBAL a.replicate_do_db = DEFAULT", [
            Assignment(("a", "replicate_do_db"), Word("DEFAULT"), "global"),
        ]),
        ("SET @x = @@sql_mode, @z = CONCAT(@@sql_mode, ',', @y), b = 1+1", [
            Assignment(("x",), Variable("sql_mode", user=False), user=True),
            Assignment(("z",), None, user=True),
            Assignment(("b",), None),
        ]),
        ("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", []),
    ],
)  # fmt: skip
def test_set(sql: str, assignments: list[Assignment]) -> None:
    found = parse(sql)
    assert isinstance(found, SetStatement)
    assert list(found.assignments) == assignments


def test_set_names_has_its_character_set_and_collation() -> None:
    found = parse("SET NAMES latin1 COLLATE latin1_bin")
    assert isinstance(found, SetStatement)
    assert (found.charset, found.collation) == ("latin1", "latin1_bin")


@pytest.mark.parametrize(
    ("sql", "verb", "scope", "accounts"),
    [
        ("CREATE USER IF NOT EXISTS u, 'v'@'h%' IDENTIFIED BY 'x,y'", "create-user", "user",
         ("'u'@'%'", "'v'@'h%'")),
        ("DROP USER `a b`@db.example.com", "drop-user", "user", ("'a b'@'db.example.com'",)),
        ("GRANT SELECT (a, b) ON d.t TO u@localhost", "grant", "column", ("'u'@'localhost'",)),
        ("REVOKE ALL ON d.* FROM u", "revoke", "db", ("'u'@'%'",)),
        ("SET PASSWORD FOR u = 'x'", "set-password", "password", ()),
    ],
)  # fmt: skip
def test_accounts(sql: str, verb: str, scope: str, accounts: tuple[str, ...]) -> None:
    found = parse(sql)
    assert isinstance(found, AccountStatement)
    assert (found.verb, found.scope, found.accounts) == (verb, scope, accounts)


@pytest.mark.parametrize(
    ("sql", "server", "refs"),
    [
        ('UPDATE "t" SET "a" = \'\\\' WHERE b = 1', ANSI, ["t"]),
        ("UPDATE t SET a = 'it\\'s' # ; DELETE FROM x\n WHERE b = 1", MARIADB, ["t"]),
        ("INSERT INTO a /*!99999 (b) */ SELECT * FROM /*M!100100 c */", MARIADB, ["a", "c"]),
        ("INSERT INTO 1t VALUES (1)", MARIADB, ["1t"]),
        ("UPDATE t\u00a0x SET a = 1", MARIADB, ["t\u00a0x"]),
    ],
)
def test_data_statements_are_read_under_the_servers_rules(sql: str, server: Server, refs: list[str]) -> None:
    found = parse(sql, server)
    assert isinstance(found, DataStatement), found
    assert [ref.name for ref in found.refs] == refs
    assert found.problems == ()


def test_what_is_not_closed_is_unknown_and_says_so() -> None:
    found = parse("UPDATE t SET a = 'x", MARIADB)
    assert found.verb == "unknown"
    assert "this string is not closed" in found.problems[0]


def test_transactions_programs_and_the_rest() -> None:
    back = parse("ROLLBACK WORK TO SAVEPOINT s")
    assert isinstance(back, TransactionStatement)
    assert back.verb == "rollback-to"
    done = parse("XA COMMIT 'x' ONE PHASE")
    assert isinstance(done, TransactionStatement)
    trigger = parse("CREATE TRIGGER d.g BEFORE UPDATE ON t FOR EACH ROW SET NEW.a = OLD.b")
    assert isinstance(trigger, ProgramStatement)
    assert (trigger.name, trigger.event, trigger.needs and trigger.needs.columns) == (
        ("d", "g"), "update", (("new", "a"), ("old", "b")),
    )  # fmt: skip
    prepared = parse("PREPARE p FROM 'DELETE FROM t WHERE a = ''x'''")
    assert isinstance(prepared, PrepareStatement)
    assert prepared.prepared is not None
    assert prepared.prepared.text == "DELETE FROM t WHERE a = 'x'"
    filters = parse("CHANGE REPLICATION FILTER REPLICATE_REWRITE_DB = ((a, b)) FOR CHANNEL 'c'")
    assert isinstance(filters, ChangeFilterStatement)
    assert (filters.filters, filters.channel) == ((("REPLICATE_REWRITE_DB", ("a->b",)),), "c")


def test_a_script_gives_each_statement_with_its_place() -> None:
    text = "USE d;\nCREATE PROCEDURE p()\nBEGIN\n  DELETE FROM t;\nEND;\nINSERT INTO t VALUES (1);"
    found = parse_script(text, MARIADB)
    assert [one.verb for one in found] == ["use", "create-procedure", "insert"]
    assert isinstance(found[0], UseStatement)
    assert [text[one.start :].split(maxsplit=1)[0] for one in found] == ["USE", "CREATE", "INSERT"]
    assert [inner.verb for inner in found[1].body] == ["delete"]


def test_a_function_before_a_blank_is_no_name_under_ignore_space() -> None:
    text = "CREATE TABLE count (a INT)"
    assert parse(text, Server.parse("mysql-9.7")).verb == "create-table"
    assert parse(text, Server.parse("mysql-9.7", {"sql_mode": "IGNORE_SPACE"})).verb == "unknown"


def test_a_script_leaves_out_what_has_no_words() -> None:
    assert [one.start for one in parse_script("SELECT 1; /* none */; SELECT 2")] == [0, 22]
    assert parse("/* none */").problems == ("there is no statement here",)
