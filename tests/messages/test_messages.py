"""The sentences of the program are those that were read: `python -m tests.messages`, then read the diff
aloud.
"""

from __future__ import annotations

import re

import pytest

from tests.messages import GOLDEN, listing, sentences

#: Words that say nothing to a reader who does not know the code, or that read as translated.
RIDDLES = (
    r"\bnobody told\b", r"\bin nowhere\b", r"\bstand in thought\b", r"\berrands?\b", r"\bcrew\b",
    r"\bessence\b",
    r"\bnames no server\b", r"\bNothing must be done\b", r"\bcannot be told\b", r"\bdoes not stop by\b",
    r"\bno order for everything\b", r"\bnot as many as\b", r"\bnot a int\b",
)  # fmt: skip


def test_the_listed_sentences_are_those_of_the_code() -> None:
    assert listing() == GOLDEN.read_text("utf-8"), "python -m tests.messages, and read the diff"


@pytest.mark.parametrize("riddle", RIDDLES)
def test_no_sentence_is_a_riddle(riddle: str) -> None:
    assert [line for line in GOLDEN.read_text("utf-8").splitlines() if re.search(riddle, line)] == []


def test_a_sentence_has_at_most_25_words() -> None:
    """Helps are laid out in lines, which the listing joins."""
    long, file = [], ""
    for line in GOLDEN.read_text("utf-8").splitlines():
        file = line.removeprefix("== ") if line.startswith("== ") else file
        if not file.startswith("schemacheck/cli/commands/"):
            long += [one for one in re.split(r"(?<=[.;:!?]) ", line) if len(one.split()) > 25]
    assert long == []


def test_what_a_sentence_is() -> None:
    text = (
        'M = f"{n} tables of {x!r} are kept"\nK = "KEY"\nP = re.compile("a b(?:c) d")\ndef f():\n    '
        '"A docstring here."\n'
    )
    assert list(sentences(text)) == ["{} tables of {} are kept"]
