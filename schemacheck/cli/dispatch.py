"""From words to a sub-command: discovery by file name, help without importing any of them."""

from __future__ import annotations

import argparse
import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
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
  4  a defect of schemacheck itself: what it met is not decided
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
    result = names()
    room = max(map(len, result))
    return OVERVIEW.format(commands="\n".join(f"  {name:{room}}  {summary(name)}" for name in result))


def load(name: str) -> ModuleType:
    """A sub-command's module (`add_arguments(parser)`, `run(args) -> int`). Raises UsageError."""
    entries = names()
    if name not in entries:
        from schemacheck.errors import near

        raise UsageError(f"there is no command {name!r}{near(name, entries)}")
    return import_module(f"schemacheck.cli.commands.{name.replace('-', '_')}")


#: Groups of options that few people need, and further options: `--help-all` has them.
_RARE = frozenset(
    {"link", "configuration", "input", "live servers", "what counts", "--all-links", "--exit-zero"}
    | {"--color"}
)
#: Options of those groups that many people need.
_EVERYDAY = frozenset(
    {
        "--source-version",
        "--replica-version",
        "--type-conversions",
        "--binlog-format",
        "--config",
        "--filters",
    }
    | {"--fail-on", "--ignore", "--baseline", "--change"}
)
#: How a usage line shows inputs, by how many there may be.
_INPUTS = {None: "{}", "?": "[{}]", "*": "[{} ...]", "+": "{}..."}


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help in which paragraphs stay as they were written, and each option has one spelling."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)
        #: Whether of each option the first clause is enough.
        self.brief = False

    def _expand_help(self, action: argparse.Action) -> str:
        text = super()._expand_help(action)
        return text.partition(";")[0] if self.brief else text

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        short = [name for name in action.option_strings if not name.startswith("--")]
        long = next((name for name in action.option_strings if name.startswith("--")), "")
        values = "" if action.nargs == 0 else self._format_args(action, action.dest.upper())
        return f"{', '.join(filter(None, (*short[:1], long)))} {values}".rstrip()


class _HelpAll(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        assert isinstance(parser, Parser)
        print(parser.whole_help(), end="")  # noqa: T201
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser whose help fits a screen, whose options may stand anywhere, whose errors are one line."""

    def whole_help(self) -> str:
        """Every option, with all that is to be said."""
        return super().format_help()

    def format_help(self) -> str:
        """What most people use."""
        rare = [
            action
            for group in self._action_groups
            for action in group._group_actions  # noqa: SLF001 argparse has no other way to list them
            if {group.title, *action.option_strings} & _RARE and not _EVERYDAY & set(action.option_strings)
        ]
        formatter = Formatter(self.prog)
        formatter.brief = bool(rare)
        formatter.add_usage(self.usage, self._actions, ())
        formatter.add_text(self.description)
        for title, optional in (("inputs", False), ("options", True)):
            formatter.start_section(title)
            formatter.add_arguments(
                action
                for action in self._actions
                if bool(action.option_strings) is optional and action not in rare
            )
            formatter.end_section()
        ends = (self.epilog or "").split("\n\n")
        for end in ends if not rare else (end for end in ends if end.startswith("example")):
            formatter.add_text(end)
        if rare:
            formatter.add_text(f"{self.prog} --help-all: {len(rare)} more options, and what they are for.")
        return formatter.format_help()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does, with options between the inputs; what is not known is named with what is near."""
        given, rest = self.parse_known_intermixed_args(args, namespace)
        if rest:
            from schemacheck.errors import near

            names = [name for action in self._actions for name in action.option_strings]
            option = rest[0].partition("=")[0]
            longer = sorted(name for name in set(names) if name.startswith(f"{option}-"))
            close = f"; did you mean {', '.join(longer)}?" if longer else near(option, names)
            self.error(
                f"{rest[0]!r} is one input too many"
                if not option.startswith("-")
                else f"there is no option {option}{close if '?' in close else ''}"
            )
        return given

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message; exit with status 2."""
        from schemacheck.text.printable import one_line

        message = re.sub(r"^argument (--[\w-]+)(?:/-[-\w]+)*", r"\1", message)
        super().error(f"{one_line(message)} ({self.prog} --help)")


def parser_of(name: str, word: str = "") -> argparse.ArgumentParser:
    """The argument parser of one sub-command; its docstring is the description, EPILOG the end.

    USAGE, where a module has it, stands in the first line for the list of all options. WORDS are those behind
    the command's name that have a page of their own, with its text.
    """
    module = load(name)
    usage, words = getattr(module, "USAGE", None), getattr(module, "WORDS", {})
    parser = Parser(
        prog=f"schemacheck {name} {word}".rstrip(),
        usage=f"schemacheck {name} {usage}" if usage and not word else None,
        description=words.get(word, module.__doc__),
        epilog=getattr(module, "EPILOG", None) if not word else None,
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--help-all", action=_HelpAll, nargs=0, help=argparse.SUPPRESS)
    module.add_arguments(parser, *([word] if words else []))
    if parser.usage is None:
        inputs = (
            _INPUTS[action.nargs].format(action.metavar or action.dest)  # type: ignore[index]
            for action in parser._actions  # noqa: SLF001 argparse has no other way to list them
            if not action.option_strings
        )
        parser.usage = " ".join((f"{parser.prog} [OPTION]...", *inputs))
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
        from schemacheck.version import __version__

        print(f"schemacheck {__version__}")  # noqa: T201
        return 0
    check_environment(os.environ)
    name, *rest = arguments
    word = rest.pop(0) if rest and rest[0] in getattr(load(name), "WORDS", ()) else ""
    return int(load(name).run(parser_of(name, word).parse_args(rest)))


PREFIX = "SCHEMACHECK_"

#: Secrets alone.
READ = frozenset(PREFIX + name for name in ("PASSWORD", "SOURCE_PASSWORD", "REPLICA_PASSWORD", "FLEET_KEY"))


def check_environment(environ: Iterable[str]) -> None:
    """Raise UsageError for a variable of ours that nothing reads: who sets it takes it to count."""
    unread = sorted(name for name in environ if name.startswith(PREFIX) and name not in READ)
    if unread:
        raise UsageError(
            f"the environment sets {unread[0]}, which is not read: give the option, or set it in "
            "schemacheck.yaml"
        )
