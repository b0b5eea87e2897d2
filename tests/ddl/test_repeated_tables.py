"""A table of lines that came before is the table that its whole statement makes."""

from __future__ import annotations

import gc
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemacheck import catalog
from schemacheck.catalog import known_lines, repeated_set
from schemacheck.catalog import settings as of_session
from schemacheck.catalog.steps import steps
from schemacheck.model import Server
from schemacheck.sql import script

NAMES = ("id", "a", "B", "b", "c", "d", "e", "fts_doc_id", "DB_ROW_ID", "x" * 65, "é", "t ", "primary")
DEFINITIONS = (
    "bigint NOT NULL AUTO_INCREMENT", "int NOT NULL", "int DEFAULT NULL", "int NULL DEFAULT '1'", "int",
    "varchar(255) DEFAULT NULL", "varchar(255) NOT NULL DEFAULT ''", "varchar(2000) DEFAULT NULL",
    "varchar(16000) NOT NULL", "varchar(0) NOT NULL", "char(20) COLLATE utf8mb4_bin NOT NULL", "text",
    "longtext NOT NULL", "tinyblob", "json DEFAULT NULL", "point NOT NULL", "bit(3) DEFAULT b'101'",
    "timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP", "timestamp NULL DEFAULT NULL",
    "timestamp NOT NULL", "timestamp", "datetime(3) DEFAULT CURRENT_TIMESTAMP(3)", "datetime DEFAULT now(9)",
    "datetime NOT NULL ON UPDATE CURRENT_TIMESTAMP", "date DEFAULT '2024-02-30'", "decimal(10,2) NOT NULL",
    "enum('a','b') DEFAULT 'c'", "set('x','y') NOT NULL", "int INVISIBLE", "int UNIQUE", "int PRIMARY KEY",
    "int AS (1) VIRTUAL", "int DEFAULT (1 + 1)", "int COMMENT 'it`s'", "serial", "char(255) NOT NULL",
    "varbinary(800) NOT NULL", "int WITHOUT SYSTEM VERSIONING", "int DEFAULT 'x'", "text COMPRESSED",
)  # fmt: skip
KEYS = (
    "PRIMARY KEY (`id`)", "PRIMARY KEY (`a`,`b`)", "UNIQUE KEY `u` (`a`)", "UNIQUE KEY `U` (`b`,`id` DESC)",
    "KEY `k` (`c`)", "KEY `k2` (`c`,`C`)", "KEY `p` (`d`(10))", "KEY `PRIMARY` (`a`)", "KEY `h` (`z`)",
    "KEY `GEN_CLUST_INDEX` (`a`)", "FULLTEXT KEY `f` (`c`)", "KEY `s ` (`a`)", "KEY (`a`)",
    "UNIQUE KEY `i` (`a`) INVISIBLE", "KEY `hash` (`a`) USING HASH", "KEY `tree` (`a`) USING BTREE",
    "KEY `said` (`a`) COMMENT 'x'", "SPATIAL KEY `g` (`c`)", "CONSTRAINT `c` CHECK (`a` > 0)",
    "CONSTRAINT `r` FOREIGN KEY (`a`) REFERENCES `t` (`id`)", "KEY `long` (`a`,`b`,`c`,`d`,`e`)",
    "CONSTRAINT `r2` FOREIGN KEY (`id`) REFERENCES `u` (`id`) ON DELETE CASCADE ON UPDATE SET NULL",
    "CONSTRAINT FOREIGN KEY (`B`,`id`) REFERENCES `t` (`a`,`B`)", "FOREIGN KEY (`a`) REFERENCES `v`",
    "CONSTRAINT `r` FOREIGN KEY (`a`) REFERENCES `d`.`t` (`ID`)", "UNIQUE KEY `up` (`a`(7),`id`)",
    "PRIMARY KEY (`c`(3))", "KEY `zero` (`c`(0))", "KEY `all` (`d`(20))", "KEY `most` (`c`(255),`d`(255))",
    "KEY `huge` (`c`(1500))", "FULLTEXT KEY `ft` (`c`,`d`)", "FULLTEXT KEY `fts_doc_id_index` (`d`)",
    "FULLTEXT KEY `fp` (`c`) /*!50100 WITH PARSER `ngram` */", "FULLTEXT KEY `fl` (`c`(3))",
    "CONSTRAINT `c2` CHECK (`b` > `id`)", "CHECK (`a` <> 1)", "CONSTRAINT `c` CHECK (`z` = 1)",
    "CONSTRAINT `c3` CHECK (now() > `a`)", "CONSTRAINT `c4` CHECK (`c` = _utf8mb4'é')", "CHECK (`a`)",
    "CONSTRAINT `cn` CHECK (`a` > 0) /*!80016 NOT ENFORCED */",
)  # fmt: skip
ENDS = (
    ") ENGINE=InnoDB", ") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4", ") DEFAULT CHARSET=latin1",
    ") ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 ROW_FORMAT=DYNAMIC COMMENT='x'", ") ENGINE=MyISAM", ")",
    ") ENGINE=InnoDB ROW_FORMAT=COMPACT", ") ENGINE=InnoDB ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=1",
    ") ENGINE=Memory", ") ENGINE=InnoDB KEY_BLOCK_SIZE=3", ") DEFAULT CHARSET=latin1 COLLATE=utf8mb4_bin",
    ") ENGINE=InnoDB STATS_PERSISTENT=1", ") ENGINE=InnoDB WITH SYSTEM VERSIONING",
)  # fmt: skip
BETWEEN = (
    "/*!40000 ALTER TABLE `t` DISABLE KEYS */;\n",
    "ALTER TABLE `u` ENABLE KEYS;\n",
    "",
    "SET sql_mode = '';\n",
    "DROP TABLE IF EXISTS `t`;\n",
    "SET NAMES utf8mb4;\n/* x */ ",
)
LAX = {"sql_mode": "", "innodb_strict_mode": "OFF"}
SERVERS = (
    Server.parse("mysql-5.6"), Server.parse("mysql-9.7"), Server.parse("mariadb-10.6"),
    Server.parse("mariadb-11.8", LAX), Server.parse("mysql-8.0", {"sql_require_primary_key": "ON"}),
    Server.parse("mysql-8.4", {"sql_generate_invisible_primary_key": "ON", "lower_case_table_names": "1"}),
)  # fmt: skip


