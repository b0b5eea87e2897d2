"""Third question: what becomes of the values?

`outcome` looks for a value of the source column that arrives changed, family by family. Each
module answers for one family of types; every answer carries an example.
"""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values import approximate, exact, integer, string, temporal
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.conversion.wire import Real, image
from schemacheck.model import ColumnType, Link

__all__ = ["UNCHANGED", "Outcome", "What", "outcome"]

#: A shape of each spatial type, as ST_GeomFromText takes it.
SHAPES = {
    "point": "POINT(1 2)", "geometry": "POINT(1 2)", "linestring": "LINESTRING(0 0,1 1)",
    "polygon": "POLYGON((0 0,0 1,1 1,0 0))", "multipoint": "MULTIPOINT(1 2,3 4)",
    "multilinestring": "MULTILINESTRING((0 0,1 1))", "multipolygon": "MULTIPOLYGON(((0 0,0 1,1 1,0 0)))",
    "geometrycollection": "GEOMETRYCOLLECTION(POINT(1 2))",
}  # fmt: skip


def outcome(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    """What happens to the values of a column whose conversion `kind` is permitted."""
    if source == replica and link.source == link.replica:
        return UNCHANGED
    sent, held = image(source, link.source), image(replica, link.replica)
    width = _width_misread(source, sent.real, held.real, replica, kind)
    if width is not None:
        return width
    if source.is_integer and replica.is_integer:
        return integer.outcome(source, replica, kind, link)
    if source.is_decimal:
        return exact.outcome(source, replica, kind)
    if source.is_approximate:
        return approximate.outcome(source, replica, kind)
    if source.is_bit:
        return _bits(source, replica)
    if source.has_members:
        return _members(source, replica)
    if source.is_temporal:
        return temporal.outcome(source, replica, kind, link)
    if source.is_geometry and replica.is_geometry:
        return _geometry(source, replica, link)
    if source.is_year and replica.is_year and source.length != replica.length:
        shown = ("2001", "01") if replica.length else ("01", "2001")
        return Outcome(What.SHOWN, shown[0], shown[1])
    if source.base == replica.base and (source.is_year or source.is_json or source.is_vector):
        return UNCHANGED
    return string.outcome(source, replica, kind, link)


def _width_misread(
    source: ColumnType, sent: Real, held: Real, replica: ColumnType, kind: Kind
) -> Outcome | None:
    """FLOAT read as DOUBLE and the reverse, where the lengths happened to be equal; VARCHAR(0),
    which sends no metadata, read with the replica column's two length bytes (asked: 1610)."""
    if (
        sent is held is Real.VARCHAR
        and source.length == 0
        and not replica.is_vector
        and replica.max_bytes > 255
    ):
        return Outcome(
            What.MISREAD, "''", "", "the source writes one length byte, the replica reads two", grows=True
        )
    if kind is Kind.UNCHECKED and sent is not held:
        grows = sent is Real.FLOAT
        return Outcome(
            What.MISREAD, "1.5", "", f"{4 if grows else 8} bytes are read as {8 if grows else 4}", grows=grows
        )
    return None


def _geometry(source: ColumnType, replica: ColumnType, link: Link) -> Outcome:
    """Subtype and SRID are not sent; a server that stores by them keeps an empty value of a foreign shape,
    which MySQL before 8.0 takes into any spatial column (asked of 5.6).
    """
    if replica.srid not in (None, source.srid) and link.replica.has("geometry-srid-checked"):
        other = source.srid if source.srid is not None else 3857 if replica.srid == 4326 else 4326
        point = f"ST_GeomFromText('POINT(1 2)',{other})"
        return Outcome(
            What.REFUSED, point, "''", f"the column takes no value of another SRID than {replica.srid}"
        )
    checked = "geometry-subtype-checked"
    unchecked = not link.source.mariadb and not link.source.has(checked)
    if replica.is_any_geometry or (replica.base == source.base and not unchecked):
        return UNCHANGED
    shape = "LINESTRING(0 0,1 1)" if replica.base != "linestring" else "POINT(1 2)"
    if source.base not in ("geometry", replica.base):
        shape = SHAPES[source.base]
    if link.replica.has(checked):
        return Outcome(
            What.REFUSED, f"ST_GeomFromText('{shape}')", "''", f"a {replica.base} column takes no other shape"
        )
    if replica.base == source.base:
        return UNCHANGED
    return Outcome(
        What.UNCHANGED,
        f"ST_GeomFromText('{shape}')",
        "",
        "the column then holds a shape that its type does not allow",
    )


def _bits(source: ColumnType, replica: ColumnType) -> Outcome:
    """BIT(M) to BIT(M'): the manual's "all-set value" where M' < M."""
    have, room = source.length or 1, replica.length or 1
    if have <= room:
        return UNCHANGED
    value = "1" + "0" * (have - 1)
    return Outcome(
        What.CLIPPED, f"b'{value}'", f"b'{'1' * room}'", "a value that does not fit becomes all ones"
    )


def _members(source: ColumnType, replica: ColumnType) -> Outcome:
    """ENUM and SET: the index or the bits travel, never the words, converted or not (recorded: pack length 1
    to 2 keeps the index).
    """
    for index, member in enumerate(source.members):
        if index >= len(replica.members):
            return Outcome(What.EMPTIED, f"'{member}'", "''", f"the replica has no member number {index + 1}")
        if replica.members[index] != member:
            note = (
                f"the event carries the number {index + 1}, which means '{replica.members[index]}' on "
                "the replica"
            )
            return Outcome(What.REINTERPRETED, f"'{member}'", f"'{replica.members[index]}'", note)
    return UNCHANGED
