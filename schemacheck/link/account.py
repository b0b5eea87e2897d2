"""States of a replication account in which the source refuses its login.

Numbers: sql_authentication.cc of MySQL, sql_acl.cc of MariaDB; recorded on 9.7.4, 10.5.29, 11.8.6.
"""

from __future__ import annotations

from schemacheck.link.ends import Account
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server

#: Locked, and: what the source has run on the account is not followed.
LOCKED, OPEN = "locked", "open"


def refused(account: Account, source: Server) -> Outcome | None:
    """What the source says to a login of an account in this state."""
    if account.state == LOCKED:
        number = 4151 if source.mariadb else 3118
        return Outcome(Kind.IO, "SC902", number, "the account is locked", "ALTER USER ... ACCOUNT UNLOCK")
    if account.state == OPEN:
        why = "whether the replication account can log in after these statements is not known"
        return Outcome(Kind.UNKNOWN, "SC902", 0, why, "Log in as the account from the replica's host")
    return None
