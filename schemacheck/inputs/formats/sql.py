"""SQL text: hand-written DDL, mysqldump, SHOW CREATE TABLE statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.inputs.piece import DdlPiece, NotePiece, SettingsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

_SERVER = re.compile(r"^-- Server version[ \t]+(\S+)", re.MULTILINE)
_HOST_LINE = re.compile(r"^-- (MariaDB|MySQL|Percona)[^\n]*? dump ", re.MULTILINE)
_SANDBOX = "/*M!999999"
_MARIADB = re.compile(r"/\*M!\d")


def server_of_dump(head: str) -> dict[str, str]:
    """`version`, or `version_comment` where only the flavour is known; {} else. `-- MariaDB dump` names the
    program, which counts only where the version is none of MySQL's.
    """
    record: dict[str, str] = {}
    if match := _SERVER.search(head):
        record["version"] = match.group(1)
    host = _HOST_LINE.search(head)
    by_mariadb = (host and host.group(1) == "MariaDB") or head.lstrip().startswith(_SANDBOX)
    if (by_mariadb or _MARIADB.search(head)) and not _is_mysqls(record.get("version", "")):
        record["version_comment"] = "MariaDB"
    elif host and host.group(1) == "Percona":
        record["version_comment"] = "Percona Server"
    return record


#: What mysqldump, mydumper, phpMyAdmin, HeidiSQL, Sequel Ace, SQLyog, Navicat, MySQL Workbench write first.
_DUMPED = re.compile(
    r"^(?:-- (?:MySQL|MariaDB|Percona Server) dump|-- Server version|-- phpMyAdmin|-- Host:|# Host:|# Dump of"
    r"|SQLyog|-- MySQL Script generated| *Navicat|/\*!\d+ SET @OLD_\w+ ?= ?@@)",
    re.MULTILINE | re.IGNORECASE,
)


def is_dump(text: str) -> bool:
    """Whether a program wrote this text out of a server, as its first lines say."""
    return _DUMPED.search(text[:4096]) is not None


def _is_mysqls(version: str) -> bool:
    """Whether a version without a flavour's name is of a series that MySQL has."""
    numbers = re.match(r"([0-9]+)\.([0-9]+)", version)
    if numbers is None or "mariadb" in version.lower():
        return False
    return any(latest[:2] == (int(numbers[1]), int(numbers[2])) for latest in knowledge.releases("mysql"))


_BEGINS = re.compile(
    r"^-- (?:MySQL|MariaDB|Percona(?: Server)?) dump [0-9]|^(-- Dump completed\b)", re.MULTILINE
)


def cut_off(text: str) -> int | None:
    """The line of the first dump that does not end as mysqldump ends them; None where all are whole (both
    comments are written, or neither).
    """
    begun: int | None = None
    for match in _BEGINS.finditer(text):
        if match[1] is None and begun is not None:
            break
        begun = match.start() if match[1] is None else None
    return None if begun is None else text.count("\n", 0, begun) + 1


NAME = "sql"

_STATEMENT = re.compile(
    r"^[^\S\n]*+(?:CREATE|ALTER|DROP|RENAME|USE|SET|INSERT|DELIMITER|TRUNCATE|LOCK|START|BEGIN|COMMIT|GRANT|REPLACE)\b",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT = re.compile(r"\s*+(?:--|#|/\*)")
#: A statement behind nothing but comments. Nothing is tried twice: a comment that never ends must not cost
#: more than its length.
_FIRST = re.compile(
    r"(?:\s++|--[^\n]*+\n|#[^\n]*+\n|/\*(?>.*?\*/);?)*(?:CREATE|ALTER|DROP|USE|SET|RENAME)\b",
    re.IGNORECASE | re.DOTALL,
)


def sniff(source: Source) -> int:
    """A statement's first word somewhere in the first 64 KiB, or a comment at the start."""
    head = source.head
    if _FIRST.match(head[:8192]):
        return 92
    if source.name.removesuffix(".gz").removesuffix(".zst").lower().endswith((".sql", ".ddl")):
        return 80
    if _STATEMENT.search(head):
        return 50
    return 30 if _COMMENT.match(head) else 0


def about_dump(text: str, file: str) -> Iterator[Piece]:
    """What a dump's comments say: its server, and whether it is whole."""
    record = server_of_dump(text[:4096])
    if record:
        yield SettingsPiece(record, file)
    line = cut_off(text)
    if line is not None:
        message = "this dump is cut off: its last line, `-- Dump completed`, is missing; take it again"
        yield NotePiece(message, file, line, problem=True, code="SC003")


def read(source: Source, options: Options) -> Iterator[Piece]:
    """The text, and what a dump's header says of the server; of a migration only what applies it."""
    from schemacheck.inputs import histories

    text = source.text
    yield from about_dump(text, source.name)
    folder = histories.of_source(source, options.history)
    if folder is None:
        dumped = source.is_dump and is_dump(text)
        yield DdlPiece(text, source.name, encoding=source.encoding or "utf-8", dumped=dumped)
    else:
        yield from folder.pieces()
        way = f"{histories.title(folder.kind)} does not run what undoes a migration: it is left out ("
        way += "" if folder.named else f"its files begin with a number: --history {folder.kind} confirms it, "
        way += "--history none reads it)"
        for migration in folder.migrations:
            if migration.down:
                yield NotePiece(way, migration.file, migration.line, problem=not folder.named, code="SC003")
