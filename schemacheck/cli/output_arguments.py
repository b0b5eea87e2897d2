"""Options that say where the reports go and how they look."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from schemacheck.cli.options import declare
from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError
from schemacheck.system import whole_file
from schemacheck.text.printable import json_text, one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from schemacheck.outputs._style import Style


#: What a file's name has in place of the link's, where several links are checked in one run.
LINK = "{link}"


@dataclass(frozen=True, slots=True)
class Target:
    """One report: its format, and its file; None is standard output."""

    format: str
    file: str | None = None

    def of_link(self, name: str | None) -> Target:
        """The report of one of several links."""
        return Target(self.format, self.file.replace(LINK, name) if self.file and name else self.file)


def _target(text: str, names: Sequence[str]) -> Target:
    import argparse

    from schemacheck.errors import near

    name, equals, file = text.partition("=")
    if name not in names:
        raise argparse.ArgumentTypeError(f"there is no format {name!r}{near(name, names)}")
    if equals and not file:
        raise argparse.ArgumentTypeError(f"{text!r} names no file")
    return Target(name, file if equals and file != "-" else None)


STYLE = """
--color {auto,always,never}=auto  colours, on a terminal; NO_COLOR and FORCE_COLOR are heeded
-q, --quiet                       print only the summary line
-v, --verbose                     list harmless differences, tolerated findings and every table too
"""
OPTIONS = f"""
-o, --output, --output-file FILE  write the report here instead of to standard output; without --format its
                                  ending names the format
--fix-sql FILE                    write every fix as a script for each server to read and run; the same as
                                  --format sql=FILE
{STYLE}
"""
#: Of commands that print text or JSON, once.
PLAIN_FORMAT = """
--format {text,json}  default: as the ending of --output says, else text
"""
#: Of those that print on standard output only.
TEXT_OR_JSON = """
--format {text,json}=text  how it is printed
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add --format, --output, --fix-sql, --color, -q, -v."""
    from schemacheck.outputs import formats

    group = parser.add_argument_group("output")
    add_format(group, formats())
    declare(group, OPTIONS)


def add_format(group: argparse._ArgumentGroup, names: Sequence[str]) -> None:
    """Add --format, which takes these names and may be repeated."""
    group.add_argument(
        "--format", "--output-format", "-f", action="append", metavar="FORMAT[=FILE]",
        type=partial(_target, names=names),
        help=f"one of {', '.join(names)} (default: text), to FILE or to standard output; may be "
        "repeated: --format text --format sarif=out.sarif",
    )  # fmt: skip


def plain_format(args: argparse.Namespace) -> str:
    """What `add_plain_format` and the ending of --output come to."""
    return args.format or ("json" if format_of(args.output) == "json" else "text")


def targets(args: argparse.Namespace, configured: str | None) -> tuple[Target, ...]:
    """The reports asked for, at most one on standard output. Raises UsageError for one place twice."""
    asked: list[Target] = list(args.format or ())
    if not any(target.file is None for target in asked) and (args.output or not asked):
        name = format_of(args.output) or configured or "text"
        asked.insert(0, Target(name))
    out = [
        Target(target.format, args.output) if target.file is None and args.output != "-" else target
        for target in asked
    ]
    if getattr(args, "fix_sql", None):
        out.append(Target("sql", args.fix_sql))
    places = [target.file and os.path.realpath(target.file) for target in out]
    for place, item in zip(places, out, strict=True):
        if place:
            spare_inputs(place, args)
        if places.count(place) > 1:
            where = item.file or "standard output"
            raise UsageError(
                f"two reports would go to {where}: name a file for each, as --format sarif=out.sarif"
            )
    return tuple(out)


def spare_inputs(file: str, args: argparse.Namespace, *, but: str = "output") -> None:
    """Raise UsageError where a file that is to be written is one that another option than `but` names."""
    given = {name: value for name, value in vars(args).items() if name not in (but, "fix_sql", "format")}
    words = [word for item in given.values() for word in (item if isinstance(item, list) else [item])]
    if any(isinstance(word, str) and _is_one(word, file) for word in words):
        raise UsageError(f"{file}: the report would take the place of an input: name another file")


def _is_one(name: str, other: str) -> bool:
    try:
        return os.path.samefile(name, other)  # noqa: PTH121 text to text
    except (OSError, ValueError):
        return False


def several(result: tuple[Target, ...], links: int) -> None:
    """Raise UsageError where reports of several links cannot go to where the options send them."""
    for target in result:
        if links > 1 and target.file and LINK not in target.file:
            raise UsageError(f"{target.file}: {links} links are checked: put {LINK} into the file's name")
        if links > 1 and target.file is None and target.format not in _LINE_BY_LINE:
            raise UsageError(
                f"{target.format} is one document a link: send it to files, as --format "
                f"{target.format}=report-{LINK}.{target.format}"
            )


#: Formats of which several may follow each other on standard output.
_LINE_BY_LINE = frozenset({"text", "concise", "github", "markdown"})


def style(args: argparse.Namespace, *, to_file: bool = False) -> Style:
    """The style for standard output, or for a file."""
    from schemacheck.outputs._style import Style

    verbosity = -1 if args.quiet else 1 if args.verbose else 0
    encoding = "utf-8" if to_file else (sys.stdout.encoding or "ascii")
    return Style(
        colored(args.color, terminal=not to_file and sys.stdout.isatty()),
        encoding.lower().replace("-", "").startswith("utf"),
        verbosity,
        _columns() if not to_file else sys.maxsize,
    )


def _columns() -> int:
    """The width of the terminal, or what COLUMNS says; lines that go elsewhere are not broken."""
    given = os.environ.get("COLUMNS", "")
    try:
        return max(int(given) if given.isdecimal() else os.get_terminal_size(sys.stdout.fileno()).columns, 40)
    except (OSError, ValueError):
        return sys.maxsize


#: Formats by the ending of a file's name.
_ENDINGS = {
    ".html": "html", ".htm": "html", ".json": "json", ".sarif": "sarif", ".csv": "csv",
    ".md": "markdown", ".xml": "junit",
}  # fmt: skip


def format_of(file: str | None) -> str | None:
    """The format that a file's name means where no option says one; None where it means none."""
    name = (file or "").lower()
    if name.endswith(".sarif.json"):
        return "sarif"
    return next((form for ending, form in _ENDINGS.items() if name.endswith(ending)), None)


def note(text: str) -> None:
    """A line on standard error about what went elsewhere."""
    with contextlib.suppress(OSError, ValueError):
        print(one_line(text), file=sys.stderr)  # noqa: T201


def colored(choice: str, *, terminal: bool) -> bool:
    """Whether to colour: the option first, then NO_COLOR, FORCE_COLOR (no-color.org), then the terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"


def write(text: str, file: str | None) -> None:
    """Print, or write a whole file in UTF-8; what cannot be encoded is escaped. Raises InputError."""
    text = json_text(text)
    try:
        if file is None or file == "-":
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stdout.flush()
            return
        whole_file.write(file, text.encode("utf-8", "backslashreplace"))
    except BrokenPipeError:
        raise
    except OSError as error:
        where = file
        if file is None or file == "-":
            from schemacheck.cli.streams import abandon_output

            where = "standard output"
            abandon_output()
        raise InputError(f"{where}: cannot write the report: {error.strerror or error}") from None
