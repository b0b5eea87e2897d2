"""Explain a rule: what it finds, what the replica does, what to do.

Prints the rule's page; works offline. CODE is a code (SC204) or a rule's name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.cli import output_arguments
from schemacheck.cli.options import declare
from schemacheck.diagnose.known import known as known_error
from schemacheck.errors import InputError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from schemacheck.rules import Rule

#: The names of pages: nothing else is ever removed from a folder.
_PAGE = re.compile(r"SC\d{3}-[a-z0-9-]+\.md")

NOTE = "This folder is generated: `schemacheck explain --all --directory docs/rules`."


def page(rule: Rule[Any]) -> str:
    """The page as Markdown, ending with a newline."""
    parts = [f"# {rule.code} {rule.name}", rule.doc.strip()]
    if suppress := _suppress(rule):
        parts.append(f"## Suppress\n{suppress}")
    return "\n\n".join(parts) + "\n"


def _suppress(rule: Rule[Any]) -> str:
    """How a finding of the rule is suppressed; '' where it weighs nothing anyway."""
    from schemacheck.rules import About

    if About.SUPPRESSION in rule.about:
        return ""
    entry = "an entry of `tolerate:` in `schemacheck.yaml`"
    if About.INPUT in rule.about:
        return f"By {entry} that names this rule (`ALL` does not mean it)."
    return f"`-- schemacheck: ignore[{rule.code}] the reason` on the line of the definition, or {entry}."


def file_name(rule: Rule[Any]) -> str:
    """`SC204-signedness.md`."""
    return f"{rule.code}-{rule.name}.md"


def index(rules: Iterable[Rule[Any]]) -> str:
    """The list of all rules, as Markdown."""
    rows = [f"| [{r.code}]({file_name(r)}) | {r.name} | {r.title} |" for r in rules]
    return (
        "\n".join(["# Rules", "", NOTE, "", "| Code | Name | What it finds |", "| --- | --- | --- |", *rows])
        + "\n"
    )


def write(rules: tuple[Rule[Any], ...], folder: Path) -> None:
    """Write every page and the list into a folder, and remove pages of rules that are gone. Raises
    UsageError where the folder's README.md is somebody else's, InputError where it cannot be written."""
    wanted = {file_name(rule): page(rule) for rule in rules} | {"README.md": index(rules)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        readme = folder / "README.md"
        if readme.exists() and NOTE not in readme.read_text("utf-8", "replace"):
            raise UsageError(f"{readme} was not written by schemacheck: give a folder of its own")
        for old in folder.iterdir():
            if _PAGE.fullmatch(old.name) and old.name not in wanted:
                old.unlink()
        for name, text in wanted.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"{folder}: cannot write the pages: {error.strerror or error}") from None


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
    rules = _chosen(args)
    if args.directory:
        if not args.all:
            raise UsageError("--directory goes with --all")
        write(rules, Path(args.directory))
        return 0
    errors = [code for code in args.code if known_error(code) is not None]
    pages = [*map(error_page, errors), *(page(rule) for rule in rules)]
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
