"""No file of an input is passed over without a word, and none that may hold definitions passes."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import open_schema, walk
from schemacheck.inputs.formats.sql import cut_off, server_of_dump
from schemacheck.model import Server

SERVER = Server.parse("mysql-8.0")
TABLE = "CREATE TABLE t (a INT);\n"
MORE = "ALTER TABLE t MODIFY a BIGINT;\n"


def account(folder, **more):
    schema = open_schema(str(folder), server=SERVER, **more)
    root = f"{folder}/"
    files = {one.path.removeprefix(root): (one.read_as, one.doubtful) for one in schema.files}
    unread = {
        p.location.file.removeprefix(root)
        for p in schema.problems
        if not p.skipped and p.code == "SC003" and p.location
    }
    assert unread == {name for name, (_, doubtful) in files.items() if doubtful}
    return schema, files


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "schema"
    made.mkdir()
    (made / "t.sql").write_text(TABLE, "utf-8")
    return made


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v2.sql.bz2", bz2.compress(MORE.encode())), ("v2.sql.xz", lzma.compress(MORE.encode())), ("v2.sql ",
        MORE.encode()), ("v2.SQL.zip", b"PK\3\4"),
        (".v2.sql", MORE.encode()), (".hidden/v2.sql", MORE.encode()), ("t.txt", MORE.encode()), ("junk.txt",
        b"junk\n" * 14_000 + b"\n" + MORE.encode()),
        ("late.json", b'{"x": "create  table t"}'),
        ("001_x.js", b"x"), ("2024_x.rb", b"x"), ("V3__u.kt", b"x"), ("atlas.hcl", b"x"),
        ("ae1027a6acf_add.py", b"x"), ("Version20240101.php", b"x"), ("m240101_0_add.php", b"x"),
        ("3_add.sh", b"x"), ("changes.groovy", b"databaseChangeLog {}"),
    ],
)  # fmt: skip
def test_what_may_hold_definitions_and_is_not_read_is_no_pass(folder, name, content):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    _, files = account(folder)
    assert files == {"t.sql": ("sql", False), name: ("", True)}


@pytest.mark.parametrize("name", ["v2.sql.GZ", "V2.SQL.gz", "v2.DDL"])
def test_names_in_any_case(folder, name):
    packed = name.lower().endswith(".gz")
    (folder / name).write_bytes(gzip.compress(MORE.encode()) if packed else MORE.encode())
    (folder / "t.sql").rename(folder / "A.sql")
    schema, files = account(folder)
    assert files[name] == ("sql", False)
    assert [c.type.base for t in schema.tables for c in t.columns] == ["bigint"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("README.md", b"# read me"), ("package.json", b'{"name": "x", "scripts": {}}'), ("list.txt",
        b"milk\neggs\n"), ("t.txt", b"1\t2\n"), ("a.bin.xz", b"\xfd7zXZ\0"),
        ("node_modules/x/schema.sql", MORE.encode()), (".git/x.sql", MORE.encode()), (".editorconfig", b""),
        ("empty.sql", b"\n"), ("t.sql~", MORE.encode()),
        ("notes.xml", b"<notes/>"), ("broken.csv", b"a,b\n1"), ("x.parquet", b"PAR1"),
        ("index.js", b"x"), ("model2.py", b"x"),
    ],
)  # fmt: skip
def test_what_holds_none_is_told_and_left_alone(folder, name, content):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    schema, files = account(folder)
    assert [t.name for t in schema.tables] == ["t"]
    assert len(files) == 2
    assert all(not doubtful for _, doubtful in files.values())
    assert all(one.read_as or one.why for one in schema.files)


def test_links(tmp_path, folder):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "o.sql").write_text(MORE, "utf-8")
    (folder / "deep").mkdir()
    (folder / "deep" / "u.sql").write_text("CREATE TABLE u (a INT);", "utf-8")
    for name, target in {
        "gone.sql": "nowhere",
        "out.sql": outside / "o.sql",
        "outdir": outside,
        "indir": "deep",
        "again.sql": "t.sql",
        "up": "..",
        "loop": ".",
    }.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe.sql")
    schema, files = account(folder)
    assert sorted(t.name for t in schema.tables) == ["t", "u"]
    assert {name for name, (_, doubtful) in files.items() if doubtful} == {
        "gone.sql",
        "out.sql",
        "outdir",
        "up",
        "pipe.sql",
    }


def test_a_volume_of_kubernetes(tmp_path):
    (tmp_path / "..2026").mkdir()
    (tmp_path / "..2026" / "t.sql").write_text(TABLE, "utf-8")
    (tmp_path / "..data").symlink_to("..2026")
    (tmp_path / "t.sql").symlink_to("..data/t.sql")
    schema, files = account(tmp_path)
    assert files == {"t.sql": ("sql", False)}
    assert len(schema.tables) == 1


@pytest.mark.parametrize("text", [
    "; /*\n[mysqld]\n*/\n", "/*\n*************************** 1. row ***************************\n*/\n",
    "-- x\tVARIABLE_NAME\tVALUE\n", '{"view": "COLUMNS"}; ',
])  # fmt: skip
@pytest.mark.parametrize("name", ["v2.sql", "v2.ddl", "v2.sql.gz"])
def test_sql_is_sql_whatever_it_looks_like(folder, text, name):
    content = (TABLE + text + MORE).encode()
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    schema = open_schema(str(folder / name), server=SERVER)
    assert [one.read_as for one in schema.files] == ["sql"]
    columns = [c.type.base for t in schema.tables for c in t.columns]
    assert columns == ["bigint"] or any(not p.skipped for p in schema.problems)


@pytest.mark.parametrize("text", ["", "-- nothing\n", "USE shop;\n", "# only a comment"])
def test_a_side_without_a_table_is_no_pass(tmp_path, text):
    (tmp_path / "x.sql").write_text(text or "\n", "utf-8")
    if not text:
        with pytest.raises(InputError, match="empty"):
            open_schema(str(tmp_path / "x.sql"))
        return
    for allowed in (False, True):
        schema = open_schema(str(tmp_path / "x.sql"), server=SERVER, allow_empty=allowed)
        (problem,) = [p for p in schema.problems if p.code == "SC003"]
        assert problem.skipped is allowed
        assert "nothing is compared" in problem.message


def test_too_many_files(folder, monkeypatch):
    monkeypatch.setattr(walk, "MOST_FILES", 5)
    for n in range(9):
        (folder / f"{n}.md").touch()
    with pytest.raises(InputError, match="more than 5 files"):
        open_schema(str(folder))


HEAD = (
    "-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n-- Host: h    Database: shop\n-- "
    "Server version\t8.0.36\n\n"
)
END = "-- Dump completed on 2026-11-20 10:00:00\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEAD + TABLE + END, None), (HEAD + TABLE, 1), (TABLE, None), (HEAD + TABLE + END + HEAD, 8),
        (HEAD + HEAD + END, 1),
        (HEAD.replace("MySQL dump", "MariaDB dump") + TABLE, 1), (HEAD + TABLE + "-- Dump completed\n", None),
        ("-- MariaDB dump 10.19-11.4.2-MariaDB, for debian-linux-gnu (x86_64)\n" + TABLE, 1),
        ("-- MySQLShell dump 2.0.1  Distrib Ver 8.0.36\n" + TABLE, None),
    ],
)  # fmt: skip
def test_a_dump_without_its_end(tmp_path, text, line):
    assert cut_off(text) == line
    (tmp_path / "d.sql").write_text(text, "utf-8")
    schema = open_schema(str(tmp_path / "d.sql"))
    assert [(p.code, p.location.line) for p in schema.problems if not p.skipped and p.code == "SC003"] == (
        [] if line is None else [("SC003", line)]
    )


def test_a_mysql_that_mariadbs_program_has_dumped():
    head = (
        "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, "
        "for debian-linux-gnu (x86_64)\n-- Server version\t{}\n"
    )
    assert server_of_dump(head.format("5.6.24-log")) == {"version": "5.6.24-log"}
    assert server_of_dump(head.format("8.0.36")) == {"version": "8.0.36"}
    assert server_of_dump(head.format("10.11.6"))["version_comment"] == "MariaDB"
    assert server_of_dump(head.format("10.11.6-MariaDB"))["version_comment"] == "MariaDB"


def test_a_folder_per_database(tmp_path):
    for name in ("shop", "crm"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.sql").write_text(f"CREATE TABLE `a` (\n  {name}_id INT\n);\n", "utf-8")
    schema = open_schema(str(tmp_path), server=SERVER)
    assert {(t.database, t.name) for t in schema.tables} == {("shop", "a"), ("crm", "a")}
    assert [p for p in schema.problems if not p.skipped] == []
    # Migrations by year are one database.
    (tmp_path / "crm" / "a.sql").write_text("ALTER TABLE a ADD b INT;\n", "utf-8")
    (tmp_path / "crm").rename(tmp_path / "t2")
    (tmp_path / "shop").rename(tmp_path / "t1")
    assert [(t.database, len(t.columns)) for t in open_schema(str(tmp_path), server=SERVER).tables] == [
        (None, 2)
    ]


def test_skeema(tmp_path):
    (tmp_path / ".skeema").write_text("[production]\nhost=db1\n", "utf-8")
    for name, database in (("one", "shop"), ("two", "'crm'  # ours")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".skeema").write_text(
            f"default-character-set=latin1\nschema={database}\n", "utf-8"
        )
        (tmp_path / name / "a.sql").write_text("CREATE TABLE a (x INT);\n", "utf-8")
    schema, files = account(tmp_path)
    assert {t.database for t in schema.tables} == {"shop", "crm"}
    assert files["one/.skeema"] == ("", False)
    (tmp_path / "one" / ".skeema").unlink()
    (tmp_path / "one" / ".skeema").mkdir()
    account(tmp_path)
    (tmp_path / "two" / ".skeema").write_text("schema=a,b", "utf-8")
    with pytest.raises(InputError, match="several databases"):
        open_schema(str(tmp_path))


def test_json_of_others_beside_a_snapshot_that_is_cut(folder):
    (folder / "snap.jsonl").write_text(
        json.dumps({"view": "SNAPSHOT", "schemacheck_snapshot": 1}) + "\n", "utf-8"
    )
    with pytest.raises(InputError, match="truncated"):
        open_schema(str(folder))


def test_a_submodule_that_is_not_checked_out(tmp_path, folder) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    (folder / "empty").mkdir()
    assert not account(folder)[0].problems, "outside of a work tree nothing says so"
    git("init", "--quiet")
    (folder / "sub").mkdir()
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},schema/sub")
    assert account(folder)[1] == {"t.sql": ("sql", False), "sub": ("", True)}
    (tmp_path / ".git" / "index").write_bytes(b"broken")
    assert account(folder)[1] == {"t.sql": ("sql", False), "sub": ("", True), "empty": ("", True)}
    (folder / "sub" / "u.sql").write_text("CREATE TABLE u (a INT);", "utf-8")
    (folder / "empty").rmdir()
    assert len(account(folder)[0].tables) == 2


def test_what_stands_for_a_file_that_git_keeps_elsewhere(folder) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"
    for name in ("u.sql", "u.tsv", "u.csv", "u.txt", "u.json", "u"):
        (folder / name).write_text(pointer, "utf-8")
        assert any(not one.skipped for one in open_schema(str(folder), server=SERVER).problems), name
        (folder / name).unlink()
