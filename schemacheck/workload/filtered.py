"""Which statements the filters of a link leave out: those in the settings of its two ends.

The rules are those of `schemacheck.filters`; here a run asks them, statement by statement, and remembers what
the replica has been given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.catalog.presence import Presence
from schemacheck.dataclass import dataclass, field
from schemacheck.filters import ReplicaRules, SourceRules, procedure
from schemacheck.filters.read.options import from_options
from schemacheck.filters.replica import Applier
from schemacheck.filters.rules import lower_case
from schemacheck.filters.source import Session
from schemacheck.link.ends import Ends
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server
from schemacheck.sql.statements import Statement

_SOURCE = ("binlog_do_db", "binlog_ignore_db")
_REPLICA = (
    "replicate_do_db", "replicate_ignore_db", "replicate_do_table", "replicate_ignore_table",
    "replicate_wild_do_table", "replicate_wild_ignore_table", "replicate_rewrite_db",
)  # fmt: skip


@dataclass(slots=True)
class Filtered:
    """The filters of a link and what each end has by now."""

    source: SourceRules
    replica: ReplicaRules
    here: Presence = field(default_factory=Presence)
    there: Presence = field(default_factory=Presence)

    @classmethod
    def of(cls, ends: Ends) -> Filtered | None:
        """None where the settings of neither end name a filter. Raises BadSetting for one that a server
        refuses.
        """
        words = [*_words(ends.source, _SOURCE), *_words(ends.replica, _REPLICA), *_domains(ends)]
        if not words:
            return None
        filters = from_options(words)
        there = Presence(bool(lower_case(ends.replica)))
        # What a rewrite leads to is there only where somebody made it.
        there.gone |= {there.case(new) for _old, new in filters.rewrite_db}
        here = Presence(bool(lower_case(ends.source)))
        return cls(SourceRules(filters, ends.source), ReplicaRules(filters, ends.replica), here, there)

    def made(self, database: str) -> None:
        """The replica alone has made an empty database."""
        name = self.there.case(database)
        self.there.gone.discard(name)
        self.there.closed.add(name)

    def keeps_out(self, statement: Statement, default: str, form: str, domain: int) -> bool | Outcome:
        """Whether the replica does not execute it; an Outcome where it stops, or where nothing is decided.
        `domain` is the session's gtid_domain_id.
        """
        received = procedure.domain(self.replica.filters, domain)
        session = Session(self.source, self.here, form, default or None)
        session.run(statement)
        applier = Applier(self.replica, self.there)
        for event in session.log.events if received is None or received.passes else ():
            applier.apply(event)
        if applier.error is not None:
            why = f"a filter let it pass: {applier.error.message}"
            return Outcome(Kind.SQL, "", applier.error.number, why, "Change the filters of the replica")
        if session.unknown or applier.unknown:
            why = (*session.unknown, *applier.unknown)[0]
            return Outcome(Kind.UNKNOWN, "", 0, f"whether a filter leaves it out: {why}")
        if applier.executed and applier.ignored:
            return Outcome(Kind.UNKNOWN, "", 0, "a filter leaves out a part of it")
        changed = set(session.log.changed)
        if applier.executed and changed and not changed & set(applier.changed):
            return Outcome(Kind.DIVERGES, "", 0, "a filter leads the change to another database")
        return not applier.executed


def _domains(ends: Ends) -> Iterator[str]:
    """DO_DOMAIN_IDS and IGNORE_DOMAIN_IDS of the channel; only events of MariaDB have a domain."""
    if ends.channel is None or not (ends.source.mariadb and ends.replica.mariadb):
        return
    for name in ("DO_DOMAIN_IDS", "IGNORE_DOMAIN_IDS"):
        for number in re.findall(r"\d+", ends.channel.option(name) or ""):
            yield f"--{name.lower().replace('_', '-')}={number}"


def _words(server: Server, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for value in server.setting(name).split(","):
            if value.strip():
                yield f"--{name.replace('_', '-')}={value.strip()}"