def tables() -> st.SearchStrategy[str]:
    """Statements of one definition a line, most of which a server takes."""
    usual = st.sampled_from(NAMES[:7] * 4 + NAMES)
    column = st.tuples(usual, st.sampled_from(DEFINITIONS[:9] * 3 + DEFINITIONS)).map(
        lambda two: f"`{two[0]}` {two[1]}"
    )
    columns = st.lists(column, min_size=1, max_size=6, unique_by=lambda one: one.split("`")[1])
    keys = st.lists(st.sampled_from(KEYS[:5] * 3 + KEYS), max_size=4, unique=True)
    name = st.sampled_from(("t", "t", "d`.`t", "fts_x", "T", "u", "v"))
    parts = st.tuples(st.sampled_from(BETWEEN), name, columns, keys, st.sampled_from(ENDS[:3] * 4 + ENDS))
    return parts.map(
        lambda five: f"{five[0]}CREATE TABLE `{five[1]}` (\n  " + ",\n  ".join((*five[2], *five[3]))
        + f"\n{five[4]};\n"
    )  # fmt: skip


def whole(text: str, server: Server) -> tuple[str, str]:
    """The tables and problems where each statement is assembled."""
    done = list(steps(text, server))
    return repr(tuple(done[-1].after.values())), repr(tuple(one for step in done for one in step.problems))


@pytest.mark.parametrize("server", SERVERS, ids=str)
@settings(deadline=None)
@given(st.lists(tables(), min_size=1, max_size=3))
@example(["CREATE TABLE `t` (\n  `a` int NOT NULL,\n  `A` int NOT NULL,\n  KEY `k` (`a`)\n);\n"] * 2)
def test_repeated_lines_make_the_table_of_the_whole_statement(server: Server, given: list[str]) -> None:
    text = "".join(given)
    found = catalog.read(text, server)
    assert (repr(found.tables), repr(found.problems)) == whole(text, server), text
    again = catalog.read(text, server)
    assert (again.tables, again.problems) == (found.tables, found.problems)


