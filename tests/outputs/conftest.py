from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def golden(request):
    """Compare with a golden file; UPDATE_GOLDEN=1 writes it instead."""
    import os

    def compare(name: str, text: str) -> None:
        file = Path(__file__).parent / "golden" / name
        if os.environ.get("UPDATE_GOLDEN"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8", newline="")
        with file.open(encoding="utf-8", newline="") as stream:
            assert text == stream.read(), (
                f"{file.name} differs; if that is meant, run UPDATE_GOLDEN=1 pytest tests/outputs"
            )

    return compare
