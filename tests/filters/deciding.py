"""One statement, one set of filters."""

from __future__ import annotations

from schemacheck.filters import Decision, Evaluator
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet


def logging(link: Link, form: str | None) -> Link:
    """The link whose source logs in this format (None: as it is)."""
    return Link(link.source.with_told({"binlog_format": form}), link.replica) if form else link


def decide(
    sql: str, filters: FilterSet, link: Link, *, default_database: str | None = None,
    binlog_format: str | None = None,
) -> Decision:  # fmt: skip
    return Evaluator.of(filters, logging(link, binlog_format)).decide(sql, default_database=default_database)
