"""The wheel carries the facts about servers as one JSON document (see schemacheck/facts.py)."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FactsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Parses `rules/` and adds `schemacheck/_facts.json`; an editable installation reads the YAML itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the wheel is written."""
        if version == "editable":
            return
        root = Path(self.root)
        spec = importlib.util.spec_from_file_location("facts", root / "schemacheck" / "facts.py")
        assert spec is not None
        assert spec.loader is not None
        facts = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(facts)
        made = Path(tempfile.mkdtemp()) / facts.PACKED
        made.write_text(facts.packed(root / "rules"), "utf-8")
        build_data["force_include"][str(made)] = f"schemacheck/{facts.PACKED}"
