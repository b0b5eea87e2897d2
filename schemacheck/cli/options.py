"""Options as a help page has them: a command's table of them is all that declares them.

    DB.TABLE...             tables of the source
    -o, --output FILE       write the report here
    --set NAME=VALUE ...    a server variable on both ends; may be repeated
    --looks N               end after N looks
    kind: --as {auto,schema}=auto
        what CHANGE is

An entry begins at a line's start; its text stands behind two blanks, or on the lines below. `[X]`, `[X ...]`
and `X...` are inputs of which there is at most one, any number, or some. `{a,b}` are the words that are
allowed, `=` behind them or behind a word in capitals gives a default, a last ` ...` takes an option again and
again, and `name:` is the attribute where the first word's own is another.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import re
from collections.abc import Callable
from typing import Any


def seconds(text: str) -> float:
    """A time that ends: neither 0 nor infinite."""
    try:
        result = float(text)
    except ValueError:
        result = math.nan
    if not 0 < result < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number of seconds, more than 0")
    return result


#: What a value is, by how it is called; every other one is text.
_TYPES: dict[str, Callable[[str], Any]] = {"N": int, "SECONDS": seconds, "DATE": dt.date.fromisoformat}
_VALUE = re.compile(
    r"(?P<maybe>\[)?(?P<name>\{.*\}|[^][ ]+?)(?:=(?P<default>[^A-Z].*?))?"
    r"(?P<some>\.\.\.)?(?P<again> \.\.\.)?\]?"
)


def declare(group: argparse.ArgumentParser | argparse._ArgumentGroup, table: str) -> None:
    """Add all entries of a table to a parser or to a group of it."""
    for entry in re.split(r"\n(?=\S)", table.strip("\n")):
        head, _, text = re.sub(r"\n", "  ", entry, count=1).partition("  ")
        dest, _, head = head.rpartition(": ")
        about = " ".join(text.split()).replace("%", "%%")
        names = [word.rstrip(",") for word in head.split() if word.startswith("-")]
        given: dict[str, Any] = {"dest": dest} if names and dest else {}
        value = _VALUE.fullmatch(head.split(f"{names[-1]} ")[-1] if names else head)
        if value is None or value["name"].startswith("-"):
            group.add_argument(*names, action="store_true", help=about, **given)
            continue
        name = value["name"]
        if name.startswith("{"):
            given["choices"] = name[1:-1].split(",")
        else:
            given |= {"metavar": name, "type": _TYPES.get(name, str)}
        if name == "EFFECT":
            from schemacheck.model import Effect

            given["choices"] = [effect.value for effect in Effect]
            about = f"{about}: {', '.join(given['choices'])} (default: unsupported)"
        if value["maybe"] or value["some"]:
            given["nargs"] = "*" if value["again"] else "?" if value["maybe"] else "+"
        elif value["again"]:
            given |= {"action": "append", "default": []}
        if value["default"]:
            given["default"] = _TYPES.get(name, str)(value["default"])
            about += "" if "(default" in about else f" (default: {value['default']})"
        group.add_argument(*(names or [dest or name.lower()]), help=about, **given)
