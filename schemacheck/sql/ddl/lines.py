"""CREATE TABLE as SHOW CREATE TABLE prints it: each definition is a line, and most lines came before.

A line that did, but for the names in it, is not cut into words again; any other line is parsed alone by the
grammar of all statements (`create`). Of a statement of another form, and of one that is refused, nothing is
said here: the whole of it is parsed then.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from schemacheck.dataclass import dataclass
from schemacheck.sql.ddl import create, options, repeated
from schemacheck.sql.ddl.draft import ColumnDraft, KeyDraft, PartDraft, TableDraft, TableOptions
from schemacheck.sql.flavor import Flavor, KnownEnd, KnownKey
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

#: Cuts a text into words under the sql_mode of the statement.
Cutter = Callable[[str], Tokens]
#: A column whose definition is kept: its name, the number of its line, where the name begins in it, what
#: stands behind the name, and what that says.
ColumnLine = tuple[str, int, int, str, ColumnDraft]
#: A key that is kept: what it says, the number of its line, and the line, cut at the quotes of its names.
KeyLine = tuple[KnownKey, int, list[str]]


@dataclass(slots=True)
class TableLines:
    """A CREATE TABLE of one definition a line. `starts` are where its lines begin, `columns` and `keys` in
    the order of the lines: those that are kept in `Flavor` as `ColumnLine` and `KeyLine`, others as drafts.
    `rest` is what else was parsed: CHECKs, foreign keys, periods.
    """

    rest: TableDraft
    starts: list[int]
    columns: list[ColumnLine | ColumnDraft]
    keys: list[KeyLine | KeyDraft]
    #: The last line without its number; the number.
    general: str = ""
    number: str | None = None

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
    head = _HEAD.match(text)
    if head is None or not head.group().isascii() or len(text) > MAX_TOKENS:
        return None
    lines = text[head.end() :].split("\n", _MOST_LINES)
    last = len(lines) - 2
    if not 0 <= last < _MOST_LINES - 2 or lines[-1][:1] != ")":
        return None
    exists, database, name = head.groups()
    rest = TableDraft(
        name, database, if_not_exists=exists is not None, name_end=head.end(3) + 1,
        name_at=head.start(3 if database is None else 2) - 1,
    )  # fmt: skip
    at = head.end()
    out = TableLines(rest, [], [], [])
    try:
        for index in range(last + 1):
            line = lines[index]
            if (line[-1:] == ",") is (index == last):
                return None
            out.starts.append(at)
            if not _again(line, index, flavor, out):
                t = _words(line, at, text, cutter)
                if t is None or not _element(line, at, t, flavor, rest):
                    return None
                _sort(line, index, flavor, out)
            at += len(line) + 1
        out.starts.append(at)
        return out if _end(lines[-1], at, text, flavor, cutter, out) else None
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


def _again(line: str, index: int, flavor: Flavor, out: TableLines) -> bool:
    """Whether a line is a column whose definition was parsed before, or a key that was with other names."""
    pieces = line.split("`")
    if not pieces[0].strip(" \t"):
        rest = pieces[2] if len(pieces) == 3 else "`".join(pieces[2:])
        column = flavor.definitions.get(rest)
        if column is None or rest[0] not in " \t" or not pieces[1] or not pieces[1].isascii():
            return False
        out.columns.append((pieces[1], index, len(pieces[0]), rest, column[1]))
        if column[1].versioned:
            out.rest.options.system_versioned = True
        return True
    names = pieces[1::2]
    known = flavor.keys.get("`".join(pieces[::2])) if len(pieces) % 2 else None
    if known is None or "" in names or not line.isascii():
        return False
    out.keys.append((known, index, pieces))
    return True


def _sort(line: str, index: int, flavor: Flavor, out: TableLines) -> None:
    """Put the column or key of a line that was parsed into its place: one that is kept now like any other."""
    rest = out.rest
    found = [*rest.columns, *rest.keys]
    if found and not _again(line, index, flavor, out):
        out.columns += rest.columns
        out.keys += rest.keys
    rest.columns.clear()
    rest.keys.clear()


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


def _element(line: str, at: int, t: Tokens, flavor: Flavor, out: TableDraft) -> bool:
    """Whether a line is one definition, with the comma behind it. It is kept where it is a key of which the
    names in quotes alone may be others.
    """
    create.element(t, flavor, out)
    if line[-1:] == ",":
        t.need(",")
    if not t.end:
        return False
    pieces = line.split("`")
    if not out.keys or any(mark in line for mark in "'\"\\/#") or "--" in line:
        return True
    key, names = out.keys[-1], pieces[1::2]
    parts = [part.column for part in key.parts if part.expression is None and not part.without_overlaps]
    wanted = [key.name, *parts] if key.name is not None else parts
    if names != wanted or len(parts) < len(key.parts) or "" in names or key.if_not_exists:
        return True
    if len(flavor.keys) >= _MOST:
        del flavor.keys[next(iter(flavor.keys))]
    flavor.keys["`".join(pieces[::2])] = KnownKey(
        KeyDraft(
            key.kind, key.parts.copy(), key.name, key.visible, key.using, key.parser,
            engine_options=key.engine_options.copy(), attributes=key.attributes.copy(),
        ),
        key.span[0] - at, at + len(line) - key.span[1], plain=_is_plain(key),
    )  # fmt: skip
    return True


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


def _end(line: str, at: int, text: str, flavor: Flavor, cutter: Cutter, out: TableLines) -> bool:
    """Read the parenthesis at the end and the options behind it, and keep them; False where anything else
    follows.
    """
    once = _PLAIN.fullmatch(line) is not None and line.upper().count("AUTO_INCREMENT") == 1
    number = _NUMBER.search(line) if once else None
    general = line if number is None else f"{line[: number.start()]}\n{line[number.end() :]}"
    known = flavor.endings.get(general)
    if known is None:
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
        if len(flavor.endings) >= _MOST:
            del flavor.endings[next(iter(flavor.endings))]
        flavor.endings[general] = known
    out.general, out.number = general, None if number is None else number.group()
    return True
