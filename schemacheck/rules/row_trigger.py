"""Triggers run for row events.

## What it finds
Triggers of the replica's table where slave_run_triggers_for_rbr lets the applier run them (MariaDB).

## What the replica does
With YES and LOGGING a trigger runs for row events of a table that has no trigger on the source: a MariaDB
source says in its Table_map event which tables have triggers. The applier heeds that for the first table of
a statement only. For further tables (of an UPDATE of several tables, or written by a trigger) it runs their
triggers again. With ENFORCE a trigger always runs, also where the source's trigger
has done its work already. The rows, and what else the trigger writes, then differ from the source's; an error
in the trigger stops the applier, as does a table that the trigger writes and the statement wrote too (1442).

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);
             CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1;

## Fix
Set slave_run_triggers_for_rbr=NO on the replica, or drop the trigger there.

## References
MariaDB knowledge base, "Running triggers on the replica for row-based events"; recorded on 10.11 and 11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import listed, on_table
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.rules import About, Rule

#: What a trigger's statements may end with beside 1644.
_FAILS = (
    1442, 1062, 1032, 1054, 1146, 1305, 1048, 1264, 1265,
    1267, 1270, 1271, 1292, 1366, 1406, 1451, 1452,
)  # fmt: skip


def _check(pair: Pair) -> Iterator[Finding]:
    mode = pair.link.replica.setting("slave_run_triggers_for_rbr").upper()
    triggers = pair.replica.triggers
    if not triggers or not pair.logs_rows or mode in ("", "NO", "OFF", "0"):
        return
    # The Table_map says that the source ran its triggers; the applier heeds it for the first table only.
    heeded = (
        mode != "ENFORCE" and bool(pair.source.triggers) and pair.link.source.has("log-tells-of-triggers")
    )
    runs = "the applier runs triggers ({}) for the source's rows"
    if heeded:
        runs = "where a statement writes another table first, the applier runs triggers ({}) again"
    names = listed([trigger.name for trigger in triggers])
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"slave_run_triggers_for_rbr={mode}: {runs.format(names)}: "
        "rows differ, here and in the tables that they write",
        replica=Side(
            triggers[0].location or pair.replica.location, f"{triggers[0].timing} {triggers[0].event}"
        ),
        depends_on_rows=heeded,
        setting=f"slave_run_triggers_for_rbr={mode}",
        remedy="Set slave_run_triggers_for_rbr=NO on the replica, or drop the trigger there",
        example=Example("the row as the source holds it", "the row as the trigger leaves it"),
        reference="recorded on MariaDB 10.11 and 11.8",
    )
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        f"slave_run_triggers_for_rbr={mode}: the applier stops where triggers ({names}) fail, or where rows "
        "collide in the tables that they write; also where such a table is in the event group (1442)",
        error=pair.error("trigger-signals"),
        depends_on_rows=True,
        also=_FAILS,
        setting=f"slave_run_triggers_for_rbr={mode}",
        remedy="Set slave_run_triggers_for_rbr=NO on the replica, or drop the trigger there",
        reference="recorded from MySQL 9.7 to MariaDB 11.8",
    )


RULE = Rule("SC508", "row-trigger", _check, (About.TRIGGERS,), evidence=lambda ask: ask.writes(certain=False))
