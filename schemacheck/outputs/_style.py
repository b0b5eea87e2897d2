"""How text for people looks: colours, line-drawing characters, how much of it."""

from __future__ import annotations

import unicodedata

from schemacheck.dataclass import dataclass
from schemacheck.model import Effect
from schemacheck.text.printable import one_line, visible

__all__ = ["PLAIN", "Style", "cut", "one_line", "visible", "width", "wrapped"]

_CODES = {
    Effect.IDENTICAL: "32",
    Effect.COMPATIBLE: "36",
    Effect.INCOMPLETE: "33",
    Effect.LOSSY: "33;1",
    Effect.UNSUPPORTED: "35;1",
    Effect.DIVERGES: "31;1",
    Effect.STOPS: "31;1",
    Effect.UNKNOWN: "34;1",
}


@dataclass(frozen=True, slots=True)
class Style:
    """`verbosity` -1: the summary line; 0: in short; 1: all. `columns`: where lines end."""

    color: bool = False
    unicode: bool = False
    verbosity: int = 0
    columns: int = 80

    def effect(self, effect: Effect, text: str) -> str:
        """`text` in the colour of an effect."""
        return self._paint(_CODES[effect], text)

    def bold(self, text: str) -> str:
        """`text` emphasised."""
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        """`text` stepped back."""
        return self._paint("2", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text


PLAIN = Style()


def width(text: str) -> int:
    """Terminal cells that `text` takes (wide characters two, combining ones none)."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, room: int) -> str:
    """As much of a line as fits, with `...` where something is left out."""
    if width(text) <= room:
        return text
    while width(text) > room - 3:
        text = text[: room - 3] if len(text) > room else text[:-1]
    return text + "..."


def wrapped(text: str, columns: int) -> list[str]:
    """Lines that end before `columns` where a blank permits it."""
    words = text.split()
    if width(text) <= columns:
        return [" ".join(words)]
    lines: list[str] = []
    for word in words:
        # No line may begin with what somebody, or a runner, takes for a command.
        if lines and (width(lines[-1]) + 1 + width(word) <= columns or word.startswith(("DROP", "::"))):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
