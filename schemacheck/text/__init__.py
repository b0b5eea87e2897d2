"""Texts that people and other programs write and read, apart from SQL."""
