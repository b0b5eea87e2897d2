"""SQL statements as replication filters see them."""

from schemacheck.filters.sql.analyse import analyse, script, unwrapped
from schemacheck.filters.sql.statement import Name, Needs, Ref, Statement

__all__ = ["Name", "Needs", "Ref", "Statement", "analyse", "script", "unwrapped"]
