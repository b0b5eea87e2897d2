"""Profiles: what values a server's tables hold and what its binary logs write, as measures without values."""
