"""Explain a rule: what it finds, what the replica does, what to do.

Prints the rule's page; works offline. CODE is a code (SC204) or a rule's name.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.cli import output_arguments
from schemacheck.cli.options import declare
from schemacheck.diagnose.known import known as known_error
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.rules import Rule


OPTIONS = """
[CODE ...]                        code or name of a rule, or an error that a replica stops with (1677, ER_...)
--all                             explain every rule
--directory DIR                   with --all: write one page per rule into this directory
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """CODE or --all."""
    declare(parser, OPTIONS)


def run(args: argparse.Namespace) -> int:
    """Print or write the pages."""
    from schemacheck.cli import rule_page

    rules = _chosen(args)
    if args.directory:
        if not args.all:
            raise UsageError("--directory goes with --all")
        rule_page.write(rules, Path(args.directory))
        return 0
    errors = [code for code in args.code if known_error(code) is not None]
    pages = [*map(error_page, errors), *(rule_page.page(rule) for rule in rules)]
    output_arguments.write("\n".join(pages), None)
    return 0


def error_page(word: str) -> str:
    """What is known of an error that a replica stops with."""
    from schemacheck import rules

    result = known_error(word)
    assert result is not None
    titles = [f"- {code} {rule.title}" for code in result.rules if (rule := rules.find(code)) is not None]
    names = ", ".join([*map(str, result.numbers), *result.symbols])
    parts = [
        f"# Error {word}",
        f"Also: {names}",
        result.what,
        "## Fix",
        result.way,
        "## Skipping",
        result.skip,
    ]
    return "\n\n".join([*parts, "## Rules that tell it beforehand", "\n".join(titles)]) + "\n"


def _chosen(args: argparse.Namespace) -> tuple[Rule[Any], ...]:
    from schemacheck import rules

    if args.all:
        return rules.all_rules()
    if not args.code:
        raise UsageError("name a rule, or give --all; `schemacheck rules` lists them")
    result = []
    for code in args.code:
        if known_error(code) is not None:
            continue
        rule = rules.find(code)
        if rule is None:
            raise unknown(code)
        result.append(rule)
    return tuple(result)


def unknown(word: str) -> UsageError:
    """What is raised for a word that is no rule and no error that stops a replica."""
    from schemacheck import rules
    from schemacheck.errors import near

    if word.isdecimal():
        return UsageError(
            f"error {word} is not among those that are known to stop a replica; perror {word} says what it is"
        )
    close = near(word, [name for rule in rules.all_rules() for name in (rule.code, rule.name)])
    listed = "; `schemacheck rules` lists them"
    return UsageError(f"there is no rule and no known error {word!r}{close if '?' in close else listed}")
