"""Variables that a dump saves and gives back: what stands behind them runs, as in two dumps one behind the
other.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

_HEAD = """
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;
"""
_FOOT = """
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;
"""
_SERVERS = ("mysql-5.6.51", "mysql-8.4.4", "mariadb-10.11.19", "mariadb-11.8.6")


@pytest.mark.parametrize("server", _SERVERS)
def test_dumps_behind_one_another(server: str) -> None:
    text = "".join(f"{_HEAD}CREATE TABLE {name} (id int PRIMARY KEY);\n{_FOOT}" for name in "abc")
    found = read(text, Server.parse(server), database="d")
    assert not found.problems
    assert [one.name for one in found.tables] == ["a", "b", "c"]


@pytest.mark.parametrize("server", _SERVERS)
def test_a_dump_that_is_cut_between_two_tables(server: str) -> None:
    tables = "".join(f"CREATE TABLE {name} (id int PRIMARY KEY);\n" for name in "abc")
    for whole in (f"{_HEAD}{tables}{_FOOT}", f"{_HEAD}{tables}{_FOOT.splitlines()[1]}", tables, _HEAD):
        assert not read(whole, Server.parse(server), database="d").problems
    for cut in (
        _HEAD + tables.splitlines()[0],
        f"{_HEAD}{tables}{_FOOT}{_HEAD}CREATE TABLE d (id int PRIMARY KEY);\n",
    ):
        (problem,) = read(cut, Server.parse(server), database="d").problems
        assert "may be cut off" in problem.message
        assert "@OLD_SQL_NOTES" in problem.message


def test_a_file_that_is_written_by_hand() -> None:
    """Icinga's schema saves what phpMyAdmin saves, and gives nothing back."""
    text = _HEAD[: _HEAD.index("/*!40103")] + "CREATE TABLE a (id int PRIMARY KEY);\n"
    for head, is_whole in (
        ("-- mysql.sql\n-- DB definition for IDO MySQL\n", True),
        ("-- phpMyAdmin SQL Dump\n-- Host: localhost\n", False),
        ("-- MySQL Workbench Forward Engineering\n", False),
        ("-- \n", False),
        ("", False),
    ):
        assert bool(read(head + text, Server.parse("mysql-8.4.4")).problems) is not is_whole
    assert read(f"-- our schema\n{_HEAD}CREATE TABLE a (id int);", Server.parse("mysql-8.4.4")).problems
