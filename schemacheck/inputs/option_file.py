"""my.cnf: the server's groups, options as variables."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.model.variable import canonical, known
from schemacheck.text.option_file import Option, options, read_by

if TYPE_CHECKING:
    from schemacheck.model import Server

#: Options that may stand several times; each adds to the others.
_REPEATED = re.compile(r"(?:replicate|binlog)_(?:do|ignore|wild_do|wild_ignore|rewrite)_(?:db|table)\Z")

#: Names below this length have neighbours that are variables too.
_SHORT = 6


def read_options(
    text: str,
    file: str,
    *,
    group: re.Pattern[str] | None = None,
    server: Server | None = None,
    within: str | None = None,
) -> dict[str, str]:
    """The variables that an option file's groups set, by canonical name; the last wins, filters add up;
    includes stay `within`. Raises InputError, also for a slip in a variable's name.
    """
    flavor, series = (server.flavor, server.series) if server else (None, None)
    out: dict[str, str] = {}
    for option in options(text, file, within=within):
        if group is not None:
            if group.match(option.group):
                _take(option, out)
        elif read_by(option.group, flavor, series):
            _no_slip(option, _take(option, out))
    return out


def _no_slip(option: Option, plain: str) -> None:
    """Raise InputError for a name that is one letter away from a variable that decides something here."""
    if plain in known() or canonical(option.name).startswith("loose_"):
        return
    near = (text for length in range(len(plain) - 1, len(plain) + 2) for text in _names().get(length, ()))
    meant = min((text for text in near if _one_slip(plain, text)), default=None)
    if meant is not None:
        raise InputError(f"{option.place}: no server has a variable {option.name}; did you mean {meant}?")


@cache
def _names() -> dict[int, list[str]]:
    """The variables that decide something, by the lengths of their names."""
    names: dict[int, list[str]] = {}
    for text in known():
        names.setdefault(len(text), []).append(text)
    return names


def _one_slip(name: str, other: str) -> bool:
    """Whether one letter is missing, too many, wrong, or two are swapped."""
    if name == other or len(name) < _SHORT or abs(len(name) - len(other)) > 1:
        return False
    same = next((n for n, pair in enumerate(zip(name, other, strict=False)) if pair[0] != pair[1]), None)
    if same is None:
        return True
    text, two = name[same:], other[same:]
    return text[1:] in (two, two[1:]) or text == two[1:] or (text[:2] == two[1::-1] and text[2:] == two[2:])


def _take(option: Option, out: dict[str, str]) -> str:
    """Note a variable; its canonical name."""
    plain = canonical(option.name.lstrip("-"))
    for prefix in ("loose_", "maximum_"):
        plain = plain.removeprefix(prefix)
    text = option.value if option.value is not None else "ON"
    if plain.startswith(("skip_", "disable_")) and option.value is None:
        plain, text = plain.split("_", 1)[1], "OFF"
    elif plain.startswith("enable_") and option.value is None:
        plain = plain.removeprefix("enable_")
    plain = canonical(plain)
    if _REPEATED.match(plain) and out.get(plain):
        text = f"{out[plain]},{text}"
    out[plain] = text
    return plain
