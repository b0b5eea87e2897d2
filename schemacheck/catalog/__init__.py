"""What statements make of tables: a script of SQL run on a server's rules, without the server."""

from schemacheck.catalog.script import read

__all__ = ["read"]
