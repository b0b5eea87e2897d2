"""Options that say where the report goes and how it looks."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from schemacheck import whole_file
from schemacheck.errors import InputError
from schemacheck.printable import json_text, one_line

if TYPE_CHECKING:
    import argparse

    from schemacheck.outputs._style import Style


def add(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add --format, --output, --color, -q, -v."""
    from schemacheck.outputs import formats

    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        "--output-format",
        "-f",
        choices=formats(),
        default=default,
        metavar="FORMAT",
        help=f"one of {', '.join(formats())} (default: text)",
    )
    group.add_argument(
        "--output",
        "--output-file",
        "-o",
        metavar="FILE",
        help="write the report here instead of to standard output; without --format its ending names "
        "the format",
    )
    add_style(group)


def add_style(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    """Add --color, -q, -v alone."""
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default: auto, on a terminal; NO_COLOR and FORCE_COLOR are heeded)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="print only the summary line")
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="list harmless differences, tolerated findings and every table too",
    )


def style(args: argparse.Namespace) -> Style:
    """The style for standard output, or for the file that --output names."""
    from schemacheck.outputs._style import Style

    verbosity = -1 if args.quiet else 1 if args.verbose else 0
    to_file = bool(getattr(args, "output", None))
    encoding = "utf-8" if to_file else (sys.stdout.encoding or "ascii")
    return Style(
        colored(args.color, terminal=not to_file and sys.stdout.isatty()),
        encoding.lower().replace("-", "").startswith("utf"),
        verbosity,
    )


#: Formats by the ending of a file's name.
_ENDINGS = {
    ".html": "html", ".htm": "html", ".json": "json", ".jsonl": "jsonl", ".sarif": "sarif", ".csv": "csv",
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
    """Print, or write to a file in UTF-8. Raises InputError where it cannot be written.

    A file is written whole or not at all. A terminal that does not know a character gets a backslash escape
    instead of a crash; so does a byte of a file's name that is no UTF-8, everywhere.
    """
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
            from schemacheck.cli import abandon_output

            where = "standard output"
            abandon_output()
        message = f"{where}: cannot write the report: {error.strerror or error}"
        raise InputError(message) from None
