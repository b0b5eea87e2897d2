"""Statements run the replica's triggers.

## What it finds
Under STATEMENT or MIXED format: triggers that one side does not have, or has with another body, in another
order, under another collation or with another definer, and those that use a value of the server's own.

## What the replica does
A statement that runs on the replica runs the replica's triggers: rows, and what else a trigger writes, follow
them and not the source's. What the source's triggers wrote is not logged by itself. An error in a trigger of
the replica (SIGNAL, a table or column that is not there) stops the applier. A trigger that both ends have
gives each its own values where it uses UUID(), USER(), SYSDATE() or a variable of the server under STATEMENT;
under MIXED rows are logged for it. A trigger runs with the rights of its definer: without that account on the
replica the applier stops with error 1449. It runs under the sql_mode of its CREATE: where one end refuses a
value that the other clips (1264 on MariaDB 11.8), what happens is unknown.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1;

`INSERT INTO t VALUES (1, 5)`.

## Fix
Give both ends the same triggers, or set binlog_format=ROW on the source.

## References
MySQL manual, Replication and Triggers; recorded on four servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.own_values import own_value
from schemacheck.conversion.statement import refusals
from schemacheck.conversion.trigger_body import (
    LACKS_PRIVILEGE,
    ONE_DEFINER,
    deciding_modes,
    meaning,
    other_collation,
    other_definer,
    other_refusals,
)
from schemacheck.findings.on_pair import listed, on_table
from schemacheck.model import ColumnType, Effect, Example, Finding, Side, Table
from schemacheck.model.program import Trigger
from schemacheck.rules import About, Rule

#: What a trigger does: its timing, event, body and words of sql_mode; how many before it do the same.
_Key = tuple[str, str, str, tuple[str, ...], int]
#: A value that a trigger gives to a column, and the widest type of what is written there.
_GIVEN = re.compile(r"\bNEW\s*\.\s*`?(\w+)`?\s*:?=", re.IGNORECASE)
_WRITTEN = ColumnType("longtext", charset="utf8mb4", collation="utf8mb4_general_ci")
#: What a statement in a trigger may end with: no such table, column, procedure or value, a duplicate, a
#: refused value, a definer who does not exist.
_BODY_FAILS = (
    1054, 1146, 1305, 1048, 1062, 1264, 1265, 1267, 1270,
    1271, 1292, 1366, 1406, 1442, 1449, 1451, 1452,
)  # fmt: skip


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_statements:
        return
    both = (*pair.source.triggers, *pair.replica.triggers)
    given = all(trigger.modes is not None for trigger in both)
    ours, theirs = _triggers(pair.source, modes=given), _triggers(pair.replica, modes=given)
    own = [trigger for key, trigger in theirs.items() if key not in ours]
    collations = [
        (trigger, collation)
        for key, trigger in ours.items()
        if key in theirs and (collation := other_collation(trigger.body, trigger.made, theirs[key].made))
    ]
    other = [*(trigger for key, trigger in ours.items() if key not in theirs), *own]
    other += [trigger for trigger, _ in collations]
    setting = f"binlog_format={pair.link.binlog_format}"
    yield from _definers(pair, [(ours[key], theirs[key]) for key in ours if key in theirs], setting)
    if pair.link.binlog_format == "STATEMENT":
        yield from _own_values(pair, [theirs[key] for key in ours if key in theirs], setting)
    moved = [] if other else [theirs[key] for key in _in_other_order(list(ours), list(theirs))]
    other += moved
    if not other:
        return
    bodies = [{key[:3] for key in side} for side in (ours, theirs)]
    under = collations[0][1] if len(other) == len(collations) else "another sql_mode"
    how = "the triggers differ" if bodies[0] != bodies[1] else f"the triggers were made under {under}"
    if moved:
        how = "the triggers run in another order"
    names = listed(list(dict.fromkeys(t.name for t in other)))
    # A baseline covers these bodies alone.
    digest = f"{crc32(repr([[key[2] for key in side] for side in (ours, theirs)]).encode()):08x}"
    place = other[0].location or pair.replica.location
    shown = Side(place, f"{other[0].timing} {other[0].event}, bodies {digest}")
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"{how} ({names}): a statement runs the replica's triggers, "
        "so rows differ, here and in the tables that they write",
        replica=shown,
        setting=setting,
        remedy="Give both ends the same triggers, or set binlog_format=ROW on the source",
        example=Example(
            f"{other[0].event} of a row, as the source's triggers leave it", "as the replica's leave it"
        ),
        reference="recorded on four servers",
    )
    first = (own or other)[0]
    runs = f"runs on the {'replica' if own else 'source'} only"
    if len(other) == len(collations):
        runs = "compares otherwise on the replica"
    if moved:
        runs = "runs before another one on the replica"
    yield on_table(
        pair,
        Effect.STOPS,
        f"{first.name} {runs}: the replica lacks a value "
        "that the trigger gives on the source, or gets one that a table refuses",
        replica=shown,
        error=pair.error("no-default", key="..."),
        depends_on_rows=True,
        also=(1048, 1062, 1264, 1265, 1292, 1366, 1406, 1452),
        setting=setting,
        remedy="Give both ends the same triggers, or set binlog_format=ROW on the source",
    )
    if own:
        yield on_table(
            pair,
            Effect.STOPS,
            f"{own[0].name} runs on the replica only: where it fails, the applier stops",
            replica=shown,
            error=pair.error("trigger-signals"),
            depends_on_rows=True,
            also=_BODY_FAILS,
            setting=setting,
            remedy="Drop the trigger on the replica, or create it on the source",
        )
        yield from _given(pair, own, setting)


def _definers(pair: Pair, triggers: list[tuple[Trigger, Trigger]], setting: str) -> Iterator[Finding]:
    """Triggers of both ends that run with the rights of another account, or under other strictness."""
    for ours, theirs in triggers:
        if words := other_refusals(ours, theirs, pair.link):
            yield on_table(
                pair,
                Effect.UNKNOWN,
                f"{theirs.name} was made under another sql_mode ({words} on one end only): whether a value "
                "that it gives is refused, or stored as another one, is not known",
                replica=Side(theirs.location or pair.replica.location, f"{theirs.timing} {theirs.event}"),
                setting=setting,
                remedy="Give both ends the same triggers, or set binlog_format=ROW on the source",
            )
        if account := other_definer(ours.made, theirs.made):
            yield on_table(
                pair,
                Effect.STOPS,
                f"{theirs.name} has another definer on the replica, {account}: where that account does not "
                "exist there, or lacks a privilege, the applier stops",
                replica=Side(theirs.location or pair.replica.location, f"{theirs.timing} {theirs.event}"),
                error=pair.error("no-such-definer", key=account),
                depends_on_rows=True,
                also=LACKS_PRIVILEGE,
                setting=setting,
                remedy=ONE_DEFINER,
            )


def _given(pair: Pair, own: list[Trigger], setting: str) -> Iterator[Finding]:
    """What columns say to values that triggers of the replica give them, also behind IGNORE."""
    for trigger in own:
        for name in dict.fromkeys(_GIVEN.findall(trigger.body)):
            column = pair.replica.column(name)
            if column is None:
                continue
            names = refusals(_WRITTEN, column.type, pair.link.replica, strict=pair.link.source.strict)
            for item in (*names, *(() if column.nullable else ("null-value",))):
                error = pair.error(item, key=column.name)
                yield on_table(
                    pair,
                    Effect.STOPS,
                    f"{trigger.name} gives {column.name} a value: where it does not fit, the applier stops",
                    replica=Side(
                        trigger.location or pair.replica.location, f"{trigger.timing} {trigger.event}"
                    ),
                    error=error,
                    depends_on_rows=True,
                    setting=setting,
                    remedy="Drop the trigger on the replica, or create it on the source",
                )


def _own_values(pair: Pair, triggers: list[Trigger], setting: str) -> Iterator[Finding]:
    """Triggers of both ends that use what each server has of its own."""
    for trigger in triggers:
        own = own_value(trigger.body, trigger=True)
        if own is None:
            continue
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"{trigger.name} uses {own}, which is another value on the replica: rows differ, here and in the "
            "tables that they write",
            replica=Side(trigger.location or pair.replica.location, f"{trigger.timing} {trigger.event}"),
            setting=setting,
            remedy="Set binlog_format=ROW or MIXED on the source",
            example=Example(f"{trigger.event} of a row, with the source's {own}", f"the replica's {own}"),
            reference="asked of MySQL 9.7, MariaDB 10.11 and 11.8",
        )


def _in_other_order(ours: list[_Key], theirs: list[_Key]) -> list[_Key]:
    """The first of the replica's triggers that run at one moment in another order than the source's."""
    for moment in dict.fromkeys(key[:2] for key in theirs):
        orders = [[key for key in side if key[:2] == moment] for side in (ours, theirs)]
        if orders[0] != orders[1]:
            return orders[1]
    return []


def _triggers(table: Table, *, modes: bool) -> dict[_Key, Trigger]:
    """By what they do; names do not matter. `modes`: also under which sql_mode."""
    triggers: dict[_Key, Trigger] = {}
    for t in table.triggers:
        does = (t.timing, t.event, meaning(t), deciding_modes(t) if modes else ())
        triggers[*does, sum(key[:4] == does for key in triggers)] = t
    return triggers


RULE = Rule("SC804", "statement-triggers", _check, (About.STATEMENTS,), evidence=lambda ask: ask.statements())
