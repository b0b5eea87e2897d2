"""The servers' error numbers and texts, filled in for one table.

Templates are in `rules/errors.yaml`; the type names inside them follow `show_sql_type` (MySQL)
and `Relay_log_info` / MDEV-19925 (MariaDB), which differ by version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from schemacheck import knowledge
from schemacheck.conversion.wire import Image, Real, character_width, image, unreadable
from schemacheck.dataclass import dataclass, maker
from schemacheck.model import ColumnType, Server, ServerError
from schemacheck.model.column_type import BLOBS

#: Stands for a key that nobody can name before the row is known.
ANY = "..."
_error = maker(ServerError)
_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """One error's text for one server."""

    number: int
    symbol: str
    #: The text cut up: what stands before each of its fields, with that field's name; '' behind the last.
    parts: tuple[tuple[str, str], ...]
    counts_from: int = 0
    type_length: int = 192

    def filled(self, values: Mapping[str, str]) -> str:
        """The text with values for its fields. (`str.format` takes four times as long.)"""
        return "".join([before + values[name] if name else before for before, name in self.parts])


@lru_cache(maxsize=1024)
def template(name: str, server: Server) -> Template | None:
    """The error `name` on this server, or None where its version does not have it."""
    variants: list[dict[str, Any]] = knowledge.load("errors")["errors"][name]
    fitting = [
        v
        for v in variants
        if v["flavor"] == server.family and knowledge.version(v["since"]) <= server.version
    ]
    if not fitting:
        return None
    chosen = fitting[-1]
    pieces = _FIELD.split(chosen["text"])
    return Template(
        chosen["number"],
        chosen["symbol"],
        tuple(zip(pieces[::2], [*pieces[1::2], ""], strict=True)),
        chosen.get("counts_from", 0),
        chosen.get("type_length", 192),
    )


def server_error(
    name: str,
    server: Server,
    database: str | None,
    table: str,
    *,
    event: str = "Write_rows",
    key: str = "",
    engine: str | None = None,
) -> ServerError | None:
    """The error `name` as this server prints it for a table; None where the version has no such error."""
    result = template(name, server)
    if result is None:
        return None
    qualified = f"{database}.{table}" if database else table
    text = result.filled(
        {
            "table": qualified,
            "bare_table": table,
            "database": database or "",
            "event": event_name(event, server),
            "key": key,
            "engine": engine or "InnoDB",
        }
    )
    if key == ANY:
        text = text.replace(f"{table}.{ANY}", ANY)
    return _error(result.number, text, result.symbol)


def event_name(event: str, server: Server) -> str:
    """`Write_rows` as the server spells it: MariaDB says Write_rows_v1."""
    return event + "_v1" if server.has("row-events-v1") else event


def conversion_failed(
    index: int,
    source: ColumnType,
    replica: ColumnType,
    source_server: Server,
    server: Server,
    database: str | None,
    table: str,
) -> ServerError:
    """The error that refuses a conversion of the source column at `index`, counted from 0."""
    qualified = f"{database}.{table}" if database else table
    sent = image(source, source_server)
    result = template("conversion-failed", server)
    if result is None or server.has("applier-5.1"):
        return _definition_error(index, sent, image(replica, server), server, qualified)
    text = result.filled(
        {
            "column": str(index + result.counts_from),
            "table": qualified,
            "source": source_name(sent, replica, server)[: result.type_length],
            "replica": replica_name(replica, server)[: result.type_length],
        }
    )
    return _error(result.number, text, result.symbol)


def _definition_error(index: int, sent: Image, held: Image, server: Server, table: str) -> ServerError:
    """5.1's error 1535 in its two forms (tabledef::compatible_with)."""
    result = template("table-definition", server)
    assert result is not None
    wire = {Real.ENUM: Real.STRING, Real.SET: Real.STRING}
    if wire.get(sent.real, sent.real) is not wire.get(held.real, held.real):
        detail = (
            f"Column {index} type mismatch - received type {wire.get(sent.real, sent.real).value}, "
            f"{table} has type {held.real.value}"
        )
    else:
        detail = (
            f"Column {index} size mismatch - master has size {sent.size}, {table} on slave has size "
            f"{held.size}. Master's column size should be <= the slave's column size."
        )
    return _error(result.number, result.filled({"detail": detail}), result.symbol)


