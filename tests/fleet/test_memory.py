"""What a run remembers of another is used where nothing has changed, and never where anything has."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import fleets
import pyarrow as pa
import pytest

from schemacheck.errors import SchemacheckError
from schemacheck.fleet import archive, columns, decide, memory, place, secret, trend

ROWS = "the remembered row"


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), "utf-8")

    return edit


def added(name: str, text: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_text(text, "utf-8") and None


def told(path: Path, before: dict[str, bytes] | None = None) -> tuple[dict, dict, dict]:
    """What is said of every pair, why, and what is remembered."""
    decide._made.clear()
    tables, findings, _, kept = fleets.of_task(path, before, remembers=True)
    reasons = {tuple(row[k] for k in fleets.KEY): row["reason"] for row in tables}
    return fleets.of_job(tables, findings), reasons, kept


def false(kept: dict[str, bytes]) -> dict[str, bytes]:
    """The same memories in which every row is wrong, and says so."""
    out = {}
    for home, data in kept.items():
        rows = memory.rows(data)
        at = rows.schema.get_field_index("reason")
        rows = rows.set_column(at, "reason", pa.array([ROWS] * rows.num_rows, pa.string()))
        out[home] = memory.packed(rows, fleets.SECRET, *depends(data))
    return out


def depends(data: bytes) -> tuple[str, str]:
    """What a memory depends on."""
    with pa.ipc.open_stream(data[len(memory._MAGIC) + 32 :]) as stream:
        return tuple(stream.schema.metadata[name].decode() for name in (b"basis", b"places"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict, dict]:
    path = fleets.around(tmp_path_factory.mktemp("base"))
    found, _, kept = told(path)
    return path, found, kept


#: What is changed, and whether some pair's answer is another one then.
CHANGES = {
    "a type": (edited("snapshots/a/columns.tsv", "\tint\t", "\tbigint\t"), True),
    "a column's default": (edited("snapshots/b/columns.tsv", "\tNULL\tYES\tint", "\t7\tYES\tint"), True),
    "a key of a table that refers to it": (
        edited("snapshots/b/referential_constraints.tsv", "\tRESTRICT\tRESTRICT", "\tRESTRICT\tCASCADE"),
        True,
    ),
    "a file that is gone": (lambda folder: (folder / "snapshots/b/key_column_usage.tsv").unlink(), True),
    "the version of one end": (
        edited("fleet.yaml", "instances:\n", "instances:\n  b: {server: mysql-5.7.44}\n"), True,
    ),
    "a setting of a link": (edited("fleet.yaml", "binlog_format: MIXED", "binlog_row_image: MINIMAL"), True),
    "a setting of a server": (
        edited("fleet.yaml", "lower_case_table_names: '1'", "lower_case_table_names: '0'"), True,
    ),
    "a setting in the snapshot": (
        added("snapshots/b/variables.tsv", "version\t8.0.36\nslave_exec_mode\tIDEMPOTENT\n"), True,
    ),
    "a filter": (
        edited("fleet.yaml", "replicate-ignore-table: [app.parent]", "replicate-do-db: [log]"), True,
    ),
    "a filter in the snapshot": (
        added("snapshots/b/my.cnf", "[mysqld]\nreplicate-ignore-table=app.t\n"), True,
    ),
    "names on the way": (edited("fleet.yaml", "rewrite: {log: app}", "rewrite: {app: log}"), True),
    "another link into a replica": (
        edited("fleet.yaml", "links:\n", "links:\n  - {source: c, replica: a, channel: more}\n"), True,
    ),
    "a cluster's name": (
        edited("fleet.yaml", "{source: a, replica: b}", "{source: a, replica: b, cluster: x}"), False,
    ),
    "a file that nobody reads": (added("snapshots/b/columns.tsv.xz", "?"), True),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_never_taken_from_memory(base, tmp_path: Path, change: str) -> None:
    _, before, kept = base
    path = fleets.around(tmp_path)
    edit, differs = CHANGES[change]
    edit(tmp_path)
    wanted, *_ = told(path)
    assert any(wanted[key] != before.get(key) for key in wanted) is differs
    assert told(path, kept)[0] == wanted
    # With a memory that is wrong all through: whatever is another answer now is not taken from it.
    found, reasons, _ = told(path, false(kept))
    assert ROWS not in reasons.values()
    assert {key: found[key] for key in wanted if wanted[key] != before.get(key)} == {
        key: wanted[key] for key in wanted if wanted[key] != before.get(key)
    }


def test_what_has_not_changed_is(base, tmp_path: Path) -> None:
    path, before, kept = base
    found, _, again = told(path, kept)
    assert (found, again) == (before, kept)
    assert set(told(path, false(kept))[1].values()) == {ROWS}
    # The same fleet elsewhere; with a file more its dumps are read.
    other = fleets.around(tmp_path)
    assert set(told(other, false(kept))[1].values()) == {ROWS}
    added("snapshots/b/notes.docx", "?")(tmp_path)
    assert ROWS not in told(other, false(kept))[1].values()
    assert {row["remembered"] for row in fleets.of_task(other, kept, remembers=True)[0]} == {None}
    assert {row["remembered"] for row in fleets.of_task(path, kept, remembers=True)[0]} == {"dumps"}


def test_what_servers_estimate_decides_nothing(tmp_path: Path) -> None:
    """Tables that have only grown are not decided again; what else TABLES says is read."""
    path = fleets.small(tmp_path, 4)
    place = tmp_path / "snapshots" / "a" / "tables.tsv"
    heading, *lines = place.read_text("utf-8").splitlines()
    names = heading.split("\t")

    def night(**values: str) -> set[str | None]:
        rows = [dict(zip(names, line.split("\t"), strict=True)) | values for line in lines]
        place.write_text("\n".join([heading, *("\t".join(row.values()) for row in rows), ""]), "utf-8")
        return {row["remembered"] for row in fleets.of_task(path, kept, remembers=True)[0]}

    kept = fleets.of_task(path, remembers=True)[3]
    assert night() == {"dumps"}
    assert night(TABLE_ROWS="7", DATA_LENGTH="NULL") == {"dumps"}
    assert night(INDEX_LENGTH="7\x01") == night(ENGINE="MyISAM") == night(TABLE_NAME="t0001") == {None}
    place.write_text("\n".join([heading, *lines]), "utf-8")  # without its last end
    assert {row["remembered"] for row in fleets.of_task(path, kept, remembers=True)[0]} == {None}


def test_another_program_remembers_nothing_of_this_one(base, monkeypatch: pytest.MonkeyPatch) -> None:
    path, before, kept = base
    monkeypatch.setattr(decide, "rules_version", lambda: "another")
    found, reasons, _ = told(path, false(kept))
    assert found == before
    assert ROWS not in reasons.values()


def test_the_program_is_all_of_its_modules_and_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = decide.rules_version.__wrapped__
    own = made()
    assert own == decide.rules_version()
    sources = dict(decide._sources(Path(decide.__file__).parents[1], ""))
    archive.make(tmp_path / "fleet.zip")
    path = f"import sys; sys.path.insert(0, {str(tmp_path / 'fleet.zip')!r})"
    code = f"{path}; from schemacheck.fleet import decide; print(decide.__file__, decide.rules_version())"
    told = [sys.executable, "-I", "-c", code]
    got = subprocess.run(told, capture_output=True, text=True, check=True).stdout.split()
    assert ("fleet.zip" in got[0], got[1]) == (True, own)
    assert {
        "/engine/__init__.py",
        "/rules/partitioning.py",
        "/fleet/task.py",
        "/inputs/rows.py",
    } <= sources.keys()
    facts = {**decide.facts.documents(), "more": {}}
    monkeypatch.setattr(decide.facts, "documents", lambda: facts)
    assert made() != own
    monkeypatch.undo()
    monkeypatch.setattr(decide, "_sources", lambda *_: [("/engine/__init__.py", b"")])
    assert made() != own
    monkeypatch.undo()
    monkeypatch.setattr(decide.metadata, "version", lambda name: "0" if name == "sqlglot" else version(name))
    assert made() != own


@pytest.mark.parametrize(
    "damage", ["a bit", "its end", "nothing", "another's", "a size", "no schema", "no basis", "forged"]
)
def test_damage_is_told_and_not_used(base, damage: str) -> None:
    path, before, kept = base
    ((home, data),) = kept.items()
    rows = memory.rows(data)

    def sealed(packed: bytes) -> bytes:
        return memory._MAGIC + secret.seal(fleets.SECRET, packed) + packed

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_batch(rows)
    broken = {
        "a bit": data[:200] + bytes((data[200] ^ 1,)) + data[201:],
        "its end": data[:-9],
        "nothing": b"",
        "another's": b"PAR1" + data,
        "a size": sealed(b"\xff" * 8 + data[61:]),
        "no schema": sealed(b""),
        "no basis": sealed(sink.getvalue().to_pybytes()),
        "forged": memory.packed(rows, "another key", *depends(data)),
    }[damage]
    with pytest.raises(memory.Damaged):
        memory.fits(broken, fleets.SECRET, *depends(data))
    # (What tests before this one had it remember may be wrong on purpose.)
    decide._made.clear()
    tables, findings, problems, again = fleets.of_task(path, {home: broken}, remembers=True)
    assert fleets.of_job(tables, findings) == before
    assert ["damaged" in problem for problem in problems] == [True]
    assert {row["remembered"] for row in tables} == {None}
    assert again == kept


def test_rows_that_name_places_are_of_these_places(tmp_path: Path) -> None:
    """A problem of the input names its file: where the dumps lie elsewhere it is told anew."""
    found = []
    for name in ("one", "two"):
        path = fleets.around(tmp_path / name)
        with (tmp_path / name / "snapshots" / "a" / "columns.tsv").open("a") as file:
            file.write("broken\n")
        kept = fleets.of_task(path, remembers=True)[3] if not found else found[0]
        found.append(kept)
        tables, _, problems, _ = fleets.of_task(path, kept, remembers=True)
        assert all(f"{tmp_path / name}/" in problem for problem in problems)
        assert ({row["remembered"] for row in tables} == {"dumps"}) is (name == "one")


def test_when_a_file_was_compressed_does_not_matter(tmp_path: Path) -> None:
    path = fleets.around(tmp_path)
    columns = tmp_path / "snapshots" / "a" / "columns.tsv"
    text = columns.read_bytes()
    columns.unlink()
    kept: dict[str, bytes] = {}
    for number, more in enumerate((b"", b"", b"\n")):
        columns.with_name("columns.tsv.gz").write_bytes(gzip.compress(text + more, mtime=number + 1))
        tables, _, _, kept = fleets.of_task(path, kept, remembers=True)
        assert ({row["remembered"] for row in tables} == {"dumps"}) is (number == 1)


def test_the_key_is_made_once_and_is_this_users_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def key() -> str:
        return secret.key(said.append)

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    made, file = key(), tmp_path / "schemacheck" / "fleet.key"
    assert (key(), file.stat().st_mode & 0o777, len(list(file.parent.iterdir()))) == (made, 0o600, 1)
    assert made not in secret.name(made)
    assert not said

    def not_used(why: str) -> None:
        assert len({made, key(), key()}) == 3
        assert [why in one for one in said] == [True, True]
        said.clear()

    file.chmod(0o644)
    not_used("not this user's alone")
    file.unlink()
    file.write_bytes(b"short")
    file.chmod(0o600)
    not_used("no key of fleet runs")
    file.unlink()
    other = tmp_path / "other"
    other.write_bytes(bytes(32))
    file.symlink_to(other)
    not_used("fleet.key")
    file.unlink()
    os.mkfifo(file, 0o600)
    not_used("not this user's alone")
    file.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(secret, "os", Linkless())
        not_used("Operation not permitted")
    assert list(file.parent.iterdir()) == []
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    not_used("/proc/none")
    monkeypatch.setenv("SCHEMACHECK_FLEET_KEY", "")
    not_used("/proc/none")
    monkeypatch.setenv("SCHEMACHECK_FLEET_KEY", "a key of several machines")
    assert len(key()) == 64
    monkeypatch.setenv("SCHEMACHECK_FLEET_KEY", "short")
    with pytest.raises(SchemacheckError, match="too short"):
        key()


class Linkless:
    """`os` of a file system without hard links, as the module sees it."""

    @staticmethod
    def link(*given: object) -> None:
        raise PermissionError(1, "Operation not permitted", *given[:1])

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)


@pytest.mark.parametrize("odd", ["a pipe", "a link", "the folder", "nothing"])
def test_a_run_has_files_and_folders_alone(tmp_path: Path, odd: str) -> None:
    folder = tmp_path / "pairs"
    (folder / "x").mkdir(parents=True)
    if odd == "a pipe":
        os.mkfifo(folder / "x" / "part-0.parquet")
    elif odd == "a link":
        (folder / "x" / "part-0.parquet").symlink_to("/etc/passwd")
    elif odd == "the folder":
        (folder / "x").rmdir()
        folder.rmdir()
        folder.symlink_to("/proc")
    if odd == "nothing":
        place.plain(folder)
        return
    with pytest.raises(SchemacheckError, match="no part of a run"):
        place.plain(folder)


@pytest.mark.parametrize(
    "text",
    ["", "[", "[" * 200_000, "[]", "{}", '{"x": ' + "9" * 5000 + "}", '{"schema_version": "1"}',
     '{"link_findings": "x"}', '{"link_findings": [1]}', '{"link_findings": [{"effect": "nope"}]}',
     '{"link_findings": [{"effect": "stops", "source": ["a"]}]}'],
)  # fmt: skip
def test_a_damaged_summary_is_refused(text: str) -> None:
    named = text.replace("{", f'{{"schema_version": {json.dumps(columns.VERSION)}, ', 1).replace(", }", "}")
    for one in (text, named if "schema_version" not in text else text):
        if one != '{"schema_version": ' + json.dumps(columns.VERSION) + "}":
            with pytest.raises(SchemacheckError):
                trend.earlier(one, "run")
