"""The replica as its applier runs the statements of a source."""

from __future__ import annotations

from schemacheck.model import Link, Server

#: Any key of a parent will do (asked of 9.7 behind three sources).
_SETTINGS = {"restrict_fk_on_non_standard_key": "OFF"}
#: The version that transactions of an older source have.
_OLD = {"original_server_version": "0"}


def applier(link: Link) -> Server:
    """The replica with what the applier sets for its statements. MySQL 8.0 and later say which version a
    statement comes from (Gtid_log_event); without it MySQL takes the source for one that knows no CHECK.
    """
    old = link.source.mariadb or not link.source.has("check-constraints")
    return link.replica.with_told(_SETTINGS | _OLD if old else _SETTINGS)
