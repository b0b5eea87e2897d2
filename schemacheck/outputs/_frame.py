"""Code frames: the line of a definition with carets under what is meant."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.model import Location, Side, Table
from schemacheck.outputs._style import PLAIN, Style, cut, one_line, width


def line_of(table: Table | None, location: Location | None) -> str | None:
    """The file's line at `location`, out of the statement's own text; None where it is not known."""
    if (
        table is None
        or not table.text
        or table.location is None
        or location is None
        or location.file != table.location.file
    ):
        return None
    named = table.location
    if location.line is None or named.line is None or named.column is None:
        return None
    lines = table.text.split("\n")
    head = _line_with_name(lines, table.name, named.column)
    if head is None:
        return None
    index = location.line - named.line + head
    if not 0 <= index < len(lines):
        return None
    text = lines[index].rstrip("\r")
    if index == 0 and head == 0:
        return " " * max(named.column - 1 - _position(text, table.name), 0) + text
    return text


def _position(line: str, name: str) -> int:
    """Where the name, or its opening quote, is in a line; -1 where it does not."""
    at = line.find(name)
    return at - 1 if at > 0 and line[at - 1] in '`"' else at


def _line_with_name(lines: list[str], name: str, column: int) -> int | None:
    """The line of a statement that has the table's name: the first with it at `column`, but the
    very first line, which may start further right in the file, only has to contain it."""
    for index, line in enumerate(lines):
        at = _position(line, name)
        if at >= 0 and (index == 0 or column - 1 in (at, at + 1)):
            return index
    # `shop`.`orders`: the location may be the database's name.
    return next((index for index, line in enumerate(lines) if name in line), None)


def underline(text: str, location: Location) -> str:
    """Blanks and carets for the span of `location` in `text`; '' where the column is not known."""
    if location.column is None or location.column > len(text) + 1:
        return ""
    start = location.column - 1
    end = location.end_column - 1 if location.end_column else _word_end(text, start)
    before = width(one_line(text[:start]))
    return " " * before + "^" * max(width(one_line(text[start:end])), 1)


def _word_end(text: str, start: int) -> int:
    """The end of the name at `start`: a quoted one to its closing quote."""
    if start < len(text) and text[start] in '`"':
        closing = text.find(text[start], start + 1)
        return closing + 1 if closing > 0 else len(text)
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "_$"):
        end += 1
    return max(end, start + 1)


def definition(side: Side, table: Table | None, room: int) -> str:
    """A side's definition and its place, cut to fit; '' where there is none."""
    if not side.text:
        return ""
    line, at = line_of(table, side.location), side.location
    text = side.text
    if line and at and at.column and at.end_column:
        text = line[at.column - 1 : at.end_column - 1]
    place = f" ({at.file}:{at.line})" if at and at.line else ""
    return cut(one_line(text), max(room - width(place), 30)) + one_line(place)


def frames(
    source: Side, replica: Side, tables: tuple[Table | None, Table | None], style: Style = PLAIN
) -> list[str]:
    """The lines of both frames, source first; a side without a place gives nothing."""
    if tables == (None, None) and replica == Side() and source.location and not source.text:
        return _place(source.location, source.line, style)
    sides = [("source", source, tables[0]), ("replica", replica, tables[1])]
    numbers = [str(s.location.line) for _, s, _ in sides if s.location and s.location.line is not None]
    gutter = max(map(len, numbers), default=1)
    bar, corner = ("│", "┌─") if style.unicode else ("|", "-->")
    out: list[str] = []
    for role, side, table in sides:
        if side.location is None:
            if side.text:
                out.append(f"{' ' * gutter} {style.faint(corner)} {role}: {one_line(side.text)}")
            continue
        place = str(side.location)
        out.append(f"{' ' * gutter} {style.faint(corner)} {one_line(place)} ({role})")
        text = line_of(table, side.location)
        label = f"{role}: {one_line(side.text)}" if side.text else role
        if text is None:
            out.append(f"{' ' * gutter} {style.faint(bar)} {label}")
            continue
        text, at = _window(text, side.location, style.columns - gutter - 3)
        out.append(f"{side.location.line!s:>{gutter}} {style.faint(bar)} {one_line(text)}")
        carets = underline(text, at)
        out.append(f"{' ' * gutter} {style.faint(bar)} {carets or '^'} {label}")
    return out


def _window(text: str, location: Location, room: int) -> tuple[str, Location]:
    """The part of a line that fits, what is meant at its beginning, and the place in it."""
    if width(text) <= room or location.column is None:
        return text, location
    start = max(min(location.column - 1, len(text) - room + 3), 3)
    moved = start - 3
    end = location.end_column and min(location.end_column - moved, room + 1)
    return cut("..." + text[start:], room), replace(location, column=location.column - moved, end_column=end)


def _place(location: Location, line: str, style: Style) -> list[str]:
    """A place of the input, and its line where that may be shown."""
    bar, corner = ("│", "┌─") if style.unicode else ("|", "-->")
    gutter = len(str(location.line)) if line else 1
    out = [f"{' ' * gutter} {style.faint(corner)} {one_line(str(location))}"]
    if line:
        out.append(f"{location.line} {style.faint(bar)} {one_line(line)}")
        out.append(f"{' ' * gutter} {style.faint(bar)} {underline(line, location) or '^'}")
    return out
