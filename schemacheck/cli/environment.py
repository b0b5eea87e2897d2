"""Options from the environment, under those of the command line: SCHEMACHECK_FAIL_ON=lossy."""

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
    """(variable, word) for each option that the environment sets and `given` does not; repeatable ones have
    one value a line. Raises UsageError for a switch that is neither yes nor no.
    """
    named = {word.partition("=")[0] for word in given} | {word[:2] for word in given}
    out: list[tuple[str, str]] = []
    for name, action in variables(parser).items():
        value = environ.get(name, "").strip()
        if not value or named & set(action.option_strings):
            continue
        option = next(string for string in action.option_strings if variable(string) == name)
        if action.nargs == 0:
            if value.lower() not in (*_YES, *_NO):
                raise UsageError(f"{name} in the environment is {value!r}: give 1 or 0")
            out += [(name, option)] if value.lower() in _YES else []
        else:
            repeated = isinstance(action, argparse._AppendAction)  # noqa: SLF001
            lines = value.splitlines() if repeated else [value]
            out += [(name, f"{option}={line.strip()}") for line in lines if line.strip()]
    return out


def unknown(environ: Iterable[str], read: Iterable[str], everywhere: Iterable[str]) -> str | None:
    """The sentence about the first variable of ours that no command reads; None where there is none."""
    doubtful = sorted({name for name in environ if name.startswith(PREFIX)} - OTHERS - set(read))
    names = set(everywhere) if doubtful else set()
    name = next((text for text in doubtful if text not in names), None)
    if name is None:
        return None
    return f"the environment sets {name}, which no command reads{near(name, names | OTHERS)}"
