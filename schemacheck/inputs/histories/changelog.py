"""The order that Liquibase's changelogs (XML, YAML) give to SQL files; all else is a problem."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.inputs.source import read_source
from schemacheck.model.account import FileAccount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.histories.folder import Folder, Found, Script

_XML = re.compile(r"<(?P<close>/)?(?P<tag>[A-Za-z][\w.:-]{0,100}+)(?P<attributes>[^<>]*)>")
_XML_ATTRIBUTE = re.compile(r"""([\w.:-]{1,100})\s{0,100}=\s{0,100}(?:"([^"]*)"|'([^']*)')""")
_YAML = re.compile(r"(?P<indent>\s*)(?P<item>-\s+)?(?P<key>[\w.]+)[ \t]*:(?P<value>.*)\Z")
_ENDINGS = (".xml", ".yaml", ".yml", ".json")
#: Changelogs are small; a larger file is none.
_MOST_BYTES = 4 << 20
#: Entries of one changelog, and changelogs inside each other.
_MOST_ENTRIES, _DEEPEST = 5_000, 100


@dataclass(frozen=True, slots=True)
class _Entry:
    """`include` or `includeAll` at a line: the path, and whether it begins at the changelog's folder."""

    line: int
    everything: bool
    path: str
    relative: bool
    condition: str = ""


@dataclass(frozen=True, slots=True)
class _Files:
    """Changelogs and SQL files by their names, their folders likewise (short paths first), and in order."""

    named: dict[str, list[str]]
    folders: dict[str, list[str]]
    ordered: list[str]

    @classmethod
    def of(cls, paths: list[str]) -> _Files:
        named: dict[str, list[str]] = {}
        folders: dict[str, list[str]] = {}
        for path in paths:
            named.setdefault(posixpath.basename(path), []).append(path)
        for path in sorted({posixpath.dirname(path) for path in paths}, key=lambda text: (len(text), text)):
            folders.setdefault(posixpath.basename(path), []).append(path)
        return cls(named, folders, sorted(paths))


def order(folder: Folder, scripts: list[Script], result: Found) -> list[Script]:
    """The SQL changelogs in the order of their run. Raises InputError for a circle."""
    logs: dict[str, list[_Entry]] = {}
    for other in folder.others:
        name = other.path.name.lower()
        if (
            not name.endswith(_ENDINGS)
            or (other.why and "not by its name" not in other.why)
            or not other.path.is_file()
        ):
            continue
        if other.path.stat().st_size <= _MOST_BYTES:
            text = read_source(str(other.path), within=folder.root).head
            if "databaseChangeLog" in text:
                whole = read_source(str(other.path), within=folder.root).text
                logs[str(other.path)] = [*_entries(whole, str(other.path), result)]
                if len(logs[str(other.path)]) > _MOST_ENTRIES:
                    raise InputError(f"{other.path}: more than {_MOST_ENTRIES:,} includes")
    if not logs:
        return sorted(scripts, key=lambda script: script.path)
    by_name = {str(Path(script.path)): script for script in scripts}
    files = _Files.of([*logs, *by_name])
    reached: set[str] = set()
    for path, entries in logs.items():
        reached.update(
            p for entry in entries for p in _resolved(entry, path, files, folder.root) if p != path
        )
    out: dict[str, Script] = {}
    roots = [path for path in logs if path not in reached]
    if not roots:
        raise InputError(f"{min(logs)}: the changelogs include each other in a circle")
    for path in roots:
        _follow(path, logs, by_name, files, folder.root, out, (), result)
    for script in scripts:
        if str(Path(script.path)) not in out:
            result.leave(script.path, "no changelog includes it", doubtful=True)
    return list(out.values())


def _follow(
    path: str, logs: dict[str, list[_Entry]], by_name: dict[str, Script], files: _Files, root: Path,
    out: dict[str, Script], above: tuple[str, ...], folder: Found,
) -> None:  # fmt: skip
    if path in above or len(above) > _DEEPEST:
        raise InputError(
            f"{path}: the changelogs include each other in a circle: {' -> '.join((*above, path))}"
        )
    if path in folder.files:
        folder.note("is included a second time: followed once", path)
        return
    folder.files[path] = FileAccount(path, "liquibase")
    for entry in logs[path]:
        targets = _resolved(entry, path, files, root)
        if entry.condition:
            folder.note(f"what is included depends on {entry.condition}", path, entry.line, problem=True)
        if not targets:
            folder.note(f"includes {entry.path!r}, which is not here", path, entry.line, problem=True)
        for target in targets:
            if target in logs:
                if not entry.everything or target != path:
                    _follow(target, logs, by_name, files, root, out, (*above, path), folder)
            else:
                out.setdefault(target, by_name[target])


