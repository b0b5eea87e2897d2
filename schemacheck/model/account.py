"""What became of every file of an input: none is passed over without a word."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.location import Location

#: What is to be known about a file that has no statement.
EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class FileAccount:
    """One file (or server) that was seen.

    `path` is its name as messages have it; `read_as` the input format that read it, '' where it was not read;
    `why` says why it was not, or what is to be known about it. `doubtful`: it may hold definitions, and
    nobody read them (a problem of the input says so too). `count` is 1, or how many files an entry stands for
    (a folder of tools). `side` is `source` or `replica` in a report, else ''.
    """

    path: str
    read_as: str = ""
    why: str = ""
    doubtful: bool = False
    count: int = 1
    side: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """Statements of a script that the server may refuse for the rows that it meets, in front of definitions:
    they are taken to run. How many, and where the first is.
    """

    count: int
    first: Location
