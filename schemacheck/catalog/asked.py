"""What a script's statement makes of tables where the model does not know it: the question, and its answer.

Answers come from outside (`answered_by`): this part reads none and asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Protocol

from schemacheck import knowledge
from schemacheck.catalog.context import Place
from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import replace
from schemacheck.knowledge import characters
from schemacheck.model.program import Ran
from schemacheck.model.question import Answer, PairQuestion, Question
from schemacheck.model.server import Server
from schemacheck.model.variable import folded
from schemacheck.sql.client import Statement
from schemacheck.sql.lexer import Refused, tokens_of
from schemacheck.sql.words import Name, first_words, object_of

#: What is asked: statements that change one table.
_KINDS = frozenset((("CREATE", "TABLE"), ("ALTER", "TABLE"), ("CREATE", "INDEX"), ("DROP", "INDEX")))
_DATA = (["INSERT"], ["REPLACE"], ["UPDATE"], ["DELETE"], ["SELECT"])


class Answers(Protocol):
    """Answers that somebody has. Since `begin`, `open` are the questions to which there was none, and whether
    the model takes the statement to be refused; `said` says in sentences what rests on the others.
    """

    open: dict[Question | PairQuestion, bool]
    #: Whether there may be answers about pairs.
    of_pairs: bool

    def begin(self) -> None:
        """Everything is decided anew."""

    def find(self, question: Question, *, refused: bool) -> Answer | None:
        """The answer to exactly this question, or None. `refused`: to the model the server refuses it."""

    def arrived(self, question: PairQuestion) -> tuple[Answer, dict[str, Any]] | None:
        """Who was asked and when (no tables), and what came of it as a fact has it; None as above."""

    @property
    def said(self) -> tuple[str, ...]:
        """What rests on answers."""


class NoAnswers:
    """Nobody has any."""

    said = ()
    of_pairs = False

    def __init__(self) -> None:
        self.open: dict[Question | PairQuestion, bool] = {}

    def begin(self) -> None:
        """As `Answers`."""
        self.open.clear()

    def arrived(self, question: PairQuestion) -> None:
        """As `Answers`."""

    def find(self, question: Question, *, refused: bool) -> None:
        """As `Answers`."""
        self.open[question] = refused


_ANSWERS: ContextVar[Answers | None] = ContextVar("answers of servers", default=None)


@contextmanager
def answered_by(answers: Answers | None) -> Iterator[None]:
    """Definitions that are not understood are taken as these answers have them, until the block's end."""
    token = _ANSWERS.set(answers)
    try:
        yield
    finally:
        _ANSWERS.reset(token)


@contextmanager
def aside() -> Iterator[None]:
    """What is read in this block, to find out something else, leaves no question open."""
    answers = _ANSWERS.get()
    before = dict(answers.open) if answers is not None else {}
    yield
    if answers is not None:
        answers.open = before


def given() -> Answers | None:
    """The answers of this block."""
    return _ANSWERS.get()


def are_there() -> bool:
    """Whether somebody has answers."""
    return not isinstance(_ANSWERS.get(), NoAnswers | None)


def settle(catalog: Catalog, statement: Statement, text: str, seen: int) -> None:
    """A definition, `text` to its server, left problems behind the `seen` first ones: its answer takes their
    place, where somebody has answers. What depends on no server (a missing table, a text that is cut off) is
    no question.
    """
    answers, problems, words = _ANSWERS.get(), catalog.problems[seen:], first_words(text)
    kind = words[0], object_of(words)
    if answers is None or kind not in _KINDS or "TEMPORARY" in words[:3]:
        return
    if catalog.drafts and not _is_parsed(catalog, text, *kind):
        return  # who plans must know what a statement does, not only what it leads to
    if statement.open is not None or isinstance(catalog.lines, Place):
        return
    if any(
        problem.skipped or (problem.refusal and problem.refusal.number in _about_others())
        for problem in problems
    ):
        return
    lost = [catalog.key(problem.database, problem.table) for problem in problems if problem.table is not None]
    asked = _question(answers, catalog, statement.text, lost) if lost else None
    refused = all(problem.refusal is not None for problem in problems)
    answer = answers.find(asked, refused=refused) if asked is not None else None
    if answer is None:
        return
    if answer.refusal is not None:
        sentence = f"{answer.refusal.message} [error {answer.refusal.number}] ({answer.source})"
        catalog.problems[seen:] = [
            replace(problems[0], code="SC002", message=sentence, refusal=answer.refusal)
        ]
        return
    del catalog.problems[seen:]
    try:
        _take(catalog, statement, answer, lost)
    except Refused as refusal:
        catalog.fail(refusal, statement, (problems[0].database, problems[0].table or ""))


def _is_parsed(catalog: Catalog, text: str, verb: str, what: str) -> bool:
    from schemacheck.sql.ddl.parse import definition

    try:
        definition(catalog.tokens(text), catalog.flavor, verb, what)
    except Refused:
        return False
    return True


def followed(catalog: Catalog, text: str, verb: str, what: str) -> None:
    """Raise Refused for a definition that names a table of which only its rows are known."""
    words = _words(text, catalog.server) or frozenset()
    if (verb, what) in _KINDS and any(
        catalog.key(key[0], word) == key for key in catalog.opaque for word in words
    ):
        raise Refused("what becomes of a table that a server has told: only a server can tell", 0)


