"""Other interpreters of this program: isolated, so that none runs a file of the folder in which it is
started.

A checkout may hold `queue.py` or `yaml.py`; `python -c` and `python -m` would import them. A child starts
with `-I` (no working directory, no PYTHON* variables, no user's site) and gets the module search path of this
process without the working directory, the package's own home last.

This module is imported before the search path is clean: it needs nothing but what every interpreter has
loaded.
"""

import os
import sys

_BOOT = (
    "import sys; sys.path[:] = sys.argv[1].split('\\n'); del sys.argv[1]; "
    "from importlib import import_module; import_module(sys.argv[1]).main()"
)


def search_path() -> list[str]:
    """The module search path without the working directory; our own home stands last."""
    home = _home()
    here = os.path.realpath(os.getcwd())  # noqa: PTH109 sys.path holds text
    remaining = [
        fromkey
        for fromkey in dict.fromkeys(sys.path)
        if fromkey and "\n" not in fromkey and fromkey != home and os.path.realpath(fromkey) != here
    ]
    return [*remaining, home]


def environment() -> dict[str, str]:
    """The environment for programs that start interpreters (Spark): without the working directory."""
    result = {**os.environ, "PYTHONSAFEPATH": "1"}
    home = _home()
    if os.path.realpath(home) == os.path.realpath(os.getcwd()):  # noqa: PTH109 as above
        result["PYTHONPATH"] = os.pathsep.join(filter(None, [result.get("PYTHONPATH"), home]))
    return result


def program(name: str) -> str | None:
    """Where a program lies on PATH, None where it is not there. Folders of PATH that depend on the working
    directory ('.', an empty one) are left out: a checkout may hold a program of that name.
    """
    import shutil

    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)))


def command(module: str, *arguments: str) -> list[str]:
    """The command of an isolated interpreter that runs `main()` of a module of ours."""
    return [sys.executable, "-I", "-c", _BOOT, "\n".join(search_path()), module, *arguments]


def drop_working_directory() -> None:
    """Take the working directory, which `python -m` has put there, off the module search path."""
    if sys.flags.safe_path or not sys.path:
        return
    first = sys.path.pop(0)
    home = _home()
    if os.path.realpath(first) == os.path.realpath(home) and home not in sys.path:
        sys.path.append(home)


def _home() -> str:
    """The folder (or archive) that holds the package."""
    # pathlib is not loaded yet
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    return os.path.dirname(package)  # noqa: PTH120
