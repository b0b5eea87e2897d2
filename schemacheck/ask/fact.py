"""A kept answer: one line of JSON that holds a question, the server's version, its answer, and when."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from schemacheck import __version__
from schemacheck.dataclass import dataclass
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.snapshot import Snapshot
from schemacheck.inputs.snapshot_queries import queries
from schemacheck.model import Server
from schemacheck.model.problem import Refusal
from schemacheck.model.question import Answer, Question

#: What a database is called that no text names.
DATABASE = "schemacheck"
#: The largest line in bytes.
LONGEST = 4 << 20
_KEYS = (
    "fact", "server", "version", "schemacheck", "asked",
    "settings", "databases", "before", "database", "statement", "answer", "seal",
)  # fmt: skip

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """`server` is the one that was asked, `key` the question as text, `release` that of schemacheck, `rows`
    those of each view of information_schema, `error` its refusal (number, text).
    """

    server: Server
    key: str
    release: str
    asked: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]] | None
    error: tuple[int, str] | None
    document: Json

    def answer(self, question: Question) -> Answer | None:
        """What it says to its question; None where its rows are not understood."""
        by, when = str(self.server), self.asked[:10]
        if self.error is not None:
            return Answer(by, when, refusal=Refusal(*self.error))
        assert self.rows is not None
        names = tuple(name or DATABASE for name, *_ in question.databases)
        views = {
            query.view: (
                query.columns,
                [tuple(map(row.get, query.columns)) for row in self.rows.get(query.view, ())],
            )
            for query in queries(self.server, names)
        }
        folds = self.server.with_told({n: v for n, v in question.settings if n == "lower_case_table_names"})
        pieces = Snapshot(by, when, 1, views).pieces()
        found = assemble(pieces, server=folds, name=by, allow_empty=True)
        if any(not problem.skipped for problem in found.problems):
            return None
        unnamed = {DATABASE for name, *_ in question.databases if name is None}
        tables = (one.named(None, one.name) if one.database in unnamed else one for one in found.tables)
        return Answer(by, when, tuple(tables))

    def line(self) -> str:
        """The line of the file, without its newline."""
        return json.dumps(self.document, ensure_ascii=False)


def asked(question: Question) -> Json:
    """The question as its line has it."""
    return {
        "settings": dict(question.settings),
        "databases": [list(one) for one in question.databases],
        "before": [list(one) for one in question.before],
        "database": question.database,
        "statement": question.statement,
    }


def key(question: Json) -> str:
    """One text for equal questions."""
    return json.dumps([question[name] for name in _KEYS[5:10]], sort_keys=True, ensure_ascii=False)


def fact(question: Question, server: Server, version: str, when: str, answer: Json) -> Fact:
    """What a server has just answered: `{"rows": {VIEW: [...]}}` or `{"error": NUMBER, "message": TEXT}`;
    `version` is its own word for itself.
    """
    document = {
        "fact": "definition", "server": f"{server.flavor}-{server.version_text}", "version": version,
        "schemacheck": __version__, "asked": when, **asked(question), "answer": answer,
    }  # fmt: skip
    return read(document | {"seal": seal(document)})


def seal(document: Mapping[str, Any]) -> str:
    """The SHA-256 (its first 16 digits) of a line without its own: a slip of the hand does not stay unseen.
    Who means to deceive writes another one.
    """
    rest = {name: value for name, value in document.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def read(document: object) -> Fact:
    """A line's document as a fact. Raises ValueError with what is wrong with it."""
    if not isinstance(document, dict) or set(document) != set(_KEYS):
        raise ValueError(f"a fact has the keys {', '.join(_KEYS)}, and no others")
    if document["fact"] != "definition":
        raise ValueError(f"the kind {document['fact']!r} is not known")
    if document["seal"] != seal(document):
        raise ValueError("its seal does not fit: it was changed by hand, or is damaged")
    texts = ("server", "version", "schemacheck", "asked", "statement")
    if not all(isinstance(document[name], str) for name in texts) or not _is_name(document["database"]):
        raise ValueError(f"{', '.join(texts)} are texts, database is a text or null")
    settings, databases, before = (document[name] for name in ("settings", "databases", "before"))
    if not isinstance(settings, dict) or not all(isinstance(one, str) for one in settings.values()):
        raise ValueError("settings are texts by name")
    if not _are_lists(databases, 3) or not _are_lists(before, 2):
        raise ValueError("databases and before are lists of names and texts")
    rows, error = _answer(document["answer"])
    server = Server.parse(document["server"])
    return Fact(server, key(document), document["schemacheck"], document["asked"], rows, error, document)


def _is_name(value: object) -> bool:
    return value is None or isinstance(value, str)


def _are_lists(value: object, width: int) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list)
        and len(one) == width
        and _is_name(one[0])
        and all(isinstance(t, str) for t in one[1:])
        for one in value
    )


def _answer(value: object) -> tuple[Any, tuple[int, str] | None]:
    """Rows and refusal of an answer, one of them None. Raises ValueError."""
    if isinstance(value, dict) and set(value) == {"error", "message"}:
        number, text = value["error"], value["message"]
        if type(number) is int and 0 < number < 1 << 16 and isinstance(text, str):
            return None, (number, text)
    if isinstance(value, dict) and set(value) == {"rows"} and isinstance(value["rows"], dict):
        given = value["rows"]
        plain = (str, int, float, type(None))
        if all(
            isinstance(view, list)
            and all(isinstance(row, dict) and all(isinstance(c, plain) for c in row.values()) for row in view)
            for view in given.values()
        ):
            return given, None
    raise ValueError('an answer is {"rows": {VIEW: [ROW, ...]}} or {"error": NUMBER, "message": TEXT}')
