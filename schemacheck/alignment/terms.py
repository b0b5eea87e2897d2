"""What a link's settings come to for the tables on it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from schemacheck.conversion import Kind, Outcome
from schemacheck.dataclass import dataclass, field
from schemacheck.model import ColumnType, Link, Server, SmallestSetting


class Judged(NamedTuple):
    """Two types of a column: what kind of conversion lies between them, whether the setting permits it, what
    becomes of values, whether the types are equal, and whether the replica does not know the source's.
    """

    source: ColumnType
    replica: ColumnType
    kind: Kind
    allowed: bool
    outcome: Outcome
    same: bool
    unreadable: bool


#: How many of each are kept for a link.
MOST_JUDGED = 4096


@dataclass(frozen=True, slots=True)
class Terms:
    """What a link's settings come to, worked out once per link."""

    modes: frozenset[str]
    logs_rows: bool
    logs_statements: bool
    row_image: str
    same_servers: bool
    by_name: bool
    prefix_formats: frozenset[str | None]
    other_row_format: bool
    idempotent: bool
    cut_replace: bool
    cut_generated: bool
    own_foreign_keys: bool
    logged_cascades: bool
    searched_by_hash: bool
    own_time_zone: bool
    partial_image: bool
    cluster: bool
    conversions: str
    conversions_text: str
    #: Whether the source, and the replica, know a generated invisible primary key.
    gipk: tuple[bool, bool]
    #: Whether the replica makes a table of all columns before it converts one, and may fail to.
    converts_in_table: bool
    #: What was found about two types, by their identities; the entry keeps both alive. (Equal types are
    #: mostly one object, and to hash two types and the link takes five times as long.)
    judged: dict[tuple[int, int], Judged] = field(default_factory=dict, compare=False, repr=False)
    #: The smallest setting for conversions between types, the source's and the replica's in turns, in the
    #: same way (`smallest.py`).
    smallest: dict[tuple[int, ...], tuple[list[ColumnType], SmallestSetting]] = field(
        default_factory=dict, compare=False, repr=False
    )


@lru_cache(maxsize=4096)
def terms(link: Link) -> Terms:
    """ROW and MIXED log row events, STATEMENT and MIXED statements; `prefix_formats` of the
    replica, `other_row_format`: the source has others; `idempotent` its slave_exec_mode. `cut_replace`:
    a partial image of some sources loses what REPLACE resets; `cut_generated`: row events of some lack
    generated columns; `own_foreign_keys`: the source's server, not its InnoDB, acts on foreign keys (MySQL
    manual 9.7, 19.5.1.37), `logged_cascades`: and row events tell what it changes; `searched_by_hash`: MySQL
    8.0 changes rows without a primary key in another order; `own_time_zone`: the applier computes stored
    columns anew, in its own time zone; `partial_image`: row events do not carry every column. `conversions`:
    slave_type_conversions as the replica spells it, `conversions_text` with its value.
    """
    name = "replica_type_conversions" if link.replica.has("replica-words") else "slave_type_conversions"
    by_name = (
        link.replica.has("columns-by-name")
        and link.row_metadata == "FULL"
        and link.source.has("full-row-metadata")
    )
    log = link.binlog_format
    same = (link.source.flavor, link.source.version) == (link.replica.flavor, link.replica.version)
    explicit = "explicit_defaults_for_timestamp"
    same = same and (log == "ROW" or link.source.setting(explicit) == link.replica.setting(explicit))
    partial = link.row_image in ("MINIMAL", "NOBLOB")
    idempotent = link.replica.setting("slave_exec_mode").upper() == "IDEMPOTENT"
    native = link.source.setting("innodb_native_foreign_keys").upper() in ("ON", "1")
    own_keys = link.source.has("cascades-are-logged-as-rows") and not native
    return Terms(
        link.type_conversions, log != "STATEMENT", log != "ROW", link.row_image, same, by_name,
        prefix_formats(link.replica),
        log != "STATEMENT" and prefix_formats(link.source) != prefix_formats(link.replica), idempotent,
        log != "STATEMENT" and partial and link.source.has("partial-image-of-replace"),
        log != "STATEMENT" and link.source.has("generated-columns-not-in-changes"),
        log != "STATEMENT" and own_keys, log == "ROW" and own_keys,
        log != "STATEMENT" and link.replica.has("rows-searched-by-hash"),
        log != "STATEMENT" and link.replica.has("stored-columns-in-own-time-zone"),
        link.row_image.startswith(("MINIMAL", "NOBLOB")), link.kind.cluster,
        name, f"{name}='{','.join(sorted(link.type_conversions))}'",
        (link.source.has("gipk"), link.replica.has("gipk")), link.replica.has("conversion-table-fails"),
    )  # fmt: skip


@lru_cache(maxsize=256)
def prefix_formats(server: Server) -> frozenset[str | None]:
    """The row formats of InnoDB (None: none is named) whose pages keep the beginning of long values. The
    file format Antelope makes COMPACT of all that a definition names (asked of 5.6).
    """
    default, dynamic = server.setting("innodb_default_row_format").upper(), server.has("innodb-dynamic-rows")
    formats: set[str | None] = {"COMPACT", "REDUNDANT"}
    if default in ("COMPACT", "REDUNDANT", "1", "0") or not (default or dynamic):
        formats.add(None)
    if not dynamic and server.setting("innodb_file_format").upper() != "BARRACUDA":
        formats.update(("DYNAMIC", "COMPRESSED"))
    return frozenset(formats)
