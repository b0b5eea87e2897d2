"""Option files (my.cnf): groups, `!include`, `!includedir`, with the place of each filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from schemacheck.errors import InputError
from schemacheck.filters.read.options import Collector, canonical
from schemacheck.filters.read.result import FilterInput
from schemacheck.model import Server

#: Settings beside the filters that say what the filters meet.
SETTINGS = frozenset({
    "server_id", "log_slave_updates", "log_replica_updates", "binlog_format", "lower_case_table_names", "replicate_same_server_id", "gtid_mode", "log_bin",
})  # fmt: skip
_GROUP = re.compile(r"\[([^\]]+)\]")
_OPTION = re.compile(r"(?P<name>[^=\s]+)\s*(?:=\s*(?P<value>.*))?$")
_DEPTH = 16


def read(path: str | Path, server: Server | None = None) -> FilterInput:
    """The filters and settings that a server with this option file has.

    Groups that count: mysqld, server, mariadb, mariadbd and each of them with a version behind a dash
    (`mysqld-8.0`) where it begins the server's. Later lines win, filters add up. Raises InputError for a
    file that is not there or includes itself, BadSetting for a value that the server refuses.
    """
    return collect(lines(Path(path)), server)


def parse(text: str, name: str = "my.cnf", server: Server | None = None) -> FilterInput:
    """The same from text; includes are not followed and are an InputError."""
    return collect(_lines(text, name, None, ()), server)


def collect(found: Iterator[tuple[str, str, str, str]], server: Server | None) -> FilterInput:
    """One result out of (group, option, value, place)."""
    collector = Collector(server)
    settings: dict[str, str] = {}
    for group, name, value, place in found:
        if not _counts(group, server):
            continue
        connection, dot, option = name.rpartition(".")
        known = canonical(option if dot else name)
        plain = name.lower().replace("-", "_")
        if known is not None:
            collector.add(known, value, place, channel=connection if dot else None)
        elif plain in SETTINGS:
            settings[plain] = value if value != "" else "ON"
        elif plain.startswith("skip_") and plain[5:] in SETTINGS:
            settings[plain[5:]] = "OFF"
    return FilterInput(collector.result(), tuple(sorted(settings.items())))


def lines(path: Path, above: tuple[Path, ...] = ()) -> Iterator[tuple[str, str, str, str]]:
    """All option lines of a file and of those that it includes: (group, option, value, `file:line`)."""
    try:
        text = path.read_text("utf-8", errors="surrogateescape")
    except OSError as error:
        where = f" (included by {above[-1]})" if above else ""
        message = f"{path}{where}: cannot be read: {error.strerror}"
        raise InputError(message) from error
    yield from _lines(text, str(path), path, above)


def _lines(text: str, name: str, path: Path | None, above: tuple[Path, ...]) -> Iterator[tuple[str, str, str, str]]:
    group = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("!"):
            yield from _include(line, f"{name}:{number}", path, above)
            continue
        heading = _GROUP.match(line)
        if heading:
            group = heading[1].strip().lower()
            continue
        option = _OPTION.match(line)
        if option:
            yield group, option["name"], _value(option["value"] or ""), f"{name}:{number}"


def _include(line: str, place: str, path: Path | None, above: tuple[Path, ...]) -> Iterator[tuple[str, str, str, str]]:
    word, _, target = line.partition(" ")
    if path is None:
        message = f"{place}: {word} needs a file on disk; give the option file's path"
        raise InputError(message)
    wanted = (path.parent / target.strip()).resolve()
    if wanted in above or len(above) > _DEPTH:
        message = f"{place}: {target.strip()} includes itself"
        raise InputError(message)
    chain = (*above, path.resolve())
    if word == "!include":
        yield from lines(wanted, chain)
    elif word == "!includedir":
        if not wanted.is_dir():
            message = f"{place}: {target.strip()} is no folder"
            raise InputError(message)
        for entry in sorted(wanted.glob("*.cnf")):
            yield from lines(entry, chain)
    else:
        message = f"{place}: {word} is neither !include nor !includedir"
        raise InputError(message)


def _value(text: str) -> str:
    r"""A value without quotes and comment; `\s`, `\t`, `\n`, `\\` are escapes (my_default.c), `\_` stays."""
    text = text.strip()
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        text = text[1:end] if end > 0 else text[1:]
    else:
        text = re.split(r"\s#", text, maxsplit=1)[0].strip()
    return re.sub(r"\\([sntbr\\])", lambda m: {"s": " ", "n": "\n", "t": "\t", "b": "\b", "r": "\r", "\\": "\\"}[m[1]], text)


def _counts(group: str, server: Server | None) -> bool:
    """Whether the server reads this group."""
    word, _, series = group.partition("-")
    names = {"mysqld", "server"}
    if server is None or server.mariadb:
        names |= {"mariadb", "mariadbd", "mariadb_server"}
    if word not in names:
        return False
    return not series or server is None or server.version_text == series or server.version_text.startswith(f"{series}.")
