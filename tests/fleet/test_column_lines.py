"""Rows of COLUMNS as text, and the same rows out of an Arrow table, are the same definitions."""

from __future__ import annotations

import random
from pathlib import Path

import fleets
import pyarrow as pa
import pytest

from schemacheck.errors import InputError
from schemacheck.fleet import column_lines, dump_file, fields, rows
from schemacheck.fleet.snapshots import File

_HEADING = (
    "TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_DEFAULT",
    "IS_NULLABLE", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA",
)  # fmt: skip
_TAIL = "NULL\tYES\tNULL\tNULL\tint\t\t"


def file(*lines: str, heading: tuple[str, ...] = _HEADING, end: str = "\n", more: bytes = b"") -> File:
    text = "\n".join(("\t".join(heading), *lines)) + end
    return File("columns.tsv", "columns", data=text.encode() + more)


def row(table: str, name: str, ordinal: object, tail: str = _TAIL, database: str = "app") -> str:
    return f"def\t{database}\t{table}\t{name}\t{ordinal}\t{tail}"


def by_arrow(given: File) -> pa.Table:
    """The rows of a file as Parquet and DataFrames have them."""
    heading, *lines = (given.data or b"").decode().split("\n")[:-1]
    values_of_lines = [
        [None if text == "NULL" else dump_file.unescaped(text) for text in line.split("\t")] for line in lines
    ]
    names = heading.lower().split("\t")
    columns = zip(*values_of_lines, strict=True) if values_of_lines else ([] for _ in names)
    return pa.table([pa.array(values, pa.string()) for values in columns], names=names)


def texts(made: tuple[list[rows.Definition], object]) -> list[tuple[object, ...]]:
    """Definitions but for their dialects."""
    return [(one.database, one.table, one.text[1:], one.odd, one.has_primary_key) for one in made[0]]


#: Rows that are read as text, and what is in them.
_READ = {
    "two tables": [row("t", "a", 1), row("t", "b", 2), row("u", "a", 1)],
    "a table in two pieces": [row("t", "a", 1), row("u", "a", 1), row("t", "b", 2)],
    "not in order": [row("t", "b", 2), row("t", "a", 1)],
    "a first column that may be hidden": [row("t", "a", 2), row("t", "b", 3)],
    "many columns": [row("t", f"c{n}", n) for n in range(1, 130)],
    "a type that only the engine knows": [row("t", "a", 1, _TAIL.replace("int", "uuid"))],
    "text whose character set nobody tells": [row("t", "a", 1, _TAIL.replace("int", "varchar(9)"))],
    "escapes": [row("t\\t1", "a\\\\", 1, "a\\nb" + _TAIL[4:]), row("t", "b\\\\c", 1)],
    "names that are the word for null": [row("t", "NULL", 1), row("u", "", 1)],
    "a table in two files": [row("t", "b", 2), row("u", "a", 1), row("t", "a", 1)],
    "databases of the server": [row("user", "a", 1, database="mysql"), row("t", "a", 1)],
    "a database in another spelling": [row("t", "a", 1), row("t", "a", 1, database="APP")],
    "ordinals with noughts": [row("t", "a", "01"), row("t", "b", "002")],
    "other control characters": [row("t", "a\x0b", 1, "\x0c" + _TAIL[4:]), row("t", "b\x7f", 2)],
    "letters beyond ASCII": [row("größe", "ä", 1), row("größe", "\u2028", 2)],
}
_T, _U = row("t", "a", 1), row("u", "a", 1)
#: Files that are left to `schemacheck.inputs`.
_LEFT = {
    "empty lines": file("", _T, "", "", row("t", "b", 2), ""),
    "a short row": file(_T, _U, "def\tapp\tt\tb"),
    "a row with a field too many": file(_T, _U, row("t", "b", 2) + "\tx"),
    "a heading in the middle": file(_T, "\t".join(_HEADING), _U),
    "a separating byte": file(row("t", "a\x1f", 1), _U),
    "lines that end as on Windows": file(_T, _U, end="\r\n"),
    "a last line that is cut off": file(_T, _U, row("t", "b", 2)[:-3], end=""),
    "bytes that are no text": file(_T, more=b"def\tapp\tu\t\xff\t1\t" + _TAIL.encode() + b"\n"),
    "no rows": file(),
    "no heading": File("columns.tsv", "columns", data=f"{_T}\n".encode()),
    "a gap": file(row("t", "a", 1), row("t", "b", 3)),
    "an ordinal twice": file(row("t", "a", 1), row("t", "b", 1)),
    "an ordinal that is none": file(_U, row("t", "a", "x")),
    "tables without a name": file(row("NULL", "a", 1), row("t", "NULL", 1), row("u", "", 1)),
}  # fmt: skip


