"""From words to a sub-command: discovery by file name, help without importing any of them."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType

_FOLDER = os.path.join(os.path.dirname(__file__), "commands")  # noqa: PTH118, PTH120 pathlib costs start-up time

OVERVIEW = """\
usage: schemacheck COMMAND [OPTION]...

Says whether a MySQL or MariaDB replica's table definitions keep replicating from
its source's definitions, and if not, what exactly will happen.

Commands:
{commands}

`schemacheck COMMAND --help` describes a command; `schemacheck --version` prints the version.

Examples:
  schemacheck check source.sql replica.sql --source-version 8.0.36 --replica-version mariadb-10.11
  schemacheck explain SC101
  schemacheck matrix --from 'int unsigned' --to bigint

Exit status:
  0  nothing at or above --fail-on
  1  findings
  2  wrong usage, or input that cannot be read
  3  only unknowns stand in the way: something was not understood, so it is not a pass
  4  a defect of schemacheck itself: nothing was decided
"""


def names() -> list[str]:
    """All sub-commands: the files of `cli/commands/`."""
    files = _archived_names() if not os.path.isdir(_FOLDER) else os.listdir(_FOLDER)  # noqa: PTH112, PTH208
    return sorted(f[:-3].replace("_", "-") for f in files if f.endswith(".py") and not f.startswith("_"))


def _archived_names() -> list[str]:
    """The same out of a zip archive, where there is no folder to list."""
    import pkgutil

    from schemacheck.cli import commands

    return [f"{module.name}.py" for module in pkgutil.iter_modules(commands.__path__)]


def summary(name: str) -> str:
    """The first line of a sub-command's docstring, read without importing it."""
    import pkgutil

    source = pkgutil.get_data("schemacheck.cli.commands", f"{name.replace('-', '_')}.py") or b""
    return source.split(b"\n", 1)[0].decode().strip('"').rstrip(".")


def overview() -> str:
    """What `schemacheck --help` prints."""
    found = names()
    room = max(map(len, found))
    return OVERVIEW.format(commands="\n".join(f"  {name:{room}}  {summary(name)}" for name in found))


def load(name: str) -> ModuleType:
    """A sub-command's module, which has `add_arguments(parser)` and `run(args) -> int`.

    Raises UsageError where there is none of this name.
    """
    known = names()
    if name not in known:
        import difflib

        close = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; commands: {', '.join(known)}"
        raise UsageError(f"there is no command {name!r}{hint}")
    return import_module(f"schemacheck.cli.commands.{name.replace('-', '_')}")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help in which paragraphs stay as they were written."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints steer no terminal: what they quote may be a file's name."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message; exit with status 2."""
        from schemacheck.printable import one_line

        super().error(one_line(message))


def parser_of(name: str) -> argparse.ArgumentParser:
    """The argument parser of one sub-command; its docstring is the description, EPILOG the end.

    USAGE, where a module has it, stands in the first line for the list of all options.
    """
    module = load(name)
    parser = Parser(
        prog=f"schemacheck {name}",
        usage=f"schemacheck {name} {module.USAGE}" if hasattr(module, "USAGE") else None,
        description=module.__doc__,
        epilog=getattr(module, "EPILOG", None),
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    return parser


def run(arguments: list[str]) -> int:
    """Run the sub-command that `arguments` name; returns its exit status."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        if len(arguments) > 1 and arguments[0] == "help":
            parser_of(arguments[1]).print_help()
            return 0
        print(overview(), end="")  # noqa: T201
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        from schemacheck import __version__

        print(f"schemacheck {__version__}")  # noqa: T201
        return 0
    parser = parser_of(arguments[0])
    return int(
        load(arguments[0]).run(parser.parse_args([*_environment(parser, arguments[1:]), *arguments[1:]]))
    )


def _environment(parser: argparse.ArgumentParser, given: list[str]) -> list[str]:
    """The words that the environment adds to the command line. Raises UsageError for a variable of ours that
    no command reads.
    """
    from schemacheck.cli import environment

    if not any(name.startswith(environment.PREFIX) for name in os.environ):
        return []
    everywhere = (one for name in names() for one in environment.variables(parser_of(name)))
    wrong = environment.unknown(os.environ, environment.variables(parser), everywhere)
    if wrong:
        raise UsageError(wrong)
    found = environment.words(parser, given, os.environ)
    try:
        parser.parse_args([*(word for _, word in found), *given])
    except SystemExit as end:
        if end.code:
            from schemacheck.cli import complain

            complain(*(f"note: {word} comes from {name} in the environment" for name, word in found))
        raise
    return [word for _, word in found]
