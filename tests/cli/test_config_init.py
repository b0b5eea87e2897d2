"""`config init`: what is seen is written, what is unclear is asked for, nothing is written over."""

from __future__ import annotations

import subprocess

import pytest

from schemacheck.config import reader

TABLE = "CREATE TABLE t (id int NOT NULL PRIMARY KEY);\n"
DUMP = (
    "-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)\n"
    "-- Server version\t10.11.6-MariaDB\n" + TABLE
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


PLACES = {
    "one file": ({"schema.sql": TABLE}, "schema.sql"),
    "a folder": ({"db/schema/t.sql": TABLE, "db/schema/u.sql": TABLE.replace("t (", "u (")}, "db/schema"),
    "folders below one": ({"m/1/a.sql": TABLE, "m/2/b.sql": TABLE.replace("t (", "u (")}, "m"),
    "beside tests": ({"schema.sql": TABLE, "tests/x.sql": TABLE}, "schema.sql"),
}


@pytest.mark.parametrize("name", PLACES)
def test_where_the_definitions_are(run, folder, name):
    files, place = PLACES[name]
    written(folder, files)
    done = run("config", "init")
    assert done.status == 0, done.err
    config = reader.load("schemacheck.yaml")
    assert config.source.value == place
    assert (config.versions, config.against) == (None, None)
    assert "# versions: 8.4" in done.out


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no .sql file is here: name the definitions or migrations"),
        ({"db/a.sql": TABLE, "db/m/V1__a.sql": TABLE}, "SQL is in several places (db/a.sql, db/m)"),
        ({"a.sql": TABLE, "b/b.sql": TABLE}, "SQL is in several places (a.sql, b)"),
        ({"a.sql": TABLE, "schemacheck.yml": ""}, "schemacheck.yml is there already: it is not written over"),
    ],
)
def test_what_is_unclear_is_not_written(run, folder, files, said):
    written(folder, files)
    done = run("config", "init")
    assert done.status == 2
    assert said in done.err
    assert not (folder / "schemacheck.yaml").exists()


def test_what_is_read_out_of_a_dump_a_history_and_a_clone(run, folder):
    written(folder, {"a dump.sql": DUMP})
    assert run("config", "init").status == 0
    config = reader.load("schemacheck.yaml")
    assert config.source.value == "a dump.sql"
    assert config.versions.source.value == config.versions.replica.value == "mariadb-10.11.6"
    (folder / "schemacheck.yaml").unlink()
    written(folder, {"db/V1__a.sql": TABLE})
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], check=True)
    done = run("config", "init", "db", "--source-version", "8.0.36", "--replica-version", "8.4")
    assert "# Flyway: 1 migration, 1 table\n" in done.out
    config = reader.load("schemacheck.yaml")
    assert (config.versions.source.value, config.versions.replica.value) == ("8.0.36", "8.4")
    assert config.against.value == "HEAD"
    assert run("check").status == 0
    assert run("config", "show", "db").status == 2
