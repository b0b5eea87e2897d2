"""Names of databases and tables in lower case, as servers with lower_case_table_names=1 write and compare
them.
"""

from __future__ import annotations

from functools import lru_cache

#: Letters that got their small form after the servers' table (utf8mb3_general_ci) was made: first and last of
#: each run, even steps included.
_LATER = (
    "\u0220\u0220\u023a\u023e\u0241\u024e\u0370\u0372\u0376\u0376\u037f\u037f\u03cf\u03cf\u03d8\u03d8\u03f4\u03f4\u03f7\u03fa\u03fd\u03ff\u048a\u048a\u04c0\u04c0"
    "\u04c5\u04c5\u04c9\u04c9\u04cd\u04cd\u04f6\u04f6\u04fa\u052e\u10a0\u10c7\u10cd\u10cd\u13a0\u13f5\u1c90\u1cbf\u1e9e\u1e9e\u1efa\u1efe\u2132\u2132\u2183\u2183"
    "\u2c00\u2cf2\ua640\ua7f5"
)
_RUNS = tuple(zip(_LATER[::2], _LATER[1::2], strict=True))


@lru_cache(maxsize=65536)
def folded(name: str) -> str:
    """Letter by letter: no sharp s to ss, no final sigma (asked of four servers)."""
    if name.isascii():
        return name.lower()
    return "".join(
        c if c > "\uffff" or any(first <= c <= last for first, last in _RUNS) else c.lower()[:1] for c in name
    )
