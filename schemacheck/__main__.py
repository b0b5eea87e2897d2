"""`python -m schemacheck` and the `schemacheck` command."""

from __future__ import annotations

import sys

from schemacheck.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
