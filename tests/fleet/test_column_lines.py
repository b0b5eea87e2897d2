"""Rows of COLUMNS that are read as text say what Arrow's reader says of them."""

from __future__ import annotations

import random
from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import column_lines, dump_file, rows
from schemacheck.fleet.snapshots import File

_HEADING = (
    "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_DEFAULT",
    "IS_NULLABLE", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA",
)  # fmt: skip
_TAIL = "NULL\tYES\tNULL\tNULL\tint\t\t"


def file(*lines: str, heading: tuple[str, ...] = _HEADING, end: str = "\n", more: bytes = b"") -> File:
    text = "\n".join(("\t".join(heading), *lines)) + end
    return dump_file.with_heading(File("columns.tsv", "columns", data=text.encode() + more))


def row(table: str, name: str, ordinal: object, tail: str = _TAIL, database: str = "app") -> str:
    return f"def\t{database}\t{table}\t{name}\t{ordinal}\t{tail}"


def by_arrow(files: list[File], monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(column_lines, "read", lambda _: None)
        return rows.read(files)


#: Rows that are read as text, and what is in them.
_READ = {
    "two tables": [row("t", "a", 1), row("t", "b", 2), row("u", "a", 1)],
    "a table in two pieces": [row("t", "a", 1), row("u", "a", 1), row("t", "b", 2)],
    "not in order": [row("t", "b", 2), row("t", "a", 1)],
    "a gap": [row("t", "a", 1), row("t", "b", 3)],
    "an ordinal twice": [row("t", "a", 1), row("t", "b", 1)],
    "many columns": [row("t", f"c{n}", n) for n in range(1, 130)],
    "a type that only the engine knows": [row("t", "a", 1, _TAIL.replace("int", "uuid"))],
    "text whose character set nobody tells": [row("t", "a", 1, _TAIL.replace("int", "varchar(9)"))],
    "escapes": [row("t\\t1", "a\\\\", 1, "a\\nb" + _TAIL[4:]), row("t", "b\\\\c", 1)],
    "names that are the word for null": [row("NULL", "a", 1), row("t", "NULL", 1), row("u", "", 1)],
    "databases of the server": [row("user", "a", 1, database="mysql"), row("t", "a", 1)],
    "a database in another spelling": [row("t", "a", 1), row("t", "a", 1, database="APP")],
    "ordinals with noughts": [row("t", "a", "01"), row("t", "b", "002")],
    "letters beyond ASCII": [row("größe", "ä", 1), row("größe", "\u2028", 2)],
    "no rows": [],
}
#: Files that are left to the other reader.
_LEFT = {
    "empty lines": file("", row("t", "a", 1), "", "", row("t", "b", 2), ""),
    "a short row": file(row("t", "a", 1), "def\tapp\tt\tb"),
    "a row with a field too many": file(row("t", "a", 1), row("t", "b", 2) + "\tx"),
    "a heading in the middle": file(row("t", "a", 1), "\t".join(_HEADING)),
    "an ordinal that is none": file(row("t", "a", "x")),
    "a separating byte": file(row("t", "a\x1f", 1)),
    "lines that end as on Windows": file(row("t", "a", 1), end="\r\n"),
    "a last line that is cut off": file(row("t", "a", 1), row("t", "b", 2)[:-3], end=""),
    "bytes that are no text": file(row("t", "a", 1), more=b"def\tapp\tu\t\xff\t1\t" + _TAIL.encode() + b"\n"),
    "another order of columns": file(
        "def\tapp\ta\tt\t1", heading=("TABLE_CATALOG", "TABLE_SCHEMA", "COLUMN_NAME", "TABLE_NAME", "X")
    ),
}


@pytest.mark.parametrize("what", _READ)
def test_both_readers_say_the_same(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [file(*_READ[what])]
    assert column_lines.read(given[0]) is not None
    first = rows.read(given)
    assert first == by_arrow(given, monkeypatch)
    assert rows.read(given) == first  # out of memory


@pytest.mark.parametrize("what", _LEFT)
def test_what_is_unusual_is_left_to_arrow(what: str) -> None:
    assert column_lines.read(_LEFT[what]) is None


def test_columns_that_were_not_dumped_are_missed_by_both(monkeypatch: pytest.MonkeyPatch) -> None:
    some = file(row("t", "a", 1, _TAIL[:-1]), heading=_HEADING[:-1])
    assert column_lines.read(some) is not None
    _, _, problems = found = rows.read([some])
    assert [("EXTRA" in one.message, one.skipped) for one in problems] == [(True, False)]
    assert found == by_arrow([some], monkeypatch)


def test_random_fleets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    for seed in range(3):
        fleets.small(tmp_path / str(seed), seed, tables=30)
        for home in sorted((tmp_path / str(seed) / "snapshots").iterdir()):
            lines = (home / "columns.tsv").read_text("utf-8").splitlines()[1:]
            if seed:
                rng.shuffle(lines)
            heading = tuple((home / "columns.tsv").read_text("utf-8").split("\n", 1)[0].split("\t"))
            whole = file(*lines, heading=heading)
            assert column_lines.read(whole) is not None
            assert rows.read([whole]) == by_arrow([whole], monkeypatch)
