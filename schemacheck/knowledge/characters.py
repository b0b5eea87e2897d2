r"""Which characters mean what to the servers: blanks, digits, letters of names, comments, strings.

The servers read bytes of the connection's character set by their own tables (`my_isspace`, `my_isdigit`,
`ident_map` of utf8mb4), in which blanks and digits are ASCII's alone, and every character beyond ASCII may be
part of a name. Python's `str.strip`, `str.split`, `str.isdigit` and `\s`, `\d`, `\w` follow Unicode instead:
where SQL is read, these are used.
"""

from __future__ import annotations

import re

#: What separates words (`my_isspace`).
BLANK = " \t\n\v\f\r"
#: One blank, in a pattern.
SPACE = r"[ \t\n\v\f\r]"
#: A character of an unquoted name (`ident_map`): in utf8mb4 all that is beyond ASCII.
#: (Said by what it is not: Python takes milliseconds to compile a set of characters beyond ASCII.)
NAME = r"[^\x00-#%-/:-@\[-\^`{-\x7f]"
#: The first character of a word that is no number.
NAME_START = r"[^\x00-#%-@\[-\^`{-\x7f]"
#: A comment that ends with its line. Behind `--` a blank, a control character or the end must come.
LINE_COMMENT = r"\#[^\n]*+|--(?:[\x00-\x09\x0b-\x20\x7f][^\n]*+|\n|\Z)"
#: A comment that is closed, versioned or not.
BLOCK_COMMENT = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
COMMENT = LINE_COMMENT + "|" + BLOCK_COMMENT
#: A name in backquotes.
BACKQUOTED = r"`[^`]*+(?:``[^`]*+)*+`"

_ESCAPED = {
    quote: rf"{quote}(?:[^{quote}\\]++|\\.|{quote}{quote})*+{quote}" for quote in ("'", '"')
}  # . with DOTALL
_PLAIN = {quote: rf"{quote}[^{quote}]*+(?:{quote}{quote}[^{quote}]*+)*+{quote}" for quote in ("'", '"')}


def string(quote: str, *, backslash: bool = True) -> str:
    """The pattern (re.DOTALL) of a string in these quotes; NO_BACKSLASH_ESCAPES: no `backslash`."""
    return (_ESCAPED if backslash else _PLAIN)[quote]


def strip(text: str) -> str:
    """The text without the servers' blanks at its ends."""
    return text.strip(BLANK)


_SPACES = re.compile(SPACE + "++")


def split(text: str) -> list[str]:
    """The parts between the servers' blanks, as `str.split()` without arguments would give them."""
    return _SPACES.split(text.strip(BLANK)) if text.strip(BLANK) else []


def is_digits(text: str) -> bool:
    """Whether the text is made of ASCII's digits."""
    return text.isascii() and text.isdigit()


def upper(word: str) -> str:
    """A word in capitals; letters beyond ASCII stay, so that none becomes a keyword's."""
    return word.upper() if word.isascii() else _LETTERS.sub(lambda m: m.group().upper(), word)


_LETTERS, _NO_NEWLINE = re.compile("[a-z]+"), re.compile(r"[^\n]")


def blanked(text: str) -> str:
    """Blanks of the same length, lines kept."""
    return _NO_NEWLINE.sub(" ", text)
