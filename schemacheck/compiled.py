"""YAML documents, compiled: kept beside the byte code, as Python keeps modules.

Importing a YAML parser and reading the facts is a tenth of the time of a small check
(benchmarks/startup.py). The copy is used while the document's time and size are the ones that it
was made from; where it cannot be written, nothing is lost but time.
"""

from __future__ import annotations

import marshal
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FOLDER = Path(__file__).parent / "__pycache__"


def load(name: str, path: Path | Traversable) -> Any:
    """The content of the YAML document at `path`; `name` (`servers/mysql-8.0`) tells its copy from
    others. Raises what reading and parsing the document raises."""
    if not isinstance(path, Path):
        # Inside a zip archive, as Spark ships packages, there is no place for a copy.
        return _parse(path)
    state = path.stat()
    made_from = (state.st_mtime_ns, state.st_size)
    copy = _FOLDER / f"{name.replace('/', '-')}.{sys.implementation.cache_tag}.facts"
    try:
        seen, content = marshal.loads(copy.read_bytes())  # noqa: S302 our own file, beside the byte code
        if seen == made_from:
            return content
    except (OSError, ValueError, EOFError, TypeError):
        pass
    content = _parse(path)
    if not sys.dont_write_bytecode:
        _keep(copy, made_from, content)
    return content


def _parse(path: Path | Traversable) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text("utf-8"), loader)  # noqa: S506 safe loader


def _keep(copy: Path, made_from: tuple[int, int], content: Any) -> None:
    """Write the copy whole or not at all; another process may do the same at this moment."""
    draft = copy.with_name(f"{copy.name}.{os.getpid()}")
    try:
        copy.parent.mkdir(exist_ok=True)
        draft.write_bytes(marshal.dumps((made_from, content)))
        draft.replace(copy)
    except (OSError, ValueError):
        draft.unlink(missing_ok=True)
