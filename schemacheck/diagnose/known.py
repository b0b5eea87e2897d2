"""What is known of an error that stops a replica. From `rules/stops.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from schemacheck import knowledge


class Known(NamedTuple):
    """One cause: its numbers and symbols, what it is, the rules that tell it, the way on, what skipping
    loses.
    """

    numbers: tuple[int, ...]
    symbols: tuple[str, ...]
    what: str
    rules: tuple[str, ...]
    way: str
    skip: str


def known(word: str) -> Known | None:
    """The entry of an error number or symbol (`1677`, `MY-013146`, `ER_SLAVE_CONVERSION_FAILED`); None for
    any other word.
    """
    plain = word.strip().upper().removeprefix("MY-").lstrip("0") or "0"
    for one in knowledge.load("stops")["stops"]:
        if plain in one["numbers"] or plain in one["symbols"]:
            numbers = tuple(int(number) for number in one["numbers"])
            return Known(
                numbers, tuple(one["symbols"]), one["what"], tuple(one["rules"]), one["way"], one["skip"]
            )
    return None
