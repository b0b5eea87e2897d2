"""The facts about servers: the YAML documents of the top-level `rules/` folder, read as one JSON document.

A wheel carries `_facts.json`, made when it is built (hatch_build.py): no YAML is parsed where schemacheck is
installed. A checkout makes the same text where a document has changed, and keeps it beside the byte code;
where it cannot be written, nothing is lost but 15 ms at every start.
"""

from __future__ import annotations

import json
import os
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

PACKED = "_facts.json"
_PACKAGE = Path(__file__).parents[1]
_FOLDER = _PACKAGE.parent / "rules"
_KEPT = _PACKAGE / "__pycache__" / "facts.json"


@cache
def documents() -> dict[str, Any]:
    """Every document by its name below `rules/`, without ending (`servers/mysql-8.0`). Raises OSError where
    there are none to be read, yaml.YAMLError where one of a checkout is broken."""
    try:
        made = pkgutil.get_data("schemacheck", PACKED)  # out of a zip archive too, as Spark ships packages
    except OSError:
        made = None
    if made is not None:
        return dict(json.loads(made))
    state = [[str(path), path.stat().st_mtime_ns, path.stat().st_size] for path in sorted(_yaml(_FOLDER))]
    try:
        loads = json.loads(_KEPT.read_text("utf-8"))
        if loads["state"] == state:
            return dict(loads["documents"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    result = from_yaml(_FOLDER)
    if not sys.dont_write_bytecode:
        _keep(json.dumps({"state": state, "documents": result}, ensure_ascii=False))
    return result


def from_yaml(folder: Path) -> dict[str, Any]:
    """The documents of a folder, parsed. Raises ValueError where one holds what JSON cannot (a key that is
    no text, a date): it would be another document in a wheel."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    result = {
        # safe loader
        path.relative_to(folder).with_suffix("").as_posix(): yaml.load(path.read_text("utf-8"), loader)  # noqa: S506
        for path in sorted(_yaml(folder))
    }
    if not result:
        raise FileNotFoundError(f"{folder}: no facts about servers (*.yaml)")
    for name, document in result.items():
        if json.loads(json.dumps(document, default=str)) != document:
            raise ValueError(f"{folder / name}.yaml: keys must be text, and values what JSON has")
    return result


def packed(folder: Path = _FOLDER) -> str:
    """The text of `_facts.json`."""
    return json.dumps(from_yaml(folder), ensure_ascii=False, separators=(",", ":"), sort_keys=False)


def _yaml(folder: Path) -> list[Path]:
    return [*folder.glob("*.yaml"), *folder.glob("*/*.yaml")]


def _keep(text: str) -> None:
    """Write the copy whole or not at all; another process may do the same at this moment."""
    draft = _KEPT.with_name(f"{_KEPT.name}.{os.getpid()}")
    try:
        draft.parent.mkdir(exist_ok=True)
        draft.write_text(text, "utf-8")
        draft.replace(_KEPT)
    except OSError:
        draft.unlink(missing_ok=True)
