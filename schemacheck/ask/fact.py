"""A kept answer: one line of JSON that holds a question, the server's version, its answer, and when."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from schemacheck import catalog
from schemacheck.catalog.asked import answered_by
from schemacheck.dataclass import dataclass, replace
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.snapshot import Snapshot
from schemacheck.inputs.snapshot_queries import queries
from schemacheck.model import Server, Table, TableKind
from schemacheck.model.problem import Refusal
from schemacheck.model.question import Answer, PairQuestion, Question
from schemacheck.version import __version__

#: What a database is called that no text names.
DATABASE = "schemacheck"
#: How SHOW CREATE TABLE prints, and what it prints is read: as it is, with nothing added.
_PLAIN = {"sql_mode": "", "foreign_key_checks": "0", "sql_generate_invisible_primary_key": "0"}
#: Letters that MariaDB loses in what it prints: `_utf8mb4'é'` of an expression is `_utf8mb4'xC3xA9'` there
#: (asked of 10.11), and backslashes are printed or not.
_LOST = re.compile(r"\\|_[a-z0-9]+'[^']*x[0-9A-F]{2}", re.ASCII)
#: The largest line in bytes.
LONGEST = 4 << 20
_HEADING = ("fact", "server", "version", "schemacheck", "asked")
#: The question of each kind of fact.
_ASKED = {"definition": ("settings", "databases", "before", "database", "statement"), "pair": ("question",)}
_NAME, _PLAIN_VALUE = (str, type(None)), (str, int, float, type(None))
_TABLES = {str: [[str], ([[_NAME]], str)]}
_ARRIVED = {"source?": _TABLES, "replica?": _TABLES, "refused?": [str], "link?": str}
#: What a line of each kind holds (`_fits`).
_SHAPES: dict[str, dict[str, Any]] = {
    "definition": {
        "settings": {str: str}, "databases": [[_NAME, str, str]], "before": [[_NAME, str]],
        "database": _NAME, "statement": str,
        "answer": (
            {"error": int, "message": str}, {"rows": {str: [{str: _PLAIN_VALUE}]}, "shown": {str: str}},
        ),
    },
    "pair": {
        "replica": {"server": str, "version": str}, "question": {str: object},
        "answer": (
            {"outcome": "applied", **_ARRIVED},
            {"outcome": "error", "errno": int, "message": str, **_ARRIVED},
        ),
    },
}  # fmt: skip

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """`server` was asked, `key` is the question. A definition's `answer` has `rows` of information_schema and
    `shown` (SHOW CREATE TABLE), or `error` and `message`.
    """

    server: Server
    key: str
    document: Json

    @property
    def ends(self) -> tuple[Server, ...]:
        """The servers that were asked: one, or source and replica."""
        other = self.document.get("replica")
        return (self.server, Server.parse(other["server"])) if other else (self.server,)

    def answer(self, question: Question) -> Answer | None:
        """What it says to its question; None where its rows are not understood, or contradict SHOW CREATE."""
        by, when, given = str(self.server), self.document["asked"][:10], self.document["answer"]
        if "error" in given:
            return Answer(by, when, refusal=Refusal(given["error"], given["message"]))
        names = tuple(name or DATABASE for name, *_ in question.databases)
        views = {
            query.view: (
                query.columns,
                [tuple(map(row.get, query.columns)) for row in given["rows"].get(query.view, ())],
            )
            for query in queries(self.server, names)
        }
        server = self.server.with_told(dict(question.settings) | _PLAIN)
        schema = assemble(Snapshot(by, when, 1, views).pieces(), server=server, name=by, allow_empty=True)
        if any(not problem.skipped for problem in schema.problems):
            return None
        unnamed = {DATABASE for name, *_ in question.databases if name is None}
        tables = []
        for item in schema.tables:
            table = self._shown(item, server)
            if table is None:
                return None
            tables.append(table.named(None, table.name) if table.database in unnamed else table)
        return Answer(by, when, tuple(tables))

    def _shown(self, table: Table, server: Server) -> Table | None:
        """A table as its definition has it, which tells more than rows do; as rows have it where that is not
        understood. None where the two differ, or may both have lost something.
        """
        text = self.document["answer"]["shown"].get(f"{table.database}.{table.name}")
        if text is None:
            return table if table.kind is not TableKind.TABLE else None
        with answered_by(None):
            made = catalog.read(f"{text};", server, database=table.database)
        if made.problems or len(made.tables) != 1:
            return None if server.mariadb and _LOST.search(text) else replace(table, opaque=True, shown=text)
        # Plans take what comes without a text for rows of a server.
        return replace(made.tables[0], text=None, ran=(), shown=text) if made.tables[0] == table else None

    def line(self) -> str:
        """The line of the file, without its newline."""
        return json.dumps(self.document, ensure_ascii=False)


def asked(question: Question | PairQuestion) -> Json:
    """The question as its line has it."""
    if isinstance(question, PairQuestion):
        return {"fact": "pair", "question": json.loads(question.text)}
    return {
        "settings": dict(question.settings),
        "databases": [list(database) for database in question.databases],
        "before": [list(name) for name in question.before],
        "database": question.database,
        "statement": question.statement,
    }


def key(question: Json) -> str:
    """One text for equal questions; `question` may be a line's whole document."""
    names = _ASKED[question.get("fact", "definition")]
    return json.dumps([question[name] for name in names], sort_keys=True, ensure_ascii=False)


