"""Options from the environment: SCHEMACHECK_FAIL_ON=lossy is `--fail-on lossy` where the command line does
not give that option.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from schemacheck.errors import UsageError, near

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PREFIX = "SCHEMACHECK_"

#: Variables that are no options: secrets, and what the templates for CI services read.
OTHERS = frozenset(
    PREFIX + name
    for name in (
        "PASSWORD", "SOURCE_PASSWORD", "REPLICA_PASSWORD", "FLEET_KEY",
        "REPOSITORY", "COMMIT", "SOURCE", "REPLICA", "POLICY", "OPTIONS", "PLAN_OPTIONS", "MIGRATIONS",
        "COMMENT", "VERSIONS",
    )
)  # fmt: skip

_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def variable(option: str) -> str:
    """The variable of a long option: `--fail-on` -> SCHEMACHECK_FAIL_ON."""
    return PREFIX + option.lstrip("-").replace("-", "_").upper()


def variables(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Every variable that a command reads, and its option. --help has none."""
    return {
        variable(option): action
        for action in parser._actions  # noqa: SLF001 argparse has no other way to list them
        if not isinstance(action, argparse._HelpAction)  # noqa: SLF001
        for option in action.option_strings
        if option.startswith("--")
    }


def words(
    parser: argparse.ArgumentParser, given: Sequence[str], environ: Mapping[str, str]
) -> list[tuple[str, str]]:
    """(variable, word of the command line) for each option that the environment sets and `given` does not.

    An empty variable counts as not set. An option that may be repeated takes one value a line. Raises
    UsageError where two variables set one option, and for a switch that is neither yes nor no.
    """
    named = _given(parser, given)
    out: list[tuple[str, str]] = []
    by_action: dict[int, str] = {}
    for name, action in variables(parser).items():
        value = environ.get(name, "")
        if not value.strip() or named & set(action.option_strings):
            continue
        if (other := by_action.setdefault(id(action), name)) != name:
            raise UsageError(f"{other} and {name} in the environment set the same option: keep one")
        option = next(one for one in action.option_strings if variable(one) == name)
        if action.nargs == 0:
            if _switched(name, value):
                out.append((name, option))
        elif isinstance(action, argparse._AppendAction):  # noqa: SLF001
            out += [(name, f"{option}={line.strip()}") for line in value.splitlines() if line.strip()]
        else:
            out.append((name, f"{option}={value}"))
    return out


def _switched(name: str, value: str) -> bool:
    word = value.strip().lower()
    if word not in (*_YES, *_NO):
        raise UsageError(f"{name} in the environment is {value!r}: give 1 or 0")
    return word in _YES


def _given(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> set[str]:
    """The options that are on a command line, long and short, as they are spelt there."""
    by_name = {name: action for action in parser._actions for name in action.option_strings}  # noqa: SLF001
    out: set[str] = set()
    for word in arguments:
        if word == "--":
            break
        if word.startswith("--"):
            out.add(word.partition("=")[0])
        elif word.startswith("-"):
            for letter in word[1:]:
                out.add(f"-{letter}")
                action = by_name.get(f"-{letter}")
                if action is None or action.nargs != 0:
                    break
    return out


def unknown(environ: Iterable[str], read: Iterable[str], everywhere: Iterable[str]) -> str | None:
    """What is wrong with the first variable of ours that no command reads; None where there is none.
    `read` are those of the command that runs, `everywhere` those of all commands (asked only where needed).
    """
    doubtful = sorted({name for name in environ if name.startswith(PREFIX)} - OTHERS - set(read))
    if not doubtful:
        return None
    known = set(everywhere)
    name = next((one for one in doubtful if one not in known), None)
    if name is None:
        return None
    return f"the environment sets {name}, which no command reads{near(name, known | OTHERS)}"
