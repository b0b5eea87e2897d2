"""What is known of an error that stops a replica. From `rules/stops.yaml`."""

from __future__ import annotations

import re
from typing import NamedTuple

from schemacheck import knowledge


class Known(NamedTuple):
    """One cause: its numbers and symbols, what it is, the rules that tell it, the way on, what skipping
    loses; `says` are patterns of messages that leave fewer rules.
    """

    numbers: tuple[int, ...]
    symbols: tuple[str, ...]
    what: str
    rules: tuple[str, ...]
    way: str
    skip: str
    says: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def told_by(self, message: str) -> tuple[str, ...]:
        """The rules that the server's own words name; () where they leave all of `rules` open."""
        return next((rules for pattern, rules in self.says if re.search(pattern, message)), ())


def known(word: str) -> Known | None:
    """The entry of an error number or symbol (`1677`, `MY-013146`, `ER_SLAVE_CONVERSION_FAILED`); None for
    any other word.
    """
    plain = word.strip().upper().removeprefix("MY-").lstrip("0") or "0"
    for one in knowledge.load("stops")["stops"]:
        if plain in one["numbers"] or plain in one["symbols"]:
            numbers = tuple(int(number) for number in one["numbers"])
            return Known(
                numbers, tuple(one["symbols"]), one["what"], tuple(one["rules"]), one["way"], one["skip"],
                tuple((said["message"], tuple(said["rules"])) for said in one.get("says", ())),
            )  # fmt: skip
    return None
