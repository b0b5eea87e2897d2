"""The examples in the docstrings of rules about statements (SC8xx)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemacheck.rules import all_rules

_SECTION = re.compile(r"^## Example\n(.*?)(?=^## )", re.DOTALL | re.MULTILINE)
_ENDS = re.compile(r"^    source:(.*?)^    replica:(.*?)(?=^\S|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StatementExample:
    """Both ends' definitions, the statements, and what is written behind them."""

    code: str
    source: str
    replica: str
    statements: tuple[str, ...]
    words: str


def of(code: str, text: str) -> StatementExample:
    """A rule's example; `text` is its docstring."""
    section = _SECTION.search(text)
    assert section is not None, code
    ends = _ENDS.search(section[1])
    assert ends is not None, code
    behind = section[1][ends.end() :]
    run = re.search(r"`([^`]+)`", behind)
    assert run is not None, f"{code}: no statement"
    source, replica = (" ".join(part.split()) for part in ends.groups())
    words = " ".join(behind[run.end() :].split())
    return StatementExample(code, source, replica, tuple(" ".join(run[1].split()).split("; ")), words)


EXAMPLES = {rule.code: of(rule.code, rule.doc) for rule in all_rules() if rule.code.startswith("SC80")}
