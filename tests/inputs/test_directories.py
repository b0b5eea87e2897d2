"""Directories: scripts in order, dumps side by side, mydumper, MySQL Shell, mysqldump --tab, skeema."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.model import Server

zstandard = pytest.importorskip("zstandard")
SERVER = Server.parse("mysql-8.0")
MARIADB = Server.parse("mariadb-11.8")


def tables(schema):
    assert [p for p in schema.problems if not p.skipped] == []
    return {(t.database, t.name): [c.name for c in t.columns] for t in schema.tables}


def test_scripts_in_natural_order(tmp_path):
    (tmp_path / "V10__more.sql").write_text("ALTER TABLE t ADD COLUMN c INT;", "utf-8")
    (tmp_path / "V2__more.sql").write_text("ALTER TABLE t ADD COLUMN b INT;", "utf-8")
    (tmp_path / "V1__first.sql").write_text("CREATE TABLE t (a INT);", "utf-8")
    (tmp_path / "README.md").write_text("not a schema", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.sql").write_text("CREATE TABLE hidden (a INT);", "utf-8")
    assert tables(open_schema(str(tmp_path), server=SERVER)) == {(None, "t"): ["a", "b", "c"]}


def test_dumps_side_by_side_are_one_input(dumps, tmp_path):
    for name in (
        "columns.batch.tsv",
        "tables.batch.tsv",
        "statistics.batch.tsv",
        "variables.tsv",
        "check_constraints.batch.tsv",
        "table_constraints.batch.tsv",
    ):
        (tmp_path / name).write_bytes((dumps / "mysql-9.7" / name).read_bytes())
    schema = open_schema(str(tmp_path))
    assert str(schema.server) == "MySQL 9.7.4"
    found = {t.name: t for t in schema.tables}
    assert found["customer"].engine == "InnoDB"
    assert any(t.checks for t in schema.tables)
    assert any(k.name == "name_born" for k in found["customer"].keys)


def test_two_descriptions_of_one_table(dumps, tmp_path):
    rows = (dumps / "mysql-9.7" / "columns.batch.tsv").read_bytes()
    (tmp_path / "a.tsv").write_bytes(rows)
    (tmp_path / "b.tsv").write_bytes(rows)
    assert len(tables(open_schema(str(tmp_path), server=SERVER))) == 12
    (tmp_path / "b.tsv").write_bytes(rows.replace(b"varchar(255)", b"varchar(254)"))
    twice = [p for p in open_schema(str(tmp_path), server=SERVER).problems if not p.skipped]
    assert twice
    assert all("described twice and differently" in p.message and p.table for p in twice)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("CREATE TABLE IF NOT EXISTS t (a INT);", "CREATE TABLE IF NOT EXISTS t (a BIGINT);"),
        ("CREATE TABLE t (a INT);", "DROP TABLE IF EXISTS t; CREATE TABLE t (a BIGINT);"),
        ("CREATE TABLE t (a INT);", "CREATE OR REPLACE TABLE t (a BIGINT);"),
        ("CREATE TABLE t (a INT);", "CREATE TABLE u (a INT); CREATE TABLE IF NOT EXISTS t LIKE u;"),
        ("CREATE TABLE t (a INT); RENAME TABLE t TO u;", "CREATE TABLE t (a BIGINT);"),
    ],
)
def test_scripts_that_define_one_table_in_two_ways(tmp_path: Path, first: str, second: str) -> None:
    """In which order they are run is not known, unless their names have numbers."""
    for names, known in ((("a.sql", "b.sql"), False), (("1_a.sql", "2_b.sql"), True)):
        folder = tmp_path / names[0]
        folder.mkdir()
        for name, text in zip(names, (first, second), strict=True):
            (folder / name).write_text(text)
        problems = open_schema(str(folder), server=MARIADB).problems
        assert [one.table for one in problems if "described otherwise in" in one.message] == ["t"] * (
            not known
        )


def test_scripts_that_define_one_table_alike(tmp_path: Path) -> None:
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text("DROP TABLE IF EXISTS t;\nCREATE TABLE t (a INT);")
    assert not open_schema(str(tmp_path), server=MARIADB).problems


def test_mydumper(tmp_path):
    (tmp_path / "metadata").write_text(
        "# Started dump at: 2026-01-01\n[config]\nquote_character = "
        "BACKTICK\n[mydumper_0]\nreal_database_name=odd.name\n",
        "utf-8",
    )
    (tmp_path / "shop-schema-create.sql").write_text(
        "CREATE DATABASE `shop` DEFAULT CHARACTER SET latin1;\n", "utf-8"
    )
    (tmp_path / "shop.orders-schema.sql.gz").write_bytes(
        gzip.compress(b"CREATE TABLE `orders` (`a` varchar(3));\n")
    )
    (tmp_path / "shop.items-schema.sql.zst").write_bytes(
        zstandard.ZstdCompressor().compress(b"CREATE TABLE `items` (`b` int);\n")
    )
    (tmp_path / "mydumper_0.t-schema.sql").write_text("CREATE TABLE `t` (`c` int);\n", "utf-8")
    (tmp_path / "shop.v-schema-view.sql").write_text("nonsense that must not be read (", "utf-8")
    (tmp_path / "shop.orders.00000.sql").write_text("INSERT INTO `orders` VALUES (", "utf-8")
    schema = open_schema(str(tmp_path), server=SERVER)
    assert tables(schema) == {("shop", "orders"): ["a"], ("shop", "items"): ["b"], ("odd.name", "t"): ["c"]}
    assert {t.name: t for t in schema.tables}["orders"].columns[0].type.charset == "latin1"


@pytest.mark.parametrize(
    "name", ["shop.t.sql", "shop.t.00001.sql", "shop-schema-post.sql", "shop.t-schema-triggers.sql",
             "shop.v-schema.sql", "shop.v-schema-view.sql"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("/*!40101 SET NAMES binary*/;\n/* x */\n-- x;\n ALTER TABLE t MODIFY b INT;\n", False),
        ("INSERT INTO `t` VALUES(1);\r\n/*!50000 RENAME TABLE t TO u */;\n", False),
        ("CREATE PROCEDURE p()\nBEGIN\nALTER TABLE t ADD a INT; \nEND;\nDO ';ALTER TABLE';\n", True),
    ],
)
def test_what_mydumper_leaves_out_defines_no_table(tmp_path: Path, name: str, text: str, known: bool) -> None:
    """myloader runs all these files."""
    (tmp_path / "metadata").write_text("")
    (tmp_path / "shop.t-schema.sql").write_text("CREATE TABLE `t` (`b` varchar(10));\n")
    (tmp_path / "shop.v-schema.sql").write_text("CREATE TABLE IF NOT EXISTS `v`(\n`a` int\n);\n")
    (tmp_path / "shop.v-schema-view.sql").write_text(
        "DROP TABLE IF EXISTS `v`;\nCREATE VIEW `v` AS SELECT 1;\n"
    )
    with (tmp_path / name).open("a") as file:
        file.write(text)
    found = [one.code for one in open_schema(str(tmp_path), server=SERVER).problems if not one.skipped]
    assert found == ([] if known else ["SC003"])


def test_rows_of_mydumper_may_be_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "metadata").write_text("")
    (tmp_path / "shop.t-schema.sql").write_text("CREATE TABLE `t` (`b` blob);\n")
    rows = b'/*!40101 SET NAMES binary*/;\nINSERT INTO `t` VALUES("\xff\x00;\xfe");\n'
    (tmp_path / "shop.t.00000.sql").write_bytes(rows)
    assert open_schema(str(tmp_path), server=SERVER).problems == ()
    (tmp_path / "shop.t.00001.sql").write_bytes(rows + b"ALTER TABLE t ADD c INT;\n")
    assert [one.code for one in open_schema(str(tmp_path), server=SERVER).problems] == ["SC003"]


def test_mydumper_tells_what_it_leaves_out(tmp_path):
    (tmp_path / "shop-schema-create.sql").write_text("CREATE DATABASE `shop`;\n", "utf-8")
    (tmp_path / "shop.t.u-schema.sql").write_text("CREATE TABLE `t.u` (`a` int);\n", "utf-8")
    (tmp_path / "shop.t.u.00000.sql").write_text("INSERT INTO `t.u` VALUES (", "utf-8")
    (tmp_path / "shop.t.u.sql").write_text("INSERT INTO `t.u` VALUES (", "utf-8")
    (tmp_path / "shop.v-schema.sql").write_text("CREATE TABLE IF NOT EXISTS `v` (`a` int);\n", "utf-8")
    (tmp_path / "shop.v-schema-view.sql.gz").write_bytes(
        gzip.compress(b"DROP TABLE IF EXISTS `v`; CREATE VIEW `v` AS SELECT 1;\n")
    )
    (tmp_path / "shop-schema-post.sql").write_text("CREATE PROCEDURE p() SELECT 1;\n", "utf-8")
    (tmp_path / "002.more.sql").write_text("CREATE TABLE more (a int);\n", "utf-8")
    schema = open_schema(str(tmp_path), server=SERVER)
    assert {(t.database, t.name) for t in schema.tables} == {("shop", "t.u")}
    assert sorted((str(p.location).rsplit("/", 1)[1], p.skipped) for p in schema.problems) == [
        ("002.more.sql", False), ("shop-schema-post.sql", True), ("shop.v-schema-view.sql.gz", True),
    ]  # fmt: skip


def test_scripts_that_are_called_like_mydumpers(tmp_path):
    (tmp_path / "001.create-schema.sql").write_text("CREATE TABLE a (x int);", "utf-8")
    (tmp_path / "002.more.sql").write_text("ALTER TABLE a ADD y int; CREATE TABLE b (x int);", "utf-8")
    assert tables(open_schema(str(tmp_path), server=SERVER)) == {(None, "a"): ["x", "y"], (None, "b"): ["x"]}


@pytest.mark.parametrize("marker", [{}, {"@.json": "{}"}, {"metadata": ""}])
def test_encoding_of_a_directorys_files(tmp_path, marker):
    for name, text in marker.items():
        (tmp_path / name).write_text(text, "utf-8")
    (
        tmp_path / {"@.json": "d@t.sql", "metadata": "d.t-schema.sql"}.get(next(iter(marker), ""), "1.sql")
    ).write_bytes("CREATE TABLE t (größe INT);".encode("latin1"))
    with pytest.raises(InputError, match="is not UTF-8"):
        open_schema(str(tmp_path), server=SERVER)
    assert list(tables(open_schema(str(tmp_path), server=SERVER, encoding="latin1")).values()) == [["größe"]]


def test_format_of_a_directorys_files(tmp_path):
    (tmp_path / "dump.txt").write_text("Notes:\nCREATE TABLE t (a INT);", "utf-8")
    (tmp_path / "my.cnf").write_text("[mysqld]\nsql_mode=ANSI\n", "utf-8")
    schema = open_schema(str(tmp_path), server=SERVER, format="sql")
    assert [p.table for p in schema.problems if not p.skipped]
    with pytest.raises(InputError, match="no heading"):
        open_schema(str(tmp_path), server=SERVER, format="csv")


@pytest.mark.parametrize("name", ["1²2.sql", "٣.sql", "1.sql"])
def test_names_with_other_digits(tmp_path, name):
    (tmp_path / name).write_text("CREATE TABLE t (a INT);", "utf-8")
    (tmp_path / "0.sql").write_text("CREATE TABLE u (a INT);", "utf-8")
    assert list(tables(open_schema(str(tmp_path), server=SERVER))) == [(None, "u"), (None, "t")]


def test_mysql_shell_dump(tmp_path):
    (tmp_path / "@.json").write_text(
        json.dumps(
            {
                "serverVersion": "8.0.36",
                "schemas": ["shop", "odd/name"],
                "basenames": {"shop": "shop", "odd/name": "odd%2Fname"},
            }
        ),
        "utf-8",
    )
    (tmp_path / "@.sql").write_text("-- MySQLShell dump\n", "utf-8")
    (tmp_path / "@.users.sql").write_text("CREATE USER x;\n", "utf-8")
    (tmp_path / "shop.json").write_text(json.dumps({"schema": "shop"}), "utf-8")
    (tmp_path / "shop.sql").write_text(
        "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `shop` /*!40100 DEFAULT CHARACTER SET latin1 */;\n", "utf-8"
    )
    (tmp_path / "shop@orders.sql").write_text(
        "CREATE TABLE IF NOT EXISTS `orders` (`a` varchar(3));\n", "utf-8"
    )
    (tmp_path / "shop@orders.json").write_text(
        json.dumps({"options": {"schema": "shop", "table": "orders"}}), "utf-8"
    )
    (tmp_path / "shop@orders.triggers.sql").write_text("nonsense (", "utf-8")
    (tmp_path / "shop@orders@@0.tsv.zst").write_bytes(b"data")
    (tmp_path / "odd%2Fname@t.sql").write_text("CREATE TABLE `t` (`c` int);\n", "utf-8")
    schema = open_schema(str(tmp_path))
    assert tables(schema) == {("shop", "orders"): ["a"], ("odd/name", "t"): ["c"]}
    assert str(schema.server) == "MySQL 8.0.36"
    assert schema.tables[-1].columns


def test_mysqldump_tab_and_skeema(tmp_path):
    (tmp_path / "t.sql").write_text("CREATE TABLE t (a INT);", "utf-8")
    (tmp_path / "t.txt").write_text("1\t2\n\\N\t3\n", "utf-8")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / ".skeema").write_text("default-character-set=utf8mb4\nschema=shop\n", "utf-8")
    (tmp_path / "shop" / "u.sql").write_text("CREATE TABLE u (b INT);", "utf-8")
    assert tables(open_schema(str(tmp_path), server=SERVER)) == {(None, "t"): ["a"], ("shop", "u"): ["b"]}


def test_nothing_to_read(tmp_path):
    assert [p.code for p in open_schema(str(tmp_path)).problems if not p.skipped] == ["SC003"]
    with pytest.raises(InputError, match="No such file"):
        open_schema(str(tmp_path / "nothing.sql"))
    (tmp_path / "x.txt").write_text("a grocery list\n", "utf-8")
    schema = open_schema(str(tmp_path), server=SERVER)
    assert [p.message.split(",")[0] for p in schema.problems] == [
        "no table in this input (1 file without SQL or a dump)"
    ]
    assert [(f.read_as, f.why.split(",")[0], f.doubtful) for f in schema.files] == [
        ("", "not recognised as DDL", False)
    ]


@pytest.mark.parametrize("name", ["z.zip", "z.tgz", "z.tar.gz", "z.TAR", "z.7z", "z.csv.xz", "z.json.bz2"])
def test_archives_may_hold_definitions(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.sql").write_text("CREATE TABLE t (a INT);")
    (tmp_path / name).write_bytes(b"packed")
    assert [p.code for p in open_schema(str(tmp_path)).problems if not p.skipped] == ["SC003"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("z.yml", "databaseChangeLog:\n- changeSet: {}\n"),
        ("z.xml", "<databaseChangeLog><changeSet/></databaseChangeLog>"),
    ],
)
def test_changes_that_liquibase_makes_itself_are_doubtful(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "t.sql").write_text("CREATE TABLE t (a INT);")
    (tmp_path / name).write_text(text)
    assert [p.code for p in open_schema(str(tmp_path)).problems if not p.skipped] == ["SC003"]


@pytest.mark.parametrize("name", ["z.mysql", "z.sql.j2", "z.sql.erb", "z.ddl.tmpl", "z.dump", "z", "migrate"])
def test_scripts_under_other_names_are_doubtful(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.sql").write_text("CREATE TABLE t (a INT);")
    (tmp_path / name).write_text("ALTER TABLE t MODIFY a BIGINT;")
    assert [p.code for p in open_schema(str(tmp_path)).problems if not p.skipped] == ["SC003"]


@pytest.mark.parametrize("name", ["t.sql~", "t.sql.orig", "t.sql.bak", "README", "x.py", "x.js.br", "x.yml"])
def test_what_lies_beside_scripts_is_not(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.sql").write_text("CREATE TABLE t (a INT);")
    (tmp_path / name).write_text("How to alter a table")
    assert not [p for p in open_schema(str(tmp_path)).problems if not p.skipped]
