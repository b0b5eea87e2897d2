"""CREATE TABLE as SHOW CREATE TABLE prints it: each definition is a line, and most lines came before.

A line that did, but for the names in it, is not cut into words again; any other line is parsed alone by the
grammar of all statements (`create`). Of a statement of another form, and of one that is refused, nothing is
said here: the whole of it is parsed then.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.sql.ddl import create, options, repeated
from schemacheck.sql.ddl.draft import ColumnDraft, ForeignDraft, KeyDraft, PartDraft, TableDraft, TableOptions
from schemacheck.sql.flavor import Flavor, KnownEnd, KnownForeign, KnownKey
from schemacheck.sql.lexer import MAX_TOKENS, Refused, Tokens

#: The words before the definitions.
_HEAD = re.compile(r"CREATE TABLE (IF NOT EXISTS )?(?:`([^`?\n]++)`\.)?`([^`?\n]++)` ?\(\n", re.IGNORECASE)
#: A number that is another one in each table.
_NUMBER = re.compile(r"(?<= AUTO_INCREMENT=)[1-9][0-9]{0,17}(?= |\Z)")
#: A line without strings, names in quotes and comments.
_PLAIN = re.compile(r"[^'\"`#/\\-]*+")
#: Longer and deeper lines, and statements of more lines, are not looked at: `Tokens` knows their limits.
_LONGEST, _DEEPEST, _MOST_LINES = 1_000, 40, 1_100
#: How many keys and ends of tables are kept under one grammar.
_MOST = 2_000

_Kept = TypeVar("_Kept")
#: Cuts a text into words under the sql_mode of the statement.
Cutter = Callable[[str], Tokens]
#: A column whose definition is kept: its name, the number of its line, where the name begins in it, what
#: stands behind the name, and what that says.
ColumnLine = tuple[str, int, int, str, ColumnDraft]
#: A key that is kept: what it says, the number of its line, and the line, cut at the quotes of its names.
KeyLine = tuple[KnownKey, int, list[str]]


@dataclass(slots=True)
class TableLines:
    """A CREATE TABLE of one definition a line: `lines`, each with the comma behind it (the last one too),
    of which the first begins at `body`. Of its last line `general` is what `Flavor.endings` knows it by.

    `starts` are where its lines begin, `columns` and `keys` in the order of the lines: those that are kept in
    `Flavor` as `ColumnLine` and `KeyLine`, others as drafts. `rest` is what else was parsed: CHECKs, foreign
    keys, periods. (`fill` finds these.)
    """

    rest: TableDraft
    text: str
    body: int
    lines: list[str]
    #: The last line without its number; the number.
    general: str = ""
    number: str | None = None
    starts: list[int] = field(default_factory=list)
    columns: list[ColumnLine | ColumnDraft] = field(default_factory=list)
    keys: list[KeyLine | KeyDraft] = field(default_factory=list)

    def draft(self, flavor: Flavor) -> TableDraft:
        """All of it, the last line as `flavor` keeps it since it was read."""
        out, end = self.rest, flavor.endings[self.general]
        out.columns = [
            one if isinstance(one, ColumnDraft) else repeated.placed(
                one[4], one[0], self.starts[one[1]] + one[2],
                self.starts[one[1]] + one[2] + len(one[0]) + 2,
            )
            for one in self.columns
        ]  # fmt: skip
        out.keys = [one if isinstance(one, KeyDraft) else _key_draft(one, self.starts) for one in self.keys]
        kept, others, number = end.options, end.options.others.copy(), self.number
        if number is not None:
            others["auto_increment"] = number
        place = end.place + (len(number) if number is not None and end.behind else 0)
        out.options = TableOptions(
            kept.charset, kept.collation, self.starts[-1] + place if end.place >= 0 else 0, kept.engine,
            kept.system_versioned or out.options.system_versioned, kept.comment, kept.row_format,
            others, kept.written.copy(), kept.engine_options.copy(),
        )  # fmt: skip
        return out


def read(text: str, flavor: Flavor, cutter: Cutter) -> TableLines | None:
    """The lines of a CREATE TABLE of one definition a line, of which `flavor.endings` has the last one; None
    for any other statement. IGNORE_SPACE is not in sql_mode.
    """
    found = begin(text, flavor, cutter)
    return found if found is not None and fill(found, flavor, cutter) else None


def begin(text: str, flavor: Flavor, cutter: Cutter) -> TableLines | None:
    """The same, of which nothing but the first and the last line was looked at."""
    head = _HEAD.match(text)
    if head is None or not head.group().isascii() or len(text) > MAX_TOKENS:
        return None
    body = head.end()
    lines = text[body:].split("\n", _MOST_LINES)
    end = lines.pop()
    if not 0 < len(lines) < _MOST_LINES - 1 or end[:1] != ")" or lines[-1][-1:] == ",":
        return None
    lines[-1] += ","
    exists, database, name = head.groups()
    rest = TableDraft(
        name, database, if_not_exists=exists is not None, name_end=head.end(3) + 1,
        name_at=head.start(3 if database is None else 2) - 1,
    )  # fmt: skip
    out = TableLines(rest, text, body, lines)
    try:
        return out if _end(end, text, flavor, cutter, out) else None
    except Refused:
        return None


def fill(found: TableLines, flavor: Flavor, cutter: Cutter) -> bool:
    """Read the lines of a table; False where one is no definition by itself."""
    at = found.body
    for index, line in enumerate(found.lines):
        found.starts.append(at)
        if not _again(line, index, flavor, found):
            made = element(found, index, at, flavor, cutter)
            if made is None:
                return False
            _sort(made, line, index, flavor, found)
        at += len(line) + 1
    # The comma of the last definition is not there.
    found.starts.append(at - 1)
    return True


def element(found: TableLines, index: int, at: int, flavor: Flavor, cutter: Cutter) -> TableDraft | None:
    """What a line says, which begins at `at`: a draft of one column, key or constraint; None where it is no
    definition by itself. It is kept where it may come again.
    """
    line, out = found.lines[index], TableDraft(found.rest.name)
    try:
        t = _words(line, at, found.text, cutter)
        return out if t is not None and _element(line, at, t, flavor, out) else None
    except Refused:
        return None


def _words(line: str, at: int, text: str, cutter: Cutter) -> Tokens | None:
    """The words of a line that is at `at` in a text; None where its limits are near, and where a semicolon is
    in it, which is no word at the end of a text.
    """
    if len(line) > _LONGEST or line.count("(") > _DEEPEST or ";" in line:
        return None
    t = cutter(line)
    t.text = text
    t.starts = [at + start for start in t.starts]
    t.ends = [at + end for end in t.ends]
    return t


def definition(behind: str, flavor: Flavor) -> ColumnDraft | None:
    """What stands behind a column's name, where that was parsed before. A blank comes first."""
    found = flavor.definitions.get(behind)
    return None if found is None or behind[0] not in " \t" else found[1]


