"""How findings are made: what rules share, by what they look at."""
