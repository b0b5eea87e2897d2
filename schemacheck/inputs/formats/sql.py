"""SQL text: hand-written DDL, mysqldump, SHOW CREATE TABLE statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.inputs.dump_header import cut_off, server_of_dump
from schemacheck.inputs.piece import DdlPiece, NotePiece, SettingsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "sql"
ABOUT = "DDL text: hand-written, mysqldump, mydumper, MySQL Shell"

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
        yield DdlPiece(text, source.name, encoding=source.encoding or "utf-8")
    else:
        yield from folder.pieces()
        way = f"{histories.title(folder.kind)} does not run what undoes a migration: it is left out ("
        way += "" if folder.named else f"its files begin with a number: --history {folder.kind} confirms it, "
        way += "--history none reads it)"
        for migration in folder.migrations:
            if migration.down:
                yield NotePiece(way, migration.file, migration.line, problem=not folder.named, code="SC003")
