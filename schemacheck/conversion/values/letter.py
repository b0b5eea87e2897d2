"""A letter that one character set has and another reads otherwise, for examples."""

from __future__ import annotations

from functools import lru_cache

from schemacheck.model.charset import codec

_LETTERS = "éäčЯΩאกعあ中가€Łž・"


@lru_cache(maxsize=4096)
def letter(sent: str, held: str) -> tuple[str, str] | None:
    """A letter of `sent` that `held` reads otherwise, and its bytes in hex; None where none is known."""
    ours, theirs = codec(sent), codec(held)
    if ours is None:
        return None
    for text in _LETTERS:
        try:
            raw = text.encode(ours)
        except UnicodeEncodeError:
            continue
        try:
            same = theirs is not None and raw.decode(theirs) == text
        except UnicodeDecodeError:
            same = False
        if not same:
            return text, raw.hex().upper()
    return None
