"""Statements call another stored function.

## What it finds
Under STATEMENT or MIXED format: stored functions of the source that the replica does not have, or has with
another body; and triggers and views that call a function of which no input has the definition.

## What the replica does
A logged statement calls the replica's function, also from a trigger, a view or another function. Without it
the applier stops with error 1305 (1356 in a view). Another body stores other values without any error, or
stops the applier with whatever it raises. MIXED logs a call as a statement too, unless it is unsafe.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE FUNCTION tax(i INT) RETURNS INT DETERMINISTIC RETURN i * 2;
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE FUNCTION tax(i INT) RETURNS INT DETERMINISTIC RETURN i * 3;

`INSERT INTO t VALUES (1, tax(5))`.

## Fix
Give both ends the same functions, or set binlog_format=ROW on the source. A dump lists functions with
`mysqldump --routines`.

## References
MySQL manual, Replication of Invoked Features; asked of four servers on seven pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.conversion.trigger_body import deciding_modes, meaning
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.model.replicated import CalledFunction
from schemacheck.rules import About, Rule

_ROWS = "set binlog_format=ROW on the source"
#: What another body may end with beside 1644: another number of arguments, a missing object, a refused value.
_FAILS = (1318, 1305, 1054, 1146, 1048, 1264, 1265, 1292, 1366, 1406)


def _check(called: CalledFunction) -> Iterator[Finding]:
    here, there, link = called.function, called.other, called.link

    def finding(
        effect: Effect, message: str, remedy: str, error: str = "", also: tuple[int, ...] = ()
    ) -> Finding:
        number = server_error(error, link.replica, here.database, here.name) if error else None
        values = Example(f"{here.name}(...), the source's value", "the replica's value")
        return Finding(
            "", "", effect, message, here.database, here.name, None,
            Side(here.location, f"FUNCTION {here.name}"),
            Side(there.location, f"FUNCTION {there.name}") if there else Side(),
            number, number is not None, f"binlog_format={link.binlog_format}", remedy, None,
            values if effect is Effect.DIVERGES else None, "asked of four servers", also,
        )  # fmt: skip

    if called.unlisted:
        yield finding(
            Effect.UNKNOWN,
            f"{called.unlisted} calls {here.name}, and no input has a function of this name",
            "Give inputs that list functions (mysqldump --routines)",
        )
    elif there is None:
        yield finding(
            Effect.UNSUPPORTED,
            f"the replica has no function {here.name}, or its input lists none: a logged statement that "
            "calls it stops the applier",
            f"Create the function on the replica, or {_ROWS}",
            "no-such-function",
            (1356,),
        )
    elif (meaning(here), deciding_modes(here)) != (meaning(there), deciding_modes(there)):
        what = f"the function {here.name} has another definition on the replica: "
        yield finding(
            Effect.DIVERGES,
            f"{what}a logged statement that calls it stores other values, or reaches other rows",
            f"Give both ends the same function, or {_ROWS}",
        )
        yield finding(
            Effect.UNSUPPORTED,
            f"{what}where it fails, the applier stops",
            f"Give both ends the same function, or {_ROWS}",
            "trigger-signals",
            _FAILS,
        )


RULE = Rule("SC808", "statement-functions", _check, (About.FUNCTION,), evidence=lambda ask: ask.statements())
