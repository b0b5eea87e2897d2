"""DDL text becomes Tables: `read` runs a script's statements in order, `decode` turns a file's bytes into text."""

from schemacheck.inputs.ddl.decode import decode
from schemacheck.inputs.ddl.read import read

__all__ = ["decode", "read"]
