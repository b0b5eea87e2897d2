"""A link: a source server, a replica server and what runs between them."""

from __future__ import annotations

import enum
from functools import lru_cache

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import BadSetting
from schemacheck.model.server import Server

#: All words that some server accepts in slave_type_conversions.
CONVERSION_MODES = ("ALL_LOSSY", "ALL_NON_LOSSY", "ALL_SIGNED", "ALL_UNSIGNED", "ALL_SIGNS_AS_ON_SLAVE")


#: What a replica must be able to do to know a word.
_WORD_NEEDS = {
    "ALL_SIGNED": "signedness-modes",
    "ALL_UNSIGNED": "signedness-modes",
    "ALL_SIGNS_AS_ON_SLAVE": "signs-as-on-slave",
    "ERROR_IF_MISSING_FIELD": "columns-by-name",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(
        word for part in text.replace("+", ",").split(",") if (word := part.strip().strip("'\"").upper())
    )


@lru_cache(maxsize=1024)
def parse_modes(text: str) -> frozenset[str]:
    """The words of a slave_type_conversions value. Raises BadSetting on an unknown word."""
    modes = _words(text)
    for word in sorted(modes):
        if word not in CONVERSION_MODES and word != "ERROR_IF_MISSING_FIELD":
            raise BadSetting(
                f"slave_type_conversions has no value {word!r}; allowed: {', '.join(CONVERSION_MODES)}"
            )
    return modes


class LinkKind(enum.Enum):
    """What runs between two servers. In a cluster every node may write, row events reach each node whatever
    its definitions are, and a node whose applier stops leaves the cluster (recorded on two nodes of each
    kind).
    """

    REPLICATION = "replication"
    GALERA = "galera"
    GROUP = "group"

    @property
    def cluster(self) -> bool:
        """Whether the ends are nodes of one cluster."""
        return self is not _REPLICATION


_REPLICATION = LinkKind.REPLICATION
#: What a server must have to be a node.
_NEEDS = {LinkKind.GALERA: "galera", LinkKind.GROUP: "group-replication"}


@dataclass(frozen=True, slots=True)
class Link:
    """Source and replica. The servers' settings hold everything else: `binlog_format`,
    `binlog_row_image`, `binlog_row_metadata` on the source; `slave_type_conversions` on the
    replica; `sql_mode`, `lower_case_table_names`, ... on both."""

    source: Server
    replica: Server
    kind: LinkKind = LinkKind.REPLICATION
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """As dataclasses have it, computed once: what is remembered of a link is looked up by it."""
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.source, self.replica, self.kind)))
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """What another process may have: hashes of text differ there."""
        return {"source": self.source, "replica": self.replica, "kind": self.kind, "_hash": 0}

    def as_kind(self, kind: LinkKind) -> Link:
        """The same two servers as another kind of link. Raises BadSetting for what cannot be a node."""
        need = _NEEDS.get(kind)
        for server in (self.source, self.replica):
            if need is not None and not server.has(need):
                raise BadSetting(f"{server} cannot be a node of a cluster of kind {kind.value!r}")
        return replace(self, kind=kind)

    @property
    def reversed(self) -> Link:
        """The way back: what the replica writes as a node, or as the source after a failover."""
        return Link(self.replica, self.source, self.kind)

    @classmethod
    def of(cls, source: str, replica: str | None = None, **settings: str) -> Link:
        """A link between two servers named as text; `settings` go to both ends."""
        src = Server.parse(source, settings)
        return cls(src, Server.parse(replica, settings) if replica else src)

    @property
    def type_conversions(self) -> frozenset[str]:
        """The replica's slave_type_conversions."""
        return parse_modes(self.replica.setting("slave_type_conversions"))

    @property
    def binlog_format(self) -> str:
        """ROW, STATEMENT or MIXED. Nodes of a cluster exchange row events only."""
        if self.kind.cluster:
            return "ROW"
        return self.source.setting("binlog_format").upper()

    def carries(self, capability: str) -> bool:
        """Whether the log of this flavour carries something that both ends know."""
        ends = (self.source, self.replica)
        return self.source.mariadb == self.replica.mariadb and all(end.has(capability) for end in ends)

    @property
    def of_rows(self) -> Link:
        """The same link under ROW, where MIXED is a default that nobody gave; else itself."""
        if self.binlog_format != "MIXED" or self.source.given("binlog_format"):
            return self
        return _of_rows(self)

    @property
    def row_image(self) -> str:
        """FULL, MINIMAL, NOBLOB (MariaDB also FULL_NODUP)."""
        return self.source.setting("binlog_row_image").upper()

    @property
    def row_metadata(self) -> str:
        """MINIMAL, FULL or NO_LOG."""
        return self.source.setting("binlog_row_metadata").upper()

    @property
    def refused_modes(self) -> tuple[str, ...]:
        """Words of slave_type_conversions that this replica lacks: it would refuse the whole setting."""
        words = _words(self.replica.setting("slave_type_conversions"))
        return tuple(
            sorted(word for word in words if not self.replica.has(_WORD_NEEDS.get(word, "conversion-modes")))
        )

    def with_modes(self, modes: str) -> Link:
        """The same link under another slave_type_conversions."""
        return _with_modes(self, modes)


@lru_cache(maxsize=256)
def _of_rows(link: Link) -> Link:
    return replace(link, source=link.source.with_told({"binlog_format": "ROW"}))


@lru_cache(maxsize=4096)
def _with_modes(link: Link, modes: str) -> Link:
    return replace(link, replica=link.replica.with_told({"slave_type_conversions": modes}))
