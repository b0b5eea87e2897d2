"""CREATE TABLE by its lines is what the whole statement says, or nothing is said."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemacheck.model import Server
from schemacheck.sql import flavor
from schemacheck.sql.ddl import create, lines
from schemacheck.sql.lexer import Refused, Tokens

HEADS = (
    "CREATE TABLE `t` (", "create table if not exists `d`.`t`(", "CREATE TABLE `t?` (", "CREATE TABLE t (",
    "CREATE TABLE `t` (`z` int,", "CREATE TABLE `` (", "CREATE TABLE `d`.`t` (",
)  # fmt: skip
LINES = (
    "KEY `ks` (`a`);",
    "`a` int NOT NULL", "`b` varchar(10) DEFAULT 'x,'", "`c` decimal(10,", "2)", "`d` enum('a`b','c')",
    "e int", "`f` int D#EFAULT 1", "`g` int -- why", "`h` int AS (`a` + 1)", "`a``b` int NOT NULL",
    "`` int NOT NULL", "`é` int NOT NULL", "`i` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP",
    "`j` int COMMENT 'x", "y'", "`k` int REFERENCES `p` (`q`)", "`l` int NOT NULL /* c */",
    "`m` int NULL, `n` int", "`o` varchar(10) x=1", "PRIMARY KEY (`a`)", "KEY `ka` (`a`)",
    "KEY `kab` (`a`,`b`(3) DESC)", "UNIQUE KEY `u` (`b`) USING BTREE", "KEY `kx` (`a`) IGNORED",
    "KEY `k``y` (`a`)", "KEY `kz` (`a`),`x", "FULLTEXT KEY `f` (`b`) WITH PARSER `n`",
    "CONSTRAINT `c` UNIQUE (`a`)", "CONSTRAINT `c` UNIQUE KEY `n` (`a`)", "KEY `ke` ((`a` + 1))",
    "CONSTRAINT `c1` CHECK (`a` > 0)", "CONSTRAINT `f1` FOREIGN KEY (`a`) REFERENCES `p` (`b`)",
    "KEY `kc` (`a`) COMMENT 'it''s'", "KEY (`a`)", "KEY `` (`a`)", "INDEX `w` (a)",
    "PERIOD FOR `p` (`a`,`b`)",
)  # fmt: skip
ENDS = (
    ")", ") ENGINE=InnoDB", ") ENGINE=InnoDB AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4",
    ") DEFAULT CHARSET=utf8mb4 AUTO_INCREMENT=5 COLLATE=utf8mb4_bin",
    ") AUTO_INCREMENT= DEFAULT CHARSET=utf8", ") ENGINE=InnoDB AUTO_INCREMENT=1 AUTO_INCREMENT=2",
    ") ENGINE=InnoDB AUTO_INCREMENT=018", ") COMMENT='a''b'",
    ") ENGINE=InnoDB COMMENT=' AUTO_INCREMENT=3 '", ") WITH SYSTEM VERSIONING", ") PARTITION BY HASH (`a`)",
    ")#DEFAULT CHARSET=utf8 AUTO_INCREMENT=5 COLLATE=utf8_bin", ") SELECT 1", ") ENGINE=InnoDB,",
    ") ENGINE=InnoDB AUTO_INCREMENT=23 auto_increment=9 DEFAULT CHARSET=latin1",
)  # fmt: skip
COMMAS = st.sampled_from((",", ",", ",", ",", "", ", ", ",\t"))
SERVERS = tuple(map(Server.parse, ("mysql-5.6", "mysql-9.7", "mariadb-11.8")))


def texts() -> st.SearchStrategy[str]:
    """Statements of lines, most of which are whole."""
    line = st.tuples(st.sampled_from(("", "  ")), st.sampled_from(LINES), COMMAS).map("".join)
    last = st.tuples(st.just("  "), st.sampled_from(LINES)).map("".join)
    body = st.tuples(st.lists(line, max_size=5), last).map(lambda both: [*both[0], both[1]])
    parts = st.tuples(st.sampled_from(HEADS[:3] * 3 + HEADS), body, st.sampled_from(ENDS))
    return parts.map(lambda three: "\n".join((three[0], *three[1], three[2])))


def whole(text: str, server: Server) -> object:
    """What the whole statement says; its refusal in words."""
    try:
        return create.create_table(Tokens(text), flavor.of(server))
    except Refused as refused:
        return refused.message


@pytest.mark.parametrize("server", SERVERS, ids=str)
@settings(deadline=None)
@given(st.lists(texts(), min_size=2, max_size=4))
@example(["CREATE TABLE `t` (\n  KEY `kx` (`a`) IGNORED,\n  `a` int\n)"] * 2)
@example([f"CREATE TABLE `t` (\n  KEY `k` (`a`),{more}\n  `a` int NOT NULL\n)" for more in ("", "`x,")])
def test_lines_are_parsed_as_their_whole_statement(server: Server, given: list[str]) -> None:
    for text in given:
        grammar = flavor.of(server)
        found = lines.read(text, grammar, Tokens)
        assert found is None or found.draft(grammar) == whole(text, server), text


def test_what_show_create_table_prints_is_read_by_lines() -> None:
    """Also the second time, when no line of it is cut into words."""
    grammar, cut = flavor.of(SERVERS[1]), []

    def cutter(text: str) -> Tokens:
        cut.append(text)
        return Tokens(text)

    for number in (1, 2):
        text = (
            f"CREATE TABLE `t{number}` (\n  `a{number}` mediumint unsigned NOT NULL,\n  `b` text,\n"
            f"  PRIMARY KEY (`a{number}`),\n  KEY `k{number}` (`b`(7),`a{number}`) USING HASH\n"
            f") ENGINE=InnoDB AUTO_INCREMENT={number * 77} DEFAULT CHARSET=utf8mb4"
        )
        cut.clear()
        found = lines.read(text, grammar, cutter)
        assert found is not None
        assert found.draft(grammar) == whole(text, SERVERS[1])
    assert cut == []