def about_data(catalog: Catalog, statement: Statement) -> Question | None:
    """Whether a statement of data, or a view, runs; None where that depends on rows or the session."""
    answers, words = _ANSWERS.get(), first_words(statement.text)
    if answers is None or "@" in statement.text or isinstance(catalog.lines, Place):
        return None
    if words[:1] not in _DATA and object_of(words) != "VIEW":
        return None
    if any(table.triggers for table in catalog.tables.values()):
        return None
    return _question(answers, catalog, statement.text, ())


def left(question: Question | None, why: str) -> str:
    """`why` it is not sure that a server runs a statement, or its refusal; '' where one has run it."""
    answers = _ANSWERS.get()
    answer = answers.find(question, refused=False) if answers is not None and question is not None else None
    if answer is None or answer.refusal is None:
        return why if answer is None else ""
    return f"{answer.refusal.message} [error {answer.refusal.number}] ({answer.source})"


def _take(catalog: Catalog, statement: Statement, answer: Answer, lost: list[Name]) -> None:
    """The tables that the statement made or changed. Raises Refused for a constraint's name twice."""
    changed = {catalog.key(table.database, table.name) for key in lost for table in catalog.children(key)}
    changed.update(lost)
    catalog.failed.difference_update(lost)
    place = catalog.lines.at(statement.start, statement.start + 1)
    for table in answer.tables:
        key = catalog.key(table.database, table.name)
        if key in changed or key not in catalog.tables:
            catalog.taken(table)
            # Under a new name it is the table that was altered.
            past = (catalog.lost.get(name) for name in (key, *lost))
            before = catalog.tables.get(key) or next(filter(None, past), None)
            columns = tuple(replace(column, location=place) for column in table.columns)
            triggers, ran = (before.triggers, before.ran) if before is not None else ((), ())
            catalog.put(
                replace(
                    table, columns=columns, location=place, asked=answer.source, triggers=triggers, ran=ran
                )
            )


@lru_cache(maxsize=1)
def _about_others() -> frozenset[int]:
    return frozenset(knowledge.load("questions")["about-others"])


def _question(answers: Answers, catalog: Catalog, text: str, lost: Sequence[Name]) -> Question | None:
    """The statement with the definitions that its tables are made of; None where these are not known, too
    many, or ran under other settings, and where enough is open.
    """
    limits = knowledge.load("questions")
    if len(answers.open) >= limits["questions"] or len(catalog.homes) > limits["databases"]:
        return None
    ran: set[Ran] = set()
    todo, names = [(text, catalog.server)], set[Name]()
    while todo:
        words = _words(*todo.pop())
        if words is None:
            return None
        keys = {catalog.key(home, word) for home in (catalog.database, *catalog.homes) for word in words}
        if not catalog.failed.isdisjoint(keys - catalog.fresh):
            return None
        for key in keys - names:
            table = catalog.tables.get(key) or (catalog.lost.get(key) if key in lost else None)
            if table is None:
                continue
            names.add(key)
            for item in (table, *catalog.children(key)):
                if not item.ran:
                    return None
                # Tables that named no database may have been placed in one since.
                made = {past if past.database else replace(past, database=item.database) for past in item.ran}
                todo += [(past.text, past.server) for past in made - ran]
                ran |= made
        if len(ran) > limits["statements"]:
            return None
    before = sorted(ran, key=lambda past: past.number)
    settings = settings_of(catalog.server)
    size = len(text) + sum(len(past.text) for past in before)
    if size > limits["characters"] or any(settings_of(past.server) != settings for past in before):
        return None
    home = catalog.charset(catalog.database)
    if "?" in (home[0], *(value for _, value in settings)):  # it is not known here
        return None
    databases: dict[str | None, tuple[str, str]] = {catalog.database: home}
    for past in before:
        if databases.setdefault(past.database, past.charset) != past.charset:
            return None
    for database, _ in lost:
        databases.setdefault(database, catalog.charset(database))
    return Question(
        replace(catalog.server, settings=()),
        settings,
        tuple((name, *charset) for name, charset in databases.items()),
        tuple((past.database, characters.strip(past.text)) for past in before),
        catalog.database,
        characters.strip(text),
    )


@lru_cache(maxsize=1024)
def _words(text: str, server: Server) -> frozenset[str] | None:
    """What may be names in a statement; None where it cannot be cut, or lacks a parenthesis."""
    try:
        tokens = tokens_of(text, server)
    except Refused:
        return None
    if tokens.words.count("(") != tokens.words.count(")"):
        return None
    return frozenset(tokens.items[at].text for at in range(tokens.size))


@lru_cache(maxsize=64)
def settings_of(server: Server) -> tuple[tuple[str, str], ...]:
    """The variables of a session and its server on which definitions depend, in one spelling, sorted."""
    names = knowledge.load("questions")
    result = {name: server.setting(name) for name in (*names["session"], *names["server"])}
    result["sql_mode"] = ",".join(
        sorted(word for word in server.setting("sql_mode").upper().split(",") if word)
    )
    return tuple(sorted((name, folded(value)) for name, value in result.items() if value))
