"""XA transactions on the source: what of them is in the binary log, and when.

Sources: `ha_prepare`, `MYSQL_BIN_LOG::prepare` and `trans_xa_commit`; the recorded runs. With the capability
xa-prepare-is-logged (MySQL 5.7.7, MariaDB 10.5) START ... END, PREPARE is one part of the log and COMMIT
another; before, it is an ordinary transaction.
"""

from __future__ import annotations

from schemacheck.dataclass import dataclass, replace
from schemacheck.filters.event import QueryEvent
from schemacheck.filters.log import Log
from schemacheck.model import Server
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import TransactionStatement


@dataclass(slots=True)
class Xa:
    """The XA transaction of a session: none (''), 'active' or 'prepared'."""

    state: str = ""

    @property
    def open(self) -> bool:
        """Whether there is one."""
        return bool(self.state)

    def run(self, statement: Statement, default: str | None, log: Log, server: Server) -> QueryEvent | None:
        """One XA statement; `log` takes what it logs. Returns the event that is logged if its default
        database passes, None where there is none.
        """
        verb = statement.verb
        event = QueryEvent(statement, default)
        start = QueryEvent(replace(statement, verb="xa-start"), default)
        tested = None
        if verb == "xa-start":
            log.drop()
            log.open, self.state = True, "active"
        elif verb == "xa-prepare" and server.has("xa-prepare-is-logged"):
            events, keys = log.take()
            log.open = False
            if events or server.has("xa-prepare-is-logged-when-empty"):
                log.emit(start, *events, event, changed=keys)
                self.state = "prepared"
        elif verb in ("xa-commit", "xa-rollback"):
            if self.state == "prepared":
                log.open = False
                if server.has("xa-commit-is-always-logged"):
                    log.emit(event)
                else:
                    tested = event
            elif verb == "xa-commit":
                if (
                    isinstance(statement, TransactionStatement)
                    and statement.one_phase
                    and server.has("xa-one-phase-is-xa")
                    and log.waiting
                ):
                    log.waiting.insert(0, start)
                    log.waiting.append(QueryEvent(replace(statement, verb="xa-one-phase"), default))
                log.commit()
            log.drop()
            self.state = ""
        return tested
