"""Statements whose text the source writes anew into its binary log, and how names stand in it then."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import TEXT_LOGGED_BY_SERVER


def as_logged(statement: Statement, default: str | None) -> Statement:
    """The statement as it is logged: DROP TABLE and views name the default database's own tables without it.

    So `DROP TABLE db1.t` under the default database db1 is logged as "DROP TABLE `t`" (mysql_rm_table,
    mysql_create_view), and follows a `replicate-rewrite-db`.
    """
    if statement.verb not in TEXT_LOGGED_BY_SERVER:
        return statement
    return _bare(
        statement, default, 1 if statement.verb in ("create-view", "alter-view") else len(statement.refs)
    )


def _bare(statement: Statement, default: str | None, count: int) -> Statement:
    """The first names without the database, where that is the default one."""
    if default is None:
        return statement
    refs = tuple(
        replace(ref, database=None) if i < count and ref.database == default else ref
        for i, ref in enumerate(statement.refs)
    )
    return statement.renamed(refs)
