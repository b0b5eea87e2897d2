"""The replication account of a recorded link as statements of its session leave it."""

from __future__ import annotations

import re
from dataclasses import replace

from schemacheck.link import literal
from schemacheck.link.account import LOCKED, OPEN
from schemacheck.link.ends import Account

_ON_ACCOUNT = re.compile(
    r"^(ALTER|DROP|RENAME|GRANT|REVOKE|SET\s+PASSWORD|UPDATE\s+mysql\.)\b", re.IGNORECASE
)
_GIVEN_PASSWORD = re.compile(r"\bIDENTIFIED\s+BY\s+('(?:[^'\\]|''|\\.)*')\s*$", re.IGNORECASE)
_REQUIRE = re.compile(r"\bREQUIRE\s+(SSL|X509|NONE)\s*$", re.IGNORECASE)
_PRIVILEGES = re.compile(r"^(GRANT|REVOKE)\s+([\w, ]+?)\s+ON\s+\*\.\*\s+(?:TO|FROM)\s", re.IGNORECASE)


def after(account: Account, text: str) -> Account:
    """The account once the source has run a statement. `state` is set where it
    stands in the way of a login, or where what the statement does to one is not followed.
    """
    plain = text.strip().rstrip(";")
    name = re.escape(account.name)
    if not account.name or not _ON_ACCOUNT.match(plain) or not re.search(rf"(?<!\w)['`]?{name}['`]?@", plain):
        return account
    verb = plain.split()[0].upper()
    if verb in ("DROP", "RENAME"):
        return replace(account, exists=False)
    if (found := _PRIVILEGES.match(plain)) is not None:
        return _privileges(account, found[1].upper(), found[2].upper())
    if verb == "ALTER" and (given := _GIVEN_PASSWORD.search(plain)) is not None:
        return replace(account, password=literal.text(given[1]))
    if verb == "ALTER" and (wanted := _REQUIRE.search(plain)) is not None:
        return replace(account, require=wanted[1].upper().replace("NONE", ""))
    if verb == "ALTER" and re.search(r"\bACCOUNT\s+LOCK\s*$", plain, re.IGNORECASE):
        return replace(account, state=LOCKED)
    return replace(account, state=OPEN)


def _privileges(account: Account, verb: str, words: str) -> Account:
    if verb == "GRANT":
        return replace(account, grants=f"{account.grants}, {words}")
    if words.startswith("ALL"):
        return replace(account, grants="")
    left = [word.strip() for word in account.grants.upper().split(",")]
    gone = {word.strip() for word in words.split(",")}
    return replace(account, grants=", ".join(word for word in left if word not in gone))
