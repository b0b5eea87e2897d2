"""Statements as typed values: one text, parsed once, for filters, the binary log and workloads."""

from schemacheck.sql.statements.parse import ANY, parse, parse_script
from schemacheck.sql.statements.value import Name, Needs, Ref, Statement

__all__ = ["ANY", "Name", "Needs", "Ref", "Statement", "parse", "parse_script"]
