"""A storage engine does not keep the rows.

## What it finds
Tables in an engine that drops rows, cannot change them, or of which nothing is recorded.

## What the replica does
BLACKHOLE accepts every row and keeps none. ARCHIVE knows no UPDATE and DELETE: the applier stops with error
1032. MEMORY is empty after a restart, so that the next UPDATE or DELETE stops the applier (1032), and a row
beyond max_heap_table_size, or beyond a MAX_ROWS that the source's table does not have, stops it with 1114.
Rows of FEDERATED, CONNECT and SPIDER are stored elsewhere, where the source may have written them already.
What other engines do was not recorded: unknown, also where both ends have the same (MERGE: a statement on one
of its tables is logged as such). Where the source's table is BLACKHOLE, the replica has the rows that were
logged, and the source none. Behind rows of an engine without transactions MariaDB logs COMMIT as a statement;
a replica that skips the statements of such sessions (SC911) keeps those rows uncommitted in InnoDB
until the next transaction. With GTIDs a MySQL replica stops where a transaction of an
InnoDB source changes a table that is MyISAM there twice (1837), or beside one that is InnoDB (1785).

## Example
    source:  CREATE TABLE t (a INT) ENGINE=InnoDB;
    replica: CREATE TABLE t (a INT) ENGINE=BLACKHOLE;

## Fix
Use an engine that keeps rows, unless the replica is a relay on purpose.

## References
Recorded on four servers. MySQL manual, Replication and MEMORY Tables.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_link import of_outcome
from schemacheck.findings.on_pair import on_table
from schemacheck.link import Ends, variables
from schemacheck.link.ends import on
from schemacheck.link.gtid_sets import ANONYMOUS, gtid_mode
from schemacheck.link.session import skips_statements
from schemacheck.model import Effect, Example, Finding, Link, Side
from schemacheck.model.definition_sql import table_name
from schemacheck.model.storage_engine import is_doubtful, is_recorded, lies_elsewhere
from schemacheck.rules import About, Rule

#: The engine with transactions, whose COMMIT is an event of its own; '' is the default, InnoDB.
_COMMITS = ("INNODB", "")


def _check(pair: Pair) -> Iterator[Finding]:
    ours, theirs = (pair.source.engine or "").upper(), (pair.replica.engine or "").upper()
    if ours == theirs and (theirs == "MEMORY" or not is_doubtful(theirs)):
        if pair.replica.most_rows > 0 and not 0 < pair.source.most_rows <= pair.replica.most_rows:
            yield on_table(
                pair, Effect.UNSUPPORTED,
                f"the replica's MEMORY table has MAX_ROWS={pair.replica.most_rows}, the source's holds more "
                "rows: the next one stops the applier",
                error=pair.error("table-full"), depends_on_rows=True,
                remedy="Give both ends the same MAX_ROWS",
                remedy_sql=f"ALTER TABLE {table_name(pair.replica)} MAX_ROWS={pair.source.most_rows};",
                reference="asked of MySQL 9.7.4 and MariaDB 11.8.6",
            )  # fmt: skip
        if limited := variables.of_rows(Ends(pair.link), theirs.lower()):
            yield of_outcome(limited)
        return
    sides = Side(pair.source.location, pair.source.engine), Side(pair.replica.location, pair.replica.engine)
    remedy: str | None = f"ALTER TABLE {table_name(pair.replica)} ENGINE={pair.source.engine or 'InnoDB'};"
    if ours == "ARIA" and not pair.link.replica.mariadb:
        remedy = None
    if theirs == "BLACKHOLE" != ours:
        yield on_table(
            pair, Effect.DIVERGES, "the replica's engine BLACKHOLE accepts every row and keeps none",
            source=sides[0], replica=sides[1],
            remedy="Use an engine that keeps rows, unless the replica is a relay on purpose",
            remedy_sql=remedy,
            example=Example("one row", "no row"), reference="recorded on four servers",
        )  # fmt: skip
    elif theirs == "ARCHIVE" != ours:
        yield on_table(
            pair, Effect.UNSUPPORTED,
            "the replica's engine ARCHIVE knows no UPDATE and DELETE: the first one stops the applier",
            source=sides[0],
            replica=sides[1], remedy="Use an engine that can change rows", remedy_sql=remedy,
            depends_on_rows=True, also=(1031,) if pair.logs_statements else (),
            error=pair.error("key-not-found", event="Update_rows"),
            reference="recorded on MySQL 5.6 and 9.7",
        )  # fmt: skip
    elif theirs == "CSV" != ours and pair.link.replica.has("csv-rows-are-not-found") and pair.logs_rows:
        yield on_table(
            pair, Effect.UNSUPPORTED,
            "the applier does not find rows of the replica's engine CSV: the first UPDATE or DELETE stops it",
            source=sides[0],
            replica=sides[1], remedy="Use another engine", remedy_sql=remedy, depends_on_rows=True,
            error=pair.error("key-not-found", event="Update_rows"),
            reference="recorded on MariaDB 10.11",
        )  # fmt: skip
    elif theirs == "MEMORY":
        yield on_table(
            pair, Effect.UNSUPPORTED,
            "the replica's engine MEMORY loses all rows when that server restarts: the next UPDATE or DELETE "
            "of one stops the applier; so does a row beyond max_heap_table_size (1114)",
            source=sides[0], replica=sides[1], remedy="Use an engine that keeps rows", remedy_sql=remedy,
            depends_on_rows=True, also=(1114,),
            error=pair.error("key-not-found", event="Update_rows"),
            reference="MySQL manual, Replication and MEMORY Tables; recorded on MySQL 9.7 and MariaDB 11.8",
        )  # fmt: skip
    elif ours == "BLACKHOLE":
        unlogged = "; under row format an UPDATE or DELETE of it is not logged" if pair.logs_rows else ""
        yield on_table(
            pair, Effect.DIVERGES,
            f"the source's engine BLACKHOLE keeps no row, the replica keeps those that are logged{unlogged}",
            source=sides[0], replica=sides[1],
            remedy="Use an engine that keeps rows on the source, unless it is a relay on purpose",
            example=Example("no row", "one row"), reference="recorded on MySQL 9.7",
        )  # fmt: skip
    elif unrecorded := [
        f"the {end}'s engine is {engine}, and "
        + (
            "its rows are stored elsewhere: what else writes them is not known"
            if lies_elsewhere(engine)
            else "what becomes of its rows was not recorded"
        )
        for end, engine in (("source", pair.source.engine), ("replica", pair.replica.engine))
        if engine and not is_recorded(engine)
    ]:
        yield on_table(
            pair, Effect.UNKNOWN, "; ".join(unrecorded),
            source=sides[0], replica=sides[1], remedy="Use an engine that keeps rows",
            reference="rules/engines.yaml lists the engines that were recorded",
        )  # fmt: skip
    elif ours not in _COMMITS and theirs in _COMMITS and skips_statements(pair.link):
        yield on_table(
            pair, Effect.DIVERGES,
            f"the source's engine {pair.source.engine} logs COMMIT as a statement, which {pair.link.replica} "
"skips: its rows wait for the next transaction, and are lost if the applier stops before",
            source=sides[0], replica=sides[1],
            remedy="Set character_set_collations='utf8mb4=utf8mb4_general_ci' on the source",
            example=Example("the last row", "no row yet"),
            reference="recorded on MariaDB 11.8.6 to MySQL 5.6.24",
        )  # fmt: skip
    elif ours in _COMMITS and theirs not in _COMMITS and _transactions_stay_whole(pair.link):
        yield on_table(
            pair, Effect.UNSUPPORTED,
            f"the replica's engine {pair.replica.engine} has no transactions: with GTIDs a second statement "
            "in one stops the applier",
            source=sides[0], replica=sides[1], remedy="Use an engine with transactions", remedy_sql=remedy,
            depends_on_rows=True, error=pair.error("gtid-without-transactions"), also=(1837,),
            reference="asked of MySQL 9.7.4",
        )  # fmt: skip
    elif ours and theirs:
        yield on_table(
            pair, Effect.COMPATIBLE,
            f"the engine is {pair.source.engine} on the source and {pair.replica.engine} on the "
            f"replica; rows arrive", source=sides[0],
            replica=sides[1], remedy="No action is needed", reference="recorded on four servers",
        )  # fmt: skip


def _transactions_stay_whole(link: Link) -> bool:
    """Whether the replica refuses a transaction of which an engine would end a part."""
    written = gtid_mode(link.source) not in ANONYMOUS
    if link.replica.mariadb or link.kind.cluster:
        return False
    return written or on(link.replica, "enforce_gtid_consistency")


RULE = Rule(
    "SC703", "storage-engine", _check, (About.OPTIONS,), evidence=lambda ask: ask.writes(certain=False)
)