def _resolved(entry: _Entry, path: str, files: _Files, root: Path) -> list[str]:
    """The files that an entry means, by the ends of their paths where it begins elsewhere (a class path)."""
    wanted = entry.path.removeprefix("classpath:").replace("\\", "/")
    if entry.relative:
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(path), wanted))
        exact = True
    else:
        wanted, exact = posixpath.normpath(wanted.lstrip("/")), False
    if not entry.everything:
        near = files.named.get(posixpath.basename(wanted), ())
        return [text for text in near if text == wanted or (not exact and f"/{text}".endswith(f"/{wanted}"))][
            :1
        ]
    folders = files.folders.get(posixpath.basename(wanted), ())
    inside = (
        wanted if exact else next((folder for folder in folders if f"/{folder}".endswith(f"/{wanted}")), None)
    )
    if wanted == "." and not exact:
        inside = str(root)
    if inside is None:
        return []
    # In the order of characters "0" comes behind "/".
    first, last = (bisect_left(files.ordered, f"{inside}{end}") for end in "/0")
    return files.ordered[first:last]


def _entries(text: str, path: str, folder: Found) -> Iterator[_Entry]:
    if path.lower().endswith(".xml"):
        return _of_xml(text, path, folder)
    if path.lower().endswith(".json"):
        folder.note(
            "a changelog in JSON is not read: what it includes and changes is not known", path, problem=True
        )
        return iter(())
    return _of_yaml(text, path, folder)


def _of_xml(text: str, path: str, folder: Found) -> Iterator[_Entry]:
    """Tags alone: a changelog that only includes has no text. Entities are not replaced."""
    text = _uncommented(text)
    at, line = 0, 1
    for tag in _XML.finditer(text):
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        name = tag["tag"]
        if tag["close"] or name == "databaseChangeLog":
            continue
        has = {key: double or single for key, double, single in _XML_ATTRIBUTE.findall(tag["attributes"])}
        yield from _entry(name, has, line, path, folder)


def _uncommented(text: str) -> str:
    out: list[str] = []
    at = 0
    while (begin := text.find("<!--", at)) >= 0:
        end = text.find("-->", begin)
        end = len(text) if end < 0 else end + len("-->")
        out += (text[at:begin], "\n" * text.count("\n", begin, end))
        at = end
    return "".join((*out, text[at:]))


def _of_yaml(text: str, path: str, folder: Found) -> Iterator[_Entry]:
    """A list of `include` and `includeAll` under `databaseChangeLog`."""
    name, has, since, depth = "", {}, 0, -1
    for number, line in enumerate([*text.split("\n"), "end:"], 1):
        if not line.strip() or line.lstrip().startswith(("#", "---", "...")):
            continue
        match = _YAML.match(line)
        if match is None:
            if depth < 0:
                folder.note(
                    f"this line of the changelog is not understood: {line.strip()[:60]!r}",
                    path,
                    number,
                    problem=True,
                )
            continue
        key, value = match["key"], match["value"].strip().strip("'\"")
        indent = len(match["indent"]) + len(match["item"] or "")
        if name and indent > depth:
            has[key] = value
            continue
        if name:
            yield from _entry(name, has, since, path, folder)
        name, has, since, depth = "", {}, number, -1
        if key not in ("databaseChangeLog", "end") or (match["item"] and key != "databaseChangeLog"):
            name, depth = key, indent


def _entry(name: str, has: dict[str, str], line: int, path: str, folder: Found) -> Iterator[_Entry]:
    where = has.get("file") or has.get("path")
    if name not in ("include", "includeAll") or not where:
        folder.note(f"<{name}> of a changelog is no SQL: what it does is not known", path, line, problem=True)
        return
    odd = ", ".join(
        sorted(
            key
            for key in has
            if key not in ("file", "path", "relativeToChangelogFile", "errorIfMissingOrEmpty")
        )
    )
    relative = has.get("relativeToChangelogFile", "").lower() == "true"
    yield _Entry(line, name == "includeAll", where, relative, odd)
