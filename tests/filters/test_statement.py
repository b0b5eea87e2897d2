"""What a statement updates and reads, in the server's order."""

import pytest

from schemacheck.sql.statements import parse, parse_script


@pytest.mark.parametrize(
    ("sql", "verb", "tables"),
    [
        ("INSERT INTO db1.t SELECT * FROM a JOIN b USING (i)", "insert", "db1.t! a b"),
        ("insert low_priority ignore t values (1)", "insert", "t!"),
        ("REPLACE DELAYED INTO `a b`.`c``d` SELECT 1", "replace", "a b.c`d!"),
        ("INSERT INTO t WITH x AS (SELECT * FROM r) SELECT * FROM x", "insert", "t! r"),
        ("INSERT INTO t VALUES (NEXT VALUE FOR s)", "insert", "t!"),
        ("LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE db.t FIELDS TERMINATED BY ','", "load", "db.t!"),
        ("UPDATE t SET a=(SELECT MAX(b) FROM r)", "update", "t! r"),
        ("UPDATE LOW_PRIORITY IGNORE a AS x, db.b AS y SET y.v=1", "update-multi", "a db.b!"),
        ("UPDATE a JOIN b USING (i) SET b.v=1, a.v=2", "update-multi", "a! b!"),
        ("UPDATE a LEFT JOIN (b, c) ON a.i=b.i SET c.v=1", "update-multi", "a b c!"),
        ("UPDATE a STRAIGHT_JOIN b SET a.v=1", "update-multi", "a! b"),
        ("UPDATE a, b SET v=1", "update-multi", "a? b?"),
        ("UPDATE a, (SELECT i FROM b) q SET a.v=q.i", "update", "a! b"),
        ("DELETE FROM t WHERE i IN (SELECT i FROM r)", "delete", "t! r"),
        ("DELETE y FROM a AS x JOIN b AS y", "delete-multi", "a b!"),
        ("DELETE FROM x, y USING a AS x JOIN b AS y JOIN c", "delete-multi", "a! b! c"),
        ("DELETE a.*, db.b.* FROM a, db.b", "delete-multi", "a! db.b!"),
        ("DELETE DB.T FROM db.t JOIN r", "delete-multi", "db.t! r"),
        ("WITH c AS (SELECT * FROM r) UPDATE t JOIN c SET t.v=1", "update-multi", "t! r"),
        ("CREATE TABLE db.t LIKE m", "create-table-like", "db.t! m"),
        ("CREATE TABLE IF NOT EXISTS t (a INT) AS SELECT * FROM m", "create-table-select", "t! m"),
        ("ALTER TABLE t ADD c INT, RENAME TO u", "alter-table", "t!"),
        ("RENAME TABLE a TO b, c TO db.d", "rename-table", "a! b! c! db.d!"),
        ("DROP TABLE IF EXISTS a, db.b", "drop-table", "a! db.b!"),
        ("CREATE UNIQUE INDEX i ON db.t (a)", "create-index", "db.t!"),
        ("CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`a`@`%` SQL SECURITY INVOKER VIEW v AS SELECT * FROM t",
        "create-view", "v! t"),
        ("CREATE DEFINER=CURRENT_USER() TRIGGER g AFTER INSERT ON db.t FOR EACH ROW UPDATE u SET v=1",
        "create-trigger", "db.t!"),
        (("/*!50003 CREATE*/ /*!50020 DEFINER=`a`@`b`*/ /*!50003 TRIGGER x BEFORE INSERT ON t FOR "
         "EACH ROW SET NEW.a=1 */"), "create-trigger", "t!"),
        ("ANALYZE LOCAL TABLE t", "not-logged", "t!"),
        ("OPTIMIZE TABLE a, b", "optimize", "a! b!"),
        ("FLUSH TABLES a FOR EXPORT", "not-logged", "a!"),
        ("FLUSH TABLES", "flush", ""),
        ("GRANT SELECT (a) ON db.t TO u", "grant", "db.t!"),
        ("GRANT ALL ON db.* TO u", "grant", ""),
        ("SELECT * FROM t", "select", "t"),
        ("EXECUTE IMMEDIATE 'DELETE FROM t'", "delete", "t!"),
        ("UPDATE t FOR PORTION OF p FROM 1 TO 2 SET a=1", "unknown", ""),
        ("FROBNICATE t", "unknown", ""),
    ],
)  # fmt: skip
def test_table_list(sql: str, verb: str, tables: str) -> None:
    statement = parse(sql)
    assert statement.verb == verb
    shown = " ".join(ref.written + {True: "!", False: "", None: "?"}[ref.updated] for ref in statement.refs)
    assert shown == tables
    assert bool(statement.problems) >= (verb == "unknown")


