"""A rule's page, the same in `schemacheck explain` and in `docs/rules/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.rules import Rule

NOTE = "This folder is generated: `schemacheck explain --all --directory docs/rules`."


def page(rule: Rule) -> str:
    """The page as Markdown, ending with a newline."""
    suppress = f"`-- schemacheck: ignore[{rule.code}] the reason` on the line of the definition, or an entry of `tolerate:` in `schemacheck.yaml`."
    doc = rule.doc.strip()
    # Most pages open with their own first sentence.
    parts = [f"# {rule.code} {rule.name}", *([f"{rule.title}."] if doc.startswith("#") else []), doc]
    if rule.check is not None:
        parts.append(f"## Suppress\n{suppress}")
    return "\n\n".join(parts) + "\n"


def file_name(rule: Rule) -> str:
    """`SC204-signedness.md`."""
    return f"{rule.code}-{rule.name}.md"


def index(rules: Iterable[Rule]) -> str:
    """The list of all rules, as Markdown."""
    rows = [f"| [{r.code}]({file_name(r)}) | {r.name} | {r.title} |" for r in rules]
    return "\n".join(["# Rules", "", NOTE, "", "| Code | Name | What it finds |", "| --- | --- | --- |", *rows]) + "\n"


def write(rules: tuple[Rule, ...], folder: Path) -> None:
    """Write every page and the list into a folder, and remove pages of rules that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {file_name(rule): page(rule) for rule in rules} | {"README.md": index(rules)}
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")
