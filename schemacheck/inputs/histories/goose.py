"""goose: `-- +goose Up`, `Down`, `StatementBegin`, `StatementEnd`; numbered files (internal/sqlparser)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.inputs.histories import placeholders
from schemacheck.inputs.histories.folder import Found, Kind, numbered, single_folder, strangers
from schemacheck.model.history import Part

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder, Script
    from schemacheck.inputs.piece import HistoryOptions
    from schemacheck.model.history import Migration

NAME = "goose"

_FILE = re.compile(r"(?P<version>[0-9]+)_(?P<title>.*)\.sql\Z")
_PROGRAM = re.compile(r"[0-9]+_.*\.go\Z")
_SUBSTITUTES = "ENVSUB ON"
#: A name of the environment without braces.
_BARE = re.compile(r"\$[A-Za-z_]")
_NOTHING = frozenset(("NO TRANSACTION", _SUBSTITUTES, "ENVSUB OFF"))
#: In capitals: goose takes them in any case.
_KNOWN = {word.upper(): word for word in ("Up", "Down", "StatementBegin", "StatementEnd", *_NOTHING)}


def claims(script: Script) -> bool:
    """By its name and what it holds."""
    return _FILE.match(script.name) is not None and holds(script)


def holds(script: Script) -> bool:
    """A migration."""
    return NAME in script.marks and any(_words(line) is not None for _, _, line in script.lines())


def of_script(script: Script, options: HistoryOptions) -> Found:
    """One migration."""
    folder = Found(NAME)
    folder.migrations.append(_migration(script, folder, options, script.name.removesuffix(".sql"), ""))
    return folder


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The migrations of one folder. Raises InputError where two have one version, or one is wrong."""
    mine = [script for script in folder.scripts if claims(script)]
    single_folder(mine, NAME, folder.root)
    result = Found(NAME)
    ordered: list[tuple[int, Migration]] = []
    for script in mine:
        match = _FILE.match(script.name)
        assert match is not None
        result.read(script)
        version = int(match["version"][:40])
        title = match["title"].replace("_", " ")
        ordered.append((version, _migration(script, result, options, str(version), title)))
    numbered(result, ordered, NAME)
    for other in folder.others:
        if _PROGRAM.match(other.path.name) and not other.path.name.endswith("_test.go"):
            result.leave(
                str(other.path), "a migration that is no SQL: what it does is not known", doubtful=True
            )
    strangers(folder, result, NAME)
    return result


def _migration(script: Script, folder: Found, options: HistoryOptions, version: str, title: str) -> Migration:
    if any(_words(line) == _SUBSTITUTES for _, _, line in script.lines()):
        placeholders.fill(script, folder, options)
        for number, _, line in script.lines():
            if _BARE.search(line) and not placeholders.COMMENT_LINE.match(line):
                message = (
                    "goose puts a value of its environment here: write ${NAME}, and say it (--placeholder)"
                )
                folder.note(message, script.path, number, problem=True)
    parts: list[Part] = []
    text = begun = ""
    first, since, downs = 1, 0, 0
    for number, at, line in script.lines():
        word = _words(line)
        if word is None:
            if not text and line.strip() and not line.lstrip().startswith("--"):
                raise InputError(
                    f"{script.path}:{number}: a statement before -- +goose Up, which goose refuses"
                )
            continue
        if word in _NOTHING:
            continue
        allowed = {"": ("Up",), "Up": ("Down", "StatementBegin"), "Down": ("StatementBegin",)}
        if word not in (("StatementEnd",) if begun else allowed[text]):
            raise InputError(
                f"{script.path}:{number}: -- +goose {word.strip()[:40]} is not known, or not expected here"
            )
        if text == "Up":
            parts.append(Part(since, at, None if begun else ";"))
        if word in ("Up", "Down"):
            text = word
            first = number if word == "Up" else first
            downs += word == "Down"
        else:
            begun = word if word == "StatementBegin" else ""
        since = at + len(line)
    if not text or begun:
        missing = "StatementEnd" if begun else "Up"
        raise InputError(f"{script.path}: -- +goose {missing} is missing")
    if text == "Up":
        parts.append(Part(since, len(script.text)))
    remaining = tuple(part for part in parts if script.text[part.start : part.end].strip())
    return script.migration(version, title, remaining, line=first, down=downs)


def _words(line: str) -> str | None:
    """What an annotation says; None where the line is none. Blanks before it are left: goose refuses them."""
    if "+goose" not in line or not line.lstrip().startswith("--"):
        return None
    word = line.replace("--", "").replace("+goose", "", 1)
    return word.rstrip() if line[0] in " \t" else _KNOWN.get(word.strip().upper(), word.strip())


KIND = Kind(NAME, claims=claims, of_folder=of_folder, holds=holds, of_script=of_script)