@pytest.mark.parametrize("server", SERVERS[:4], ids=str)
def test_a_dumps_tables_are_made_of_their_lines(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them is assembled: what is asked of each line is kept."""
    lines = ["`id` bigint NOT NULL AUTO_INCREMENT", "`a` varchar(100) DEFAULT NULL", "`b` text",
             "`c` decimal(10,2) NOT NULL DEFAULT '0.00'", "PRIMARY KEY (`id`)", "UNIQUE KEY `u` (`c`,`id`)",
             "KEY `k` (`a`)", "KEY `p` (`a`(9),`c`)", "FULLTEXT KEY `f` (`a`)",
             "CONSTRAINT `x{0}` FOREIGN KEY (`c`) REFERENCES `p` (`c`) ON DELETE CASCADE",
             "CONSTRAINT `y{0}` CHECK (`c` > 0)"]  # fmt: skip
    body = ",\n  ".join(lines)
    text = "".join(
        f"CREATE TABLE `t{number}` (\n  {body.format(number)}\n) ENGINE=InnoDB AUTO_INCREMENT={number + 1};\n"
        for number in range(3)
    )
    expected = whole(text, server)
    monkeypatch.setattr("schemacheck.catalog.assemble.table", None)
    found = catalog.read(text, server)
    assert (repr(found.tables), repr(found.problems)) == expected
    assert len(found.tables) == 3


def test_what_is_kept_of_lines_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_lines, "_MOST_COLUMNS", 3)
    monkeypatch.setattr(known_lines, "_MOST_ENDS", 2)
    server = Server.parse("mysql-8.4", {"group_concat_max_len": "1717"})
    text = "".join(
        f"CREATE TABLE `t{number}` (\n  `a` int DEFAULT '{number}',\n  `b` int NOT NULL,\n  KEY `k` (`a`)\n"
        f") ENGINE=InnoDB COMMENT='{number}';\n"
        for number in range(6)
    )
    assert len(catalog.read(text, server).tables) == 6
    ends = known_lines._ends(server)
    assert len(ends) == 2
    assert {len(one.columns) for one in ends.values() if one is not None} == {3}


SETS = (
    "/*!40101 SET @saved_cs_client     = @@character_set_client */;", "SET sql_mode = '';",
    "/*!50503 SET character_set_client = utf8mb4 */;", "/*!50503 SET character_set_client = latin1 */;",
    "/*!40101 SET character_set_client = @saved_cs_client */;", "SET NAMES latin1;",
    "SET @saved_cs_client = 'x';",
    "/*!40101 SET @m = @@sql_mode, sql_mode = 'ANSI_QUOTES' */;", "SET sql_mode = @m;", "set sql_mode = @n;",
    "SET character_set_server = latin1;", "SET @n = CONCAT(@n, 'x');", "SET TRANSACTION READ WRITE;",
    "/*!99999 SET sql_mode = 'ANSI' */;", "/*!40000 SET sql_mode = `x` */;", "/*! SET /* x */;",
    "/*!40101 SET @z = 1 */; # why", "/*!40101 SET @y = 1;", "SET nonsense = 3;", "INSERT INTO t VALUES (1);",
)  # fmt: skip
SHOWS = (
    "CREATE TABLE t (a char(3) DEFAULT 'é');",
    'CREATE TABLE "u" (a varchar(300));',
    "DROP TABLE t, u;",
    "DO 1;",
)


@pytest.mark.parametrize("server", SERVERS[:4], ids=str)
@settings(deadline=None)
@given(st.lists(st.sampled_from(SETS * 2 + SHOWS), max_size=12))
@example(["DO 1;", *SETS[:5], *SETS[:5], SETS[0], SETS[4]])
def test_repeated_sets_do_what_they_do_once(server: Server, given: list[str]) -> None:
    text = "\n".join(given)
    found = list(steps(text, server))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeated_set.Sets, "again", lambda *_: False)
        patch.setattr(script, "VERSIONED", re.compile("(?!)"))
        assert list(map(repr, found)) == list(map(repr, steps(text, server))), text


def test_a_dumps_sets_run_once() -> None:
    """Behind the first statement that defines nothing."""
    count: list[object] = []
    text = "\n".join(["DO 1;", *(SETS[0], SETS[2], SETS[4]) * 4])
    with pytest.MonkeyPatch.context() as patch:
        apply = of_session.apply

        def counted(*given: Any) -> Any:
            count.append(given)
            return apply(*given)

        patch.setattr(of_session, "apply", counted)
        assert not catalog.read(text, SERVERS[1]).problems
    assert len(count) <= 6


#: Each after `SET NAMES utf8mb4`, and behind tables t (with rows), p and its child c, a view v, a temporary
#: table m and the broken table `broken`.
DROPS = (
    "DROP TABLE IF EXISTS `gone`", "drop table if exists `gone`", "DROP TABLE IF EXISTS `t`",
    "DROP TABLE IF EXISTS `T`", "DROP TABLE IF EXISTS `p`", "DROP TABLE IF EXISTS `v`",
    "DROP TABLE IF EXISTS `m`", "DROP TABLE IF EXISTS `broken`", "DROP TABLE `gone`",
    "DROP TABLE IF EXISTS `utf8_x`", "DROP TABLE IF EXISTS `é`", "DROP TABLE IF EXISTS `" + "x" * 65 + "`",
    "DROP TABLE IF EXISTS `gone`, `t`", "DROP TABLE IF EXISTS `gone` CASCADE",
    "/*!50000 DROP TABLE IF EXISTS `gone` */",
)  # fmt: skip
STATES = ("", "LOCK TABLES `t` WRITE;\n", "PREPARE s FROM 'SELECT 1';\n", "FROB `x`;\n", "SET @a = f(;\n",
          "SET SESSION old_mode = '';\n", "CREATE PROCEDURE r() BEGIN SELECT 1;\n")  # fmt: skip
THERE = (
    "SET NAMES utf8mb4;\nCREATE TABLE t (a int UNIQUE);\nINSERT INTO t VALUES (1);\n"
    "CREATE TABLE p (id int PRIMARY KEY);\nCREATE TABLE c (a int, FOREIGN KEY (a) REFERENCES p (id));\n"
    "CREATE VIEW v AS SELECT a FROM t;\nCREATE TEMPORARY TABLE m (a int);\nCREATE TABLE broken (a frob);\n"
)


@pytest.mark.parametrize("server", SERVERS, ids=str)
@pytest.mark.parametrize("state", STATES)
def test_a_drop_of_nothing_is_the_drop_that_is_parsed(
    server: Server, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its statement, those before it and those behind it have the same effects."""
    behind = ";\nINSERT INTO t VALUES (1);\nCREATE TABLE gone (a int UNIQUE);\nALTER TABLE t ADD b int;\n"
    texts = [THERE + state + drop + behind for drop in DROPS]
    texts += [state + drop + behind for drop in DROPS]
    found = [catalog.read(text, server, database="d") for text in texts]
    with monkeypatch.context() as patch:
        patch.setattr("schemacheck.catalog.absent_table.dropped_if_there", lambda _: None)
        parsed = [catalog.read(text, server, database="d") for text in texts]
    assert [repr(one) for one in found] == [repr(one) for one in parsed]


def test_a_dumps_drops_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schemacheck.catalog.definitions.run", None)
    text = "SET NAMES utf8mb4;\nDROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (a int);\n"
    assert len(catalog.read(text, SERVERS[1]).tables) == 1


@pytest.mark.parametrize("server", SERVERS[:2], ids=str)
def test_keys_that_are_switched_leave_their_table(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is it assembled anew, as it is under other settings than those of its CREATE TABLE."""
    made = (
        "CREATE TABLE `t` (\n  `a` int NOT NULL,\n  PRIMARY KEY (`a`),\n  KEY `k` (`a`)\n) ENGINE=InnoDB;\n"
    )
    switches = "/*!40000 ALTER TABLE `t` DISABLE KEYS */;\nALTER TABLE t ENABLE KEYS;\n"
    expected = whole(made + switches, server)
    monkeypatch.setattr("schemacheck.catalog.assemble.table", None)
    found = catalog.read(made + switches, server)
    assert (repr(found.tables), repr(found.problems)) == expected
    with pytest.raises(TypeError):
        catalog.read(f"{made}SET sql_mode = 'ANSI_QUOTES';\n{switches}", server)


@pytest.mark.parametrize("server", SERVERS[:4], ids=str)
@pytest.mark.parametrize("after", [False, True])
def test_keys_that_are_switched_beside_another_parent(server: Server, after: bool) -> None:
    """The whole way looks at the parent that has come since, or that CREATE TABLE did not look at."""
    child = (
        "CREATE TABLE `t` (\n  `a` int NOT NULL,\n  PRIMARY KEY (`a`),\n"
        "  CONSTRAINT `f` FOREIGN KEY (`a`) REFERENCES `w` (`b`)\n) ENGINE=InnoDB;\n"
    )
    parent = "CREATE TABLE `w` (\n  `b` char(3) NOT NULL,\n  PRIMARY KEY (`b`)\n) ENGINE=MyISAM;\n"
    text = child + parent if after else f"SET foreign_key_checks = 0;\n{parent}{child}"
    text += "ALTER TABLE `t` DISABLE KEYS;\n"
    found = catalog.read(text, server)
    assert (repr(found.tables), repr(found.problems)) == whole(text, server)


def test_a_script_leaves_nothing_to_the_cycle_collector() -> None:
    """Its tables would stay in memory until that runs."""
    text = "".join((
        "SET NAMES utf8mb4;\n", *(f"{one}\n" for one in SETS[:5] * 2),
        "DROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `a` int NOT NULL,\n  PRIMARY KEY (`a`)\n);\n",
        "INSERT INTO `t` VALUES (1);\nALTER TABLE `t` ADD b int;\n",
    ))  # fmt: skip
    assert len(catalog.read(text, SERVERS[1]).tables) == 1
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        catalog.read(text, SERVERS[1])
        assert gc.collect() == 0
    finally:
        if was:
            gc.enable()
