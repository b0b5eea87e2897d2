"""Expressions that mix character sets: what three servers printed of each in a table, or refused."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck.catalog import collation, expression_text, read
from schemacheck.catalog.collation import Collation, Mixed, together
from schemacheck.catalog.context import Context, Lines
from schemacheck.catalog.expression_collations import converted
from schemacheck.catalog.expression_scope import Scope
from schemacheck.model import Server
from schemacheck.model.expression_tree import NoTree, tree
from schemacheck.model.words import PLAIN
from schemacheck.sql.lexer import Refused

_DATA = Path(__file__).parent / "data" / "collations.jsonl.xz"
#: The table of the questions: columns of five character sets, a binary one, numbers, moments, shapes.
_COLUMNS = """l varchar(10) character set latin1, u varchar(10) collate utf8mb4_bin, b varbinary(10), i int,
    e enum('a','b'), s varchar(10) character set ucs2, d date, m varchar(10) character set utf8mb3,
    a varchar(10) character set ascii, dt datetime, bl blob, g text, y year, bt bit(5), p point,
    k varchar(10) character set koi8r"""


def _scope(server: str, charset: str) -> Scope:
    known = Server.parse(server)
    schema = read(f"create table t ({_COLUMNS}) character set {charset}", known, file="t", database="d")
    table = schema.tables[0]
    return Scope.of(table.columns, Context(known, Lines("", "")), table.charset, table.collation)


def test_what_servers_printed() -> None:
    scopes: dict[tuple[str, str], Scope] = {}
    counts: Counter[str] = Counter()
    wrong = []
    with lzma.open(_DATA, "rt", encoding="utf-8") as stream:
        for line in stream:
            server, charset, text, told = json.loads(line)
            if (server, charset) not in scopes:
                scopes[server, charset] = _scope(server, charset)
            scope = scopes[server, charset]
            try:
                found = converted(text, scope, PLAIN, 0)
                ours: str | int = expression_text.printed(found or text, scope.context)
            except Refused as error:
                if error.errno is None:
                    counts["unknown"] += 1
                    continue
                ours = error.errno
            wanted = told if isinstance(told, int) else expression_text.printed(told, scope.context)
            if isinstance(told, str) and "?" in told and isinstance(ours, str):
                # The server cannot show bytes beyond ASCII; what is compared keeps them.
                ours = re.sub(r"[^\x00-\x7f]", "?", ours)
                wanted = re.sub(r"_ucs2|\\0|\0", "", str(wanted))
            counts[server] += 1
            if ours != wanted:
                wrong.append((server, charset, text, ours, wanted))
    assert not wrong
    assert counts["mysql-9.7.4"] > 780
    assert counts["mariadb-10.11.19"] > 780
    assert counts["mariadb-11.8.6"] > 780
    assert counts["unknown"] < 20


def test_constants_that_servers_show_alike_stay_apart() -> None:
    scope = _scope("mysql-9.7.4", "latin1")
    made = {expression_text.printed(converted(f"concat(l,'{one}')", scope, PLAIN, 0) or "", scope.context)
            for one in "éü?"}  # fmt: skip
    assert len(made) == 3


_VALUES = st.builds(
    lambda name, weak, plain: Collation(name, name.partition("_")[0], weak, plain),
    st.sampled_from(("utf8mb4_general_ci", "utf8mb4_bin", "latin1_swedish_ci", "ucs2_bin", "binary")),
    st.sampled_from((collation.EXPLICIT, collation.IMPLICIT, collation.COERCIBLE, collation.NUMERIC)),
    st.booleans(),
)


@given(_VALUES, _VALUES)
def test_two_values_have_one_of_their_character_sets(left: Collation, right: Collation) -> None:
    own = Collation("latin1_swedish_ci", "latin1", collation.COERCIBLE)
    try:
        found = together([left, right], comparing=True, connection=own, ranked=False)
    except Mixed:
        assert left.name != right.name
        return
    assert found.charset in {left.charset, right.charset, own.charset}


@given(_VALUES)
def test_a_value_alone_keeps_its_collation(value: Collation) -> None:
    own = Collation("latin1_swedish_ci", "latin1", collation.COERCIBLE)
    found = together([value, value], comparing=False, connection=own, ranked=True)
    assert found == (own._replace(ascii=True) if value.derivation == collation.NUMERIC else value)


@pytest.mark.parametrize(
    "text", ["(select 1)", "a +", "f(a", "case a end when", "", "a b", "x not", "1 in 2"]
)
def test_what_is_no_expression_has_no_tree(text: str) -> None:
    with pytest.raises(NoTree):
        tree(text, PLAIN)
