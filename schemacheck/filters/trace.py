"""What an evaluation says about itself: steps, in the order of the servers' procedure."""

from __future__ import annotations

import enum

from schemacheck.dataclass import dataclass


class Stage(enum.Enum):
    """Where a step happens."""

    SOURCE = "source"
    FORMAT = "format"
    RECEIVER = "receiver"
    REWRITE = "rewrite"
    DATABASE = "database"
    TABLE = "table"
    EXECUTE = "execute"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the procedure.

    `question` is the manual's, about this change; `answer` what came of it; `rule` the option that
    answered (`--replicate-do-db=db1`) or, where it is the absence of rules that decides, their name
    (`no --replicate-*-table options`), '' where nothing decided; `surprise` what people usually
    expect instead, else ''.
    """

    stage: Stage
    question: str
    answer: str
    rule: str = ""
    surprise: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something passes, by which rule, through which steps."""

    passes: bool
    rule: str
    steps: tuple[Step, ...] = ()
