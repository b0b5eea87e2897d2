"""What profiles say of findings: whether a difference bites the data that is there, and what is written."""