@pytest.mark.parametrize("what", _READ)
def test_both_sources_say_the_same(what: str) -> None:
    given = file(*_READ[what])
    first = rows.read([given])
    assert texts(first) == texts(rows.read([], given={"columns": [by_arrow(given)]}))
    assert texts(rows.read([given])) == texts(first)  # out of memory


def test_a_large_file_is_read_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    given = file(*(row(f"t{n}", name, at) for n in range(9) for at, name in enumerate("abc", 1)))
    whole = texts(rows.read([given]))
    monkeypatch.setattr(column_lines, "_TOGETHER", 2)
    column_lines._reader.cache_clear()
    assert texts(rows.read([given])) == whole
    # Places are numbers of four bytes.
    monkeypatch.setattr(fields, "_MOST", 50)
    column_lines._reader.cache_clear()
    with pytest.raises(InputError, match=r"^[0-9]+ bytes of rows are too many together"):
        rows.read([given])


@pytest.mark.parametrize("what", _LEFT)
def test_what_is_unusual_is_left_to_the_readers_of_check(what: str) -> None:
    with pytest.raises(fields.Misfit):
        rows.read([_LEFT[what]])


def test_another_order_of_columns_is_the_same() -> None:
    lines = [row("t", "a", 1), row("t", "b", 2), row("u", "a", 1)]
    order = [4, 7, 2, 3, 1, 5, 6, 8, 9, 10, 11]
    turned = ["\t".join(line.split("\t")[at] for at in order) for line in lines]
    given = file(*turned, heading=tuple(_HEADING[at] for at in order))
    assert texts(rows.read([given])) == texts(rows.read([file(*lines)]))
    with pytest.raises(fields.Misfit):
        rows.read([file(turned[0], turned[1] + "\tx", heading=tuple(_HEADING[at] for at in order))])


def test_columns_that_were_not_dumped_are_missed() -> None:
    _, problems = rows.read([file(row("t", "a", 1, _TAIL[:-1]), heading=_HEADING[:-1])])
    assert [("EXTRA" in one.message, one.skipped) for one in problems] == [(True, False)]


def test_random_fleets(tmp_path: Path) -> None:
    rng = random.Random(7)
    for seed in range(3):
        fleets.small(tmp_path / str(seed), seed, tables=30)
        for home in sorted((tmp_path / str(seed) / "snapshots").iterdir()):
            heading, *lines = (home / "columns.tsv").read_text("utf-8").splitlines()
            if seed:
                rng.shuffle(lines)
            given = file(*lines, heading=tuple(heading.split("\t")))
            assert texts(rows.read([given])) == texts(rows.read([], given={"columns": [by_arrow(given)]}))


def test_what_is_another_in_some_lines_is_as_if_it_were_read_alone() -> None:
    """Rows that are read behind those of a counterpart, whatever is another in them."""
    base = [row(f"t{n}", name, at) for n in range(4) for at, name in enumerate("abc", 1)]
    tails = {
        "kind": _TAIL.replace("int", "bigint"),
        "key": _TAIL[:-2] + "PRI\t",
        "odd": _TAIL[:-4] + "uuid\t\t",
    }
    changes = {
        **{name: {4: row("t1", "b", 2, tail)} for name, tail in tails.items()},
        "two": {3: row("t1", "a", 1, tails["kind"]), 11: row("t3", "c", 3, tails["key"])},
        "what is not carried": {4: row("t1", "b", 2).replace("def\t", "DEF\t")},
        "a name": {4: row("t1", "B", 2)},
        "an ordinal": {5: row("t1", "c", 4)},
        "a column less": {5: None},
        "a table less": {3: None, 4: None, 5: None},
        "a table more": {5: row("t1", "c", 3) + "\n" + row("t1x", "a", 1)},
        "a separating byte": {4: row("t1", "b", 2, "\x1f" + _TAIL[4:])},
    }

    def outcome(given: File) -> object:
        try:
            return texts(rows.read([given]))
        except fields.Misfit:
            return None

    for name, change in changes.items():
        lines = [line for at, old in enumerate(base) if (line := change.get(at, old)) is not None]
        column_lines._reader.cache_clear()
        alone = outcome(file(*lines))
        column_lines._reader.cache_clear()
        both = rows.read([file(*base)])[0], outcome(file(*lines))
        assert both[1] == alone, name
        for ours, theirs in zip(both[0], rows.read([file(*lines)])[0] if alone else (), strict=False):
            here, there = ours.block, theirs.block
            assert ours.same_as(theirs) == (ours.text == theirs.text), name
            if here is not None and there is not None and (places := here.unlike(there)) is not None:
                kinds = zip(here.kinds, there.kinds, strict=True)
                assert places == [n for n, (one, other) in enumerate(kinds) if one != other], name
