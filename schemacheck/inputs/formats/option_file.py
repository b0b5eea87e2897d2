"""my.cnf and other option files: they tell settings and filters, no tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.inputs.option_file import read_options
from schemacheck.inputs.piece import SettingsPiece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "option-file"

_GROUP = re.compile(
    r"^[^\S\n]*+\[(?:mysqld|server|mariadb|mariadbd|mysql|client|galera)(?:-[\d.]+)?\][^\S\n]*+(?:#.*)?$",
    re.MULTILINE,
)


def sniff(source: Source) -> int:
    """A group of a MySQL program."""
    if _GROUP.search(source.head):
        return 93
    return 60 if source.name.endswith(".cnf") else 0


def read(source: Source, options: Options) -> Iterator[Piece]:
    """One piece."""
    yield SettingsPiece(
        read_options(source.text, source.name, within=options.within), source.name, source.text
    )
