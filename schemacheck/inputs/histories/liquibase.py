"""Liquibase's formatted SQL (FormattedSqlChangeLogParser): `--changeset author:id` and attributes; files in
the order of the changelog that includes them, else of their paths.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.errors import InputError
from schemacheck.inputs.histories import changelog, placeholders
from schemacheck.inputs.histories.folder import Found, Kind, Script, strangers
from schemacheck.model.history import Part

if TYPE_CHECKING:
    from schemacheck.inputs.histories.folder import Folder
    from schemacheck.inputs.piece import HistoryOptions

NAME = "liquibase"

_HEAD = re.compile(r"\s*--[ \t]*liquibase formatted\b.*", re.IGNORECASE)
_CHANGESET = re.compile(
    r'\s*--\s*changeset\s+(?P<author>"[^"]+"|[^:"\s][^:"]*):\s*(?P<id>"[^"]+"|\S+)(?P<attributes>.*)',
    re.IGNORECASE,
)
_PROPERTY = re.compile(
    r"\s*--\s*property\s+name:(?P<name>\S+)\s+value:(?P<value>\S*)(?P<more>.*)", re.IGNORECASE
)
_IGNORE = re.compile(r"--\s*ignoreLines:(?P<what>\w+)\s*\Z", re.IGNORECASE)
_CONDITION = re.compile(r"\s*--\s*preconditions\b(?P<attributes>.*)", re.IGNORECASE)
_WORD = re.compile(
    r"\s*--?\s*(?P<word>changeset|property|ignoreLines|ignore:|preconditions?\b|precondition-[\w-]+|rollback\b"
    r"|comments?\b|validCheckSum\b|liquibase\b)",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r'(?P<name>[A-Za-z]{1,40}):(?P<value>"[^"]*"|\S*)')
_DELIMITER_LINE = re.compile(r"\s*delimiter\s", re.IGNORECASE)
#: A changeset's attributes that do not decide whether or how its statements run.
_HARMLESS = frozenset((
    "stripcomments", "rollbacksplitstatements", "rollbackenddelimiter", "runonchange", "runalways",
    "runintransaction", "failonerror", "logicalfilepath", "created", "comment",
    "objectquotingstrategy", "runorder",
))  # fmt: skip
_FLAVOURS = ("mysql", "mariadb")
_SPECIAL = re.compile(r"(?<!\\)[.*+?\[\](){}|^]|\\[A-Za-z0-9]")


@dataclass(slots=True)
class _Set:
    author: str
    id: str
    line: int
    begin: int
    attributes: dict[str, str] = field(default_factory=dict)
    condition: str = ""

    @property
    def name(self) -> str:
        return f"{self.author}:{self.id}"


def holds(script: Script) -> bool:
    """Its first line says so."""
    return NAME in script.marks and _HEAD.match(script.text) is not None


def of_script(script: Script, options: HistoryOptions) -> Found:
    """The changesets of one file."""
    folder = Found(NAME)
    _read(script, folder, options)
    return folder


def of_folder(folder: Folder, options: HistoryOptions) -> Found:
    """The changesets of all files, in the order of the changelog that includes them."""
    result = Found(NAME)
    mine = [script for script in folder.scripts if holds(script)]
    for script in changelog.order(folder, mine, result):
        if script.path not in result.files:
            result.read(script)
            _read(script, result, options)
    strangers(folder, result, "Liquibase")
    return result


def _read(script: Script, folder: Found, options: HistoryOptions) -> None:
    sets, values = _sets(script, folder)
    by_name: dict[str, int] = {}
    for changeset in sets:
        before = by_name.setdefault(changeset.name, changeset.line)
        if before != changeset.line:
            raise InputError(
                f"{script.path}:{changeset.line}: changeset {changeset.name} a second time (first "
                f"at line {before})"
            )
    placeholders.fill(script, folder, options, values=values)
    ends = [*(script.line_start(item.line) for item in sets[1:]), len(script.text)]
    for changeset, end in zip(sets, ends, strict=True):
        begin = script.line_start(changeset.line + 1)
        families = _families(changeset)
        if not _runs(script, changeset, folder):
            continue
        if not families:
            folder.note(
                f"changeset {changeset.name} is for {changeset.attributes['dbms']}: not run",
                script.path,
                changeset.line,
            )
            continue
        part = Part(min(begin, end), end, _delimiter(script, changeset))
        _no_client(script, changeset, part, folder)
        repeats = _true(changeset, "runonchange") or _true(changeset, "runalways")
        alone = () if families == _FLAVOURS else families
        folder.migrations.append(
            script.migration(
                changeset.name, "", (part,), line=changeset.line, repeats=repeats, families=alone
            )
        )


def _sets(script: Script, folder: Found) -> tuple[list[_Set], dict[str, str]]:
    """The changesets of a file, and the properties that it sets. What Liquibase takes out becomes blanks."""
    sets: list[_Set] = []
    values: dict[str, str] = {}
    out: list[str] = []
    ignored = 0
    for number, at, line in script.lines():
        comment = line.lstrip().startswith("--")
        word = _WORD.match(line)
        skip = _IGNORE.match(line)
        if ignored:
            ignored = 0 if ignored < 0 and skip and skip["what"].lower() == "end" else ignored - (ignored > 0)
            comment = True
        elif skip:
            what = skip["what"].lower()
            if what != "start" and not what.isdecimal():
                raise InputError(f"{script.path}:{number}: --ignoreLines: takes start, end or a number")
            ignored = -1 if what == "start" else int(what[:9])
        elif match := _CHANGESET.fullmatch(line):
            sets.append(_changeset(script, number, at, match))
        elif match := _PROPERTY.fullmatch(line):
            if match["more"].strip():
                folder.note(
                    f"the property {match['name']} does not hold everywhere",
                    script.path,
                    number,
                    problem=True,
                )
            values.setdefault(match["name"], match["value"])
        elif word and (
            not comment or word["word"].lower() in ("changeset", "property", "ignorelines", "ignore:")
        ):
            raise InputError(
                f"{script.path}:{number}: {line.strip()[:60]!r} is not written as Liquibase reads it"
            )
        elif (match := _CONDITION.match(line)) and sets:
            sets[-1].condition = match["attributes"]
        elif not sets and line.strip() and not comment:
            raise InputError(f"{script.path}:{number}: a statement before the first --changeset")
        stripped = not sets or sets[-1].attributes.get("stripcomments", "true").lower() != "false"
        out.append(" " * len(line) if comment and (stripped or word or ignored) else line)
    script.replace("\n".join(out))
    return sets, values


def _changeset(script: Script, number: int, at: int, match: re.Match[str]) -> _Set:
    changeset = _Set(match["author"].strip('" '), match["id"].strip('"'), number, at)
    rest = match["attributes"]
    for item in _ATTRIBUTE.finditer(rest):
        changeset.attributes[item["name"].lower()] = item["value"].strip('"')
    odd = [name for name in changeset.attributes if name not in _HARMLESS | _FOLLOWED]
    if odd or _ATTRIBUTE.sub("", rest).strip():
        what = ", ".join(odd) or _ATTRIBUTE.sub("", rest).strip()
        raise InputError(
            f"{script.path}:{number}: changeset {changeset.name} has {what[:60]!r}, which is not known here"
        )
    return changeset


_FOLLOWED = frozenset(
    ("splitstatements", "enddelimiter", "dbms", "context", "contextfilter", "labels", "ignore", "runwith")
)


def _runs(script: Script, changeset: _Set, folder: Found) -> bool:
    """Whether a changeset runs; a problem where nobody knows."""
    if _true(changeset, "ignore"):
        folder.note(f"changeset {changeset.name} is to be ignored", script.path, changeset.line)
        return False
    if changeset.attributes.get("runwith"):
        folder.note(
            f"changeset {changeset.name} is run by {changeset.attributes['runwith'][:40]}, "
            f"which is not followed here",
            script.path, changeset.line, problem=True,
        )  # fmt: skip
    if re.search(r"onFail:\s*(?:MARK_RAN|CONTINUE|WARN)", changeset.condition, re.IGNORECASE):
        message = (
            f"whether changeset {changeset.name} runs depends on what its preconditions find on the server"
        )
        folder.note(message, script.path, changeset.line, problem=True)
    given = [changeset.attributes.get(name) for name in ("contextfilter", "context", "labels")]
    if chosen := next(filter(None, given), ""):
        message = f"whether changeset {changeset.name} runs depends on the context or label {chosen!r}"
        what = "give the SQL that `liquibase update-sql` writes for an empty database"
        folder.note(f"{message}: {what}", script.path, changeset.line, problem=True)
    return True


def _families(changeset: _Set) -> tuple[str, ...]:
    wanted = [
        name.strip().lower() for name in changeset.attributes.get("dbms", "").split(",") if name.strip()
    ]
    if not wanted or "all" in wanted:
        return _FLAVOURS
    named = [name for name in wanted if not name.startswith("!")]
    return tuple(
        flavour for flavour in _FLAVOURS if f"!{flavour}" not in wanted and (not named or flavour in named)
    )


def _delimiter(script: Script, changeset: _Set) -> str | None:
    """What ends the statements of a changeset. Raises InputError for a pattern."""
    if changeset.attributes.get("splitstatements", "true").lower() == "false":
        return None
    text = changeset.attributes.get("enddelimiter", ";")
    if _SPECIAL.search(text):
        raise InputError(
            f"{script.path}:{changeset.line}: endDelimiter:{text[:40]} is a pattern, which is not "
            f"followed here: use a plain one"
        )
    return re.sub(r"\\(.)", r"\1", text) or ";"


def _no_client(script: Script, changeset: _Set, part: Part, folder: Found) -> None:
    """Remark on a command that the mysql client alone knows."""
    number = changeset.line
    for line in script.text[part.start : part.end].split("\n"):
        number += 1
        if _DELIMITER_LINE.match(line):
            message = "Liquibase sends DELIMITER to the server, which refuses it: use endDelimiter:"
            folder.note(message, script.path, number, problem=True)
            return


def _true(changeset: _Set, name: str) -> bool:
    return changeset.attributes.get(name, "").lower() == "true"


KIND = Kind(NAME, claims=holds, of_folder=of_folder, holds=holds, of_script=of_script)
