"""--ask: what is decided without a server first, then its questions are asked, and it is decided again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from schemacheck import knowledge
from schemacheck.cli import live_access, trust
from schemacheck.cli.streams import complain
from schemacheck.config.discovery import FACTS
from schemacheck.errors import UsageError
from schemacheck.inputs import is_dsn
from schemacheck.model.quantity import plural
from schemacheck.system import git

if TYPE_CHECKING:
    import argparse

    from schemacheck.ask.asking import Asker
    from schemacheck.ask.book import Book
    from schemacheck.catalog.asked import Answers
    from schemacheck.config.model import Config
    from schemacheck.inputs.endpoint import Access
    from schemacheck.model.question import Question

T = TypeVar("T")

#: So many reasons why there is no answer are told.
_MOST = 10


#: The option of every command that can ask.
OPTIONS = f"""
--ask WHERE  a server for what is unknown: local; docker:IMAGE; mysql://user@host/ (one that may be lost).
             Its answers are kept in {FACTS}
"""


class Asking:
    """What is decided with kept answers and, with --ask, new ones; else it counts open questions."""

    def __init__(self, answers: Answers, ask: Callable[[list[Question]], bool] | None) -> None:
        self._answers, self._ask = answers, ask

    def decided(self, decide: Callable[[], T]) -> T:
        """What `decide` makes of the answers, until nothing is answered any more. Raises InputError."""
        tried: set[Question] = set()
        while True:
            self._answers.begin()
            t = decide()
            fresh = self._fresh(tried)
            while self._ask is not None and fresh and not self._ask(fresh):
                tried.update(fresh)
                fresh = self._fresh(tried)
            if self._ask is None or not fresh:
                return t
            tried.update(fresh)

    def _fresh(self, tried: set[Question]) -> list[Question]:
        """What is open and was not asked."""
        left = knowledge.load("questions")["questions"] - len(tried)
        return [item for item in self._answers.open if item not in tried][:left]

    @property
    def said(self) -> tuple[str, ...]:
        """What of the last decision rests on answers, in sentences."""
        return self._answers.said

    def hint(self) -> None:
        """Say, where nobody was asked, that a server would know more."""
        if self._ask is None and (count := list(self._answers.open.values()).count(False)):
            what = plural(count, "statement")
            complain(f"note: {what} not understood: --ask local lets a server of this version say")


@contextmanager
def asking(args: argparse.Namespace, config: Config | None) -> Iterator[Asking]:
    """Answers for a block, then a remark about open ones. Raises InputError, UsageError."""
    from schemacheck.catalog.asked import NoAnswers, answered_by

    where, configured = _where(args, config)
    file, path = _files(config)
    answers: Answers = NoAnswers()
    ask = None
    with ExitStack() as stack:
        if where or file:
            from schemacheck.ask.book import Book, load

            answers = book = load(file) if file else Book()
        if where:
            from schemacheck.ask.asking import Asker

            ask = partial(_ask, book, Asker(where, _access(args, configured=configured), stack), path)
        stack.enter_context(answered_by(answers))
        yield (result := Asking(answers, ask))
    result.hint()


def _ask(book: Book, asker: Asker, path: Path, questions: list[Question]) -> bool:
    from schemacheck.ask.book import Book, load

    fresh, why = [], dict[str, str]()
    for question, answer in asker.ask(questions):
        if isinstance(answer, str):
            why.setdefault(answer, " ".join(question.statement.split())[:80])
        else:
            fresh.append(answer)
    for reason, text in list(why.items())[:_MOST]:
        complain(f"note: no answer to {text}: {reason}")
    if fresh:
        there = load(str(path)) if path.is_file() else Book()
        for fact in fresh:
            book.add(fact)
            there.add(fact)
        there.write(path)
    return bool(fresh)


def _where(args: argparse.Namespace, config: Config | None) -> tuple[str | None, bool]:
    """Whom to ask, and whether the configuration says so. Raises UsageError for its DSN that nobody has
    allowed, and for a program or an image: a checkout would choose what runs.
    """
    if args.ask is not None:
        if args.ask and not is_dsn(args.ask) and args.ask.partition(":")[0] not in ("local", "docker"):
            raise UsageError(f"--ask {args.ask}: write local, local:PATH, docker:IMAGE or mysql://user@host/")
        return args.ask or None, False
    if config is None or config.ask is None:
        return None, False
    if is_dsn(config.ask.value) and not hasattr(args, "allow_dsn"):
        raise UsageError(f"{config.ask.location}: this command follows no DSN of a configuration: give --ask")
    if not is_dsn(config.ask.value) and config.ask.value != "local":
        raise UsageError(
            f"{config.ask.location}: a configuration asks `local` or a DSN; a program or an image is named "
            "with --ask"
        )
    live_access.check_configured(config.ask.value, str(config.ask.location), args)
    return config.ask.value, True


def _access(args: argparse.Namespace, *, configured: bool) -> Access:
    """How a server that is named by its DSN is asked: a configuration gets no password."""
    from schemacheck.inputs.endpoint import PASSWORD_VARIABLE, Access

    given = () if configured else (PASSWORD_VARIABLE,)
    return Access(None if configured else getattr(args, "defaults_file", None), given)


def _files(config: Config | None) -> tuple[str | None, Path]:
    """The file of kept answers, None where there is none, and where new ones go. Under a configuration of a
    commit that commit's answers hold: a change does not bring its own.
    """
    beside = config.file if config else ""
    here = trust.folder(beside) / FACTS if beside else Path(FACTS)
    if not git.is_located(beside):
        return (str(here) if here.is_file() else None), here
    name = git.beside(beside, FACTS)
    commit, path = git.located(name)
    return (name if commit.file(path) is not None else None), here