def _again(line: str, index: int, flavor: Flavor, out: TableLines) -> bool:
    """Whether a line is a column whose definition was parsed before, or a key that was with other names."""
    pieces = line.split("`")
    if not pieces[0].strip(" \t"):
        rest = pieces[2] if len(pieces) == 3 else "`".join(pieces[2:])
        column = definition(rest, flavor)
        if column is None or not pieces[1] or not pieces[1].isascii():
            return False
        out.columns.append((pieces[1], index, len(pieces[0]), rest, column))
        if column.versioned:
            out.rest.options.system_versioned = True
        return True
    if len(pieces) % 2 == 0 or "" in pieces[1::2] or not line.isascii():
        return False
    general = "`".join(pieces[::2])
    known = flavor.keys.get(general)
    if known is not None:
        out.keys.append((known, index, pieces))
        return True
    other = flavor.foreign.get(general)
    if other is not None:
        out.rest.foreign_keys.append(foreign_draft(other, pieces, out.starts[index]))
    return other is not None


def _sort(made: TableDraft, line: str, index: int, flavor: Flavor, out: TableLines) -> None:
    """Put what a line says into its place: a column or a key that is kept now like any other."""
    rest = out.rest
    rest.checks += made.checks
    rest.foreign_keys += made.foreign_keys
    rest.periods += made.periods
    if (made.columns or made.keys) and not _again(line, index, flavor, out):
        out.columns += made.columns
        out.keys += made.keys
        rest.options.system_versioned |= made.options.system_versioned


def _key_draft(line: KeyLine, starts: list[int]) -> KeyDraft:
    """The key of a line."""
    known, index, pieces = line
    at, names = starts[index], pieces[1::2]
    places = []
    place = at - 1
    for piece, name in zip(pieces[::2], names, strict=False):
        place += len(piece) + 1
        places.append(place)
        place += len(name) + 1
    key = known.key
    named = len(names) - len(key.parts)
    parts = [
        PartDraft(name, part.length, None, part.descending, part.ordered, at=place)
        for part, name, place in zip(key.parts, names[named:], places[named:], strict=True)
    ]
    return KeyDraft(
        key.kind, parts, names[0] if named else None, key.visible, key.using, key.parser,
        (at + known.lead, place + len(pieces[-1]) + 1 - known.tail), engine_options=key.engine_options.copy(),
        attributes=key.attributes.copy(),
    )  # fmt: skip


