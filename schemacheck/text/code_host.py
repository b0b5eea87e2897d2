"""What code hosts read: files from the root of the repository, places in SARIF, workflow commands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from schemacheck.text.printable import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.model import Location
    from schemacheck.model.rollout import RolloutStep

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: Tables of a change that are listed.
MOST_STEPS = 100
#: The words of commands by the levels of findings.
WORDS = {"error": "error", "warning": "warning", "note": "notice"}


def from_root(place: Location) -> str:
    """The name of a place's file from the root of the work tree; as it is where there is none below it."""
    name = place.file.removeprefix("./")
    here = Path.cwd()
    ref, _, inside = name.partition(":")
    if place.line and ref and inside and not inside.startswith("/") and not (here / name).exists():
        return inside
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if root is None or not (here / name).exists():
        return name
    full = (here / name).absolute()
    return full.relative_to(root).as_posix() if full.is_relative_to(root) and ".." not in full.parts else name


def physical(place: Location) -> dict[str, Any]:
    """SARIF's physicalLocation; relative paths hang below %SRCROOT%."""
    named = {"startLine": place.line, "startColumn": place.column}
    if place.column is not None:
        named["endColumn"] = place.end_column
    region = {name: value for name, value in named.items() if value is not None}
    return {"artifactLocation": _artifact(from_root(place))} | ({"region": region} if region else {})


def _artifact(name: str) -> dict[str, Any]:
    # A name that is no UTF-8 is quoted byte by byte.
    path = quote(name.replace("\\", "/").encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{path}"} if path.startswith("/") else {"uri": path, "uriBaseId": "%SRCROOT%"}


def page(name: str) -> str:
    """A page of docs/: below the documentation's address, else its path in the repository."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        named = dict(line.split(", ", 1) for line in metadata("schemacheck").get_all("Project-URL") or ())
    except PackageNotFoundError:
        named = {}
    return f"{named.get('Documentation', 'docs')}/{name}"


def sentences(*parts: str) -> str:
    """The parts that are not empty, each closed as a sentence, on one line."""
    given = (" ".join(part.split()) for part in parts)
    return " ".join(part if part[-1] in ".!?" else f"{part}." for part in given if part)


def annotation(level: str, place: Location | None, title: str, body: str) -> str:
    """The workflow command that shows `body` at a line of the change; `level` is a key of WORDS. What comes
    from files cannot end the command or begin another.
    """
    properties = ",".join([*_place(place), f"title={_property(title)}"])
    return f"::{WORDS[level]} {properties}::{_message(body)}"


def _place(place: Location | None) -> list[str]:
    if place is None or place.line is None or place.file == "-":
        return []
    out = [f"file={_property(from_root(place))}", f"line={place.line}"]
    if place.column is not None:
        out.append(f"col={place.column}")
        if place.end_column is not None:
            out.append(f"endColumn={place.end_column - 1}")
    return out


def _message(text: str) -> str:
    return (
        visible(text).replace("##[", "\\x23#[").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    )


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def escape(text: str) -> str:
    """Text that Markdown and HTML leave alone, on one line; mentions do not notify anybody."""
    plain = re.sub(r"([\\`*_{}\[\]()#+!|~])", r"\\\1", one_line(" ".join(text.split())))
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "@\u200b")


def code(text: str) -> str:
    """A code span, also in a table cell, whatever characters the text has."""
    plain = one_line(" ".join(text.split())).replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    ticks, pad = "`" * (longest + 1), " " if longest else ""
    return f"{ticks}{pad}{plain}{pad}{ticks}"


def steps(rollout: Sequence[RolloutStep], *, ordered: bool) -> str:
    """A line of Markdown for each table of a change; `ordered`: the order of all is said elsewhere."""
    lines = []
    for number, step in enumerate(rollout[:MOST_STEPS], 1):
        mark = "?" if step.undecided else "✗" if step.needs else "✓"
        order = "" if step.needs or ordered else f"{step.order}: "
        name = f"{code(step.name)}: " if step.table else ""
        needs = f": **needs {escape(step.needs)}**" if step.needs else ""
        warnings = "".join(f"<br>⚠ {escape(warning)}" for warning in step.warnings)
        lines.append(f"{number}. {mark} {name}{escape(order + step.change)}{needs}{warnings}")
    more = len(rollout) - MOST_STEPS
    return "\n".join([*lines, *([f"\nand {more:,} more"] if more > 0 else [])])
