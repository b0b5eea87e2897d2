"""Files and folders that change between the look at them and the reading: nothing outside of the folder is
read, nothing waits for ever, nothing half-written is taken for whole.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from schemacheck import open_schema
from schemacheck.errors import InputError
from schemacheck.inputs import directory, source
from schemacheck.model import Server
from schemacheck.system import inner_file
from schemacheck.text.option_file import options

SERVER = Server.parse("mysql-8.0")
SECRET = "CREATE TABLE stolen (a INT);"


def linked(file: Path, outside: Path) -> None:
    file.unlink()
    file.symlink_to(outside / "secret.sql")


def folder_linked(file: Path, outside: Path) -> None:
    shutil.rmtree(file.parent)
    file.parent.symlink_to(outside)


def top_linked(file: Path, outside: Path) -> None:
    """The folder above the file's own one."""
    shutil.rmtree(file.parent.parent)
    file.parent.parent.symlink_to(outside)


def pipe(file: Path, outside: Path) -> None:
    del outside
    file.unlink()
    os.mkfifo(file)


def folder(file: Path, outside: Path) -> None:
    del outside
    file.unlink()
    file.mkdir()


def gone(file: Path, outside: Path) -> None:
    del outside
    file.unlink()


def hard_to_read(file: Path, outside: Path) -> None:
    del outside
    file.unlink()
    file.symlink_to(file)


#: Of a dump's own layout the folder is what a person names.
CHANGES = {
    "plain": (linked, folder_linked, top_linked, pipe, folder, gone, hard_to_read),
    "mydumper": (linked, pipe, folder, gone), "shell": (linked, pipe, folder, gone),
}  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "change"), [(layout, change) for layout, some in CHANGES.items() for change in some]
)
def test_what_was_swapped_after_the_look_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path, Path], None], layout: str
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    inside = root / "x" / "y" if layout == "plain" else root
    inside.mkdir(parents=True)
    (outside / "y").mkdir(parents=True)
    name = {"plain": "secret.sql", "mydumper": "d.t-schema.sql", "shell": "d@t.sql"}[layout]
    for place in (outside, outside / "y"):
        for one in ("secret.sql", name):
            (place / one).write_text(SECRET)
    (inside / name).write_text("CREATE TABLE t (a INT);")
    (root / {"plain": "a.sql", "mydumper": "metadata", "shell": "@.json"}[layout]).write_text(
        "{}" if layout == "shell" else ""
    )
    read, changed = directory.read_source, []

    def swapped(path: str, **said: object) -> object:
        if path.endswith(name) and not changed:
            changed.append(change(inside / name, outside))
        return read(path, **said)

    monkeypatch.setattr(directory, "read_source", swapped)
    with pytest.raises(InputError) as caught:
        open_schema(str(root), server=SERVER)
    assert changed
    assert "stolen" not in str(caught.value)


def test_a_link_inside_of_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("CREATE TABLE t (a INT);")
    (tmp_path / "b.sql").symlink_to("real/a.txt")
    with inner_file.opened(tmp_path / "b.sql", tmp_path) as stream:
        assert stream.read().startswith(b"CREATE")
    for place in (tmp_path, tmp_path / "real", tmp_path / ".." / "x", "/etc/hostname"):
        with pytest.raises(OSError, match=r"leads out|no regular file|No such"):
            inner_file.opened(place, tmp_path)


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="the system knows no permission to go through alone")
def test_a_folder_that_is_gone_through_but_not_listed(tmp_path: Path) -> None:
    """`/home/x` of 0711, with an option file in it."""
    folder = tmp_path / "x" / "y"
    folder.mkdir(parents=True)
    (folder / "my.cnf").write_text("[mysqld]\nbinlog_format=ROW\n")
    tmp_path.chmod(0o711)
    for one in (folder, folder.parent):
        one.chmod(0o311)
    try:
        with inner_file.opened(folder / "my.cnf", tmp_path) as stream:
            assert stream.read().startswith(b"[mysqld]")
    finally:
        for one in (folder.parent, folder):
            one.chmod(0o700)


def test_a_read_me_that_is_a_link(tmp_path: Path) -> None:
    """It is looked at, wherever it leads; it is left out, doubtfully where it holds definitions."""
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "a.sql").write_text("CREATE TABLE t (a INT);")
    (tmp_path / "schema" / "README").symlink_to("../README")
    for text, doubts in (("Tables.", 0), (SECRET, 1)):
        (tmp_path / "README").write_text(text)
        schema = open_schema(str(tmp_path / "schema"), server=SERVER)
        assert ([table.name for table in schema.tables], len(schema.problems)) == (["t"], doubts)


