"""The replica refuses a statement of the change, or makes other rows with it.

## What it finds
Definitions of a change (`check --change FILE`) that the source runs and that the replica, which gets them as
statements, refuses: a column or key that is not there (1091, 1054, 1072), one that is there already (1060,
1061), a table that is missing (1146, 1051) or exists (1050), and all other errors that the simulation knows.

## What the replica does
The applier stops at the statement. Definitions are logged as statements under every `binlog_format`. What
comes after the statement is not applied either. Some statements run on both ends and leave other rows on
the replica: ADD of a column whose default is each server's own (UUID(), RAND(), @@hostname); AUTO_INCREMENT
or ALTER IGNORE without a key that orders the rows alike on both ends; DROP, TRUNCATE or EXCHANGE PARTITION
where the ends are partitioned differently. A new DATE or DATETIME NOT NULL without a default, whose zero
dates the replica refuses under NO_ZERO_DATE (1292), stops where the table has rows. MySQL skips
statements whose session has a collation of MariaDB's with a large number (SC805), without an error: the
definition is lost.

## Example
    source:  CREATE TABLE t (a INT, b INT);
    replica: CREATE TABLE t (a INT);
    change:  ALTER TABLE t DROP COLUMN b;

## Fix
Bring the replica's definition to the source's first, or write IF EXISTS and IF NOT EXISTS where both servers
know them.

## References
Recorded over channels of MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.model.replicated import RefusedStatement
from schemacheck.rules import About, Rule


def _check(refused: RefusedStatement) -> Iterator[Finding]:
    if refused.differs:
        yield Finding(
            "",
            "",
            Effect.UNSUPPORTED if refused.error else Effect.DIVERGES,
            f"{refused.sql}: {refused.differs}",
            refused.database,
            refused.table,
            source=Side(refused.location, refused.sql),
            error=refused.error,
            depends_on_rows=True,
            remedy=(
                "Give the new column a default"
                if refused.error
                else "Make both ends alike first; or fill a new table on the source, whose rows are "
                "logged, and rename it"
            ),
            reference="MySQL manual, Replication and AUTO_INCREMENT, Replication and Partitioning",
        )
        return
    behind = f"; {refused.behind} more of the change are not applied" if refused.behind else ""
    if refused.error is None:
        yield Finding(
            "",
            "",
            Effect.DIVERGES,
            f"{refused.replica} skips this statement without an error, because it does not "
            f"know the collation of the source's sessions: {refused.sql}{behind}",
            refused.database,
            refused.table,
            source=Side(refused.location, refused.sql),
            remedy="Set character_set_collations='utf8mb4=utf8mb4_general_ci' on the source",
            example=Example(refused.sql, "not run"),
            reference="recorded on MariaDB 11.8.6 to MySQL 5.6.24 and 9.7.4",
        )
        return
    number = f"error {refused.error.number}" if refused.error.number else "no error number"
    yield Finding(
        "",
        "",
        Effect.STOPS,
        f"the replica refuses a statement of the change ({number}): {refused.sql}{behind}",
        refused.database,
        refused.table,
        source=Side(refused.location, refused.sql),
        error=refused.error,
        remedy="Bring the replica's definition to the source's before the change is run there",
        reference="recorded on four servers",
    )


RULE = Rule("SC707", "replicated-statement", _check, (About.CHANGE,))
