"""What a query event brings along from the source's session: collations, sql_mode and time zone.

Query_log_event::do_apply_event of MySQL and MariaDB: a collation number below the size of the server's array
that has no collation is error 22; one beyond it is found to be nothing without an error, and the statement is
left out.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.link.session import Session, takes_zone
from schemacheck.model import Server, charset


def known(collation: str, source: Server, replica: Server) -> bool:
    """Whether the replica has the collation that the source's number means.

    MariaDB's *_croatian_ci are its own (numbers 576 and more); MySQL's are *_croatian_mysql561_ci there
    (COLLATIONS).
    """
    name = charset.canonical_collation(collation)
    if source.mariadb != replica.mariadb:
        if source.mariadb and name.endswith("_croatian_ci"):
            return False
        if source.mariadb and name.endswith("_croatian_mysql561_ci"):
            name = name.replace("_mysql561", "")
    return charset.has_collation(name, replica.has)


def large(collation: str) -> bool:
    """Whether the collation's number is 2048 or more, which all uca1400 collations have (COLLATIONS of
    MariaDB 11.8).
    """
    return "uca1400_" in collation


def unread_collation(collations: tuple[str, ...], source: Server, replica: Server) -> Outcome | None:
    """What becomes of an event with these collations; None where the replica has them all."""
    for name in collations:
        if known(name, source, replica):
            continue
        if large(name) and not replica.has("unknown-large-collation-stops"):
            if replica.has("unknown-large-collation-skips"):
                why = (
                    f"{replica} does not know {name} and leaves out every statement of such a session "
                    "without an error"
                )
                return Outcome(Kind.DIVERGES, "SC911", 0, why, _other(name))
            return Outcome(Kind.UNKNOWN, "SC911", 0, f"what {replica} makes of {name} was not recorded")
        why = f"{replica} does not know the collation {name}"
        return fails(Kind.SQL, "SC911", "charset", replica, why, change=_other(name))
    return None


def _other(name: str) -> str:
    family = charset.of_collation(name) or "utf8mb4"
    general = (
        charset.default_collation(family, "mysql", (5, 6, 0))
        if charset.known(family)
        else "utf8mb4_general_ci"
    )
    return (
        "Let sessions and the source's collation_server use a collation that both servers have, for "
        f"example {general}"
    )


def unread_mode(session: Session, replica: Server) -> Outcome | None:
    """sql_mode words that the replica refuses in an event."""
    table = knowledge.load("links")
    bits = table["mode_bits"][session.source.family]
    for word in sorted(session.modes & bits.keys()):
        if bits[word] > table["highest_mode_bit"] and replica.has("sql-mode-bits-checked"):
            why = f"{replica} refuses an event whose sql_mode has {word}"
            change = f"Take {word} out of sql_mode on the source"
            return fails(Kind.SQL, "SC912", "sql-mode", replica, why, change=change)
    return None


def unread_begin(session: Session, replica: Server) -> Outcome | None:
    """BEGIN under sql_mode=ORACLE of MySQL before 8.0: MariaDB reads it with the other parser, as a block's
    start.
    """
    if "ORACLE" in session.modes and not session.source.mariadb and replica.has("oracle-parser"):
        why = f"{replica} reads BEGIN with sql_mode=ORACLE as the start of a block"
        change = "Take ORACLE out of sql_mode on the source"
        return fails(Kind.SQL, "SC912", "grammar", replica, why, change=change)
    return None


def unread_zone(zone: str, replica: Server) -> Outcome | None:
    """A time zone that the replica may not know; None where it does. Of the names it knows its own is told;
    it knows those of its tables, and those that it has used since it was started (asked of four servers).
    """
    if zone.casefold() in ("", "system", replica.setting("time_zone").casefold()):
        return None
    taken = takes_zone(replica, zone)
    if taken is None:
        why = f"the replica may lack the time zone {zone!r} in mysql.time_zone_name (error 1298)"
        change = "Load the time zone tables on the replica (mysql_tzinfo_to_sql), or use an offset"
        return Outcome(Kind.UNKNOWN, "SC913", 0, why, change)
    if not taken:
        why = f"the offset {zone} is beyond what {replica} takes"
        change = "Use an offset between -12:59 and +13:00"
        return fails(Kind.SQL, "SC913", "time-zone", replica, why, change=change)
    return None


def unread_variable(name: str, session: Session, replica: Server) -> Outcome | None:
    """A user variable whose collation the replica does not know (User_var_log_event)."""
    collation = session.users.get(name.casefold())
    if collation is None or known(collation, session.source, replica):
        return None
    key = (
        "charset"
        if not large(collation) and replica.has("user-variable-charset-has-a-number")
        else "user-variable"
    )
    why = f"@{name} has the collation {collation}, which {replica} does not know"
    return fails(Kind.SQL, "SC914", key, replica, why, change=_other(collation))
