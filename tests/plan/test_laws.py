"""Laws that hold for any change."""

from __future__ import annotations

import pickle
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck import catalog
from schemacheck.model import Link, Schema, Table
from schemacheck.plan import Order, plan
from schemacheck.plan.decide import bare
from schemacheck.replay.alter import alter_table, run

TYPES = (
    "int", "int unsigned", "bigint", "smallint", "decimal(8,2)", "decimal(10,2)", "varchar(10)",
    "varchar(300)", "varchar(10) character set latin1", "text",
    "enum('a','b')", "enum('b','a')", "enum('a','b','c')", "datetime", "datetime(6)", "date", "float",
    "double", "json", "bit(3)",
)  # fmt: skip
TAILS = ("", " NOT NULL", " NULL DEFAULT NULL", " NOT NULL DEFAULT 1")
SERVERS = ("mysql-5.6", "mysql-8.0.36", "mysql-9.7", "mariadb-10.11", "mariadb-11.8")
KEYS = ("", ", KEY k (a)", ", UNIQUE KEY u (a, b)")


@cache
def link(name: str, modes: str) -> Link:
    return Link.of(name, binlog_format="ROW", slave_type_conversions=modes)


@st.composite
def columns(draw) -> str:
    out = []
    for name in draw(st.permutations("abcd"))[: draw(st.integers(2, 4))]:
        kind, tail = draw(st.sampled_from(TYPES)), draw(st.sampled_from(TAILS))
        if "DEFAULT 1" in tail and not kind.startswith(("int", "bigint", "smallint", "decimal")):
            tail = " NOT NULL"
        out.append(f"`{name}` {kind}{tail}")
    return ", ".join(out)


def table(text: str, key: str, given_link: Link) -> Table | None:
    names = [
        part[1] if part.startswith("`") else part[0] for part in text.split(", ") if part.startswith("`")
    ]
    usable = not key or all(n in names for n in ("a", "b"))
    schema = catalog.read(
        f"CREATE TABLE d.t (id int NOT NULL PRIMARY KEY, {text}{key if usable else ''})", given_link.source
    )
    return schema.tables[0] if schema.tables and not schema.problems else None


@settings(max_examples=120, deadline=None)
@given(
    columns(),
    columns(),
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.sampled_from(SERVERS),
    st.sampled_from(("", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")),
)
def test_forth_and_back_are_the_same_questions(first, second, key, other, server, modes):
    given_link = link(server, modes)
    old, new = table(first, key, given_link), table(second, other, given_link)
    if old is None or new is None:
        return
    forth, back = (plan(Schema((a,)), Schema((b,)), given_link) for a, b in ((old, new), (new, old)))
    if bare(old) == bare(new):
        assert forth.tables == back.tables == ()
        return
    if forth.problems or back.problems:
        return  # a statement that could not be written
    (there,), (here,) = forth.tables, back.tables
    # Rows of the old definition on the new one are what the way back calls source first, but for values that
    # would be lost for good.
    for mine, yours in ((there.replica_first, here.source_first), (there.source_first, here.replica_first)):
        if mine and yours:
            assert [o for o in mine.obstacles if o.code] == [o for o in yours.obstacles if o.code]
    assert pickle.loads(pickle.dumps(forth)) == forth
    # The statement that is written gives what was asked for.
    sql = alter_table(old, new, given_link.source)
    if sql:
        made = run(sql, old, given_link.source)
        assert made is not None
        assert bare(made) == bare(new)
    if there.order.exists:
        assert there.passage(there.order).safe
        assert forth.order is there.order
    else:
        assert there.order is not Order.LOCK_STEP or (
            not there.replica_first.safe and not there.source_first.safe
        )


@settings(max_examples=60, deadline=None)
@given(columns(), st.sampled_from(SERVERS))
def test_no_change_is_no_plan(text, server):
    given_link = link(server, "")
    one = table(text, "", given_link)
    if one is not None:
        assert plan(Schema((one,)), Schema((one,)), given_link).stages == ()
