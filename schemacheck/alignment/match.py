"""A source table and the replica's table that its changes go to, before any column is compared."""

from __future__ import annotations

from schemacheck.alignment.terms import Terms
from schemacheck.conversion.error import server_error
from schemacheck.conversion.own_values import in_time_zone
from schemacheck.dataclass import dataclass
from schemacheck.model import ForeignKey, Link, ServerError, Table, TableKind
from schemacheck.model.storage_engine import is_doubtful

#: Asked of every pair, and an enum looks its members up each time.
_VIEW = TableKind.VIEW


@dataclass(frozen=True, slots=True)
class Match:
    """A source table's counterpart on a link.

    `replica` is None where there is none; `kept_out` is the filter's sentence where the table is not
    replicated, `partly` where only some of its changes are; `unclear` says why nobody can tell what
    becomes of the table; `near` is a replica table whose name differs by case only, `twin` another source
    table with the same counterpart; `hidden_parents` are foreign keys that both ends enforce to tables
    that a filter keeps out, each with the filter's sentence; `home` is the database that the changes go to,
    where a filter gives them another.
    """

    source: Table
    replica: Table | None
    link: Link
    kept_out: str = ""
    partly: str = ""
    unclear: str = ""
    near: Table | None = None
    twin: Table | None = None
    hidden_parents: tuple[tuple[ForeignKey, str], ...] = ()
    home: str | None = None

    def error(self, name: str, key: str = "") -> ServerError | None:
        """The error `name` as the replica prints it for the source's table."""
        home = self.home or self.source.database
        return server_error(name, self.link.replica, home, self.source.name, key=key)

    @property
    def writes_rows(self) -> bool:
        """Whether the source logs changes of the table itself: those of a view are logged as its tables'."""
        return self.source.kind is not _VIEW

    @property
    def same_kind(self) -> bool:
        """Whether rows of the one are applied to the other: a sequence is a table of one row, a view none."""
        return self.replica is not None and self.source.kind is not _VIEW and self.replica.kind is not _VIEW

    @property
    def plain(self) -> bool:
        """Whether two tables, or two sequences, are replicated whole: no rule about a match looks at them."""
        replica = self.replica
        if replica is None or self.source.kind is _VIEW or replica.kind is _VIEW:
            return False
        return not (self.kept_out or self.partly or self.unclear or self.twin or self.hidden_parents)


def equal_tables_may_differ(source: Table, replica: Table, known: Terms) -> bool:
    """Triggers may run twice, or on one side alone; a partial image of MariaDB loses what REPLACE resets;
    rows without a primary key are changed in another order by MySQL 8.0, and looked up by unique keys in
    their order under a partial image; MariaDB 11 computes stored
    columns in its own time zone; rows that lie outside of the servers may be one and the same; and of some
    engines nothing is recorded.
    """
    if is_doubtful(source.engine):
        return True
    if source.triggers or replica.triggers or known.cut_replace:
        return True
    if known.own_foreign_keys and replica.foreign_keys:
        return True  # REPLACE of a parent row
    if known.own_time_zone and any(in_time_zone(replica)):
        return True
    return (known.searched_by_hash or known.partial_image) and replica.primary_key is None
