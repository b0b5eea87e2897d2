"""A kept answer: one line of JSON that holds a question, the server's version, its answer, and when."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
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

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """`server` is the one that was asked, `key` the question as text, `release` schemacheck's. Its answer is
    `rows` of each view of information_schema with what SHOW CREATE TABLE prints (`shown`, by
    `database.table`), or `error`: its refusal's number and text.
    """

    server: Server
    key: str
    release: str
    asked: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    shown: Mapping[str, str]
    error: tuple[int, str] | None
    document: Json

    @property
    def ends(self) -> tuple[Server, ...]:
        """The servers that were asked: one, or source and replica."""
        other = self.document.get("replica")
        return (self.server, Server.parse(other["server"])) if other else (self.server,)

    def answer(self, question: Question) -> Answer | None:
        """What it says to its question; None where its rows are not understood, or SHOW CREATE TABLE says
        otherwise.
        """
        by, when = str(self.server), self.asked[:10]
        if self.error is not None:
            return Answer(by, when, refusal=Refusal(*self.error))
        names = tuple(name or DATABASE for name, *_ in question.databases)
        views = {
            query.view: (
                query.columns,
                [tuple(map(row.get, query.columns)) for row in self.rows.get(query.view, ())],
            )
            for query in queries(self.server, names)
        }
        server = self.server.with_told(dict(question.settings) | _PLAIN)
        pieces = Snapshot(by, when, 1, views).pieces()
        found = assemble(pieces, server=server, name=by, allow_empty=True)
        if any(not problem.skipped for problem in found.problems):
            return None
        unnamed = {DATABASE for name, *_ in question.databases if name is None}
        tables = []
        for told in found.tables:
            table = self._shown(told, server)
            if table is None:
                return None
            tables.append(table.named(None, table.name) if table.database in unnamed else table)
        return Answer(by, when, tuple(tables))

    def _shown(self, told: Table, server: Server) -> Table | None:
        """A table as its definition has it, which tells more than rows do; as rows have it where that is not
        understood. None where the two differ, or may both have lost something.
        """
        text = self.shown.get(f"{told.database}.{told.name}")
        if text is None:
            return told if told.kind is not TableKind.TABLE else None
        with answered_by(None):
            made = catalog.read(f"{text};", server, database=told.database)
        if made.problems or len(made.tables) != 1:
            return None if server.mariadb and _LOST.search(text) else replace(told, opaque=True, shown=text)
        # Plans take what comes without a text for rows of a server.
        return replace(made.tables[0], text=None, ran=(), shown=text) if made.tables[0] == told else None

    def line(self) -> str:
        """The line of the file, without its newline."""
        return json.dumps(self.document, ensure_ascii=False)


def asked(question: Question | PairQuestion) -> Json:
    """The question as its line has it."""
    if isinstance(question, PairQuestion):
        return {"fact": "pair", "question": json.loads(question.text)}
    return {
        "settings": dict(question.settings),
        "databases": [list(one) for one in question.databases],
        "before": [list(one) for one in question.before],
        "database": question.database,
        "statement": question.statement,
    }


def key(question: Json) -> str:
    """One text for equal questions; `question` may be a line's whole document."""
    names = _ASKED[question.get("fact", "definition")]
    return json.dumps([question[name] for name in names], sort_keys=True, ensure_ascii=False)


def fact(question: Question, server: Server, version: str, when: str, answer: Json) -> Fact:
    """What a server has just answered: `{"rows": ..., "shown": ...}` or `{"error": NUMBER, "message": TEXT}`;
    `version` is its own word for itself.
    """
    return _new("definition", server, version, when, asked(question) | {"answer": answer})


def pair(
    source: tuple[Server, str], replica: tuple[Server, str], when: str, question: Json, answer: Json
) -> Fact:
    """What a channel has just done: servers with their own words for themselves, the definitions, settings
    and statements, and what arrived, all as recorded facts have them. No question is answered by it.
    """
    end = {"server": _named(replica[0]), "version": replica[1]}
    return _new("pair", *source, when, {"replica": end, "question": question, "answer": answer})


