"""The evidence that was given: profiles as one, and what they say of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.profile.document import definition_of
from schemacheck.profile.merged import Sightings, merge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.model import Table
    from schemacheck.profile.document import Profile, StatementProfile, TableProfile


@dataclass(frozen=True, slots=True)
class Looked:
    """What profiles have of one table.

    `rows` is its data, `log` what is written to it, where they are of this definition; `whole_rows` and
    `whole_log`: nothing was left out, so that what is not there is absent. `inserts` and `changes` are rows
    of row events, `statements` the logged statements; `logged`: there is a log. `why` there is no `rows`.
    """

    rows: TableProfile | None = None
    whole_rows: bool = False
    log: TableProfile | None = None
    whole_log: bool = False
    inserts: int = 0
    changes: int = 0
    statements: int = 0
    logged: bool = False
    why: str = ""
    since: str = ""
    until: str = ""


class Given:
    """All profiles. `statements` are those of all logs, `formats` their formats."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self.profiles = tuple(profiles)
        self._tables = merge(self.profiles)
        self._names: dict[str, list[tuple[str, str]]] = {}
        for schema, name in self._tables:
            self._names.setdefault(name.casefold(), []).append((schema, name))
        logs = [profile for profile in self.profiles if profile.kind == "binlog"]
        self.logged = bool(logs)
        self.whole = all(log.log is not None and log.log.complete and log.sample is None for log in logs)
        self.formats = frozenset(word for log in logs if log.log for word in log.log.formats)
        self.statements: tuple[StatementProfile, ...] = tuple(s for log in logs for s in log.statements)
        self.since = min((log.taken_from for log in logs), default="")
        self.until = max((log.taken_to for log in logs), default="")

    def sightings(self, table: Table) -> Sightings:
        """The table in the profiles: by its database and name, else by its name where only one has it."""
        found = self._tables.get((table.database or "", table.name))
        if found is None:
            names = self._names.get(table.name.casefold(), [])
            found = self._tables[names[0]] if len(names) == 1 else None
        return found or Sightings()

    def of_link(self) -> Looked:
        """What is known of all tables together."""
        writes = [seen.log.table.writes for seen in self._tables.values() if seen.log]
        return Looked(
            whole_log=self.whole,
            inserts=sum(write.inserts for write in writes if write),
            changes=sum(write.updates + write.deletes for write in writes if write),
            statements=sum(statement.count for statement in self.statements),
            logged=self.logged,
            since=self.since,
            until=self.until,
        )

    def of(self, table: Table) -> Looked:
        """What is known of a table of the source."""
        seen, mark = self.sightings(table), definition_of(table)
        data, why = seen.data, "" if seen.data else "not in the evidence"
        if data and data.table.definition != mark:
            data, why = None, "of another definition than the source now has"
        log = seen.log
        writes = log.table.writes if log else None
        same = log is not None and log.table.definition == mark
        return Looked(
            data.table if data else None,
            data is not None and data.table.complete and data.profile.sample is None,
            log.table if log and same else None,
            self.logged and self.whole and (log is None or log.table.complete),
            writes.inserts if writes else 0,
            writes.updates + writes.deletes if writes else 0,
            writes.statements if writes else 0,
            self.logged,
            why,
            self.since,
            max(self.until, data.table.taken if data else ""),
        )
