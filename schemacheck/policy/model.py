"""What a team tolerates, and where that is written."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.config.model import Tolerated
from schemacheck.dataclass import dataclass
from schemacheck.model import Effect, KnownFinding
from schemacheck.model.policy import SuppressionUse


@dataclass(frozen=True, slots=True)
class Trusted:
    """`name` is the trusted place (`git:main`); `texts` are the input files as they are there, by their name
    in the change, None where the place has no versions of them; `differences` is what the change's own policy
    has beside the trusted one.
    """

    name: str
    texts: Mapping[str, str] | None = None
    differences: tuple[SuppressionUse, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything a team said. `texts` are the input files (name -> text) whose comments count;
    `known` is the baseline's content, None where there is none, `baseline_file` its name. `inline`: comments
    count; `needs_reason`: only those that give one; `trusted`: only those that the trusted place has as well.
    """

    fail_on: Effect = Effect.UNSUPPORTED
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tolerate: tuple[Tolerated, ...] = ()
    known: tuple[KnownFinding, ...] | None = None
    baseline_file: str = ""
    inline: bool = True
    needs_reason: bool = False
    trusted: Trusted | None = None
