"""First question: what kind of conversion lies between two columns?

`classify` answers as the replica's `can_convert_field_to` (MySQL, `sql/rpl_utility.cc`) or
`Field::rpl_conv_type_from` (MariaDB, `sql/rpl_utility_server.cc`) does: from the table map image
and the replica's column alone. No setting is asked here.
"""

from __future__ import annotations

import enum
from functools import lru_cache

from schemacheck.conversion.wire import (
    INTEGER_REALS,
    NEW_TEMPORALS,
    STRING_REALS,
    Image,
    Real,
    character_width,
    image,
    unreadable,
)
from schemacheck.model import ColumnType, Server
from schemacheck.model.column_type import BLOB_BYTES


class Kind(enum.Enum):
    """Kinds of conversion.

    EXACT: the bytes are read as they are. UNCHECKED: as EXACT, by the server's reckoning, between
    two types that are not the same; a replica with an empty setting refuses it where it asks the
    setting first. VARIANT: converted, whatever the setting. NON_LOSSY, LOSSY: converted where the
    setting has the word. IMPOSSIBLE: never. UNREADABLE: the replica does not know the type byte and
    gives up on the whole table map.
    """

    EXACT = "exact"
    UNCHECKED = "unchecked"
    VARIANT = "variant"
    NON_LOSSY = "non-lossy"
    LOSSY = "lossy"
    IMPOSSIBLE = "impossible"
    UNREADABLE = "unreadable"

    # Members are singletons; the enum's own hash is a Python call.
    __hash__ = object.__hash__


def _kind(order: int) -> Kind:
    return (Kind.EXACT, Kind.LOSSY, Kind.NON_LOSSY)[order]


def _compare(source: int, replica: int) -> int:
    return (source > replica) - (source < replica)


#: What `max_display_length_for_field` counts for an integer: as a source, as a replica column.
_SOURCE_DIGITS = {Real.TINY: 4, Real.SHORT: 6, Real.INT24: 9, Real.LONG: 11, Real.LONGLONG: 20}
_REPLICA_DIGITS = {Real.TINY: 4, Real.SHORT: 6, Real.INT24: 8, Real.LONG: 11, Real.LONGLONG: 20}
_REAL_DIGITS = {Real.FLOAT: 12, Real.DOUBLE: 22}


@lru_cache(maxsize=65536)
def classify(source: ColumnType, replica: ColumnType, source_server: Server, replica_server: Server) -> Kind:
    """The kind of conversion from a source column to a replica column."""
    sent, held = image(source, source_server), image(replica, replica_server)
    if unreadable(sent, replica_server):
        return Kind.IMPOSSIBLE if replica_server.has("unknown-type-refused") else Kind.UNREADABLE
    if replica_server.has("applier-5.1"):
        return _classify_51(sent, held)
    if replica.is_address:
        # Field_fbt (UUID, INET6, INET4) takes any CHAR or BINARY of its own byte length.
        return Kind.EXACT if sent.real is Real.STRING and sent.size == held.size else Kind.IMPOSSIBLE
    if replica.is_vector and held.real is Real.VARCHAR:
        # MariaDB's Field_vector takes a VARCHAR of exactly its length (asked: varbinary(16) -> vector(3) is
        # 1677).
        return Kind.EXACT if (sent.real, sent.size) == (held.real, held.size) else Kind.IMPOSSIBLE
    if sent.real is held.real:
        return _same(sent, held)
    if _old_and_new(sent, held, replica_server):
        return Kind.VARIANT
    numeric = {Real.FLOAT, Real.DOUBLE, Real.NEWDECIMAL}
    if sent.real in INTEGER_REALS and held.real in INTEGER_REALS:
        return _kind(_compare(_SOURCE_DIGITS[sent.real], _REPLICA_DIGITS[held.real]))
    if sent.real in numeric and held.real in numeric:
        if Real.NEWDECIMAL in (sent.real, held.real):
            return Kind.LOSSY
        # FLOAT <-> DOUBLE goes by display length, and (M,D) on the replica replaces it.
        width = replica.length if replica.scale is not None and replica.length else _REAL_DIGITS[held.real]
        kind = _kind(_compare(_REAL_DIGITS[sent.real], width))
        return Kind.UNCHECKED if kind is Kind.EXACT else kind
    if sent.real in STRING_REALS and held.real in STRING_REALS:
        order = _compare(_source_bytes(sent), _replica_bytes(held, replica))
        return _kind(order or -1)
    if replica_server.has("date-datetime-conversion"):
        if sent.real is Real.DATE and held.real in (Real.DATETIME, Real.DATETIME2):
            return Kind.NON_LOSSY
        if sent.real in (Real.DATETIME, Real.DATETIME2) and held.real is Real.DATE:
            return Kind.LOSSY
    return Kind.IMPOSSIBLE


def _source_bytes(sent: Image) -> int:
    if sent.real in (Real.BLOB, Real.BLOB_COMPRESSED):
        return BLOB_BYTES[sent.size - 1]
    # A compressed VARCHAR carries one byte for its compression header.
    return sent.size - (sent.real is Real.VARCHAR_COMPRESSED)


def _replica_bytes(held: Image, replica: ColumnType) -> int:
    """`Field::max_display_length`: a TEXT counts its maximum times the bytes per character."""
    if held.real in (Real.BLOB, Real.BLOB_COMPRESSED):
        most = BLOB_BYTES[held.size - 1]
        return most if held.size == 4 else most * character_width(replica)
    return held.size - (held.real is Real.VARCHAR_COMPRESSED)


def _same(sent: Image, held: Image) -> Kind:
    """Both ends have one real type: `Field_*::compatible_field_size`."""
    if sent.real is Real.VECTOR:
        return Kind.EXACT if sent.size == held.size else Kind.IMPOSSIBLE
    if sent.metadata == 0:
        # Integers, DATE, YEAR, temporals without fraction, VARCHAR(0): nothing to compare.
        return Kind.EXACT
    if sent.real is Real.NEWDECIMAL:
        return _kind(_compare(sent.size, held.size) or _compare(sent.scale, held.scale))
    if sent.real in NEW_TEMPORALS:
        return _kind(_compare((sent.size + 1) // 2, (held.size + 1) // 2))
    return _kind(_compare(sent.size, held.size))


def _old_and_new(sent: Image, held: Image, server: Server) -> bool:
    """TIME, DATETIME, TIMESTAMP of the old format against the new one, or the reverse."""
    if not server.has("old-new-temporal-conversion"):
        return False
    if NEW_TEMPORALS.get(held.real) is sent.real:
        return True
    if NEW_TEMPORALS.get(sent.real) is held.real:
        return sent.size == held.size if server.has("old-temporal-of-equal-size") else sent.metadata == 0
    return False


def _classify_51(sent: Image, held: Image) -> Kind:
    """MySQL 5.1: `Field::type()` must be equal, then the source's size must not exceed the replica's.

    CHAR, ENUM and SET share a type byte; a CHAR of the replica counts one byte more.
    """
    wire = {Real.ENUM: Real.STRING, Real.SET: Real.STRING}
    if wire.get(sent.real, sent.real) is not wire.get(held.real, held.real):
        return Kind.IMPOSSIBLE
    if sent.real is Real.NEWDECIMAL:
        return Kind.EXACT if sent.size <= held.size and sent.scale <= held.scale else Kind.IMPOSSIBLE
    if sent.metadata == 0:
        return Kind.EXACT
    slack = 1 if held.real is Real.STRING else 0
    return Kind.EXACT if sent.size <= held.size + slack else Kind.IMPOSSIBLE
