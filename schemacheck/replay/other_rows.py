"""A replicated ALTER TABLE that both ends run without an error, and that leaves other rows on the replica:
what it does depends on the rows' order, on the server, or on how the replica is partitioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.conversion import own_values
from schemacheck.conversion.applied_default import own_value
from schemacheck.conversion.error import server_error
from schemacheck.link import dialect
from schemacheck.model import Column, DefaultKind, Link, Server, ServerError, Table
from schemacheck.model.row_order import clustering
from schemacheck.sql.ddl.actions import Action, Add, AddColumn, AlterTable, Other, ReplaceColumn

_LIMIT = re.compile(r"\blimit\b", re.IGNORECASE)
#: Statements that remove the rows of partitions, or move them into another table.
_TAKES = ("DROP", "TRUNCATE", "EXCHANGE", "CONVERT", "DISCARD", "IMPORT")


def other_rows(
    alter: AlterTable, source: Table | None, made: Table | None, replica: Table | None, link: Link
) -> str:
    """Why the replica has other rows behind this statement; '' where it has the same. `source` is the
    source's table before it, `made` behind it, `replica` the replica's before it.

    MySQL manual, Replication and AUTO_INCREMENT (a numbering may differ without a key that orders the rows),
    Replication and Partitioning; defaults of each server: recorded on MySQL 9.7.4, MariaDB 10.11.19, 11.8.6.
    """
    if source is None or replica is None:
        return ""
    for action in alter.actions:
        taken = isinstance(action, Other) and action.words[0] in _TAKES and action.words[1] == "PARTITION"
        if taken and source.partitioning != replica.partitioning:
            return (
                "it takes the rows of partitions, and the ends are partitioned differently: other rows go "
                "on the replica"
            )
    for name in _added(alter.actions):
        column = made.column(name) if made is not None else None
        if column is None or column.default is None:
            continue
        if own_value(column):
            return (
                f"every server fills the rows that are there with DEFAULT ({column.default.text}) of its own "
                f"for {name} (MySQL may refuse it on the source: 1674)"
            )
        if why := own_fraction(column, link):
            return why
    alone = {c.expression for c in replica.checks if c.enforced} - {c.expression for c in source.checks}
    if alone and any(isinstance(action, ReplaceColumn) for action in alter.actions):
        return f"the replica alone has CHECK ({min(alone)}), and stops where a row breaks it (4025, 3819)"
    ours = clustering(source)
    if ours is not None and ours == clustering(replica) and source.partitioning == replica.partitioning:
        return ""
    if made is not None and _numbers(alter, source, made):
        return (
            "it numbers the rows that are there in the order in which each server reads them, and no key of "
            "both ends gives that order"
        )
    if alter.ignore and any(isinstance(action, Add) for action in alter.actions):
        return (
            "IGNORE keeps the first of several rows with one value; each server reads them in its own order, "
            "which no key of both ends gives"
        )
    return ""


def refused_rows(alter: AlterTable, made: Table | None, session: Server, link: Link) -> ServerError | None:
    """The error with which the replica refuses a new NOT NULL column without a default, which the source lets
    pass where the table has rows. `session` is the source's. Asked of seven pairs: before 8.0 MySQL adds zero
    dates under any sql_mode, then where it is not strict, MariaDB never under NO_ZERO_DATE.
    """
    source, replica = link.source, link.replica
    shapes = "new-geometry-needs-empty-table"
    if source.mariadb == replica.mariadb and all(
        source.has(name) == replica.has(name) for name in (shapes, "data-dictionary")
    ):
        return None
    dates = "NO_ZERO_DATE" in session.sql_mode and (replica.mariadb or session.strict)
    for name in _added(alter.actions):
        column = made.column(name) if made is not None else None
        if made is None or column is None or column.nullable or column.default or column.generated:
            continue
        if dates and column.type.is_calendar:
            return server_error("incorrect-temporal", replica, made.database, made.name, key=name)
        if column.type.is_geometry and replica.has(shapes) and not source.has(shapes):
            return ServerError(1138, "Invalid use of NULL value")
    return None


def own_fraction(column: Column, link: Link) -> str:
    """Why a new column gets other moments on the replica; '' where it does not. Asked of MySQL 5.6 to MariaDB
    10.11: the log carries no fraction of a second between flavours.
    """
    moment = column.default is not None and column.default.kind is DefaultKind.CURRENT_TIMESTAMP
    if not moment or not column.type.fraction or link.source.mariadb == link.replica.mariadb:
        return ""
    return f"MySQL and MariaDB each fill the fractions of a second of {column.name} with their own"


def converted(old: Table, new: Table, link: Link) -> str:
    """Why the ends may make other values of a column's new type; '' where they do not, or no column has one.
    Asked of four servers (10 types into 14, with some 90 values): servers before and since MySQL 8.0 read
    other moments and numbers in text, MariaDB cuts fractions of a second, and each reads numbers as other
    moments.
    """
    source, replica = link.source, link.replica
    flavours = source.mariadb != replica.mariadb
    texts = flavours or source.has("statements-before-8.0") != replica.has("statements-before-8.0")
    stamps = source.has("timestamps-to-2106") != replica.has("timestamps-to-2106")
    in_place = len(old.columns) == len(new.columns)
    for number, column in enumerate(new.columns):
        renamed = in_place and new.column(old.columns[number].name) is None
        here = old.column(column.name) or (old.columns[number] if renamed else column)
        was, now = here.type, column.type
        moments = now.is_temporal or now.is_year
        cut = was.is_temporal and (was.fraction > now.fraction or now.is_year)
        if not now.is_string and (
            (texts and was.is_string and (moments or now.is_number))
            or (flavours and (cut or (was.is_number and moments and was.base != now.base)))
            or (stamps and now.is_timestamp and not was.is_timestamp)
        ):
            return f"{column.name}: {source} and {replica} may convert {was.text} to {now.text} otherwise"
    return ""


def own_rows(text: str, link: Link) -> str:
    """Why a statement that writes rows leaves others on the replica where its text is logged; '' where it is
    not, or nothing in it is the replica's own.
    """
    if link.binlog_format != "STATEMENT":
        return ""
    own = own_values.own_value(text) or (_LIMIT.search(dialect.plain(text)) and "what LIMIT takes")
    return f"{own} may be another on the replica: `schemacheck link --statements` says more" if own else ""


def _added(actions: tuple[Action, ...]) -> Iterator[str]:
    return (action.draft.name for action in actions if isinstance(action, AddColumn))


def _numbers(alter: AlterTable, source: Table, made: Table) -> bool:
    """Whether AUTO_INCREMENT comes to a table without it."""
    return any(isinstance(action, AddColumn | ReplaceColumn) for action in alter.actions) and (
        any(column.auto_increment for column in made.columns)
        and not any(column.auto_increment for column in source.columns)
    )
