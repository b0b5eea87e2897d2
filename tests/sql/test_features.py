"""Features of logged statements, and the columns that they name."""

from __future__ import annotations

import pytest

from schemacheck.model import Server
from schemacheck.sql.statements.features import FEATURES, features

SERVER = Server.parse("mysql-9.7")
A_B = ("a", "b")


@pytest.mark.parametrize(
    ("sql", "marks", "inserted", "not_read"),
    [
        ("INSERT INTO t (a, b) VALUES (1, 'x')", {"insert"}, A_B, A_B),
        ("INSERT INTO t VALUES (1, 2), (3, 4)", {"insert", "no-column-list", "many-rows"}, None, A_B),
        ("INSERT INTO t (SELECT b FROM u)", {"insert", "no-column-list", "select"}, None, ("a",)),
        ("INSERT INTO t () VALUES ()", {"insert"}, (), A_B),
        ("INSERT IGNORE INTO `t` (`a`) VALUES (NOW())", {"insert", "ignore", "function"}, ("a",), A_B),
        ("REPLACE INTO t PARTITION (p) (a) VALUES (1)", {"replace", "partition"}, ("a",), A_B),
        ("INSERT INTO t (a) SELECT * FROM u", {"insert", "select"}, ("a",), None),
        ("UPDATE t SET a = 1, t.b = a + 1 WHERE id = 5", {"update"}, (), ("b",)),
        ("UPDATE t SET a = 1 ORDER BY id LIMIT 1", {"update", "order-by", "limit"}, (), A_B),
        ("UPDATE t USE INDEX (k) SET a = 2", {"update", "index-hint", "unread"}, None, None),
        ("DELETE FROM t WHERE a = @x", {"delete", "user-variable"}, (), ("b",)),
        ("DELETE FROM t WHERE b IN (SELECT id FROM u)", {"delete", "select"}, (), ("a",)),
        (
            "INSERT INTO t SET a = 1 ON DUPLICATE KEY UPDATE b = DEFAULT",
            {"insert", "on-duplicate-key", "default"}, ("a",), A_B,
        ),
        ("INSERT INTO t (a) VALUES (f(1))", {"insert", "function", "calls"}, ("a",), A_B),
        ("CREATE TABLE t (a INT)", {"definition"}, None, None),
        ("LOAD DATA INFILE 'x' INTO TABLE t", {"load"}, None, None),
        ("FROBNICATE t", {"unread"}, None, None),
    ],
)  # fmt: skip
def test_features(
    sql: str, marks: set[str], inserted: tuple[str, ...] | None, not_read: tuple[str, ...] | None
) -> None:
    found = features(sql, SERVER, database="shop")
    assert found is not None
    assert set(found.features) == marks <= set(FEATURES)
    assert found.inserted == inserted
    if not_read is None:
        assert found.read is None
    else:
        assert found.read is not None
        assert not set(found.read) & set(not_read)


@pytest.mark.parametrize(
    ("sql", "updated", "queried", "ordered"),
    [
        ("UPDATE t SET a = 1, t.b = 2 WHERE id = 5", A_B, (), ()),
        ("INSERT INTO t (id, a) VALUES (1, 2) ON DUPLICATE KEY UPDATE a = VALUES(a), t.b = 1", A_B, (), ()),
        ("UPDATE t SET a = 1 ORDER BY b, shop.t.id DESC LIMIT 1", ("a",), (), ("b", "id")),
        ("DELETE FROM t ORDER BY a + id, -b, `id` LIMIT 5", (), (), ("id",)),
        ("DELETE FROM t WHERE a IN (SELECT a FROM u ORDER BY id) LIMIT 5", (), ("shop.u",), ()),
        ("DELETE FROM t WHERE b IN (SELECT b FROM u)", (), (), ()),
        ("DELETE FROM t WHERE b IN (SELECT b FROM u GROUP BY c)", (), ("shop.u",), ()),
        ("DELETE t FROM t JOIN u USING (id)", (), (), ()),
        ("UPDATE t JOIN u USING (id) SET t.a = u.a", ("a",), ("shop.t", "shop.u"), ()),
        ("INSERT INTO t (a, b) SELECT a, b FROM u JOIN v USING (c)", (), ("shop.u", "shop.v"), ()),
        ("INSERT INTO t (a) SELECT a + 1 FROM t", (), ("shop.t",), ()),
    ],
)
def test_what_is_updated_and_in_which_order(
    sql: str, updated: tuple[str, ...], queried: tuple[str, ...], ordered: tuple[str, ...]
) -> None:
    found = features(sql, SERVER, database="shop")
    assert found is not None
    assert (found.updated, found.queried, found.ordered) == (updated, queried, ordered)


def test_what_changes_no_rows_has_none() -> None:
    assert features("BEGIN", SERVER) is None
    assert features("SELECT 1", SERVER) is None


def test_tables_bear_their_database() -> None:
    found = features("UPDATE a JOIN other.b USING (k) SET a.x = b.y", SERVER, database="shop", strict=False)
    assert found is not None
    assert found.tables == ("shop.a", "other.b")
    assert "not-strict" in found.features
