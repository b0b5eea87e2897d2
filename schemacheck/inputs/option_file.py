"""my.cnf: the server's groups, options as variables."""

from __future__ import annotations

import re

from schemacheck.model.variable import canonical
from schemacheck.option_file import Option, options, read_by

#: Options that may stand several times; each adds to the others.
_REPEATED = re.compile(r"(?:replicate|binlog)_(?:do|ignore|wild_do|wild_ignore|rewrite)_(?:db|table)\Z")


def read_options(
    text: str, file: str, *, group: re.Pattern[str] | None = None, within: str | None = None
) -> dict[str, str]:
    """The variables that an option file's server groups set (those that match `group` if it is given), by
    canonical name; the last one wins, filters add up. Includes stay in the folder `within`. Raises
    InputError, see `option_file.options`.
    """
    out: dict[str, str] = {}
    for option in options(text, file, within=within):
        if group.match(option.group) if group is not None else read_by(option.group, None):
            _take(option, out)
    return out


def _take(option: Option, out: dict[str, str]) -> None:
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
