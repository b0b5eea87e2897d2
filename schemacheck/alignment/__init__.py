"""What is compared: a source table and the replica's (`Match`), their columns side by side (`Pair`)."""

from schemacheck.alignment.match import Match
from schemacheck.alignment.pair import Cell, Pair

__all__ = ["Cell", "Match", "Pair"]
