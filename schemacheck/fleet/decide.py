"""Open pairs to the engine's answers, each distinct one once in a process. Decides nothing by itself.

Names take no part in an answer unless they are unusual: tables of shards share it under stand-ins for their
names, which are put back afterwards.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module, metadata, resources
from typing import TYPE_CHECKING, Any, NamedTuple

from schemacheck.dataclass import replace
from schemacheck.engine.gate import as_finding
from schemacheck.engine.pairing import Router
from schemacheck.fleet import columns, cut, definition
from schemacheck.knowledge import facts
from schemacheck.model import (
    Effect,
    Finding,
    ForeignKey,
    InputProblem,
    Link,
    PairReport,
    PairState,
    Table,
    Trigger,
)
from schemacheck.model.filters import FilterSet
from schemacheck.model.schema import without_unread_children
from schemacheck.system.collector import collector_paused
from schemacheck.version import __version__

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from schemacheck.fleet.pairs import Pair

#: Characters that stand for names in an answer that many pairs share: the source's database and table, the
#: replica's database and table.
_STAND_INS = tuple(map(chr, range(0x4DC0, 0x4DC4)))
#: These, then those of columns, and the number of each.
_SIGNS = (*_STAND_INS, *cut.STAND_INS)
_NUMBERS = {sign: number for number, sign in enumerate(_SIGNS)}
_SIGN = re.compile(f"[{''.join(_SIGNS)}]")
_ORDINARY = re.compile(r"[0-9A-Za-z_$]+\Z")
#: What a definition holds that names other tables: a line, or a value's class.
_FOREIGN = (
    *(
        definition.LINE + view.letter
        for view in (definition.BY_NAME["key_column_usage"], definition.INCOMING)
    ),
    f":{ForeignKey.__qualname__}",
)
#: Libraries that read what is compared.
_LIBRARIES = ("pyarrow", "sqlglot", "zstandard")
#: What holds statements, in which the table's own names may be.
_STATEMENTS = (f":{Trigger.__qualname__}", definition.VIEW_AS_JSON)

#: Fields of a finding, and of an answer, that may name a table.
_TEXTS = (
    "message", "column", "remedy", "remedy_sql", "error", "source_type", "replica_type", "setting",
    "example_source", "example_replica", "reference",
)  # fmt: skip
_REASONS = ("reason", "smallest_reason")

Answer = Mapping[str, Any]
_KEPT = 50_000


class Question(NamedTuple):
    """What the engine is asked about a pair: definitions, under these names (the source's database and table,
    the replica's). `key` stands for it in every run: equal keys, equal answers. `shared` says that all names
    are stand-ins.
    """

    key: str
    source: str
    replica: str | None
    names: tuple[str, str, str, str]
    shared: bool


#: A question, and what is left of the pair in it.
_Asked = tuple[Question, cut.Cut | None]


class _Made:
    """An answer that this process has got. `texts` are the fields in which stand-ins are, with the numbers of
    these: of the answer, then of each finding.
    """

    __slots__ = ("answer", "texts")

    def __init__(self, answer: Answer, *, shared: bool) -> None:
        self.answer = answer
        rows = [(answer, _REASONS), *((finding, _TEXTS) for finding in answer["findings"])]
        self.texts = [_stand_ins(row, names) if shared else () for row, names in rows]

    def named(self, names: Sequence[str], some: cut.Cut | None) -> Answer:
        """The answer about a whole pair, under its own names."""
        findings = [dict(finding) for finding in self.answer["findings"]]
        answer = {**self.answer, "findings": findings}
        for row, texts in zip((answer, *findings), self.texts, strict=True):
            if some is not None and row is not answer:
                cut.whole(some, row)
            for field, numbers in texts:
                # (No name has a stand-in in it (`_ORDINARY`), so one after the other is as good as all at
                # once, and `translate` costs ten times as much.)
                text = row[field]
                for n in numbers:
                    if n < len(names):
                        text = text.replace(_SIGNS[n], names[n])
                row[field] = text
        return answer


_Texts = Sequence[tuple[str, Sequence[int]]]


def _stand_ins(row: Answer, names: Sequence[str]) -> _Texts:
    some = [(name, text) for name in names if (text := row[name]) is not None and not text.isascii()]
    every = [(name, [_NUMBERS[sign] for sign in set(_SIGN.findall(text))]) for name, text in some]
    return [(name, numbers) for name, numbers in every if numbers]


#: Answers by the keys of questions.
_made: dict[str, _Made] = {}


def all_open(pairs: Sequence[Pair]) -> None:
    """Decide pairs: their `state`, `verdict`, `findings` and what goes with these are filled in."""
    if len(_made) > _KEPT:
        _made.clear()
    waiting = [(pair, _questions(pair)) for pair in pairs]
    while waiting:
        new: dict[str, tuple[Pair, Question]] = {}
        for pair, asked in waiting:
            for question, _ in asked:
                if question.key not in _made:
                    new.setdefault(question.key, (pair, question))
        with collector_paused():
            for (_, question), report in zip(new.values(), _reports(list(new.values())), strict=True):
                _made[question.key] = _Made(plain(report), shared=question.shared)
        waiting = [(pair, _questions(pair, apart=False)) for pair, asked in waiting if not _fill(pair, asked)]


def _own_names(pair: Pair) -> tuple[str, str, str, str]:
    source = pair.source
    assert source is not None
    return source.database, source.table, pair.replica_database, pair.replica_table


def _questions(pair: Pair, *, apart: bool = True) -> list[_Asked]:
    """What is asked about a pair: cut down and under stand-ins where its answers can serve every pair like it
    (one for each column that differs, or none `apart`), whole and under its own names where these mean
    something.
    """
    match, source, replica = pair.match, pair.source, pair.replica
    assert match is not None
    assert source is not None
    own = _own_names(pair)
    if replica is not None and not (match.partly or match.twin or match.unclear) and _ordinary(own):
        a, b, c, d = _STAND_INS
        names = a, b, a if own[0] == own[2] else c, b if own[1] == own[3] else d
        if some := cut.of(pair.stream, source, replica, apart=apart):
            return [(_of_shape(pair.stream.key, names, c.shape), c) for c in some]
        if _may_share(pair, source.text, replica.text):
            key = _key(rules_version(), pair.stream.key, *names, source.signature, replica.signature)
            return [(Question(key, source.text, replica.text, names, shared=True), None)]
    filters = "" if pair.stream.filters is None else repr(pair.stream.filters)
    near, twin = (f"{table.database}\x1e{table.name}" if table else "" for table in (match.near, match.twin))
    ends = (source.signature, replica.signature if replica else "")
    listed = (filters, match.partly, match.unclear, near, twin)
    key = _key(rules_version(), pair.stream.key, *ends, *own, *listed)
    text = None if replica is None else replica.text
    return [(Question(key, source.text, text, own, shared=False), None)]


def _of_shape(stream: str, names: tuple[str, str, str, str], shape: cut.Shape) -> Question:
    """The question about a shape, which is one of links of this key."""
    question: Question | None = shape.asked.get(names)
    if question is None:
        key = _key(rules_version(), stream, *names, shape.source, shape.replica)
        question = shape.asked[names] = Question(key, shape.source, shape.replica, names, shared=True)
    return question


def _key(*parts: str) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=65_536)
def _ordinary(names: tuple[str, str, str, str]) -> bool:
    """Whether names are none that mean something to the engine, nor differ in case only."""
    pairs = (names[::2], names[1::2])
    return all(map(_ORDINARY.match, names)) and not any(a != b and a.lower() == b.lower() for a, b in pairs)


def _may_share(pair: Pair, *texts: str) -> bool:
    """Whether nothing in whole definitions means a pair's names."""
    if pair.stream.filters is not None and any(sign in texts[0] for sign in _FOREIGN):
        return False
    return not any(
        definition.has_stand_in(text) or any(sign in text for sign in _STATEMENTS) for text in texts
    )


@lru_cache(maxsize=1)
def rules_version() -> str:
    """What answers depend on beside what is asked: the program, its facts, and what runs it."""
    entries = (__version__, *map(_library, _LIBRARIES), sys.version, unicodedata.unidata_version)
    digest = hashlib.sha256(repr(entries).encode())
    for name, source in sorted(_sources(resources.files("schemacheck"), "")):
        digest.update(f"{name} {len(source)}\n".encode() + source)
    digest.update(json.dumps(facts.documents(), sort_keys=True).encode())
    return digest.hexdigest()


def _library(name: str) -> str:
    """The version of a library, '' where it is not installed."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    # What comes in an archive has no metadata.
    with contextlib.suppress(ImportError):
        return str(import_module(name).__version__)
    return ""


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """All modules of the package."""
    for resource in folder.iterdir():
        if resource.name.endswith(".py"):
            yield f"{name}/{resource.name}", resource.read_bytes()
        elif resource.is_dir() and resource.name != "__pycache__":
            yield from _sources(resource, f"{name}/{resource.name}")


def _reports(
    new: Sequence[tuple[Pair, Question]], unread: Sequence[InputProblem] = ()
) -> Iterable[PairReport]:
    """The engine's reports."""
    read = definition.read(
        (server, text)
        for pair, question in new
        for server, text in (
            (pair.stream.dumped.source, question.source),
            (pair.stream.dumped.replica, question.replica),
        )
        if text is not None
    )
    for pair, question in new:
        link, text = pair.stream.dumped, question.replica
        replica = None if text is None else read[link.replica, text]
        ends = read[link.source, question.source], replica
        source, replica = (
            without_unread_children((end,), unread)[0] if isinstance(end, Table) else end for end in ends
        )
        assert source is not None
        yield _report(pair, question.names, source, replica)


def whole(pairs: Sequence[Pair], unread: Sequence[InputProblem] = ()) -> list[PairReport]:
    """The engine's reports about whole tables under their own names, to which no `unread` ones refer."""
    texts = [
        (pair, pair.source.text, None if pair.replica is None else pair.replica.text)
        for pair in pairs if pair.source is not None
    ]  # fmt: skip
    asked = [(p, Question("", s, r, _own_names(p), shared=False)) for p, s, r in texts]
    return list(_reports(asked, unread))


def tell(pair: Pair, report: PairReport) -> None:
    """Give a pair a report of its own."""
    answer = plain(report)
    pair.decided_by, pair.decision = "engine", _key(pair.decision or "", json.dumps(answer))
    _give(pair, answer)


def _give(pair: Pair, answer: Answer) -> None:
    pair.state, pair.verdict, pair.reason = answer["state"], answer["verdict"], answer["reason"]
    pair.smallest, pair.outcomes = answer["smallest"], answer["outcomes"]
    pair.smallest_reason, pair.findings = answer["smallest_reason"], answer["findings"]


def _report(
    pair: Pair,
    names: tuple[str, str, str, str],
    source: Table | InputProblem,
    replica: Table | InputProblem | None,
) -> PairReport:
    from schemacheck import engine

    database, name = names[0] or None, names[1]
    unread = next((side for side in (source, replica) if isinstance(side, InputProblem)), None)
    if unread is not None:
        end = "source" if unread is source else "replica"
        text = f"on the {end}: {unread.message}"
        problem = replace(unread, message=text, database=database, table=name, location=None)
        return PairReport(database, name, PairState.UNREADABLE, (as_finding(problem),), reason=text)
    assert isinstance(source, Table)
    assert pair.match is not None
    ours = source.named(database, name)
    theirs = replica.named(names[2] or None, names[3]) if isinstance(replica, Table) else None
    router = _router(pair.stream.link, pair.stream.filters)
    hidden = router.hidden_parents(ours, theirs)
    return engine.check_match(
        replace(pair.match, source=router.sent(ours), replica=theirs, hidden_parents=hidden)
    )


@lru_cache(maxsize=64)
def _router(link: Link, filters: FilterSet | None) -> Router:
    return Router(link, filters)


def _fill(pair: Pair, asked: Sequence[_Asked]) -> bool:
    """Give a pair its answers; whether they tell all about it together."""
    own = _own_names(pair)
    answers = [
        _made[question.key].named((*own, *some.names) if some else own, some) for question, some in asked
    ]
    answer, pair.decision = answers[0], asked[0][0].key
    if len(answers) > 1:
        block = pair.source and pair.source.block
        composed = cut.together(answers, block.names if block else ())
        if composed is None:
            return False
        answer, pair.decision = composed, _key(*(question.key for question, _ in asked))
    pair.decided_by = "engine"
    _give(pair, answer)
    return True


@lru_cache(maxsize=4096)
def outcomes(result: tuple[tuple[str, Effect], ...]) -> str:
    """What becomes of a pair under every setting, as text: of many pairs it is the same."""
    return ";".join(f"{modes}={effect.value}" for modes, effect in result)


def plain(report: PairReport) -> dict[str, Any]:
    """A pair's report as plain values."""
    smallest = report.smallest
    return {
        "verdict": report.verdict.value,
        "state": report.state.value,
        "reason": report.reason or None,
        "smallest": smallest.modes if smallest else None,
        "smallest_reason": (smallest.reason or None) if smallest else None,
        "outcomes": outcomes(smallest.outcomes) if smallest else None,
        "findings": [_finding(finding) for finding in report.findings],
    }


#: What is told of a finding by others.
_LATER = dict.fromkeys((*(column.name for column in columns.EVIDENCE), "fingerprint"))


def _finding(f: Finding) -> dict[str, Any]:
    """Its columns in their order."""
    return {
        "code": f.code, "rule": f.rule, "effect": f.effect.value, "message": f.message,
        "column": f.column,
        "source_type": f.source.text, "replica_type": f.replica.text,
        "source_ordinal": f.source.location.ordinal if f.source.location else None,
        "replica_ordinal": f.replica.location.ordinal if f.replica.location else None,
        "errno": f.error.number if f.error else None, "error": f.error.message if f.error else None,
        "error_symbol": f.error.symbol or None if f.error else None,
        "depends_on_rows": f.depends_on_rows,
        "setting": f.setting, "remedy": f.remedy or None, "remedy_sql": f.remedy_sql,
        "example_source": f.example.source if f.example else None,
        "example_replica": f.example.replica if f.example else None,
        "reference": f.reference or None,
        **_LATER,
    }  # fmt: skip
