"""Statements on accounts, as the source writes them into the log."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.link import literal
from schemacheck.link.account import LOCKED, OPEN
from schemacheck.link.ends import Account
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server
from schemacheck.workload import objects
from schemacheck.workload.state import Workload

_USER = re.compile(r"^(CREATE|ALTER)\s+USER\b", re.IGNORECASE)
#: ALTER USER without a password is logged without the plugin.
_MAKES_PASSWORD = re.compile(r"^(CREATE\s+USER\b|ALTER\s+USER\b.*\bIDENTIFIED\b)", re.IGNORECASE | re.DOTALL)
_PLUGIN = re.compile(r"\bIDENTIFIED\s+WITH\s+['\"`]?(\w+)", re.IGNORECASE)

_ON_ACCOUNT = re.compile(
    r"^(ALTER|DROP|RENAME|GRANT|REVOKE|SET\s+PASSWORD|UPDATE\s+mysql\.)\b", re.IGNORECASE
)
_GIVEN_PASSWORD = re.compile(r"\bIDENTIFIED\s+BY\s+('(?:[^'\\]|''|\\.)*')\s*$", re.IGNORECASE)
_REQUIRE = re.compile(r"\bREQUIRE\s+(SSL|X509|NONE)\s*$", re.IGNORECASE)
_PRIVILEGES = re.compile(r"^(GRANT|REVOKE)\s+([\w, ]+?)\s+ON\s+\*\.\*\s+(?:TO|FROM)\s", re.IGNORECASE)


def unknown_plugin(text: str, server: Server) -> str | None:
    """The plugin that CREATE or ALTER USER names and the server does not have."""
    named = _PLUGIN.search(text) if _USER.match(text) else None
    if named is None:
        return None
    plugin = named.group(1).lower()
    needs = knowledge.load("links")["server_plugins"].get(plugin)
    return plugin if needs is None or not server.has(needs) else None


def refused(work: Workload, text: str) -> Outcome | None:
    """Statements on accounts, as the source writes them into the log."""
    source, replica = work.ends.source, work.server
    if not _USER.match(text) and not re.match(
        r"^(SET\s+PASSWORD|GRANT\b.*\bIDENTIFIED)", text, re.IGNORECASE
    ):
        return None
    made = objects.named(text)
    if (
        made is not None
        and made.conditional
        and (made.kind, made.name) in work.objects.there
        and "," not in text
    ):
        return None  # IF NOT EXISTS of an account that the replica has
    if (
        source.has("default-plugin-caching-sha2")
        and replica.mariadb
        and not replica.has("server-caching-sha2")
        and (_MAKES_PASSWORD.match(text) or text.upper().startswith("SET PASSWORD"))
    ):
        return fails(Kind.SQL, "SC931", "plugin-not-loaded", replica,
            f"{source} logs the account with its plugin, which {replica} does not have",
                     change="Make accounts on each end apart (SET sql_log_bin = 0)")  # fmt: skip
    plugin = unknown_plugin(text, replica)
    if plugin is not None:
        return fails(
            Kind.SQL,
            "SC931",
            "plugin-not-loaded",
            replica,
            f"{replica} has no plugin {plugin}",
            change="Make accounts on each end apart (SET sql_log_bin = 0)",
        )
    if (
        source.has("log-hashes-passwords")
        and re.search(r"\bIDENTIFIED\s+BY\b", text, re.IGNORECASE)
        and replica.has("grant-never-creates-accounts")
    ):
        return fails(Kind.SQL, "SC931", "grammar", replica,
            f"{source} logs IDENTIFIED BY PASSWORD, which {replica} does not know",
                     change="Make accounts on each end apart (SET sql_log_bin = 0)")  # fmt: skip
    return None


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
