"""What a team makes of findings: which it tolerates and why, which it knew before.

Effects are facts and stay as they are; policy only says what the gate does about them.
"""

from __future__ import annotations

import enum

from schemacheck.dataclass import dataclass
from schemacheck.model.location import Location


class ToleratedBy(enum.Enum):
    """Where a tolerance was written down; ROLLOUT: the change is rolled out in another order."""

    COMMENT = "comment"
    CONFIG = "config"
    BASELINE = "baseline"
    OPTION = "option"
    ROLLOUT = "rollout"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Why the gate lets a finding pass; `expires`: ISO date or None; `location`: where that is written."""

    by: ToleratedBy
    reason: str = ""
    location: Location | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """An entry of a baseline: a finding known by its fingerprint."""

    fingerprint: str
    code: str
    subject: str
    effect: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class SuppressionUse:
    """What became of one suppression, a comment or an entry of `tolerate:`, in a check.

    `what` names it ("suppression of SC204"), `correct` says how it is corrected; `matched` whether a finding
    was its; `ended` is the last day of an expired one (ISO), `wrong` says why a comment cannot be read,
    `untrusted` why it is not followed although it can be read.
    """

    what: str
    location: Location | None
    correct: str = ""
    matched: bool = False
    ended: str | None = None
    wrong: str = ""
    untrusted: str = ""
