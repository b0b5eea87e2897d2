"""ASCII tables of `mysql -t` (or pasted from a terminal): refused, because cells cannot be distinguished for
sure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.inputs.piece import Options, Piece
    from schemacheck.inputs.source import Source

NAME = "table"
ABOUT = "ASCII tables of mysql -t: recognised and refused with a remedy"


def sniff(source: Source) -> int:
    """A frame of +, - and | around the first lines."""
    frame = r"^[^\S\n]*+\+-(?=[-+]{2})[-+]++(?<=\+)\s*+^\|"
    return 95 if re.search(frame, source.head[:4096], re.MULTILINE) else 0


def read(source: Source, options: Options) -> Iterable[Piece]:
    """Raises InputError, always."""
    del options
    raise InputError(
        f"{source.name}: an ASCII table (mysql -t) is not read: blanks, bars and newlines in values cannot "
        "be determined from its frame. "
        "Dump with mysql --batch instead, or better: schemacheck snapshot --print-sql | mysql -N --raw"
    )
