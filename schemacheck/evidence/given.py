"""The evidence that was given: profiles as one, and what they say of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, replace
from schemacheck.profile import combined
from schemacheck.profile.document import ServerOf, TableProfile, Writes, definition_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.model import Table
    from schemacheck.profile.document import Profile, StatementProfile


@dataclass(frozen=True, slots=True)
class Looked:
    """What profiles have of one table.

    `rows` is its latest data, `before` that of the same server before it, `log` what all logs write to it,
    where they are of this definition; `whole_rows` and `whole_log`: nothing was left out, so that what is not
    there is absent. `writes` counts what logs write under any definition; `logged`: there is a log. `why`
    there is no `rows`.
    """

    rows: TableProfile | None = None
    whole_rows: bool = False
    before: TableProfile | None = None
    log: TableProfile | None = None
    whole_log: bool = False
    writes: Writes = Writes()
    logged: bool = False
    why: str = ""
    since: str = ""
    until: str = ""


class Given:
    """All profiles. `data` are their tables by (schema, name), the latest last; `written` what all logs write
    to each; `statements` those of all logs, `formats` their formats; `whole`: logs without a gap.
    """

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self.profiles = tuple(profiles)
        self.data: dict[tuple[str, str], list[tuple[ServerOf, TableProfile]]] = {}
        self.written: dict[tuple[str, str], TableProfile] = {}
        every = [(table, profile) for profile in self.profiles for table in profile.tables]
        for table, profile in sorted(every, key=lambda both: both[0].taken):
            name = table.schema, table.name
            if profile.kind == "data":
                held = replace(table, complete=table.complete and profile.sample is None)
                self.data.setdefault(name, []).append((profile.server, held))
            else:
                earlier = self.written.get(name)
                self.written[name] = combined.written(earlier, table) if earlier else table
        self._names: dict[str, list[tuple[str, str]]] = {}
        for name in self.data.keys() | self.written.keys():
            self._names.setdefault(name[1].casefold(), []).append(name)
        logs = [profile for profile in self.profiles if profile.kind == "binlog"]
        self.logged = bool(logs)
        self.whole = self.logged and all(log.log and log.log.complete and not log.sample for log in logs)
        self.formats = frozenset(word for log in logs if log.log for word in log.log.formats)
        self.statements: tuple[StatementProfile, ...] = tuple(s for log in logs for s in log.statements)
        self.since = min((log.taken_from for log in logs), default="")
        self.until = max((log.taken_to for log in logs), default="")

    def of_link(self) -> Looked:
        """What is known of all tables together."""
        writes = Writes()
        for table in self.written.values():
            writes = combined.writes(writes, table.writes or writes)
        # A statement on several tables is one.
        writes = replace(writes, statements=sum(statement.count for statement in self.statements))
        return Looked(
            whole_log=self.whole, writes=writes, logged=self.logged, since=self.since, until=self.until
        )

    def of(self, table: Table) -> Looked:
        """What is known of a table of the source: by its database and name, else by its name where only one
        in the profiles has it.
        """
        name, mark = (table.database or "", table.name), definition_of(table)
        if name not in self.data and name not in self.written:
            names = self._names.get(table.name.casefold(), [])
            name = names[0] if len(names) == 1 else name
        server, rows = self.data.get(name, [(None, None)])[-1]
        earlier = [held for other, held in self.data.get(name, [])[:-1] if other == server]
        why = "" if rows else "not in the evidence"
        if rows and rows.definition != mark:
            rows, why = None, "of another definition than the source now has"
        log = self.written.get(name)
        return Looked(
            rows, rows is not None and rows.complete, earlier[-1] if earlier else None,
            log if log and log.definition == mark else None,
            self.whole and (log is None or log.complete),
            (log and log.writes) or Writes(), self.logged, why,
            self.since, max(self.until, rows.taken if rows else ""),
        )  # fmt: skip
