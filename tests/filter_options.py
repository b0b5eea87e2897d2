"""Filters written as a server's command line has them, which is short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacheck.filters.read import FilterInput
from schemacheck.filters.read import parse as parse_text
from schemacheck.filters.read.options import Collector, Given, canonical, needs_argument, refuse_misspelt
from schemacheck.model import Server
from schemacheck.model.filters import FilterSet


def arguments(words: Sequence[str]) -> Iterable[tuple[str, str]]:
    """(name, value) of `--name=value`, `--name value`; a filter takes the next word whatever it is. Raises
    BadSetting where none is left.
    """
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if not word.startswith("--"):
            continue
        name, equals, value = word[2:].partition("=")
        filters = canonical(name.rpartition(".")[2]) is not None
        if not equals and filters and position >= len(words):
            raise needs_argument(name)
        if not equals and position < len(words) and (filters or not words[position].startswith("--")):
            value = words[position]
            position += 1
        yield name, value


def per_channel(
    words: Sequence[str], server: Server | None = None, given: Given = Given.OPTION
) -> tuple[FilterSet, ...]:
    """The filter sets of a command line, the default channel first. Raises BadSetting."""
    collector = Collector(server, given)
    for name, value in arguments(words):
        connection, dot, option = name.rpartition(".")
        text = canonical(option if dot else name)
        if text is not None:
            collector.add(text, value, channel=connection if dot else None)
        else:
            refuse_misspelt(option if dot else name)
    return collector.result()


def from_options(
    words: Sequence[str], server: Server | None = None, given: Given = Given.OPTION
) -> FilterSet:
    """The filters of the default channel, from a command line."""
    return per_channel(words, server, given)[0]


def parse(text: str, server: Server | None = None) -> FilterInput:
    """What product code reads, or a command line."""
    return (
        FilterInput(per_channel(text.split(), server)) if text.startswith("--") else parse_text(text, server)
    )
