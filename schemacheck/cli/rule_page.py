"""A rule's page, the same in `schemacheck explain` and in `docs/rules/`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError, UsageError

if TYPE_CHECKING:
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
