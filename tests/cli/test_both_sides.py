"""`check` with a second process: the same bytes, the same errors, whatever happens over there."""

from __future__ import annotations

import sys

import pytest

from schemacheck.cli import both_sides, reading
from schemacheck.system import child

#: An order that matters: migrations, LIKE, a query, another database, a broken statement, a foreign key, a
#: drop.
SCRIPT = """-- Server version\t8.0.36
CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY, name varchar(20)); -- schemacheck: ignore[SC204] known
USE shop;
CREATE TABLE twin LIKE t;
ALTER TABLE t ADD COLUMN more {more}, ADD KEY (more);
CREATE TABLE made AS SELECT id, more AS m FROM t;
CREATE TABLE broken (id int,,);
CREATE TABLE child (id int, FOREIGN KEY (id) REFERENCES t (id));
CREATE TABLE gone (id int);
DROP TABLE gone;
USE other;
CREATE TABLE t (id bigint);
"""


@pytest.fixture
def sides(tmp_path):
    for name, more in (("source", "int unsigned"), ("replica", "bigint")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.sql").write_text(SCRIPT.format(more=more), "utf-8")
        (tmp_path / name / "2.sql").write_text(
            f"CREATE TABLE shop.of_{name} (id int);\nALTER TABLE shop.twin ADD x {more};\n", "utf-8"
        )
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_the_same_bytes_for_any_number_of_processes(run, sides, form):
    alone, *others = (
        run("check", "source", "replica", "--no-config", "--jobs", jobs, "--format", form)
        for jobs in (1, 2, 3)
    )
    assert alone.status == 1
    assert "SC2" in alone.out
    assert all(other == alone for other in others)


def test_the_same_errors(run, sides):
    for paths in (("nowhere", "replica"), ("source", "nowhere"), ("nowhere", "nothing")):
        alone, other = (run("check", *paths, "--no-config", "--jobs", jobs) for jobs in (1, 2))
        assert alone == other
        assert alone.status == 2
        assert alone.err.count("\n") == 1


def test_fewer_than_one(run, sides):
    assert "--jobs" in run("check", "source", "replica", "--jobs", "0").err


@pytest.mark.parametrize(
    "program", ["raise SystemExit(1)", "print('[[], 1')", "import os; os.kill(os.getpid(), 9)"]
)
def test_a_process_that_dies_costs_nothing_but_time(run, sides, monkeypatch, program):
    alone = run("check", "source", "replica", "--no-config", "--jobs", "1")
    monkeypatch.setattr(child, "command", lambda *_: [sys.executable, "-I", "-c", program])
    assert run("check", "source", "replica", "--no-config", "--jobs", "2") == alone


def test_no_second_process_to_be_had(run, sides, monkeypatch):
    alone = run("check", "source", "replica", "--no-config", "--jobs", "1")
    monkeypatch.setattr(child, "command", lambda *_: ["/nowhere/python"])
    assert run("check", "source", "replica", "--no-config", "--jobs", "2") == alone


def test_small_inputs_are_read_here(run, sides, monkeypatch):
    seen = []
    monkeypatch.setattr(both_sides, "_at_once", lambda *_: seen.append("second process"))
    here = reading.read
    monkeypatch.setattr(reading, "read", lambda path, *rest: seen.append(path) or here(path, *rest))
    run("check", "source", "replica", "--no-config")
    assert seen == ["source", "replica"]


def test_the_choice(tmp_path, monkeypatch):
    monkeypatch.setattr(both_sides, "WORTHWHILE", 1000)
    monkeypatch.setattr(both_sides.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    tables = [f"CREATE TABLE t{n} (id int(11), name varchar(20));\n" for n in range(30)]
    for name, text in {
        "old.sql": "".join(tables), "other.sql": "".join(tables).replace("int(11)", "int"), "new.sql": "".join(tables).replace("t2", "u2"),  # noqa: E501
        "small.sql": tables[0], "rows.tsv": "x" * 2000, "packed.SQL.gz": "x" * 200, "folder/a.sql": "".join(tables[:15]), "folder/b.ddl": "".join(tables[15:]),  # noqa: E501
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")

    def chosen(first: str, second: str) -> int:
        return both_sides._chosen(str(tmp_path / first), str(tmp_path / second))

    assert (
        chosen("old.sql", "other.sql")
        == chosen("other.sql", "folder")
        == chosen("old.sql", "packed.SQL.gz")
        == 2
    )
    # Too little, rows, nothing there, the same text.
    for second in ("small.sql", "rows.tsv", "nowhere.sql", "new.sql", "folder", "old.sql"):
        assert chosen("old.sql", second) == 1
    assert both_sides._chosen("mysql://root@db/", str(tmp_path / "old.sql")) == 1
    monkeypatch.setattr(both_sides.os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert chosen("old.sql", "other.sql") == 1
