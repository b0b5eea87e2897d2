"""What a topology's file holds is read whole or refused, also where it is one of a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from schemacheck.errors import BadSetting, UsageError
from schemacheck.fleet import profiles, topology

LINK = "{source: a, replica: b}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"links: [{LINK}]\nlinks: []", "'links' is given twice"),
        ("defaults: {settings: {binlog_format: ROW, binlog_format: STATEMENT}}", "given twice"),
        ("links: 5", "`links` is a list"), ("instances: 5", "`instances` a mapping"),
        ("instances: [5]", "`instances` a mapping"), ("snapshots: {a: 1}", "`snapshots` is a place"),
        ("links: [{source: [1], replica: b}]", "names are single values"),
        ("instances: {a: {cluster: [1]}}", "single values"), ("links: 2001-99-99", "month must be"),
        ("links: [{source: a, replica: b, filters: {ignore-domain-ids: [x]}}]", "a list of numbers"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("defaults: {server: 10.10}\nlinks: [{source: a, replica: b}]", "the server as text"),
        ("instances: {a: {snapshot: 5}}", "a folder, file or URL"),
        ("links: [{source: a, replica: b, filters: {replicate-do-db: null}}]", "takes names as text"),
        ("links: [{source: a, replica: b, filters: {replicate-do-db: [[d]]}}]", "takes names as text"),
        ("links: [{source: a, replica: b, filters: {replicate-do-table: t}}]", "the server refuses it"),
        ("links: [{source: a, replica: b, filters: {replicate-rewrite-db: a}}]", "the server refuses it"),
        ("links: [{source: a, replica: b, kind: galerra}]", "did you mean 'galera'"),
        ("x: &x {a: 1}\ny: {<<: [*x, *x]}", "`<<` takes one mapping here"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=said):
        topology.read(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source,replica\na,b,c\n", "row 1: more values than columns"),
        ("source,replica,Source\na,b,c\n", "'source' is there twice"),
        ("source,replica\na,\xff\n", "UTF-8"),
    ],
)
def test_a_table_has_the_columns_of_its_heading(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "links.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=said):
        topology.read(path)


def test_a_mapping_may_be_merged(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(
        "defaults: &d {server: mysql-8.0}\ninstances: {a: {<<: *d, server: mysql-5.7}}\n", "utf-8"
    )
    assert topology.read(path).instances["a"].server == "mysql-5.7"


def test_a_topology_of_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its settings are those of the commit; snapshots lie where the work tree has them."""

    def git(*words: str) -> None:
        about = ("-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *about, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet", "-b", "main")
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "fleet.yaml").write_text(f"snapshots: s\nlinks: [{LINK}]\n", "utf-8")
    git("add", "-A")
    git("commit", "--quiet", "-m", "base")
    (tmp_path / "ops" / "fleet.yaml").write_text("links: []\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    found = topology.read(Path("git:main:ops/fleet.yaml"))
    assert len(found.links) == 1
    assert found.folder == tmp_path / "ops"
    with pytest.raises(UsageError):
        topology.read(Path("git:-x:ops/fleet.yaml"))


@pytest.mark.parametrize(("server", "kind"), [("mariadb-10.11", "galera"), ("mysql-8.0", "group")])
def test_nodes_of_a_cluster(tmp_path: Path, server: str, kind: str) -> None:
    path = tmp_path / "links.csv"
    path.write_text(f"source,replica,source_server,replica_server,kind\na,b,{server},{server},{kind}\n")
    fleet = topology.read(path)
    assert profiles.resolve(fleet, ()).links[0].kind.value == kind
    path.write_text(f"source,replica,source_server,replica_server,kind\na,b,mysql-5.6,{server},{kind}\n")
    with pytest.raises(BadSetting, match=r"link 1 .* cannot be a node"):
        profiles.resolve(topology.read(path), ())
