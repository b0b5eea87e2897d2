"""Conversion: what the replica does with one column."""
