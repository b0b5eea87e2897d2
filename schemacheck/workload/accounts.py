"""Statements on accounts, as the source writes them into the log."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server
from schemacheck.workload import objects
from schemacheck.workload.state import Workload

_USER = re.compile(r"^(CREATE|ALTER)\s+USER\b", re.IGNORECASE)
#: ALTER USER without a password is logged without the plugin.
_MAKES_PASSWORD = re.compile(r"^(CREATE\s+USER\b|ALTER\s+USER\b.*\bIDENTIFIED\b)", re.IGNORECASE | re.DOTALL)
_PLUGIN = re.compile(r"\bIDENTIFIED\s+WITH\s+['\"`]?(\w+)", re.IGNORECASE)


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
        not source.mariadb
        and source.has("default-plugin-caching-sha2")
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
    hashes = not source.mariadb and source.has("log-hashes-passwords")
    if (
        hashes
        and re.search(r"\bIDENTIFIED\s+BY\b", text, re.IGNORECASE)
        and not replica.mariadb
        and replica.has("grant-never-creates-accounts")
    ):
        return fails(Kind.SQL, "SC931", "grammar", replica,
            f"{source} logs IDENTIFIED BY PASSWORD, which {replica} does not know",
                     change="Make accounts on each end apart (SET sql_log_bin = 0)")  # fmt: skip
    return None
