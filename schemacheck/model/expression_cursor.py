"""A place in the words of an expression."""

from __future__ import annotations

from schemacheck.model.expression_text import OF_JSON, Node, Unreadable
from schemacheck.model.words import MARIADB, MYSQL, tokens


class Cursor:
    """Tokens of one expression."""

    def __init__(self, text: str, modes: frozenset[str]) -> None:
        #: By tokens behind IS and predicates, how strongly operators bind that may not follow.
        self.closed: dict[int, int] = {}
        self.tokens = [*tokens(text, modes), ("end", "")]
        self.high_not = "HIGH_NOT_PRECEDENCE" in modes
        self.mysql, self.real_as_float = MYSQL in modes, "REAL_AS_FLOAT" in modes
        #: MySQL's JSON has TRUE; to everything else it is 1, as which MariaDB keeps it.
        self.has_true = MARIADB not in modes and OF_JSON.search(text) is not None
        self.at = 0
        self.depth = 0
        self.names: set[str] = set()

    def kind(self) -> str:
        """The kind of the token that comes next."""
        return self.tokens[self.at][0]

    def peek(self) -> str:
        """The word or operator that comes next, '' for anything else."""
        kind, value = self.tokens[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, *words: str) -> bool:
        """Consume these words if they come next."""
        if all(
            self.tokens[min(self.at + i, len(self.tokens) - 1)] in (("word", w), ("operator", w))
            for i, w in enumerate(words)
        ):
            self.at += len(words)
            return True
        return False

    def need(self, word: str) -> None:
        """Consume a word. Raises Unreadable."""
        if not self.take(word):
            raise Unreadable

    def expression(self, least: int) -> Node:
        """The expression that comes next, of operators that bind at least as `least` does."""
        raise NotImplementedError

    def listed(self) -> list[Node]:
        """The arguments up to the closing parenthesis."""
        raise NotImplementedError
