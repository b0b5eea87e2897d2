"""What comes again is cut, parsed and settled once: the answer is that of reading it alone."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemacheck import catalog
from schemacheck.catalog import context
from schemacheck.model import Schema, Server
from schemacheck.sql import cut, flavor
from schemacheck.sql.token import TokenType

PIECES = (
    "`a`", "`b c`", "``", "`a``b`", "id", "x", "N", "b", "1e", "1.5", ".5", "a.b", "`a`.`b`", ".", "0x1F",
    "0xg", "x'1F'", "n'a'", "b'01'", "x'1'", "'a'", "''", "'a''b'", "'--'", "'#'", "'`'", "`'`", "-", "-1",
    "- -", ",", "(", ")", "=", "*", "int", "VARCHAR(10)", "NOT NULL", "é", "_utf8'a'", " ", "  ", "\t", "\n",
    "\n\n", "\r\n", "'", "`", '"', "\\", "/*", "*/", "--", "#", "@", "$",
)  # fmt: skip
MODES = st.tuples(st.booleans(), st.booleans(), st.booleans())


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), MODES)
@example("`a` x'1\n'b'\n", (False, True, False))
@example("a.\nb 1.\ne5", (False, True, False))
@settings(deadline=None)
def test_lines_are_cut_as_their_whole_text(text: str, modes: tuple[bool, bool, bool]) -> None:
    ansi_quotes, backslash, dollar_quotes = modes
    wanted = cut._cutters(*modes)[0](text)
    found = cut.cut(text, ansi_quotes=ansi_quotes, backslash=backslash, dollar_quotes=dollar_quotes)
    if TokenType.OPEN in wanted.kinds:
        # It is refused where it begins: behind it nothing counts.
        last = wanted.kinds.index(TokenType.OPEN) + 1
        wanted, found = (
            one._replace(
                kinds=one.kinds[:last], starts=one.starts[:last], ends=one.ends[:last], words=one.words[:last]
            )
            for one in (wanted, found)
        )
    assert found._replace(controls=False, rests={}) == wanted._replace(controls=False)
    for index, rest in found.rests.items():
        assert not rest.strip() or text[found.starts[index] :].startswith(rest.lstrip(" \t\r"))


TYPES = (
    "int", "INT(11) UNSIGNED", "varchar(10)", "varchar(20000)", "text", "char(3) CHARACTER SET latin1",
    "decimal(10,2)", "timestamp", "datetime(6)", "json", "enum('a','b')", "bit(3)", "point", "serial",
    "double", "varchar(70000)", "wrong",
)  # fmt: skip
ATTRIBUTES = (
    "", "NOT NULL", "NULL", "DEFAULT NULL", "DEFAULT 1", "DEFAULT '1'", "DEFAULT -1.5",
    "DEFAULT CURRENT_TIMESTAMP", "DEFAULT (1+1)", "DEFAULT 'x' COMMENT 'y'", "AUTO_INCREMENT", "PRIMARY KEY",
    "UNIQUE", "COLLATE utf8mb4_bin", "ON UPDATE CURRENT_TIMESTAMP", "INVISIBLE",
    "CHECK (1)", "AS (1)", "REFERENCES p (a)", "COMMENT 'a, b'",
    "COLUMN_FORMAT FIXED", "COMPRESSED", "x=1", "WITHOUT SYSTEM VERSIONING", "PRIMARY", "DEFAULT",
)  # fmt: skip
DEFINITION = st.tuples(st.sampled_from(TYPES), st.sampled_from(ATTRIBUTES), st.sampled_from(ATTRIBUTES)).map(
    " ".join
)
SERVERS = tuple(
    Server.parse(name, settings)
    for name in ("mysql-5.6", "mysql-9.7", "mariadb-11.8")
    for settings in ({}, {"sql_mode": "ANSI", "explicit_defaults_for_timestamp": "OFF"})
)


def read(text: str, server: Server) -> Schema:
    return catalog.read(text, server, database="d", file="a.sql")


def told(schema: Schema) -> str:
    """All of it, places included."""
    return f"{schema!r}"


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(DEFINITION, min_size=1, max_size=4), st.sampled_from(SERVERS), st.sampled_from(("`{}`", "{}"))
)
def test_definitions_are_read_as_if_they_came_first(lines: list[str], server: Server, quoted: str) -> None:
    names = [quoted.format(f"c{number}") for number in range(len(lines))]
    columns = "".join(f"  {name} {line},\n" for name, line in zip(names, lines, strict=True))
    text = f"CREATE TABLE t (\n{columns}  z int\n) DEFAULT CHARSET=utf8mb4;\n"
    twice = text + text.replace("TABLE t", "TABLE   u").replace(" c", "  other_c").replace("`c", "`other c")
    again = [told(read(twice, server)), told(read(twice, server))]
    flavor.of.cache_clear()
    context._settled.cache_clear()
    assert told(read(twice, server)) == again[0] == again[1]
