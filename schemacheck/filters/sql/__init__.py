"""The old place of `schemacheck.sql.statements`."""

from schemacheck.sql.statements import parse as analyse
from schemacheck.sql.statements.value import Statement

__all__ = ["Statement", "analyse"]
