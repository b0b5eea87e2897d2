"""SQL statements as replication filters see them."""

from schemacheck.filters.sql.analyse import ANY, analyse, script, unwrapped
from schemacheck.filters.sql.statement import Name, Needs, Ref, Statement

__all__ = ["ANY", "Name", "Needs", "Ref", "Statement", "analyse", "script", "unwrapped"]
