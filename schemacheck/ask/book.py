"""The kept answers of a team: a file of facts, read, asked and written."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from schemacheck.ask import fact as facts
from schemacheck.ask.fact import Fact
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.model import Server
from schemacheck.model.question import Answer, PairQuestion, Question
from schemacheck.sql.words import cut_name
from schemacheck.system import git, whole_file
from schemacheck.text.printable import unique
from schemacheck.version import __version__

#: More lines are no file of facts.
MOST = 100_000


class Book:
    """The facts of a file, and those that were asked since. `catalog.asked.answered_by` takes one."""

    def __init__(self, given: Iterable[Fact] = ()) -> None:
        self._by_question: dict[str, list[Fact]] = defaultdict(list)
        self._answers: dict[Question, Answer | None] = {}
        #: What was asked for since `begin`: questions without an answer, and answers.
        self.open: dict[Question | PairQuestion, bool] = {}
        self.used: dict[Question | PairQuestion, Answer] = {}
        self.of_pairs = False
        for fact in given:
            self.of_pairs |= fact.document["fact"] == "pair"
            self._by_question[fact.key].append(fact)

    def add(self, fact: Fact) -> None:
        """A new fact; an older one of the same servers about the same question goes."""
        there = self._by_question[fact.key]
        there[:] = [*(other for other in there if other.ends != fact.ends), fact]
        self._answers.clear()

    def find(self, question: Question, *, refused: bool) -> Answer | None:
        """The answer of a server that is the same as the question's, in the facts of this release."""
        if question not in self._answers:
            fitting = self._fitting(question)
            self._answers[question] = fitting.answer(question) if fitting is not None else None
        answer = self._answers[question]
        if answer is None:
            self.open[question] = refused
        else:
            self.used[question] = answer
        return answer

    def arrived(self, question: PairQuestion) -> tuple[Answer, dict[str, Any]] | None:
        """What came of rows between two servers that are the same as the question's."""
        fitting = self._fitting(question)
        if fitting is None:
            self.open[question] = False
            return None
        answer = Answer(" to ".join(map(str, fitting.ends)), fitting.document["asked"][:10])
        self.used[question] = answer
        return answer, fitting.document["answer"]

    def begin(self) -> None:
        """Everything is decided anew."""
        self.open.clear()
        self.used.clear()

    @property
    def said(self) -> tuple[str, ...]:
        """What rests on answers: a sentence for each server that was asked, and day."""
        by_source: dict[str, dict[str, None]] = defaultdict(dict)
        for question, answer in self.used.items():
            name = cut_name(question.statement, None) if isinstance(question, Question) else None
            if answer.refusal is None and name is not None:
                by_source[answer.source][name[1]] = None
        return tuple(f"{', '.join(names)}: {source}" for source, names in by_source.items())

    def _fitting(self, question: Question | PairQuestion) -> Fact | None:
        """The fact that applies; None where none does, or several that contradict each other."""
        wanted = question.ends
        there = self._by_question.get(facts.key(facts.asked(question)), ())
        fit = [
            fact
            for fact in there
            if fact.document["schemacheck"] == __version__ and all(map(Server.answers_for, fact.ends, wanted))
        ]
        exact = [
            fact for fact in fit if [end.version for end in fact.ends] == [end.version for end in wanted]
        ]
        fit = exact or fit
        agree = all(fact.document["answer"] == fit[0].document["answer"] for fact in fit)
        return fit[0] if fit and agree else None

    @property
    def lines(self) -> list[str]:
        """The file's lines by question and server, not by when: branches that ask other things merge."""
        answers = (fact for there in self._by_question.values() for fact in there)
        return [fact.line() for fact in sorted(answers, key=lambda fact: (fact.key, *map(str, fact.ends)))]

    def write(self, place: Path) -> None:
        """Write the file. Raises InputError."""
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            whole_file.write(place, "".join(f"{line}\n" for line in self.lines).encode())
        except OSError as error:
            raise InputError(f"{place}: the answers cannot be kept: {error.strerror or error}") from None


def load(name: str) -> Book:
    """The facts of a file, by its path or as `git:REF:PATH`. Raises InputError, with the line."""
    content = git.read(name)
    lines = content.split(b"\n")
    if len(lines) > MOST:
        raise InputError(f"{name}: more than {MOST:,} lines")
    return Book(_read(name, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _read(name: str, number: int, line: bytes) -> Fact:
    if len(line) > facts.LONGEST:
        raise InputError(f"{name}:{number}: no fact: longer than {facts.LONGEST >> 20} MiB")
    try:
        return facts.read(json.loads(line, object_pairs_hook=unique))
    except (ValueError, RecursionError, SchemacheckError) as error:
        raise InputError(f"{name}:{number}: no fact: {error}; remove the line, then ask again") from None
