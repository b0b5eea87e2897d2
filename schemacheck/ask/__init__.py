"""Questions to real servers of the version asked about, and their kept answers."""
