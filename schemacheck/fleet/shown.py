"""Definitions for a person: one line per column, then keys and constraints.

`lines` shows one definition, `every` many: what their lines have in common is looked at once, by Arrow's
kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, LINE, NULL, OWN, decode, index_of

if TYPE_CHECKING:
    import pyarrow as pa

_CARRIED = BY_NAME["columns"].carried
#: The letter, the ordinal and the separator in front of what a line of COLUMNS carries.
_FRONT = 8
#: The letter of a line that is shown as it is.
_READY = "Z"


def lines(text: str) -> list[str]:
    """The lines of one definition that are shown."""
    if text[0] == "j":
        table = decode(text)
        return [
            _column(
                c.name,
                c.type.sql(),
                "YES" if c.nullable else "NO",
                c.default.text or c.default.kind.value if c.default else None,
                "",
                "",
            )
            for c in table.columns
        ]
    return [shown for line in text[1:].split(LINE) if (shown := _shown(line))]


def every(texts: pa.Array) -> tuple[list[str], pa.ListArray]:
    """All distinct lines that are shown of these definitions (string or large_string), and for each
    definition the numbers of its own.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    bodies, json = pc.utf8_slice_codeunits(texts, 1), pc.starts_with(texts, "j")
    if pc.any(json).as_py():
        ready = [LINE.join(_READY + line for line in lines(text)) for text in texts.filter(json).to_pylist()]
        bodies = pc.replace_with_mask(bodies, json, pa.array(ready, bodies.type))
    split = pc.split_pattern(bodies, LINE)
    flat = split.flatten()
    column = pc.and_(
        pc.starts_with(flat, "C"), pc.equal(pc.utf8_slice_codeunits(flat, _FRONT - 1, _FRONT), FIELD)
    )
    # Columns that only stand elsewhere are shown alike. (What is no column is among them, and not used.)
    columns = pc.utf8_slice_codeunits(flat, _FRONT).dictionary_encode()
    others = flat.filter(pc.invert(column)).dictionary_encode()
    shown = pa.concat_arrays(
        [
            _columns(columns.dictionary.cast(pa.string())),
            pa.array([_shown(line) for line in others.dictionary.to_pylist()], pa.string()),
        ]
    ).dictionary_encode()
    first, rest = shown.indices[: len(columns.dictionary)], shown.indices[len(columns.dictionary) :]
    numbers = pc.replace_with_mask(first.take(columns.indices), pc.invert(column), rest.take(others.indices))
    values: list[str] = shown.dictionary.to_pylist()
    if "" not in values:
        return values, pa.ListArray.from_arrays(split.offsets, numbers)
    there = pc.not_equal(numbers, values.index(""))
    counts = pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(there.cast(pa.int32()))])
    return values, pa.ListArray.from_arrays(counts.take(split.offsets), numbers.filter(there))


def _columns(found: pa.Array) -> pa.Array:
    """What is shown of columns, of which these are the lines behind the ordinal."""
    import pyarrow as pa
    import pyarrow.compute as pc

    fields = pc.split_pattern(found, FIELD)
    plain = pc.and_(
        pc.equal(pc.list_value_length(fields), len(_CARRIED)), pc.invert(pc.match_substring(found, OWN))
    )
    columns = fields.filter(plain)
    name, kind, nullable, default, extra, charset = (
        pc.list_element(columns, _CARRIED.index(name)) for name in _CHOSEN
    )
    none, nulls = pa.scalar(""), pa.array(["", NULL, "NULL"])

    def given(value: pa.Array, before: str, *, empty: bool = False) -> pa.Array:
        absent = pc.is_in(value, nulls[1:] if empty else nulls)
        return pc.if_else(absent, none, pc.binary_join_element_wise(before, value, ""))

    made = pc.binary_join_element_wise(
        name, " ", kind, given(charset, " character set "), pc.if_else(pc.equal(nullable, "YES"), none,
        pa.scalar(" not null")),
        given(default, " default ", empty=True), given(pc.utf8_lower(extra), " "), "",
    )  # fmt: skip
    rest = [
        _shown(f"C{FIELD}{line}") if line.count(FIELD) >= len(_CARRIED) - 1 else ""
        for line in found.filter(pc.invert(plain)).to_pylist()
    ]
    blank = pa.repeat(none, len(found))
    return pc.replace_with_mask(
        pc.replace_with_mask(blank, plain, made), pc.invert(plain), pa.array(rest, pa.string())
    )


_CHOSEN = ("COLUMN_NAME", "COLUMN_TYPE", "IS_NULLABLE", "COLUMN_DEFAULT", "EXTRA", "CHARACTER_SET_NAME")


def _shown(line: str) -> str:
    """One line for a person, '' where there is nothing to show."""
    if not line or line[0] in (BROKEN, _READY):
        return line[1:]
    parts = line[1:].split(FIELD)
    if line[0] == "C":
        # The ordinal stands before what is carried.
        name, kind, nullable, default, extra, charset = (
            "" if p == OWN else p for p in (parts[index_of("columns", name)] for name in _CHOSEN)
        )
        return _column(
            name,
            kind,
            nullable,
            None if default in (NULL, "NULL") else default,
            "" if extra == NULL else extra,
            "" if charset == NULL else charset,
        )
    parts = ["NULL" if p == NULL else "" if p == OWN else p for p in parts]
    if line[0] == "T":
        return "engine " + parts[1]
    if line[0] == "S":
        return f"key {parts[0]} ({parts[1].lstrip('0')}: {parts[3]})" + (" unique" if parts[2] == "0" else "")
    return " ".join(p for p in parts if p and p != "NULL")


def _column(name: str, kind: str, nullable: str, default: str | None, extra: str, charset: str) -> str:
    shown = (
        f"{name} {kind}"
        + (f" character set {charset}" if charset not in ("", "NULL") else "")
        + ("" if nullable == "YES" else " not null")
    )
    shown += f" default {default}" if default is not None else ""
    return shown + (f" {extra.lower()}" if extra not in ("", "NULL") else "")