def _new(kind: str, server: Server, version: str, when: str, rest: Json) -> Fact:
    heading = (kind, _named(server), version, __version__, when)
    document = dict(zip(_HEADING, heading, strict=True)) | rest
    return read(document | {"seal": seal(document)})


def _named(server: Server) -> str:
    return f"{server.flavor}-{server.version_text}"


def seal(document: Mapping[str, Any]) -> str:
    """The SHA-256 (its first 16 digits) of a line without its own: a slip of the hand does not stay unseen.
    Who means to deceive writes another one.
    """
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
    if not all(isinstance(document[name], str) for name in _HEADING):
        raise ValueError(f"{', '.join(_HEADING)} are texts")
    answer = (_definition if kind == "definition" else _pair)(document)
    server = Server.parse(document["server"])
    return Fact(server, key(document), document["schemacheck"], document["asked"], *answer, document)


def _pair(document: Json) -> tuple[Any, Any, None]:
    """Nothing that answers a definition. Raises ValueError."""
    replica, answer = document["replica"], document["answer"]
    if not isinstance(replica, dict) or set(map(type, replica.values())) != {str}:
        raise ValueError("replica has texts")
    Server.parse(replica.get("server", ""))
    if not isinstance(document["question"], dict) or not _is_outcome(answer):
        raise ValueError("a pair has an object as its question, and as its answer what arrived")
    return {}, {}, None


def _is_outcome(answer: object) -> bool:
    """Whether it is what a channel did: `outcome`, with `errno` and `message` of an error, and each table of
    both ends as `[COLUMNS, ROWS]` of texts and nulls.
    """
    if not isinstance(answer, dict) or answer.get("outcome") not in ("applied", "error"):
        return False
    if answer["outcome"] == "error" and (type(answer.get("errno")), type(answer.get("message"))) != (
        int,
        str,
    ):
        return False
    ends = [answer.get(side, {}) for side in ("source", "replica")]
    if not all(isinstance(end, dict) for end in ends):
        return False
    return all(_is_table(table) for end in ends for table in end.values())


def _is_table(value: object) -> bool:
    """READ and an error may stand for the rows."""
    if not isinstance(value, list) or list(map(type, value)) not in ([list, list], [list, str]):
        return False
    columns, rows = value
    given = rows if isinstance(rows, list) else ()
    return all(isinstance(name, str) for name in columns) and all(
        isinstance(row, list) and len(row) == len(columns) and all(map(_is_name, row)) for row in given
    )


def _definition(document: Json) -> tuple[Any, Any, tuple[int, str] | None]:
    """Rows, definitions and refusal of its answer. Raises ValueError."""
    if not isinstance(document["statement"], str) or not _is_name(document["database"]):
        raise ValueError("statement is a text, database is a text or null")
    settings, databases, before = (document[name] for name in ("settings", "databases", "before"))
    if not isinstance(settings, dict) or not all(isinstance(one, str) for one in settings.values()):
        raise ValueError("settings are texts by name")
    if not _are_lists(databases, 3) or not _are_lists(before, 2):
        raise ValueError("databases and before are lists of names and texts")
    return _answer(document["answer"])


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


def _answer(value: object) -> tuple[Any, Any, tuple[int, str] | None]:
    """Rows, definitions and refusal of an answer. Raises ValueError."""
    if isinstance(value, dict) and set(value) == {"error", "message"}:
        number, text = value["error"], value["message"]
        if type(number) is int and 0 < number < 1 << 16 and isinstance(text, str):
            return {}, {}, (number, text)
    if isinstance(value, dict) and set(value) == {"rows", "shown"}:
        rows, shown = value["rows"], value["shown"]
        plain = (str, int, float, type(None))
        if (
            isinstance(rows, dict)
            and isinstance(shown, dict)
            and all(
                isinstance(view, list) and all(isinstance(row, dict) for row in view)
                for view in rows.values()
            )
            and all(isinstance(c, plain) for view in rows.values() for row in view for c in row.values())
            and all(isinstance(text, str) for text in shown.values())
        ):
            return rows, shown, None
    raise ValueError(
        'an answer is {"rows": {VIEW: [ROW, ...]}, "shown": {TABLE: TEXT}}, or {"error": NUMBER, '
        '"message": TEXT}'
    )
