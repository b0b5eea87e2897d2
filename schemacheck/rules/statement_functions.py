"""Statements call another stored function or procedure.

## What it finds
Under STATEMENT or MIXED format: stored functions of the source, and procedures that its triggers and
functions call, which the replica does not have, or has with another body, under another collation or with
another definer; functions of both that use a value of the server's own under STATEMENT; and triggers and
views that call one of which no input has the definition.

## What the replica does
A logged statement calls the replica's function, also from a trigger, a view or another function. Without it
the applier stops with error 1305 (1356 in a view). Another body stores other values without any error, or
stops the applier with whatever it raises. MIXED logs a call as a statement too, unless it is unsafe.
USER() is the applier's there, and CURRENT_USER() too under SQL SECURITY INVOKER. DETERMINISTIC counts: a
function that writes runs as often as it says. COMMENT, NO SQL and their like do not.
Texts in a body have the collation of the session, its parameters that of the database, at CREATE. A function
runs with the rights of its definer: without that account on the replica the applier stops with error 1449.
Whether a value is refused or clipped follows the sql_mode at CREATE: another strictness is unknown.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE FUNCTION tax(i INT) RETURNS INT DETERMINISTIC RETURN i * 2;
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE FUNCTION tax(i INT) RETURNS INT DETERMINISTIC RETURN i * 3;

`INSERT INTO t VALUES (1, tax(5))`.

## Fix
Give both ends the same functions, or set binlog_format=ROW on the source. A dump lists functions with
`mysqldump --routines`; snapshots have them.

## References
MySQL manual, Replication of Invoked Features; asked of four servers on seven pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.conversion.own_values import own_value
from schemacheck.conversion.trigger_body import (
    LACKS_PRIVILEGE,
    ONE_DEFINER,
    deciding_modes,
    meaning,
    other_collation,
    other_definer,
    other_refusals,
)
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.model.program import INVOKER
from schemacheck.model.replicated import CalledFunction
from schemacheck.rules import About, Rule

#: A result with its character set, and with its collation: what one end may leave to its database.
_TEXTS = (
    re.compile(r"(\) returns \S+) character set \w+(?: collate \w+)?"),
    re.compile(r"(\) returns \S+ character set \w+) collate \w+"),
)
_ROWS = "set binlog_format=ROW on the source"
#: What another body may end with beside 1644: another number of arguments, a missing object, a refused value.
_FAILS = (1318, 1305, 1054, 1146, 1048, 1264, 1265, 1292, 1366, 1406)


def _check(called: CalledFunction) -> Iterator[Finding]:
    if called.hidden:
        return
    here, there, link = called.function, called.other, called.link
    kind = here.kind

    def finding(
        effect: Effect, message: str, remedy: str, error: str = "", also: tuple[int, ...] = (), key: str = ""
    ) -> Finding:
        number = server_error(error, link.replica, here.database, here.name, key=key) if error else None
        values = Example(f"{here.name}(...), the source's value", "the replica's value")
        return Finding(
            "", "", effect, message, here.database, here.name, None,
            Side(here.location, f"{kind.upper()} {here.name}"),
            Side(there.location, f"{kind.upper()} {there.name}") if there else Side(),
            number, number is not None, f"binlog_format={link.binlog_format}", remedy, None,
            values if effect is Effect.DIVERGES else None, "asked of four servers", also,
        )  # fmt: skip

    if called.unlisted:
        yield finding(
            Effect.UNKNOWN,
            f"{called.unlisted} calls {here.name}, and no input has a {kind} of this name",
            "Give inputs that list routines (mysqldump --routines)",
        )
        return
    if there is None:
        yield finding(
            Effect.UNSUPPORTED,
            f"the replica has no {kind} {here.name}, or its input lists none: a logged statement that "
            "calls it stops the applier",
            f"Create the {kind} on the replica, or {_ROWS}",
            f"no-such-{kind}",
            (1356,),
        )
        return
    told = bool(here.head) == bool(there.head) and "?" not in (here.head, there.head)
    bodies = sorted((meaning(here), meaning(there)), key=len)
    if told and bodies[0] != bodies[1] and bodies[0] in (text.sub(r"\1", bodies[1], 1) for text in _TEXTS):
        told, bodies[1] = False, bodies[0]
    same = bodies[0] == bodies[1] if told else bodies[1].endswith(bodies[0])
    same &= deciding_modes(here) == deciding_modes(there) and (here.head == there.head or not told)
    if same and not told:
        yield finding(
            Effect.UNKNOWN,
            f"whether the {kind} {here.name} takes and returns the same on the replica is not known",
            "Take both ends from servers or snapshots, or both from dumps",
        )
    collation = other_collation(here.body, here.made, there.made) if same else ""
    if not same or collation:
        how = f"was made under {collation}" if same else "has another definition on the replica"
        what = f"the {kind} {here.name} {how}: "
        yield finding(
            Effect.DIVERGES,
            f"{what}a logged statement that calls it stores other values, or reaches other rows",
            f"Give both ends the same {kind}, or {_ROWS}",
        )
        yield finding(
            Effect.UNSUPPORTED,
            f"{what}where it fails, the applier stops",
            f"Give both ends the same {kind}, or {_ROWS}",
            "trigger-signals",
            _FAILS,
        )
    own = own_value(there.body, trigger=True, invoker=there.made.definer == INVOKER)
    if same and own and link.binlog_format == "STATEMENT":
        yield finding(
            Effect.DIVERGES,
            f"the {kind} {here.name} uses {own}, which is another value on the replica: a logged statement "
            "that calls it stores other values",
            "Set binlog_format=ROW or MIXED on the source",
        )
    if words := other_refusals(here, there, link):
        yield finding(
            Effect.UNKNOWN,
            f"the {kind} {here.name} was made under another sql_mode ({words} on one end only): whether a "
            "value in it is refused, or becomes another one, is not known",
            f"Give both ends the same {kind}, or {_ROWS}",
        )
    if account := other_definer(here.made, there.made):
        yield finding(
            Effect.UNSUPPORTED,
            f"the {kind} {here.name} has another definer on the replica, {account}: where that account does "
            "not exist there, or lacks a privilege, a logged statement that calls it stops the applier",
            ONE_DEFINER,
            "no-such-definer",
            LACKS_PRIVILEGE,
            account,
        )


RULE = Rule("SC808", "statement-functions", _check, (About.FUNCTION,), evidence=lambda ask: ask.statements())
