"""SQL statements as replication filters see them."""

from schemacheck.filters.sql.analyse import analyse, script
from schemacheck.filters.sql.statement import Name, Ref, Statement

__all__ = ["Name", "Ref", "Statement", "analyse", "script"]
