"""What later statements meet on a replica whose rows or values already differ.

A statement runs on the rows that are there: other rows are duplicates, parents that are missing, operands
out of range. Any error that depends on data can follow (recorded on four servers over random statements).
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import ANY, server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding
from schemacheck.model.difference import FOLLOWS

#: Values that are out of range, cut, no number or no NULL, a CHECK (MySQL, MariaDB) and a view's CHECK
#: OPTION, division by zero, a subquery of several rows, a missing default in a trigger or view, no number
#: left.
_BY_VALUES = (
    1048, 1242, 1264, 1265, 1292, 1364, 1365, 1366, 1369, 1406, 1411, 1423, 1441, 1467, 1526, 1690, 3819,
    4025,
)  # fmt: skip
#: A parent that is referenced, a child without its parent.
_BY_FOREIGN_KEYS = (1451, 1452)
#: ER_GET_ERRNO: a changed row that no partition takes.
_NO_PLACE = 1030
#: Engines that keep what a statement did before it failed; the log then has the statement with its error.
_KEEPS = frozenset(("MYISAM", "MEMORY", "HEAP", "ARIA", "CSV", "MERGE", "MRG_MYISAM", "ARCHIVE"))
#: Errors of MySQL 8 that MariaDB has no text for end its process (asked: 3819 of a CHECK).
_UNHEARD = "; MariaDB crashes on an error that it does not know (3819 of a CHECK)"


def data_errors(pair: Pair) -> tuple[int, ...]:
    """The errors that other rows and values of this table lead to, behind the duplicate key."""
    keys = any(t.enforced_keys or t.incoming for t in (pair.source, pair.replica))
    numbers = (*_BY_FOREIGN_KEYS, *_BY_VALUES) if keys else _BY_VALUES
    # MySQL 9.7 says 6527 of ADDTIME and FROM_DAYS where 1441 is said of INTERVAL.
    return (*numbers, 6527) if pair.link.replica.has("data-dictionary") else numbers


def failed_statements(pair: Pair) -> Iterator[Finding]:
    """Statements that failed half-way on the source, with an error that they do not end with on the replica
    (13113 on MySQL 8 and later; MySQL before it and MariaDB stop without a number).
    """
    source, replica = pair.link.source, pair.link.replica
    if (pair.source.engine or "InnoDB").upper() not in _KEEPS:
        return
    dies = replica.mariadb and not source.mariadb and bool(pair.source.checks)
    yield on_table(
        pair,
        Effect.STOPS,
        (
            f"{pair.source.engine} keeps the rows of a statement that fails half-way and "
            "logs its error: a replica that does not get the same error stops"
        )
        + (_UNHEARD if dies else ""),
        error=pair.error("different-errors"),
        depends_on_rows=True,
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy="Give both ends the same definition, or the table a transactional engine",
        statements=("fails",),
        reference="asked of MySQL 9.7, MariaDB 10.11 and 11.8",
    )


def later_statements(pair: Pair) -> Iterator[Finding]:
    """What follows once statements have left other rows or values in the table."""
    remedy = "End the differences, or set binlog_format=ROW on the source"
    yield on_table(
        pair,
        Effect.STOPS,
        "later statements and triggers copy the difference to other tables: one that "
        "meets a duplicate, a missing parent or another value stops the applier",
        error=pair.error("duplicate-entry", key=ANY),
        depends_on_rows=True,
        also=data_errors(pair),
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=remedy,
        reference="recorded on four servers",
        statements=FOLLOWS,
    )
    if pair.logs_rows:
        yield on_table(
            pair,
            Effect.STOPS,
            "statements may leave other rows on the replica: a row event that does not "
            "find its row stops the applier",
            error=server_error("key-not-found", pair.link.replica, None, ANY, event="Update_rows"),
            depends_on_rows=True,
            also=(_NO_PLACE,) if pair.replica.partitioning else (),
            setting=f"binlog_format={pair.link.binlog_format}",
            remedy=remedy,
            reference="recorded on MariaDB 10.11 and MySQL 9.7",
            statements=FOLLOWS,
        )
