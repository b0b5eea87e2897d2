"""Inputs: everything that becomes a Table."""
