"""A run over a link: what both ends have while its statements go through."""

from __future__ import annotations

from schemacheck.dataclass import dataclass, field
from schemacheck.link.ends import Ends
from schemacheck.link.session import Session
from schemacheck.model import Server
from schemacheck.workload import definitions, objects, rows
from schemacheck.workload.filtered import Filtered


@dataclass(slots=True)
class Workload:
    """A run and what both ends have while it goes on.

    `lost` says why rows are missing or different, `elsewhere` the same of other databases; `gone` are tables
    that the replica lacks, `there` those that only it has; `triggered` tables with a trigger of the replica's
    own; `filled` tables that hold rows; `selected` tables that each end has made for itself out of one CREATE
    TABLE ... SELECT; `waiting` the changes of an open transaction, each with its place; `default_differs`:
    one end alone has changed the database's default character set; `filters` are those of the ends' settings;
    `unread` the places of statements whose log is gone; `made_with` the client's and connection's collations
    of the session that made a routine, `apart` routines that one end alone has made, `years` tables whose
    YEAR(2) is of two digits on one end alone.
    """

    ends: Ends
    session: Session
    source: definitions.Tables = field(default_factory=definitions.Tables)
    replica: definitions.Tables = field(default_factory=definitions.Tables)
    rows: rows.Rows = field(default_factory=rows.Rows)
    objects: objects.Objects = field(default_factory=objects.Objects)
    lost: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    triggered: dict[str, str] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    temporary: set[str] = field(default_factory=set)
    routines: dict[str, list[str]] = field(default_factory=dict)
    apart: set[str] = field(default_factory=set)
    years: set[str] = field(default_factory=set)
    made_with: dict[str, tuple[str, str]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    waiting: list[tuple[int, str]] | None = None
    pending: list[str] = field(default_factory=list)
    database_gone: bool = False
    default_differs: bool = False
    filters: Filtered | None = None
    unread: frozenset[int] = frozenset()
    home: str = ""
    database: str = ""
    selected: set[str] = field(default_factory=set)
    in_xa: bool = False
    xa_changed: bool = False
    at: int = 0

    @classmethod
    def of(
        cls, ends: Ends, session: Session, database: str, charset: tuple[str, str] | None = None
    ) -> Workload:
        """An empty one, whose session begins in `database`, where its tables are."""
        source, replica = (definitions.Tables(database=database, charset=charset) for _ in range(2))
        filters = Filtered.of(ends)
        return cls(ends, session, source, replica, home=database, database=database, filters=filters)

    @property
    def server(self) -> Server:
        """The replica."""
        return self.ends.replica

    @property
    def lenient(self) -> bool:
        """slave_ddl_exec_mode = IDEMPOTENT, MariaDB's default."""
        return self.server.mariadb and self.server.setting("slave_ddl_exec_mode").upper() != "STRICT"

    @property
    def skips_marked(self) -> bool:
        """Whether events that MariaDB's source marked with skip_replication are left out."""
        wanted = self.server.setting("replicate_events_marked_for_skip").upper() or "REPLICATE"
        return self.ends.source.mariadb and self.server.mariadb and wanted != "REPLICATE"

    @property
    def direct(self) -> bool:
        """Whether changes of tables without transactions are logged at once, before their transaction."""
        return self.session.flag("binlog_direct_non_transactional_updates")

    @property
    def consistent(self) -> bool:
        """Whether the replica, as it logs what it applies, holds itself to enforce_gtid_consistency."""
        server = self.server
        if server.mariadb or server.setting("enforce_gtid_consistency").upper() not in ("1", "ON"):
            return False
        return server.setting("log_slave_updates").upper() not in ("0", "OFF") and not server.given(
            "skip_log_bin"
        )

    @property
    def format(self) -> str:
        """binlog_format of the session: ROW, STATEMENT or MIXED."""
        return (self.session.variables.get("binlog_format") or self.ends.link.binlog_format).upper()

    def lacks(self, database: str | None) -> bool:
        """Whether the replica has no such database; None or '': the default database."""
        name = (database or self.database).casefold()
        return (self.database_gone and name == self.home.casefold()) or (
            "database",
            name,
        ) in self.objects.here

    def lose(self, why: str) -> None:
        """Rows are missing or different from here on."""
        self.lost.append(why)
