"""Files as a code host names them: from the root of the repository, wherever the check runs."""

from __future__ import annotations

from pathlib import Path


def from_root(file: str) -> str:
    """A file's name as it is from the root of the git work tree around the working directory; as it is where
    there is no such file below that root (standard input, an instance, a file of a commit).
    """
    name = file.removeprefix("./")
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if root is None or not (here / name).exists():
        return name
    full = (here / name).absolute()
    return full.relative_to(root).as_posix() if full.is_relative_to(root) and ".." not in full.parts else name
