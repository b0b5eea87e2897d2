"""Integer constants as the bounds of partitions have them."""

from __future__ import annotations

import re
from collections.abc import Callable

from schemacheck.knowledge import characters
from schemacheck.model.quote import unquote

_NUMBER = re.compile(r"\(*\s*([-+]?\s*\d+)\s*\)*", re.ASCII)
_CALL = re.compile(
    rf"\(*\s*([A-Za-z_]\w*)\s*\(\s*({characters.string(chr(39))})\s*\)(?:\s*([-+]\s*\d+))?\s*\)*",
    re.ASCII | re.DOTALL,
)


class NotConstant(Exception):
    """Something that is no integer constant, or none that is computed here."""


def integer(text: str, call: Callable[[str, str], int]) -> int | None:
    """The integer that a number, or a function of a text with a number added, is; None for NULL. Raises
    NotConstant.
    """
    bare = characters.strip(text)
    if bare.upper() == "NULL":
        return None
    if (number := _NUMBER.fullmatch(bare)) is not None:
        return int(re.sub(r"\s", "", number[1], flags=re.ASCII))
    if (match := _CALL.fullmatch(bare)) is None:
        raise NotConstant
    return call(match[1].upper(), unquote(match[2])) + int(re.sub(r"\s", "", match[3] or "0", flags=re.ASCII))
