"""The console blocks of pages: run in an empty folder, one after the other, and what they print compared.

python -m tests.site.console PAGE...        writes into the pages what the commands print
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """Each command with what the page says that it prints."""
    found: list[tuple[list[str], list[str]]] = []
    until = None
    for line in block.splitlines():
        if until is not None:
            found[-1][0].append(line)
            until = None if line == until else until
        elif line.startswith("$ "):
            found.append(([line[2:]], []))
            begun = re.search(r"<<'(\w+)'", line)
            until = begun[1] if begun else None
        else:
            found[-1][1].append(line)
    return [("\n".join(words), "".join(f"{line}\n" for line in shown)) for words, shown in found]


def run(folder: Path, block: str) -> str:
    """The block with what its commands print now."""
    (folder / ".bin").mkdir(exist_ok=True)
    script = folder / ".bin" / "schemacheck"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m schemacheck "$@"\n')
    script.chmod(0o755)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("SCHEMACHECK_", "GIT_"))
    }
    environment |= {"PATH": f"{script.parent}:{environment['PATH']}", "NO_COLOR": "1", "COLUMNS": "100"}
    out, status = [], 0
    for command, _shown in commands(block):
        done = subprocess.run(
            ["sh", "-c", f"(exit {status})\n{command}"],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False,
        )  # fmt: skip
        status = done.returncode
        out.append(f"$ {command}\n{done.stdout}")
    return "".join(out)


def written(page: str) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as name:
        return BLOCK.sub(lambda found: f"```console\n{run(Path(name), found[1])}```", page)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        Path(given).write_text(written(Path(given).read_text("utf-8")), "utf-8")