def foreign_draft(known: KnownForeign, pieces: list[str], at: int) -> ForeignDraft:
    """The foreign key of a line, cut at the quotes of its names, which begins at `at`."""
    draft, names = known.draft, pieces[1::2]
    name = names.pop(0) if draft.name is not None else None
    index = names.pop(0) if draft.index_name is not None else None
    columns = names[: len(draft.columns)]
    del names[: len(columns)]
    database = names.pop(0) if draft.ref_database is not None else None
    length = len("`".join(pieces))
    return ForeignDraft(
        columns, database, names[0], names[1:], draft.on_delete, draft.on_update, name, index,
        span=(at + known.lead, at + length - known.tail),
    )  # fmt: skip


def _element(line: str, at: int, t: Tokens, flavor: Flavor, out: TableDraft) -> bool:
    """Whether a line is one definition, with the comma behind it. It is kept where it is a key or a foreign
    key of which the names in quotes alone may be others.
    """
    create.element(t, flavor, out)
    t.need(",")
    if not t.end:
        return False
    if (out.keys or out.foreign_keys) and "--" not in line and not any(mark in line for mark in "'\"\\/#"):
        _keep(line, at, flavor, out)
    return True


def _keep(line: str, at: int, flavor: Flavor, out: TableDraft) -> None:
    pieces = line.split("`")
    general, names = "`".join(pieces[::2]), pieces[1::2]
    if "" in names:
        return
    if out.foreign_keys:
        one = out.foreign_keys[0]
        behind = [one.ref_database, one.ref_table] if one.ref_database is not None else [one.ref_table]
        before = [name for name in (one.name, one.index_name) if name is not None]
        if names == [*before, *one.columns, *behind, *one.ref_columns]:
            _bound(flavor.foreign)
            # Who gets the draft may change it.
            alone = replace(one, columns=one.columns.copy(), ref_columns=one.ref_columns.copy())
            flavor.foreign[general] = KnownForeign(alone, one.span[0] - at, at + len(line) - one.span[1])
        return
    key = out.keys[0]
    parts = [part.column for part in key.parts if part.expression is None and not part.without_overlaps]
    wanted = [key.name, *parts] if key.name is not None else parts
    if names != wanted or len(parts) < len(key.parts) or key.if_not_exists:
        return
    _bound(flavor.keys)
    flavor.keys[general] = KnownKey(
        KeyDraft(
            key.kind, key.parts.copy(), key.name, key.visible, key.using, key.parser,
            engine_options=key.engine_options.copy(), attributes=key.attributes.copy(),
        ),
        key.span[0] - at, at + len(line) - key.span[1], plain=_is_plain(key),
    )  # fmt: skip


def _bound(kept: dict[str, _Kept]) -> None:
    """Make room for one more."""
    if len(kept) >= _MOST:
        del kept[next(iter(kept))]


def _is_plain(key: KeyDraft) -> bool:
    """Whether nothing but the types, names and prefixes of a key's columns decides what it becomes."""
    return (
        key.kind in ("primary", "unique", "index", "fulltext")
        and (key.name is not None or key.kind == "primary")
        and key.visible
        and key.using in (None, "BTREE")
        and not (key.parser or key.engine_options)
        and (key.kind != "fulltext" or not any(part.length or part.ordered for part in key.parts))
    )


def _end(line: str, text: str, flavor: Flavor, cutter: Cutter, out: TableLines) -> bool:
    """Read the parenthesis at the end and the options behind it, and keep them; False where anything else
    follows.
    """
    once = _PLAIN.fullmatch(line) is not None and line.upper().count("AUTO_INCREMENT") == 1
    number = _NUMBER.search(line) if once else None
    general = line if number is None else f"{line[: number.start()]}\n{line[number.end() :]}"
    known = flavor.endings.get(general)
    if known is None:
        at = len(text) - len(line)
        t = _words(line, at, text, cutter)
        if t is None:
            return False
        t.need(")")
        made = TableOptions()
        options.options(t, flavor, made)
        if not t.end:
            return False
        place = made.charset_at - at if made.charset_at else -1
        behind = number is not None and place > number.start()
        known = KnownEnd(made, place - (len(number.group()) if number and behind else 0), behind)
        _bound(flavor.endings)
        flavor.endings[general] = known
    out.general, out.number = general, None if number is None else number.group()
    return True
