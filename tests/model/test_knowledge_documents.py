"""The facts are the same documents in a wheel, in a checkout and in its copy."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from schemacheck import knowledge
from schemacheck.knowledge import facts
from schemacheck.model import Server

ROOT = Path(__file__).resolve().parents[2]


def test_what_a_wheel_carries_is_what_the_checkout_reads():
    assert json.loads(facts.packed()) == facts.from_yaml(ROOT / "rules") == facts.documents()
    assert {"errors", "charsets", "servers/mysql-8.0", "servers/mariadb-10.11"} <= set(facts.documents())


def test_a_copy_is_used_until_a_document_changes(tmp_path, monkeypatch):
    folder, kept = tmp_path / "rules", tmp_path / "kept" / "facts.json"
    folder.mkdir()
    document = folder / "one.yaml"
    document.write_text("a: 1\n")
    monkeypatch.setattr(facts, "_FOLDER", folder)
    monkeypatch.setattr(facts, "_KEPT", kept)
    monkeypatch.setattr(facts.sys, "dont_write_bytecode", False)
    read = facts.documents.__wrapped__
    assert read() == {"one": {"a": 1}}
    monkeypatch.setattr(facts, "from_yaml", lambda _: pytest.fail("the copy holds"))
    assert read() == {"one": {"a": 1}}
    monkeypatch.undo()
    monkeypatch.setattr(facts, "_FOLDER", folder)
    monkeypatch.setattr(facts, "_KEPT", kept)
    document.write_text("a: 1\nb: 2\n")
    assert read() == {"one": {"a": 1, "b": 2}}
    kept.unlink(missing_ok=True)
    assert read() == {"one": {"a": 1, "b": 2}}


def test_a_document_that_would_be_another_one_as_json_is_refused(tmp_path):
    (tmp_path / "numbers.yaml").write_text("1054: text\n")
    with pytest.raises(ValueError, match=r"numbers\.yaml: keys must be text"):
        facts.from_yaml(tmp_path)


def test_a_folder_without_facts_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no facts about servers"):
        facts.from_yaml(tmp_path)


def test_the_archive_for_spark_carries_the_facts(tmp_path):
    from schemacheck.fleet import archive

    archive.make(tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        assert json.loads(made.read("schemacheck/_facts.json")) == facts.documents()


def test_a_series_goes_on_from_the_one_before_it():
    """Else a new document between two would be passed over by the later one, without any error."""
    for flavor in knowledge.flavors():
        earlier: list[str] = []
        for _, stem, _ in knowledge.series(flavor):
            own = [one for one in knowledge.lineage(stem) if one.startswith(f"{flavor}-")]
            other = knowledge.load(f"servers/{stem}").get("extends")
            assert other is None or not other.startswith(f"{flavor}-"), f"{stem}: extends its own flavour"
            assert own == [stem] if other else own == [stem, *reversed(earlier)]
            earlier.append(stem)
    assert knowledge.lineage("percona-5.6") == ("percona-5.6", *knowledge.lineage("mysql-5.6"))


@pytest.mark.parametrize(
    ("name", "release"), [("mysql", "8.4"), ("mariadb", "11.8"), ("percona", "8.4"), ("mysql-9", "9.7")]
)
def test_a_flavour_alone_is_its_lts_release(name: str, release: str) -> None:
    assert Server.parse(name).series == release
