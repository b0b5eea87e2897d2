"""Schemacheck as one archive: the package, its facts and PyYAML, for machines where nothing is installed."""

from __future__ import annotations

import zipfile
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from schemacheck.knowledge import facts

_MAIN = """import sys
from schemacheck.cli import main
sys.exit(main(["fleet", *sys.argv[1:]]))
"""


def make(path: Path) -> None:
    """Write the archive. It is importable (`--py-files`) and runs by itself (`python ARCHIVE`)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__main__.py", _MAIN)
        _add(archive, Path(str(resources.files("schemacheck"))), "schemacheck")
        name = f"schemacheck/{facts.PACKED}"
        if name not in archive.namelist():
            archive.writestr(name, facts.packed())
        for name in ("yaml",):
            spec = find_spec(name)
            if spec and spec.origin:
                _add(archive, Path(spec.origin).parent, name)


def _add(archive: zipfile.ZipFile, folder: Path, name: str) -> None:
    have = set(archive.namelist())
    for path in sorted(folder.resolve().rglob("*")):
        inside = f"{name}/{path.relative_to(folder.resolve()).as_posix()}"
        if (
            path.is_file()
            and "__pycache__" not in path.parts
            and path.suffix not in (".so", ".pyd")
            and inside not in have
        ):
            archive.write(path, inside)
