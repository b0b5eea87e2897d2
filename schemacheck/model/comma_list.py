"""Lists with commas between their items, in a text that a server would read."""

from __future__ import annotations


def items(text: str) -> list[str]:
    """What stands between commas outside of parentheses and quotes, without blanks around it; none in a text
    without any. A quote within quotes is doubled.
    """
    out, depth, quote, begin = [], 0, "", 0
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "," and depth == 0:
            out.append(text[begin:at].strip())
            begin = at + 1
    return [*out, text[begin:].strip()] if text.strip() else []
