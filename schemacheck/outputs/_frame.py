"""Code frames: the line of a definition with carets under what is meant."""

from __future__ import annotations

from schemacheck.model import Location, Side, Table
from schemacheck.outputs._style import PLAIN, Style, visible, width


def line_of(table: Table | None, location: Location | None) -> str | None:
    """The file's line at `location`, out of the statement's own text; None where it is not known.

    The statement starts in the middle of a line where something stands before it: that part is
    made up with blanks, so that columns fit.
    """
    if table is None or not table.text or table.location is None or location is None:
        return None
    first = table.location
    if location.line is None or first.line is None or location.file != first.file:
        return None
    lines = table.text.split("\n")
    index = location.line - first.line
    if not 0 <= index < len(lines):
        return None
    text = lines[index].rstrip("\r")
    return " " * ((first.column or 1) - 1) + text if index == 0 else text


def underline(text: str, location: Location, style: Style = PLAIN) -> str:
    """Blanks and carets for the span of `location` in `text`; '' where the column is not known."""
    if location.column is None or location.column > len(text) + 1:
        return ""
    start = location.column - 1
    end = location.end_column - 1 if location.end_column else _word_end(text, start)
    before = width(visible(text[:start]))
    return " " * before + ("─" if style.unicode else "^") * max(width(visible(text[start:end])), 1)


def _word_end(text: str, start: int) -> int:
    """The end of the name at `start`: a quoted one to its closing quote."""
    if start < len(text) and text[start] in '`"':
        closing = text.find(text[start], start + 1)
        return closing + 1 if closing > 0 else len(text)
    end = start
    while end < len(text) and (text[end].isalnum() or text[end] in "_$"):
        end += 1
    return max(end, start + 1)


def frames(source: Side, replica: Side, tables: tuple[Table | None, Table | None], style: Style = PLAIN) -> list[str]:
    """The lines of both frames, source first. A side without a place gives nothing."""
    sides = [("source", source, tables[0]), ("replica", replica, tables[1])]
    numbers = [str(s.location.line) for _, s, _ in sides if s.location and s.location.line is not None]
    gutter = max(map(len, numbers), default=1)
    bar, corner = ("│", "┌─") if style.unicode else ("|", "-->")
    out: list[str] = []
    for role, side, table in sides:
        if side.location is None:
            if side.text:
                out.append(f"{' ' * gutter} {style.faint(corner)} {role}: {visible(side.text)}")
            continue
        place = str(side.location)
        out.append(f"{' ' * gutter} {style.faint(corner)} {visible(place)} ({role})")
        text = line_of(table, side.location)
        label = f"{role}: {visible(side.text)}" if side.text else role
        if text is None:
            out.append(f"{' ' * gutter} {style.faint(bar)} {label}")
            continue
        out.append(f"{side.location.line!s:>{gutter}} {style.faint(bar)} {visible(text)}")
        carets = underline(text, side.location)
        out.append(f"{' ' * gutter} {style.faint(bar)} {carets or '^'} {label}")
    return out
