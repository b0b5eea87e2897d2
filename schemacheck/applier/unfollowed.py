"""Events that the check does not follow to the replica, and why."""

from __future__ import annotations

from schemacheck.binlog.events.control import Incident, Other

#: LOG_EVENT_IGNORABLE_F of a header's flags.
_IGNORABLE = 0x80


def not_followed(event: Other | Incident) -> str:
    """The reason why nothing is known about an event's effect; '' where it has none on tables."""
    if isinstance(event, Incident):
        return (
            f"an INCIDENT event: the source lost events here ({event.message}); the applier stops and the "
            "replica must be rebuilt"
        )
    if event.known:
        return ""
    ignorable = (
        " It is marked as ignorable."
        if event.header.flags & _IGNORABLE
        else " The replica's server may stop at it."
    )
    return f"an event of type {event.header.code} was skipped: this type is not read.{ignorable}"