@pytest.mark.parametrize(
    ("sql", "unsafe"),
    [
        ("INSERT INTO t VALUES (UUID(), RAND())", ("UUID()", "RAND()")),
        ("INSERT INTO t VALUES (NOW(), 'UUID()')", ()),
        ("UPDATE t SET a=1 LIMIT 1", ("LIMIT",)),
        ("INSERT INTO t VALUES (@@server_id, @@session.timestamp)", ("@@server_id",)),
        ("INSERT IGNORE INTO t SELECT * FROM u", ("INSERT ... SELECT that may keep or replace rows",)),
        ("LOAD DATA INFILE 'x' INTO TABLE t", ("LOAD DATA",)),
        ("UPDATE t SET a=CURRENT_USER()", ("CURRENT_USER",)),
    ],
)
def test_what_makes_mixed_log_rows(sql: str, unsafe: tuple[str, ...]) -> None:
    assert parse(sql).unsafe == unsafe


def test_functions_and_bodies() -> None:
    assert parse("INSERT INTO t VALUES (db.f(), g(1), NOW(), CONCAT('a'), LAST_INSERT_ID())").calls == (
        ("db", "f"),
        (None, "g"),
    )
    made = parse(
        "CREATE PROCEDURE p(IN a INT) MODIFIES SQL DATA BEGIN DECLARE x INT DEFAULT 0; INSERT INTO t VALUES "
        "(a); IF a > 1 THEN DELETE FROM u; ELSE CASE a WHEN 1 THEN UPDATE v SET i=1; END CASE; END IF; SET "
        "x = f(); END"
    )
    assert [(one.verb, [r.name for r in one.refs]) for one in made.body] == [
        ("insert", ["t"]),
        ("delete", ["u"]),
        ("update", ["v"]),
        ("do", []),
    ]
    assert made.body[-1].calls == ((None, "f"),)
    assert all("branches" in one.problems[-1] for one in made.body)


def test_scripts_keep_stored_programs_whole() -> None:
    text = (
        "CREATE PROCEDURE p() BEGIN UPDATE a SET v=CASE v WHEN 1 THEN 2 END; IF 1 THEN DELETE FROM "
        "b; END IF; END; DROP TABLE c; -- the end\nUSE x"
    )
    assert [statement.verb for statement in parse_script(text)] == ["create-procedure", "drop-table", "use"]
    assert [statement.verb for statement in parse_script("UPDATE t SET a='x;y' # ;\n; /* ; */ COMMIT")] == [
        "update",
        "commit",
    ]


@pytest.mark.parametrize(
    ("text", "verb", "tables"),
    [
        ("ANALYZE UPDATE t SET b = 1", "update", ["t"]),
        ("ANALYZE FORMAT=JSON DELETE FROM d.t WHERE a = 1", "delete", ["d.t"]),
        ("analyze insert into t values (1)", "insert", ["t"]),
        ("ANALYZE SELECT * FROM t", "select", []),
        ("ANALYZE UPDATE t JOIN s ON t.a = s.a SET t.b = 1", "update-multi", ["t"]),
        ("SET STATEMENT max_statement_time=10 FOR UPDATE t SET b = 1", "update", ["t"]),
        ("SET STATEMENT a=1, b='x FOR y' FOR ANALYZE DELETE FROM t", "delete", ["t"]),
        ("SET STATEMENT foreign_key_checks=0 FOR DROP TABLE t", "drop-table", ["t"]),
        ("SET STATEMENT a=1 FOR " * 2000 + "DROP TABLE t", "unknown", []),
        ("ANALYZE TABLE t", "analyze", ["t"]),
        ("ANALYZE LOCAL TABLE t", "not-logged", ["t"]),
    ],
)
def test_statements_inside_of_mariadbs_own(text, verb, tables):
    """They change rows and are logged, as text or as rows (asked of 10.11 and 11.8)."""
    found = parse(text)
    assert (found.text, found.verb, [ref.written for ref in found.updated]) == (text, verb, tables)
