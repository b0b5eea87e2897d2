"""The old place of `schemacheck.sql.statements.value`."""

from schemacheck.sql.statements.value import Statement

__all__ = ["Statement"]
