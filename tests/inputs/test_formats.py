"""The same schema through every format is the same Tables, or the difference is known and named."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import tarfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from schemacheck.errors import InputError, UsageError
from schemacheck.inputs import open_schema
from schemacheck.inputs.formats import recognise
from schemacheck.inputs.source import Source
from schemacheck.model import Default, DefaultKind, Schema, Server, Table, TableKind

zstandard = pytest.importorskip("zstandard")

DATA = Path(__file__).parent / "data"
SERVERS = ("mysql-5.6", "mysql-9.7", "mariadb-11.8")
EXACT = [
    "columns.dbeaver.csv", "columns.null.csv", "columns.outfile.csv", "columns.outfile.txt",
    "columns.jsonl", "columns.array.json",
]  # fmt: skip
#: NULL is a bare word there: MySQL's DEFAULT 'NULL' reads as no default, nothing else may differ.
WORD = ["columns.batch.tsv", "columns.noheader.tsv", "columns.vertical.txt"]

FORMAT_OF = {
    "columns.dbeaver.csv": "csv", "columns.null.csv": "csv", "columns.outfile.csv": "csv",
    "columns.excel.csv": "csv", "columns.csv": "csv", "columns.outfile.txt": "tsv",
    "columns.batch.tsv": "tsv", "columns.batch-lower.tsv": "tsv",
    "columns.noheader.tsv": "tsv", "columns.raw.tsv": "tsv",
    "columns.jsonl": "json",
    "columns.array.json": "json", "columns.truth.jsonl": "json", "columns.vertical.txt": "vertical",
    "show_create.vertical.txt": "vertical",
    "show_create.batch.tsv": "tsv", "dump.no-data.sql": "sql", "dump.skip-opt.sql": "sql",
    "dump.compatible.sql": "sql", "variables.tsv": "tsv",
    "variables.vertical.txt": "vertical", "replica_status.vertical.txt": "vertical",
    "replica_status.batch.tsv": "tsv", "filters.cnf": "option-file",
    "tables.batch.tsv": "tsv", "statistics.batch.tsv": "tsv",
}  # fmt: skip


def by_name(schema: Schema) -> dict[str, Table]:
    assert [p for p in schema.problems if not p.skipped] == []
    return {table.name: table for table in schema.tables}


def path_of(dumps: Path, server: str, name: str) -> str:
    return str(dumps / server / name)


def recorded(names: Iterable[str]) -> list[tuple[str, str]]:
    """(server, name) of the dumps that there are: MySQL 5.6 and MariaDB 11.8 cannot write every JSON form."""
    found = []
    for server in SERVERS:
        with tarfile.open(DATA / f"{server}.tar.gz") as archive:
            there = {name.removeprefix("./") for name in archive.getnames()}
        found += [(server, name) for name in names if name in there]
    return found


@pytest.fixture(params=SERVERS)
def server(request) -> str:
    return request.param


@pytest.fixture
def truth(dumps: Path, server: str) -> dict[str, Table]:
    return by_name(open_schema(str(dumps / server / "columns.truth.jsonl"), server=Server.parse(server)))


@pytest.mark.parametrize(("server", "name"), recorded(EXACT), indirect=["server"])
def test_equal_tables(dumps, server, truth, name):
    assert by_name(open_schema(path_of(dumps, server, name), server=Server.parse(server))) == truth


@pytest.mark.parametrize(("server", "name"), recorded(WORD), indirect=["server"])
def test_equal_but_for_the_word_null(dumps, server, truth, name):
    found = by_name(open_schema(path_of(dumps, server, name), server=Server.parse(server)))
    assert found.keys() == truth.keys()
    differing = [
        (a, b)
        for name in truth
        for a, b in zip(found[name].columns, truth[name].columns, strict=True)
        if a != b
    ]
    for read, real in differing:
        if server == "mariadb-11.8":
            # SQL NULL (no default) of a nullable column reads as DEFAULT NULL.
            assert (read.default, real.default) == (Default(DefaultKind.NULL), None)
        else:
            assert real.default == Default(DefaultKind.LITERAL, "NULL")
        assert replace(read, default=None) == replace(real, default=None)
    assert len(differing) <= 2


@pytest.mark.parametrize(("server", "name"), recorded(["columns.raw.tsv"]), indirect=["server"])
def test_tables_whose_values_break_rows_are_unknown(dumps, server, truth, name):
    schema = open_schema(path_of(dumps, server, name), server=Server.parse(server))
    assert any("dump without --raw" in problem.message for problem in schema.problems)
    lost = truth.keys() - {table.name for table in schema.tables}
    assert lost == {"orders"}
    assert lost <= {problem.table for problem in schema.problems}


def test_csv_with_null_as_empty_is_noted(dumps, server, truth):
    schema = open_schema(path_of(dumps, server, "columns.csv"), server=Server.parse(server))
    assert any("NULL and ''" in p.message for p in schema.problems)
    for name, table in by_name(schema).items():
        for read, real in zip(table.columns, truth[name].columns, strict=True):
            assert read == real or real.default == Default(DefaultKind.LITERAL, "")


def test_excel_loses_only_the_default_that_reads_as_its_null(dumps, server, truth):
    found = by_name(open_schema(path_of(dumps, server, "columns.excel.csv"), server=Server.parse(server)))
    differing = [
        (a, b)
        for name in truth
        for a, b in zip(found[name].columns, truth[name].columns, strict=True)
        if a != b
    ]
    assert all(real.default == Default(DefaultKind.LITERAL, "\\N") for _, real in differing)
    assert len(differing) <= 1


def test_null_token_wins(dumps):
    schema = open_schema(
        path_of(dumps, "mysql-9.7", "columns.dbeaver.csv"),
        server=Server.parse("mysql-9.7"),
        null_token="nothing",
    )
    defaults = {c.default.text for t in schema.tables for c in t.columns if c.default}
    assert "[NULL]" in defaults


@pytest.mark.parametrize(("server", "name"), recorded(sorted(FORMAT_OF)), indirect=["server"])
def test_recognised_by_content(dumps, server, name, tmp_path):
    data = Path(path_of(dumps, server, name)).read_bytes()
    assert FORMAT_OF[name] == recognise(Source("anything", data)).NAME


@pytest.mark.parametrize(
    "name", ["columns.batch.tsv", "columns.jsonl", "columns.null.csv", "dump.no-data.sql"]
)
@pytest.mark.parametrize("pack", ["gz", "zst", "gz twice"])
def test_compressed_by_magic_bytes(dumps, tmp_path, name, pack):
    server = Server.parse("mysql-9.7")
    plain = dumps / "mysql-9.7" / name
    data = plain.read_bytes()
    packed = zstandard.ZstdCompressor().compress(data) if pack == "zst" else gzip.compress(data)
    if pack == "gz twice":
        packed = gzip.compress(packed)
    file = tmp_path / "no-ending"
    file.write_bytes(packed)
    assert open_schema(str(file), server=server).tables == open_schema(str(plain), server=server).tables


def test_two_gzip_members_and_unknown_packing(tmp_path):
    file = tmp_path / "x"
    file.write_bytes(
        gzip.compress(b"CREATE TABLE a (i INT);\n") + gzip.compress(b"CREATE TABLE b (i INT);\n")
    )
    assert [t.name for t in open_schema(str(file), server=Server.parse("mysql-8.4")).tables] == ["a", "b"]
    for packed in (bz2.compress(b"x"), lzma.compress(b"x")):
        file.write_bytes(packed)
        with pytest.raises(InputError, match="decompress it first"):
            open_schema(str(file))


def test_parquet_as_spark_writes_it(dumps, server, truth, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import decimal

    import pyarrow.parquet as pq

    rows = [
        json.loads(line) for line in (dumps / server / "columns.truth.jsonl").read_text("utf-8").splitlines()
    ]
    for row in rows:
        # BIGINT UNSIGNED arrives as decimal(20,0).
        row["ORDINAL_POSITION"] = decimal.Decimal(row["ORDINAL_POSITION"])
    file = tmp_path / "columns.parquet"
    pq.write_table(pa.Table.from_pylist([{k.lower(): v for k, v in row.items()} for row in rows]), file)
    assert by_name(open_schema(str(file), server=Server.parse(server))) == truth


def test_parquet_with_binary_columns(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"VARIABLE_NAME": [b"version", b"sql_mode"], "VARIABLE_VALUE": [b"5.6.24", b"ANSI"]}),
        tmp_path / "v.parquet",
    )
    pq.write_table(
        pa.table({"Table": [b"t"], "Create Table": [b"CREATE TABLE t (a INT)"]}), tmp_path / "c.parquet"
    )
    schema = open_schema(str(tmp_path))
    assert (str(schema.server), [c.name for t in schema.tables for c in t.columns]) == ("MySQL 5.6.24", ["a"])


def test_parquet_of_header_text_is_refused(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    names = ["TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_TYPE"]
    file = tmp_path / "x.parquet"
    pq.write_table(pa.Table.from_pylist([{n: n for n in names}]), file)
    with pytest.raises(InputError, match="its own heading"):
        open_schema(str(file))


@pytest.mark.parametrize(
    "name", ["columns.table.txt", "columns.xml", "dump.xml", "columns.escaped.jsonl", "columns.outfile2.csv",
    "columns.outfile3.csv"],
)  # fmt: skip
def test_what_is_not_read_is_refused_or_unknown(dumps, server, name):
    """ASCII tables, XML, JSON without --raw, OUTFILE with other escapes: no table of them is another one."""
    try:
        schema = open_schema(path_of(dumps, server, name), server=Server.parse(server))
    except InputError:
        return
    truth = by_name(open_schema(path_of(dumps, server, "columns.truth.jsonl"), server=Server.parse(server)))
    assert schema.problems
    assert all(table == truth[table.name] for table in schema.tables)


def test_show_columns_is_refused_with_a_remedy(dumps, server):
    schema = open_schema(path_of(dumps, server, "show_columns.batch.tsv"), server=Server.parse(server))
    assert schema.tables == ()
    assert any("SHOW CREATE TABLE" in p.message and not p.skipped for p in schema.problems)


@pytest.mark.parametrize("name", ["show_create.vertical.txt", "show_create.batch.tsv", "dump.no-data.sql"])
def test_ddl_and_rows_give_one_table(dumps, server, name):
    """The whole catalogue as rows against DDL: columns, keys, checks, engine, character set."""
    told = Server.parse(
        server,
        {"collation_server": "utf8mb4_unicode_ci"}
        if server == "mariadb-11.8"
        else {"character_set_server": "utf8mb4"},
    )
    views = [
        path_of(dumps, server, f"{v}.batch.tsv")
        for v in (
            "tables",
            "statistics",
            "key_column_usage",
            "table_constraints",
            "referential_constraints",
            "schemata",
        )
    ]
    checks = dumps / server / "check_constraints.batch.tsv"
    views += [str(checks)] if checks.exists() else []
    rows = {
        t.name: t
        for t in open_schema(str(dumps / server / "columns.truth.jsonl"), server=told, beside=views).tables
    }
    ddl = open_schema(
        path_of(dumps, server, name),
        server=told,
        beside=[str(dumps / server / "schemata.batch.tsv")],
        database="shop",
    )
    # The table behind a sequence, as SHOW CREATE TABLE has it, is unknown, and a period that a table names.
    assert [p for p in ddl.problems if not p.skipped and p.table not in ("sq", "sysver")] == []
    compared = 0
    for table in ddl.tables:
        if rows[table.name].kind is TableKind.TABLE:
            assert table == rows[table.name]
            compared += 1
    assert compared >= 8


def test_several_statements_in_one_batch(dumps, server, truth):
    views = ["columns.batch.tsv", "tables.batch.tsv", "statistics.batch.tsv", "variables.tsv"]
    together = "".join((dumps / server / v).read_text("utf-8") for v in views)
    file = dumps / server / "together.txt"
    file.write_text(together, "utf-8")
    schema = open_schema(str(file))
    assert schema.server is not None
    assert (
        str(schema.server)
        == {"mysql-5.6": "MySQL 5.6.24", "mysql-9.7": "MySQL 9.7.4", "mariadb-11.8": "MariaDB 11.8.6"}[server]
    )
    assert schema.server.given("sql_mode")
    tables = {t.name: t for t in schema.tables}
    assert tables.keys() == truth.keys()
    assert any(t.kind is TableKind.VIEW and t.columns == () for t in schema.tables)
    assert tables["customer"].engine == "InnoDB"
    assert tables["customer"].primary_key is not None


def test_explicit_format_wins(dumps, server):
    with pytest.raises(InputError, match="not JSON"):
        open_schema(path_of(dumps, server, "columns.batch.tsv"), format="json")
    with pytest.raises(UsageError, match="known: csv"):
        open_schema(path_of(dumps, server, "columns.batch.tsv"), format="cvs")


def test_standard_input(monkeypatch, dumps):
    import io
    import sys

    data = (dumps / "mysql-9.7" / "columns.batch.tsv").read_bytes()
    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": io.BytesIO(data)})())
    assert len(open_schema("-", server=Server.parse("mysql-9.7")).tables) == 12


DUMP = b"""-- MySQL dump 10.13  Distrib 9.7.4, for Linux (x86_64)
-- Server version\t9.7.4
/*!40101 SET NAMES latin1 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO,ANSI' */;
CHANGE REPLICATION SOURCE TO SOURCE_LOG_FILE='bin.000003', SOURCE_LOG_POS=198;
USE "mysql";
CREATE TABLE "db" ("Host" char(255) CHARACTER SET ascii NOT NULL) /*!50100 TABLESPACE "mysql" */;
LOCK TABLES "db" WRITE;
/*!40000 ALTER TABLE "db" DISABLE KEYS */;
INSERT INTO "db" VALUES ('localhost',CURRENT_USER());
UNLOCK TABLES;
USE "shop";
CREATE TABLE "t" ("a" char(3));
LOCK TABLES "t" WRITE;
/*!40000 ALTER TABLE "t" DISABLE KEYS */;
INSERT INTO "t" VALUES ('Zo\xeb');
/*!40000 ALTER TABLE "t" ENABLE KEYS */;
UNLOCK TABLES;
CREATE TABLE "u" ("a" int);
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
-- Dump completed on 2026-11-28
"""


def test_what_mysqldump_writes_beside_tables(tmp_path):
    """--source-data, --compatible=ansi, --default-character-set=latin1 and --all-databases."""
    (tmp_path / "dump.sql").write_bytes(DUMP)
    schema = open_schema(str(tmp_path / "dump.sql"))
    assert [(table.database, table.name) for table in schema.tables] == [("shop", "t"), ("shop", "u")]
    assert [(problem.skipped, problem.message) for problem in schema.problems] == [
        (True, "1 table of the server's own databases (mysql) left out")
    ]


def test_rows_of_a_dump_whose_quotes_are_not_known_are_not_read(tmp_path):
    """latin1 is the only reason for which they are passed over."""
    lost = DUMP.replace(b'LOCK TABLES "t"', b'SET sql_mode = (SELECT x FROM y);\nLOCK TABLES "t"')
    (tmp_path / "dump.sql").write_bytes(lost.replace(b"'Zo", b"'\\\\Zo"))
    schema = open_schema(str(tmp_path / "dump.sql"))
    assert any("sql_mode was set to what is not known" in problem.message for problem in schema.problems)


def test_a_script_is_no_dump(tmp_path):
    (tmp_path / "dump.sql").write_bytes(DUMP[DUMP.index(b"CHANGE") :].replace(b"\xeb", b"e"))
    server = Server.parse("mysql-9.7").with_settings({"sql_mode": "ANSI"})
    schema = open_schema(str(tmp_path / "dump.sql"), server=server)
    assert any("CHANGE" in p.message or "whether the server runs" in p.message for p in schema.problems)