def test_a_folder_that_becomes_a_link_while_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at where links lead and the opening there is time."""
    (tmp_path / "root" / "x").mkdir(parents=True)
    (tmp_path / "root" / "x" / "a.sql").write_text("")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.sql").write_text(SECRET)
    real = os.path.realpath

    class Swapping:
        """`os` as the module sees it."""

        class path:  # noqa: N801 a module's name
            relpath = os.path.relpath

            @staticmethod
            def realpath(given: str) -> str:
                found = real(given)
                if found.endswith("a.sql"):
                    folder_linked(tmp_path / "root" / "x" / "a.sql", tmp_path / "outside")
                return found

        def __getattr__(self, name: str) -> object:
            return getattr(os, name)

    monkeypatch.setattr(inner_file, "os", Swapping())
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        inner_file.opened(tmp_path / "root" / "x" / "a.sql", tmp_path / "root")


@pytest.mark.parametrize("change", ["grows", "shrinks", "is written in place"])
def test_a_file_that_is_written_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    file = tmp_path / "a.sql"
    file.write_text("CREATE TABLE t (a INT);")
    whole = source._whole

    def meanwhile(stream: object, name: str) -> bytes:
        found = whole(stream, name)
        more = {"grows": "ALTER TABLE t ADD b INT;", "shrinks": None, "is written in place": ""}[change]
        if more is None:
            os.truncate(file, 5)
        elif more:
            with file.open("a") as out:
                out.write(more)
        else:
            file.write_text(file.read_text().upper())
            os.utime(file, ns=(1, 1))
        return found

    monkeypatch.setattr(source, "_whole", meanwhile)
    for place in (file, tmp_path):
        file.write_text("CREATE TABLE t (a INT);")
        with pytest.raises(InputError, match="written while it was read"):
            open_schema(str(place), server=SERVER)
    file.write_text("CREATE TABLE t (a INT);")
    assert source.read_source(str(file), grows=True).data.startswith(b"CREATE TABLE t")


HEAD = '{"view": "SNAPSHOT", "schemacheck_snapshot": 1, "changed": []}\n'
COLUMN = (
    '{"view": "COLUMNS", "TABLE_SCHEMA": "d", "TABLE_NAME": "%s", "COLUMN_NAME": "a", "ORDINAL_POSITION": 1, '
    '"COLUMN_TYPE": "int", "IS_NULLABLE": "YES", "COLUMN_DEFAULT": null, "EXTRA": "", '
    '"CHARACTER_SET_NAME": null, "COLLATION_NAME": null}\n'
)
END = '{"view": "SNAPSHOT_END"}\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + COLUMN % "t" + END, ""), (HEAD + COLUMN % "t" + END + HEAD + COLUMN % "u" + END, ""),
        (HEAD + COLUMN % "t", "last line"), (HEAD + COLUMN % "t" + END + HEAD + COLUMN % "u", "last line"),
        (COLUMN % "t" + END, "first line"), (HEAD.replace("1", "2") + COLUMN % "t" + END, "version 2"),
        (HEAD.replace("[]", '"x"') + COLUMN % "t" + END, "changed holds"),
        (HEAD.replace("[]", '{"a": 1}') + COLUMN % "t" + END, "changed holds"),
    ],
)  # fmt: skip
def test_a_snapshot_that_is_not_whole(tmp_path: Path, text: str, why: str) -> None:
    """Two that were put together are two, each with its end."""
    file = tmp_path / "a.jsonl"
    file.write_text(text)
    if not why:
        assert open_schema(str(file), server=SERVER).tables
        return
    with pytest.raises(InputError, match=why):
        open_schema(str(file), server=SERVER)


def test_an_included_option_file_that_becomes_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "more.cnf").write_text("[mysqld]\nserver-id=1\n")
    text = "[mysqld]\n!include more.cnf\n"
    assert [one.value for one in options(text, str(tmp_path / "my.cnf"))] == ["1"]
    pipe(tmp_path / "more.cnf", tmp_path)
    with pytest.raises(InputError, match="no regular file"):
        list(options(text, str(tmp_path / "my.cnf")))