_PLAIN = {
    Real.TINY: "tinyint", Real.SHORT: "smallint", Real.INT24: "mediumint", Real.LONG: "int",
    Real.LONGLONG: "bigint",
    Real.FLOAT: "float", Real.DOUBLE: "double", Real.YEAR: "year", Real.DATE: "date", Real.TIME: "time",
    Real.DATETIME: "datetime",
    Real.TIMESTAMP: "timestamp", Real.TIME2: "time", Real.DATETIME2: "datetime", Real.TIMESTAMP2: "timestamp",
    Real.ENUM: "enum",
    Real.SET: "set", Real.JSON: "json", Real.GEOMETRY: "geometry",
}  # fmt: skip


def source_name(sent: Image, replica: ColumnType, server: Server) -> str:
    """The source's type in the replica's words, made from the table map alone."""
    real = sent.real
    if unreadable(sent, server):
        return "<unknown type>"
    if real in _PLAIN:
        return _PLAIN[real]
    if real is Real.NEWDECIMAL:
        return f"decimal({sent.size},{sent.scale})"
    if real is Real.BIT:
        return f"bit({sent.size})"
    if real is Real.VECTOR:
        return f"vector({sent.size // 4})"
    if real in (Real.BLOB, Real.BLOB_COMPRESSED):
        name = BLOBS[sent.size - 1] if server.has("message-blob-kinds") else "tinyblob"
        return name + (" compressed" if real is Real.BLOB_COMPRESSED else "")
    return _string_name(sent, replica, server)


def _string_name(sent: Image, replica: ColumnType, server: Server) -> str:
    fixed = sent.real is Real.STRING
    compressed = " compressed" if sent.real is Real.VARCHAR_COMPRESSED else ""
    if server.has("message-octets"):
        if _reads_binary(replica):
            return f"{'binary' if fixed else 'varbinary'}({sent.size}){compressed}"
        return f"{'char' if fixed else 'varchar'}({sent.size} octets){compressed}"
    if server.has("message-bytes"):
        return f"{'char' if fixed else 'varchar'}({sent.size}(bytes))"
    if fixed:
        return f"char({sent.size // _message_width(replica)})"
    return f"varchar({sent.size})"


def _message_width(replica: ColumnType) -> int:
    """Mbmaxlen by which 5.x divides a CHAR's bytes: that of the replica column's charset."""
    return character_width(replica) if replica.is_character else 1


def _reads_binary(replica: ColumnType) -> bool:
    return replica.charset is None and (
        replica.holds_bytes or replica.is_vector or replica.is_address or replica.is_geometry
    )


#: Character sets of two and more bytes at least: show_sql_type writes nothing for them (recorded on 9.7).
_UNPRINTED = ("ucs2", "utf16", "utf16le", "utf32")
_WIDTHS = {"tinyint": (4, 3), "smallint": (6, 5), "mediumint": (9, 8), "int": (11, 10), "bigint": (20, 20)}


def replica_name(replica: ColumnType, server: Server) -> str:
    """The replica column's type as its own server prints it in the error."""
    if server.has("message-octets") and replica.is_counted:
        size = replica.max_bytes + (1 if replica.compressed else 0)
        return f"{replica.base}({size} octets) character set {replica.charset}"
    if server.has("message-bytes"):
        if replica.charset in _UNPRINTED and replica.is_character and not replica.is_text:
            return ""
        if replica.is_counted:
            return f"{replica.base}({replica.max_bytes}(bytes) {replica.charset})"
        if replica.has_members:
            longest = max((len(m) for m in replica.members), default=0)
            if replica.is_set:
                longest = sum(len(m) for m in replica.members) + len(replica.members) - 1
            return f"char({longest * character_width(replica)}(bytes) {replica.charset})"
    boolean = replica.base == "tinyint" and replica.display_width == 1 and not replica.unsigned
    if replica.is_integer and (replica.zerofill or boolean or server.has("integer-display-width")):
        # ZEROFILL and TINYINT(1) keep their width on servers that print no other (recorded on 9.7).
        width = replica.display_width
        if width is None:
            width = _WIDTHS[replica.base][replica.unsigned]
        return f"{replica.base}({width})" + " unsigned" * replica.unsigned + " zerofill" * replica.zerofill
    if replica.is_year and server.has("integer-display-width"):
        return f"year({replica.display_width or 4})"
    if replica.is_json and server.has("json-is-longtext"):
        return "longtext"
    if replica.is_vector and server.has("vector-is-varbinary"):
        return f"varbinary({4 * (replica.length or 0)})"
    old = server.has("message-old-format") and replica.old_format
    return (
        replica.plain()
        + (" /*M!100301 COMPRESSED*/" if replica.compressed and replica.base != "varbinary" else "")
        + (" /* mariadb-5.3 */" if old else "")
    )
