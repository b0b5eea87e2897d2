"""CREATE TABLE as SHOW CREATE TABLE prints it: each definition is a line, and most lines came before.

A line that did, but for the names in it, is not cut into words again; any other line is parsed alone by the
grammar of all statements (`create`). Of a statement of another form, and of one that is refused, nothing is
said here: the whole of it is parsed then.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from schemacheck.sql.ddl import create, options, repeated
from schemacheck.sql.ddl.draft import KeyDraft, PartDraft, TableDraft, TableOptions
from schemacheck.sql.flavor import Flavor, KnownEnd, KnownKey
from schemacheck.sql.lexer import MAX_TOKENS, Refused, Tokens

#: The words before the definitions.
_HEAD = re.compile(r"CREATE TABLE (IF NOT EXISTS )?(?:`([^`?\n]++)`\.)?`([^`?\n]++)` ?\(\n", re.IGNORECASE)
#: A column's name in quotes, before a blank.
_COLUMN = re.compile(r"[ \t]*+`([^`]++)`(?=[ \t])")
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


def create_table(text: str, flavor: Flavor, cutter: Cutter) -> TableDraft | None:
    """The value of a CREATE TABLE of one definition a line; None for any other statement. IGNORE_SPACE is not
    in sql_mode.
    """
    head = _HEAD.match(text)
    if head is None or not head.group().isascii() or len(text) > MAX_TOKENS:
        return None
    lines = text[head.end() :].split("\n", _MOST_LINES)
    last = len(lines) - 2
    if not 0 <= last < _MOST_LINES - 2 or lines[-1][:1] != ")":
        return None
    exists, database, name = head.groups()
    out = TableDraft(
        name, database, if_not_exists=exists is not None, name_end=head.end(3) + 1,
        name_at=head.start(3 if database is None else 2) - 1,
    )  # fmt: skip
    at = head.end()
    try:
        for index in range(last + 1):
            line = lines[index]
            if (line[-1:] == ",") is (index == last):
                return None
            if not (_column_again(line, at, flavor, out) or _key_again(line, at, flavor, out)):
                t = _words(line, at, text, cutter)
                if t is None or not _element(line, at, t, flavor, out):
                    return None
            at += len(line) + 1
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


def _column_again(line: str, at: int, flavor: Flavor, out: TableDraft) -> bool:
    """Whether a line is a column whose definition was parsed before."""
    found = _COLUMN.match(line)
    if found is None:
        return False
    name, end = found.group(1), found.end()
    known = flavor.definitions.get(line[end:])
    if known is None or not name.isascii():
        return False
    out.columns.append(repeated.placed(known[1], name, at + found.start(1) - 1, at + end))
    out.options.system_versioned = out.options.system_versioned or known[1].versioned
    return True


def _key_again(line: str, at: int, flavor: Flavor, out: TableDraft) -> bool:
    """Whether a line is a key that was parsed before with other names."""
    pieces = line.split("`")
    names = pieces[1::2]
    known = flavor.keys.get("`".join(pieces[::2])) if len(pieces) % 2 else None
    if known is None or "" in names or not line.isascii():
        return False
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
    out.keys.append(
        KeyDraft(
            key.kind, parts, names[0] if named else None, key.visible, key.using, key.parser,
            (at + known.lead, at + len(line) - known.tail), engine_options=key.engine_options.copy(),
            attributes=key.attributes.copy(),
        )
    )  # fmt: skip
    return True


def _element(line: str, at: int, t: Tokens, flavor: Flavor, out: TableDraft) -> bool:
    """Whether a line is one definition, with the comma behind it. It is kept where it is a key of which the
    names in quotes alone may be others.
    """
    count = len(out.keys)
    create.element(t, flavor, out)
    if line[-1:] == ",":
        t.need(",")
    if not t.end:
        return False
    pieces = line.split("`")
    if len(out.keys) == count or any(mark in line for mark in "'\"\\/#") or "--" in line:
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
        key.span[0] - at, at + len(line) - key.span[1],
    )  # fmt: skip
    return True


def _end(line: str, at: int, text: str, flavor: Flavor, cutter: Cutter, out: TableDraft) -> bool:
    """Read the parenthesis at the end and the options behind it; False where anything else follows."""
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
    kept, others = known.options, known.options.others.copy()
    if number is not None:
        others["auto_increment"] = number.group()
    place = known.place + (len(number.group()) if number is not None and known.behind else 0)
    out.options = TableOptions(
        kept.charset, kept.collation, at + place if known.place >= 0 else 0, kept.engine,
        kept.system_versioned or out.options.system_versioned, kept.comment, kept.row_format,
        others, kept.written.copy(), kept.engine_options.copy(),
    )  # fmt: skip
    return True
