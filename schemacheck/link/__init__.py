"""Whether a replication link runs at all, whatever its tables are.

`connect` decides CHANGE REPLICATION SOURCE, login and handshake; `carried` what an event brings along
(collations, sql_mode, time zone); `read_events` which events of the source's log the replica can read;
`by_settings` what the settings of both ends let through. All of them answer with an `Outcome`.
"""

from schemacheck.link.ends import Account, Channel, Ends
from schemacheck.link.outcome import Kind, Outcome

__all__ = ["Account", "Channel", "Ends", "Kind", "Outcome"]
