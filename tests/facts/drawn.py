"""Questions that a generator draws, as lines of JSON: what the modules generate_* do when they are run."""

from __future__ import annotations

import json
import sys
from typing import Any, Protocol


class Draws(Protocol):
    """A generator: made of a seed and two servers, it draws the question of a number."""

    def __init__(self, seed: int, source: str, replica: str) -> None: ...

    def case(self, number: int) -> dict[str, Any]:
        """A question with the fields of recorded facts."""


def write(kind: type[Draws], source: str, replica: str, count: str, seed: str = "1") -> None:
    """Print so many questions; the same seed gives the same."""
    draw = kind(int(seed), source, replica)
    for number in range(1, int(count) + 1):
        sys.stdout.write(json.dumps(draw.case(number), ensure_ascii=False) + "\n")
