"""Server variables: one spelling of each, and which names and values a person may give. From
`rules/variables.yaml`.

What a server itself shows (SHOW VARIABLES, a snapshot) is not checked here: it has hundreds more.
"""

from __future__ import annotations

import enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.errors import BadSetting, near
from schemacheck.model import charset

if TYPE_CHECKING:
    from collections.abc import Mapping


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """The one spelling of a variable: lower case, underscores, the older word where two exist."""
    plain = name.strip().lower().replace("-", "_")
    return str(knowledge.load("variables")["aliases"].get(plain, plain))


@cache
def known() -> frozenset[str]:
    """The canonical names of all variables that decide something."""
    return frozenset(knowledge.load("variables")["variables"])


class Standing(enum.Enum):
    """What is known of a variable: it DECIDES by itself, for some USE, it is HARMLESS, or no list has it."""

    DECIDES = "decides"
    USE = "use"
    HARMLESS = "harmless"
    UNLISTED = "unlisted"


def covers(listed: str, name: str) -> bool:
    """Whether a name of a list, perhaps one that ends in `*`, means this variable."""
    return name.startswith(listed[:-1]) if listed.endswith("*") else name == listed


@cache
def _used() -> tuple[frozenset[str], tuple[str, ...]]:
    """The names that some use depends on: whole ones, and how others begin."""
    table = knowledge.load("link_variables")
    return _listed([item for group in ("statements", "definitions", "ends") for item in table[group]])


@lru_cache(maxsize=4096)
def standing(name: str) -> Standing:
    """What `rules/variables.yaml` and `rules/link_variables.yaml` say of a variable."""
    plain = canonical(name)
    if plain in known():
        return Standing.DECIDES
    whole, prefixes = _used()
    if plain in whole or plain.startswith(prefixes):
        return Standing.USE
    whole, prefixes = _harmless()
    spellings = (plain, plain.replace("replica", "slave", 1))
    listed = any(spelling in whole or spelling.startswith(prefixes) for spelling in spellings)
    return Standing.HARMLESS if listed else Standing.UNLISTED


def folded(value: str) -> str:
    """A value as it is compared: upper case, with one spelling of yes and no."""
    plain = value.strip().upper()
    return {"ON": "1", "YES": "1", "TRUE": "1", "OFF": "0", "NO": "0", "FALSE": "0"}.get(plain, plain)


def tells(name: str, value: str) -> bool:
    """Whether a variable of a server's own list is worth keeping."""
    result = standing(name)
    return result in (Standing.DECIDES, Standing.UNLISTED) or (
        result is Standing.USE and folded(value) not in _stock(canonical(name))
    )


@lru_cache(maxsize=4096)
def _stock(name: str) -> frozenset[str]:
    table = knowledge.load("link_variables")
    return frozenset(
        folded(str(value))
        for group in ("statements", "definitions", "ends")
        for listed, entry in table[group].items()
        if covers(listed, name)
        for value in entry["stock"]
    )


@cache
def _harmless() -> tuple[frozenset[str], tuple[str, ...]]:
    """Whole names, and how others begin."""
    return _listed(" ".join(knowledge.load("link_variables")["harmless"].values()).split())


def _listed(names: list[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The whole names of a list, and what stands before the `*` of the others."""
    whole = frozenset(name for name in names if not name.endswith("*"))
    return whole, tuple(name[:-1] for name in names if name.endswith("*"))


@lru_cache(maxsize=4096)
def words(variable: str) -> tuple[str, ...]:
    """The values that a variable can have, in capitals; () where it takes a set or free text."""
    return tuple(knowledge.load("variables")["variables"][variable].get("words", ()))


def checked(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings that a person gave, by canonical name. Raises BadSetting for a name that is on no list, for
    one that is given twice with different values, and for a value that no server takes; a near miss is named.
    """
    out: dict[str, str] = {}
    for name, value in settings.items():
        plain = canonical(name)
        check(name, value)
        if out.get(plain, value) != value:
            raise BadSetting(f"{plain} is given twice: {out[plain]!r} and {value!r}")
        out[plain] = value
    return out


def check(name: str, value: str) -> None:
    """Raise BadSetting where a name or its value is not known."""
    plain = canonical(name)
    if (instead := knowledge.load("variables")["instead"].get(plain)) is not None:
        raise BadSetting(f"{plain} is a session's own: give {instead}, with which new databases are made")
    if standing(plain) is Standing.USE and isinstance(value, str):
        return
    if plain not in known():
        spellings = {*known(), *knowledge.load("variables")["aliases"]}
        if standing(plain) is Standing.HARMLESS and "did you mean" not in near(plain, spellings, cutoff=0.9):
            return
        raise BadSetting(
            f"there is no variable {name.strip()!r} that decides anything "
            f"here{near(plain, sorted(spellings))}"
        )
    if not isinstance(value, str):
        raise BadSetting(f"{plain} is given as text, not as {type(value).__name__}")
    rule = knowledge.load("variables")["variables"][plain]
    text = value.strip().upper()
    if "words" in rule and text not in (word.upper() for word in rule["words"]):
        raise BadSetting(f"{plain} cannot be {value!r}{near(value, rule['words'])}")
    if "set" in rule:
        for part in text.replace("+", ",").split(","):
            word = part.strip().strip("'\"")
            if word and word not in rule["set"]:
                raise BadSetting(f"{plain} has no value {word!r}{near(word, rule['set'])}")
    if rule.get("is") == "charset" and not charset.known(value):
        raise BadSetting(f"no server has a character set {value!r}")
    if rule.get("is") == "number" and not (text.isascii() and text.isdigit()):
        raise BadSetting(f"{plain} is a whole number, not {value!r}")
