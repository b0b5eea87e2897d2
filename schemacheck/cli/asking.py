"""--ask: what is decided without a server first, then its questions are asked, and it is decided again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from schemacheck import knowledge
from schemacheck.cli import live_access, trust
from schemacheck.cli.streams import complain
from schemacheck.config.discovery import FACTS
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs import is_dsn
from schemacheck.model.quantity import plural
from schemacheck.system import git

if TYPE_CHECKING:
    import argparse

    from schemacheck.ask.asking import Asker
    from schemacheck.ask.book import Book
    from schemacheck.ask.fact import Fact
    from schemacheck.catalog.asked import Answers
    from schemacheck.config.model import Config
    from schemacheck.inputs.endpoint import Access
    from schemacheck.model import Link
    from schemacheck.model.question import PairQuestion, Question
    from schemacheck.prove.doubt import Doubts

T = TypeVar("T")

#: So many reasons why there is no answer are told.
_MOST = 10
#: Seconds for a pair on its servers.
_SECONDS = 60.0


#: The option of every command that can ask.
OPTIONS = f"""
--ask WHERE  a server for what is unknown: local; docker:IMAGE; mysql://user@host/ (one that may be lost).
             Its answers are kept in {FACTS}
"""


class Asking:
    """What is decided with kept answers and, with --ask, new ones; else it counts open questions."""

    def __init__(self, answers: Answers, ask: Callable[[list[Question | PairQuestion]], bool] | None) -> None:
        self._answers, self._ask = answers, ask
        #: Whether all was understood in the end: a reading as another server's may have opened questions.
        self._understood = False

    def decided(self, decide: Callable[[], T]) -> T:
        """What `decide` makes of the answers, until nothing is answered any more. Raises InputError."""
        from schemacheck.model import Report

        tried: set[Question | PairQuestion] = set()
        while True:
            self._answers.begin()
            t = decide()
            fresh = self._fresh(tried)
            while self._ask is not None and fresh and not self._ask(fresh):
                tried.update(fresh)
                fresh = self._fresh(tried)
            if self._ask is None or not fresh:
                self._understood = isinstance(t, Report) and all(problem.skipped for problem in t.problems)
                return t
            tried.update(fresh)

    def _fresh(self, tried: set[Question | PairQuestion]) -> list[Question | PairQuestion]:
        """What is open and was not asked: of definitions first, which make the tables of pairs."""
        from schemacheck.model.question import Question

        left = knowledge.load("questions")["questions"] - len(tried)
        fresh = [item for item in self._answers.open if item not in tried][:left]
        return [question for question in fresh if isinstance(question, Question)] or fresh

    @property
    def said(self) -> tuple[str, ...]:
        """What of the last decision rests on answers, in sentences."""
        return self._answers.said

    def hint(self) -> None:
        """Say, where nobody was asked, that a server would know more."""
        from schemacheck.model.question import Question

        left = [isinstance(item, Question) for item, refused in self._answers.open.items() if not refused]
        if self._ask is None and not self._understood and (count := left.count(True)):
            what = plural(count, "statement")
            complain(f"note: {what} not understood: --ask local lets a server of this version say")
        elif self._ask is None and (count := left.count(False)):
            complain(f"note: {plural(count, 'pair')} not decided: --ask local runs its rows")


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

            book.of_pairs = True
            asker = Asker(where, _access(args, configured=configured), stack)
            ask = partial(_ask, book, asker, partial(_arrived, where, stack, {}), path)
        stack.enter_context(answered_by(answers))
        yield (result := Asking(answers, ask))
    result.hint()


def _ask(
    book: Book,
    asker: Asker,
    arrived: Callable[[PairQuestion], Fact | str],
    path: Path,
    questions: list[Question | PairQuestion],
) -> bool:
    from schemacheck.ask.book import Book, load
    from schemacheck.model.question import Question

    fresh, why = [], dict[str, str]()
    given = [question for question in questions if isinstance(question, Question)]
    result: list[tuple[str, Fact | str]] = [(question.statement, item) for question, item in asker.ask(given)]
    result += [
        (question.about[0].name, arrived(question))
        for question in questions
        if not isinstance(question, Question)
    ]
    for name, answer in result:
        if isinstance(answer, str):
            why.setdefault(answer, " ".join(name.split())[:80])
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


def _arrived(
    where: str, stack: ExitStack, doubts: dict[Link, Doubts | str], question: PairQuestion
) -> Fact | str:
    """What came of a pair between two servers of its versions, which are started for the link's first one."""
    from schemacheck.ask import fact

    link = question.about[2].link
    try:
        if link not in doubts:
            doubts[link] = _doubts(where, stack, link)
        ends = doubts[link]
        answer = ends if isinstance(ends, str) else ends.ask(question)
        if isinstance(ends, str) or isinstance(answer, str):
            return str(answer)
    except (InputError, UsageError) as error:
        doubts[link] = str(error)
        return str(error)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    source, replica = ((end.server, end.version) for end in ends.ends)
    return fact.pair(source, replica, when, json.loads(question.text), answer)


def _doubts(where: str, stack: ExitStack, link: Link) -> Doubts:
    from schemacheck.inputs.connection import connected
    from schemacheck.prove.doubt import Doubts
    from schemacheck.prove.scratch import Scratch
    from schemacheck.scratch import start
    from schemacheck.scratch.where import maker_of

    if where.partition(":")[0] != "local":
        raise UsageError("pairs are asked of servers that --ask local starts")
    makers = maker_of(where, link.source), maker_of(where, link.replica)
    endpoints = stack.enter_context(start.pair(*makers))
    sessions = [stack.enter_context(connected(end, _SECONDS)) for end in endpoints]
    first, second = (Scratch(session, own=True) for session in sessions)
    return Doubts((first, second))


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