def fact(question: Question, server: Server, version: str, when: str, answer: Json) -> Fact:
    """What a server answered: `{"rows", "shown"}` or `{"error", "message"}`; `version` is its own word."""
    return _new("definition", server, version, when, asked(question) | {"answer": answer})


def pair(
    source: tuple[Server, str], replica: tuple[Server, str], when: str, question: Json, answer: Json
) -> Fact:
    """What a channel has just done: servers with their words for themselves, a question, what arrived."""
    end = {"server": _named(replica[0]), "version": replica[1]}
    return _new("pair", *source, when, {"replica": end, "question": question, "answer": answer})


def _new(kind: str, server: Server, version: str, when: str, rest: Json) -> Fact:
    heading = (kind, _named(server), version, __version__, when)
    document = dict(zip(_HEADING, heading, strict=True)) | rest
    return read(document | {"seal": seal(document)})


def _named(server: Server) -> str:
    return f"{server.flavor}-{server.version_text}"


def seal(document: Mapping[str, Any]) -> str:
    """The first 16 digits of the SHA-256 of a line without its own: it finds slips, no deceit."""
    rest = {name: value for name, value in document.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def read(document: object) -> Fact:
    """A line's document as a fact. Raises ValueError with what is wrong with it."""
    kind = document.get("fact") if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(kind, str) or kind not in _ASKED:
        raise ValueError(f"the kind {kind!r} is not known")
    keys = (*_HEADING, *(("replica",) if kind == "pair" else ()), *_ASKED[kind], "answer", "seal")
    if set(document) != set(keys):
        raise ValueError(f"a fact has the keys {', '.join(keys)}, and no others")
    if document["seal"] != seal(document):
        raise ValueError("its seal does not fit: it was changed by hand, or is damaged")
    shapes = dict.fromkeys(_HEADING, str) | _SHAPES[kind]
    for name, shape in shapes.items():
        if not _fits(document[name], shape):
            raise ValueError(f"{name} is of another form")
    answer = document["answer"]
    tables = [table for side in ("source", "replica") for table in answer.get(side, {}).values()]
    # READ and an error may stand for the rows.
    uneven = (len(row) != len(columns) for columns, rows in tables if isinstance(rows, list) for row in rows)
    if not 0 < answer.get("error", 1) < 1 << 16 or any(uneven):
        raise ValueError("answer is of another form")
    made = Fact(Server.parse(document["server"]), key(document), document)
    made.ends  # noqa: B018 raises for another one that is not known
    return made


def _fits(value: object, shape: Any) -> bool:
    """Whether JSON data is of a type, is a text, or has one of several shapes (a tuple); a list of one shape
    stands for any number of it; `str` for any key, `NAME?` for one that may be left out.
    """
    if isinstance(shape, tuple):
        return any(_fits(value, item) for item in shape)
    if isinstance(shape, type):
        return shape is object or type(value) is shape
    if isinstance(shape, list) and isinstance(value, list):
        shapes = shape * len(value) if len(shape) == 1 else shape
        return len(value) == len(shapes) and all(map(_fits, value, shapes))
    if isinstance(shape, dict) and isinstance(value, dict):
        if str in shape:
            return all(_fits(item, shape[str]) for item in value.values())
        needed = {name for name in shape if not name.endswith("?")}
        wanted = {name.removesuffix("?"): item for name, item in shape.items()}
        return needed <= value.keys() and all(
            _fits(item, wanted.get(name, ())) for name, item in value.items()
        )
    return isinstance(shape, str) and value == shape
