"""Several runs with one output: each has its own folder, and none removes what another works in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import work_folder
from schemacheck.fleet.place import Place


def finished(work: Path, text: str) -> Path:
    (work / "summary.json").write_text(text)
    (work / "other.json").write_text(text)
    return work


def test_what_a_killed_run_left_goes_what_another_works_in_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with work_folder.beside(out) as first:
        left = first.with_name(f"{first.name.rsplit('.', 2)[0]}.1.tmp")
        (left / "deep").mkdir(parents=True)
        # A process of this number runs; a folder of that name may be another container's.
        elsewhere = tmp_path / ".out.other-host.1.tmp"
        elsewhere.mkdir()
        link = first.with_name(f"{first.name.rsplit('.', 2)[0]}.link.tmp")
        link.symlink_to(elsewhere)
        with work_folder.beside(out) as second:
            assert first.is_dir()
            assert second.is_dir()
            assert not left.exists()
            assert elsewhere.is_dir()
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted((elsewhere.name, link.name))


def test_the_results_of_one_run_stand_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def run(text: str) -> None:
        with work_folder.beside(out) as work:
            work_folder.put(finished(work, text), out)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(run, map(str, range(40))))
    assert (out / "summary.json").read_text() == (out / "other.json").read_text()
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_an_end_that_fails_leaves_the_earlier_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    finished(out, "before")
    gone = tmp_path / "gone"
    with work_folder.beside(out) as work:
        finished(work, "now").rename(gone)
        with pytest.raises(InputError, match="did another run end there"):
            work_folder.put(work, out)
    assert (out / "summary.json").read_text() == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == [gone.name, "out"]


def test_what_is_no_earlier_run_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    for out in (tmp_path, tmp_path / "mine"):
        with pytest.raises(UsageError, match="not an earlier run"):
            work_folder.free(out)


def test_what_no_run_wrote_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ours = ("summary.json", "report.html", "report/1.js", "fixes/1-SC201/db.sql", "tables/x=stops/a.parquet",
            "pairs/.part-0.parquet.crc", "findings/_SUCCESS")  # fmt: skip
    theirs = ("notes.txt", "deep/more/notes.txt", "tables/notes.txt", "fixes/1-SC201/done.txt", "tables/link")
    for name in (*ours, *theirs[:-1]):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("before")
    (out / "tables" / "link").symlink_to(tmp_path)
    with work_folder.beside(out) as work:
        work_folder.put(finished(work, "now"), out)
    left = {one.relative_to(out).as_posix() for one in out.rglob("*") if one.is_symlink() or one.is_file()}
    assert left == {"summary.json", "other.json", *theirs}
    assert (out / "summary.json").read_text() == "now"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["file/x", "file/x/y"])
def test_a_place_where_no_folder_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(UsageError, match="no folder can be made there: "),
        work_folder.beside(tmp_path / name),
    ):
        pass


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "summary.json").symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"summary\.json: cannot be written: No space left on device"):
        Place(None, str(tmp_path)).write("summary.json", "{}")  # type: ignore[arg-type]
