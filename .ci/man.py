"""Writes the man pages, from the same source as `--help`: one of the program, one of every command.

python .ci/man.py OUT          OUT/schemacheck.1, OUT/schemacheck-check.1, ...
"""

from __future__ import annotations

import argparse
import gzip
import io
import re
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

#: Arguments that a line of help shows without a value: switches.
_NOTHING = 0


def plain(text: str) -> str:
    """Text in which nothing is a request or an escape of roff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return re.sub(r"(?m)^\.", r"\\&.", escaped)


def head(title: str, words: str, usage: str) -> list[str]:
    """How every page begins."""
    from schemacheck import __version__

    return [
        f'.TH "{title.upper()}" "1" "" "schemacheck {__version__}" "User Commands"',
        ".SH NAME",
        f"{plain(title)} \\- {plain(words)}",
        ".SH SYNOPSIS",
        plain(" ".join(usage.removeprefix("usage: ").split())),
    ]


def page(name: str, parser: argparse.ArgumentParser) -> str:
    """The page of a command."""
    first, _, rest = (parser.description or "").strip().partition("\n")
    lines = head(f"schemacheck-{name}", first.rstrip("."), parser.format_usage())
    if rest.strip():
        lines += [".SH DESCRIPTION", *_prose(rest)]
    for group in parser._action_groups:  # noqa: SLF001 argparse has no other way to list them
        actions = [one for one in group._group_actions if one.help != argparse.SUPPRESS]  # noqa: SLF001
        if actions:
            lines.append(f".SH {plain((group.title or 'options').upper())}")
            lines += _prose(group.description or "")
            for one in actions:
                lines += _argument(parser, one)
    lines += _preformatted(parser.epilog or "")
    return "\n".join([*lines, ".SH SEE ALSO", "\\fBschemacheck\\fR(1)"]) + "\n"


def overview() -> str:
    """The page of the program: its help, and where the commands are described."""
    from schemacheck.cli import dispatch

    usage, words, *rest = re.split(r"\n\s*\n", dispatch.OVERVIEW.strip())
    lines = head("schemacheck", "will a replica with other table definitions keep replicating?", usage)
    lines += [".SH DESCRIPTION", *_prose(words), ".SH COMMANDS"]
    for name in dispatch.names():
        lines += [".TP", f"\\fB{plain(f'schemacheck-{name}')}\\fR(1)", plain(dispatch.summary(name))]
    lines += _preformatted("\n\n".join(one for one in rest if not one.startswith(("Commands", "`"))))
    return "\n".join(lines) + "\n"


def _prose(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph:
            yield ".PP"
            yield plain(" ".join(paragraph.split()))


def _argument(parser: argparse.ArgumentParser, one: argparse.Action) -> Iterator[str]:
    value = one.metavar if isinstance(one.metavar, str) else one.dest.upper()
    if one.choices is not None and one.metavar is None:
        value = "{" + ",".join(str(choice) for choice in one.choices) + "}"
    names = ", ".join(f"\\fB{plain(name)}\\fR" for name in one.option_strings)
    shown = "" if names and one.nargs == _NOTHING else f"\\fI{plain(value)}\\fR"
    yield ".TP"
    yield f"{names} {shown}".strip()
    yield plain(" ".join(parser._get_formatter()._expand_help(one).split())) if one.help else "\\&"  # noqa: SLF001


def _preformatted(text: str) -> Iterator[str]:
    """The blocks behind the options, as they are: a heading, and lines below it."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        heading, _, body = block.partition("\n")
        if not block.strip():
            continue
        if heading.endswith(":") and body:
            yield f".SH {plain(heading.rstrip(':').upper())}"
        else:
            yield ".SH NOTES"
            body = block
        yield ".nf"
        yield plain(body)
        yield ".fi"


def pages() -> dict[str, str]:
    """File name -> page."""
    from schemacheck.cli import dispatch

    out = {f"schemacheck-{name}.1": page(name, dispatch.parser_of(name)) for name in dispatch.names()}
    return out | {"schemacheck.1": overview()}


def archive(file: Path, found: dict[str, str]) -> None:
    """A tar file without anything of the machine or the hour."""
    bare = io.BytesIO()
    with tarfile.open(fileobj=bare, mode="w") as tar:
        for name, text in sorted(found.items()):
            entry = tarfile.TarInfo(f"man1/{name}")
            entry.size, entry.mode = len(text.encode()), 0o644
            tar.addfile(entry, io.BytesIO(text.encode()))
    file.write_bytes(gzip.compress(bare.getvalue(), mtime=0))


def main(out: str) -> int:
    """Write all pages."""
    found = pages()
    if out.endswith(".tgz"):
        archive(Path(out), found)
        return 0
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in found.items():
        (folder / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
