"""The tables in which migration tools write what was applied: known, and no part of what they define."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.model import InputProblem, Location, Schema
from schemacheck.model.history import History, Migration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.inputs.piece import DdlPiece, HistoryPiece
    from schemacheck.model import Server, Table


def joined(pieces: list[HistoryPiece]) -> History | None:
    """The histories of an input's files as one; None where there is none, or they are of several tools."""
    kinds = {piece.history.kind for piece in pieces}
    if len(kinds) != 1:
        return None
    return History(
        kinds.pop(), tuple(migration for piece in pieces for migration in piece.history.migrations)
    )


def of_family(pieces: list[DdlPiece], server: Server) -> tuple[list[DdlPiece], list[InputProblem]]:
    """The scripts that servers of this flavour run, and a note about each of the others."""
    run = [piece for piece in pieces if not piece.families or server.family in piece.families]
    notes = [
        InputProblem(
            "SC003",
            f"not run on {server.family}: for {', '.join(piece.families)} alone",
            Location(piece.file, piece.line),
            skipped=True,
        )
        for piece in pieces
        if piece.families and server.family not in piece.families
    ]
    return run, notes


def base(
    pieces: Sequence[DdlPiece | Migration], history: History | None, server: Server, database: str | None
) -> Schema:
    """The tool's tables that its scripts write to and do not make: they are there before all."""
    if history is None:
        return Schema()
    tables = []
    for name, sql in _tables(history.kind).items():
        written = [piece for piece in pieces if name in piece.text]
        if sql and written and not any(_makes(piece.text, name) for piece in written):
            tables.append(replace(_made(sql, server), database=database))
    return Schema(tuple(tables))


def without(schema: Schema, history: History | None, server: Server) -> Schema:
    """The tables that the scripts define: without those that `base` gave."""
    if history is None:
        return schema
    given = {id(_made(sql, server).columns) for sql in _tables(history.kind).values() if sql}
    return replace(schema, tables=tuple(table for table in schema.tables if id(table.columns) not in given))


def set_aside(schema: Schema, other: Schema) -> Schema:
    """A side without the own tables of the other side's tool, each noted, unless a migration makes them."""
    kind = other.history.kind if other.history else None
    if kind is None or (schema.history and schema.history.kind == kind):
        return schema
    own = {name.casefold() for name in _tables(kind)}
    made = {table.name.casefold() for table in other.tables}
    gone = [table for table in schema.tables if table.name.casefold() in own - made]
    notes = tuple(
        InputProblem(
            "SC003",
            f"{knowledge.load('histories')[kind]['title']}'s own table, which no migration makes: "
            "not compared",
            table.location,
            table.database,
            table.name,
            skipped=True,
        )
        for table in gone
    )
    tables = tuple(table for table in schema.tables if not any(table is other for other in gone))
    return replace(schema, tables=tables, problems=(*schema.problems, *notes))


def _tables(kind: str) -> dict[str, str]:
    tables: dict[str, str] = knowledge.load("histories").get(kind, {}).get("tables", {})
    return tables


def _makes(text: str, name: str) -> bool:
    lines = (line.lower() for line in text.split("\n"))
    return any("create table" in line and name.lower() in line for line in lines)


@lru_cache(maxsize=64)
def _made(sql: str, server: Server) -> Table:
    from schemacheck import catalog

    return catalog.read(sql, server).tables[0]
