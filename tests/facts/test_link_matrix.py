"""The page of recorded links is the one that the recordings make."""

from __future__ import annotations

from tests.facts.link_matrix import PAGE, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == page(), "python -m tests.facts.link_matrix"
