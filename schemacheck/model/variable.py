"""Server variables: one spelling of each, and which names and values a person may give. From
`rules/variables.yaml`.

What a server itself shows (SHOW VARIABLES, a snapshot) is not checked here: it has hundreds more.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.errors import BadSetting, near
from schemacheck.model import charset

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def canonical(name: str) -> str:
    """The one spelling of a variable: lower case, underscores, the older word where two exist."""
    plain = name.strip().lower().replace("-", "_")
    return str(knowledge.load("variables")["aliases"].get(plain, plain))


@cache
def known() -> frozenset[str]:
    """The canonical names of all variables that decide something."""
    return frozenset(knowledge.load("variables")["variables"])


@cache
def words(variable: str) -> tuple[str, ...]:
    """The values that a variable can have, upper case as far as it has any; () where it takes a set or free
    text.
    """
    return tuple(knowledge.load("variables")["variables"][variable].get("words", ()))


def checked(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings that a person gave, by canonical name. Raises BadSetting for a name that decides nothing here,
    for one that is given twice with different values, and for a value that no server takes; a near miss is
    named.
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
    if plain not in known():
        spellings = {*known(), *knowledge.load("variables")["aliases"]}
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
