"""The wheel carries the facts about servers as one JSON document (schemacheck/knowledge/facts.py).

Its README has links that work away from the repository.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: Names of the project's addresses, and what follows the repository's.
PAGES = {
    "Repository": "",
    "Documentation": "/tree/HEAD/docs",
    "Changelog": "/blob/HEAD/CHANGELOG.md",
    "Issues": "/issues",
}


class FactsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Parses `rules/` and adds `schemacheck/_facts.json`; an editable installation reads the YAML itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the wheel is written."""
        if version == "editable":
            return
        root = Path(self.root)
        place = root / "schemacheck" / "knowledge" / "facts.py"
        spec = importlib.util.spec_from_file_location("facts", place)
        assert spec is not None
        assert spec.loader is not None
        facts = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(facts)
        made = Path(tempfile.mkdtemp()) / facts.PACKED
        made.write_text(facts.packed(root / "rules"), "utf-8")
        build_data["force_include"][str(made)] = f"schemacheck/{facts.PACKED}"


class PageHook(MetadataHookInterface):
    """The README as the package index shows it, and the project's addresses.

    Both need to know where the repository is: a release sets SCHEMACHECK_REPOSITORY to its address. Without
    it there are no addresses, and links into the repository become plain text.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling for every build."""
        address = os.environ.get("SCHEMACHECK_REPOSITORY", "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(text, address)}
        metadata["urls"] = {name: address + path for name, path in PAGES.items()} if address else {}


def page(text: str, address: str) -> str:
    """Markdown whose links are absolute; where `address` is empty, text for links, and no pictures."""

    def link(found: re.Match[str]) -> str:
        picture, shown, target = found[1], found[2], found[3]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        if not address:
            return "" if picture else shown
        return f"{picture}[{shown}]({address}/{'raw' if picture else 'blob'}/HEAD/{target})"

    return re.sub(r"(!?)\[([^\]]+)\]\(([^)\s]+)\)", link, text)
