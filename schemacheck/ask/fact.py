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
from schemacheck.model.question import Answer, Question
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
#: The question.
_ASKED = ("settings", "databases", "before", "database", "statement")
_NAME, _PLAIN_VALUE = (str, type(None)), (str, int, float, type(None))
#: What a line holds (`_fits`).
_SHAPE: dict[str, Any] = dict.fromkeys(_HEADING, str) | {
    "settings": {str: str}, "databases": [[_NAME, str, str]], "before": [[_NAME, str]],
    "database": _NAME, "statement": str,
    "answer": ({"error": int, "message": str}, {"rows": {str: [{str: _PLAIN_VALUE}]}, "shown": {str: str}}),
}  # fmt: skip

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """`server` was asked, `key` is the question. `answer` has `rows` of information_schema and `shown` (SHOW
    CREATE TABLE), or `error` and `message`.
    """

    server: Server
    key: str
    document: Json

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


def asked(question: Question) -> Json:
    """The question as its line has it."""
    return {
        "settings": dict(question.settings),
        "databases": [list(database) for database in question.databases],
        "before": [list(name) for name in question.before],
        "database": question.database,
        "statement": question.statement,
    }


def key(question: Json) -> str:
    """One text for equal questions; `question` may be a line's whole document."""
    return json.dumps([question[name] for name in _ASKED], sort_keys=True, ensure_ascii=False)


def fact(question: Question, server: Server, version: str, when: str, answer: Json) -> Fact:
    """What a server answered: `{"rows", "shown"}` or `{"error", "message"}`; `version` is its own word."""
    heading = ("definition", f"{server.flavor}-{server.version_text}", version, __version__, when)
    document = dict(zip(_HEADING, heading, strict=True)) | asked(question) | {"answer": answer}
    return read(document | {"seal": seal(document)})


def seal(document: Mapping[str, Any]) -> str:
    """The first 16 digits of the SHA-256 of a line without its own: it finds slips, no deceit."""
    rest = {name: value for name, value in document.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def read(document: object) -> Fact:
    """A line's document as a fact. Raises ValueError with what is wrong with it."""
    if not isinstance(document, dict) or document.get("fact") != "definition":
        raise ValueError("its kind is not known")
    keys = (*_HEADING, *_ASKED, "answer", "seal")
    if set(document) != set(keys):
        raise ValueError(f"a fact has the keys {', '.join(keys)}, and no others")
    if document["seal"] != seal(document):
        raise ValueError("its seal does not fit: it was changed by hand, or is damaged")
    for name, shape in _SHAPE.items():
        if not _fits(document[name], shape):
            raise ValueError(f"{name} is of another form")
    if not 0 < document["answer"].get("error", 1) < 1 << 16:
        raise ValueError("answer is of another form")
    return Fact(Server.parse(document["server"]), key(document), document)


def _fits(value: object, shape: Any) -> bool:
    """Whether JSON data is of a type, or has one of several shapes (a tuple); a list of one shape stands for
    any number of it, `str` for any key.
    """
    if isinstance(shape, tuple):
        return any(_fits(value, item) for item in shape)
    if isinstance(shape, type):
        return type(value) is shape
    if isinstance(shape, list) and isinstance(value, list):
        shapes = shape * len(value) if len(shape) == 1 else shape
        return len(value) == len(shapes) and all(map(_fits, value, shapes))
    if isinstance(shape, dict) and isinstance(value, dict):
        if str in shape:
            return all(_fits(item, shape[str]) for item in value.values())
        return shape.keys() == value.keys() and all(_fits(value[name], shape[name]) for name in shape)
    return False
