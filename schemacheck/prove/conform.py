"""A set of cases that every installation has: pairs of types under the settings, and tables that differ in
shape, logged in each way. Two servers are asked, and what the rules say is held against it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from schemacheck import catalog
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Link, Report
from schemacheck.prove.certificate import Answer, proofs
from schemacheck.prove.experiment import DATABASE, ask, prepare, under
from schemacheck.prove.scratch import Scratch

TYPES = (
    "tinyint", "tinyint unsigned", "smallint", "mediumint", "int", "int unsigned", "bigint",
    "bigint unsigned", "decimal(10,2)", "decimal(6,1)", "decimal(12,4)", "float", "double", "bit(8)",
    "bit(20)", "char(10)", "char(4)", "varchar(10)", "varchar(300)", "varchar(10) character set latin1",
    "tinytext", "text", "mediumtext", "longtext", "binary(10)", "binary(4)", "varbinary(10)",
    "varbinary(300)", "tinyblob", "blob", "longblob", "date", "time", "time(3)", "datetime",
    "datetime(6)", "timestamp NULL", "timestamp(3) NULL", "year", "enum('a','b')", "enum('b','a')",
    "enum('a','b','c')", "set('a','b')", "set('a','b','c')", "json", "geometry", "point",
)  # fmt: skip
SETTINGS = ("", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
#: What, the source's columns, the replica's.
SHAPES = (
    ("equal", "a int, b varchar(10)", "a int, b varchar(10)"),
    ("extra column, NULL", "a int", "a int, b int NULL"),
    ("extra column, default", "a int", "a int, b int NOT NULL DEFAULT 7"),
    ("extra column without a default", "a int", "a int, b int NOT NULL"),
    ("extra column in the middle", "a int, b varchar(10)", "a int, x int NULL, b varchar(10)"),
    ("column of the source only", "a int, b int", "a int"),
    ("other order, other types", "a int, b varchar(10)", "b varchar(10), a int"),
    ("other order, one type", "a int, b int", "b int, a int"),
    ("NULL meets NOT NULL", "a int NULL, b int", "a int NOT NULL, b int"),
    ("more unique on the replica", "a int, b int", "a int, b int, UNIQUE KEY (b)"),
    ("other character set", "a varchar(10) character set utf8mb4", "a varchar(10) character set latin1"),
    ("generated on the replica", "a int, b int", "a int, b int GENERATED ALWAYS AS (a + 1) STORED"),
    (
        "generated otherwise",
        "a int, b int GENERATED ALWAYS AS (a + 1) STORED", "a int, b int GENERATED ALWAYS AS (a + 2) STORED",
    ),
    ("other default", "a int, b int DEFAULT 1", "a int, b int DEFAULT 2"),
    (
        "ON UPDATE on the source only",
        "a int, b datetime NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP",
        "a int, b datetime NULL DEFAULT NULL",
    ),
    (
        "AUTO_INCREMENT on the source only",
        "a int NOT NULL AUTO_INCREMENT, KEY (a)", "a int NOT NULL, KEY (a)",
    ),
    ("CHECK on the replica only", "a int", "a int, CHECK (a < 10)"),
    ("invisible on the replica", "a int, b int", "a int, b int INVISIBLE"),
    (
        "unique over fewer characters",
        "a varchar(40) character set latin1, UNIQUE KEY (a)",
        "a varchar(40) character set latin1, UNIQUE KEY (a(4))",
    ),
    (
        "other collation",
        "a varchar(10) character set latin1 collate latin1_swedish_ci, UNIQUE KEY (a)",
        "a varchar(10) character set latin1 collate latin1_bin, UNIQUE KEY (a)",
    ),
    (
        "a foreign key that acts otherwise",
        "a int, KEY (a), FOREIGN KEY (a) REFERENCES t (id) ON DELETE CASCADE",
        "a int, KEY (a), FOREIGN KEY (a) REFERENCES t (id) ON DELETE SET NULL",
    ),
    ("a foreign key of the replica", "a int, KEY (a)", "a int, KEY (a), FOREIGN KEY (a) REFERENCES t (id)"),
    ("longer on the source", "a varchar(40), b int", "a varchar(10), b int"),
    ("narrower on the replica", "a int, b int", "a smallint, b int"),
)  # fmt: skip
#: How the source logs, by name: the variables of its session.
LOGGED = {
    "ROW": {"binlog_format": "ROW", "binlog_row_image": "FULL"},
    "MINIMAL": {"binlog_format": "ROW", "binlog_row_image": "MINIMAL"},
    "STATEMENT": {"binlog_format": "STATEMENT", "binlog_row_image": "FULL"},
}
#: Pairs of types that are asked where not all are.
FEW = 280


@dataclass(frozen=True, slots=True)
class Question:
    """Two tables under one setting, logged in one way of LOGGED; `what` names it, for pairs of types as
    `int to bigint`.
    """

    what: str
    source: str
    replica: str
    modes: str
    logged: str = "ROW"

    @property
    def rank(self) -> str:
        """An order that mixes all kinds and is the same everywhere."""
        return hashlib.sha256(f"{self.what} {self.modes}".encode()).hexdigest()


def questions(*, everything: bool) -> list[Question]:
    """All, or FEW pairs over all types and settings; shapes are always asked."""
    shapes = [
        Question(what, ours, theirs, SETTINGS[-1], logged)
        for logged in LOGGED
        for what, ours, theirs in SHAPES
    ]
    pairs = [
        Question(f"{ours} to {theirs}", f"c {ours}", f"c {theirs}", modes)
        for ours in TYPES
        for theirs in TYPES
        for modes in SETTINGS
    ]
    if everything:
        return shapes + pairs
    # Each type is a source, and each a replica's, about as often as any other.
    seen: Counter[str] = Counter()
    chosen = []
    for pair in sorted(pairs, key=lambda q: q.rank):
        first, second = pair.source, "to " + pair.replica
        if max(seen[first], seen[second]) <= FEW // len(TYPES):
            seen.update((first, second))
            chosen.append(pair)
        if len(chosen) == FEW:
            break
    return shapes + chosen


def conform(
    link: Link, ends: tuple[Scratch, Scratch], asked: Iterable[Question]
) -> Iterator[tuple[Question, Answer]]:
    """Ask each question; a pair that a server's grammar refuses is `not asked`. Raises as `prove`."""
    groups: dict[tuple[str, str], list[Question]] = {}
    for one in asked:
        groups.setdefault((one.logged, one.modes), []).append(one)
    channel = None
    for (logged, modes), group in groups.items():
        source = link.source.with_settings(LOGGED[logged])
        within = replace(link, source=source).with_modes(modes)
        if channel is not None:
            under(within, channel, LOGGED[logged])
        for question in group:
            report, schemas = _report(question, within)
            if channel is None:
                channel = prepare(within, schemas, ends, LOGGED[logged])
            for answer in ask(report, schemas, channel):
                yield question, answer


def _report(question: Question, link: Link) -> tuple[Report, tuple[Any, Any]]:
    from schemacheck import engine

    texts = (
        f"CREATE TABLE t (id int NOT NULL PRIMARY KEY, {columns})"
        for columns in (question.source, question.replica)
    )
    ours, theirs = (
        catalog.read(text, server, database=DATABASE)
        for text, server in zip(texts, (link.source, link.replica), strict=True)
    )
    return engine.check(ours.tables, theirs.tables, link, ours.problems, theirs.problems), (ours, theirs)


def document(
    link: Link, ends: tuple[Scratch, Scratch], found: list[tuple[Question, Answer]]
) -> dict[str, Any]:
    """The run as JSON data: counts, and every case in the format of recorded facts."""
    from schemacheck.version import __version__

    return {
        "schema": "conform-1",
        "schemacheck": __version__,
        "source": {"server": str(link.source), "version": ends[0].version},
        "replica": {"server": str(link.replica), "version": ends[1].version},
        "counts": dict(Counter(answer.verdict for _, answer in found)),
        "rules": {rule: dict(counts) for rule, counts in by_rule(found).items()},
        "cases": [
            {
                "id": f"conform {place}", "what": question.what, "modes": question.modes,
                "logged": question.logged,
                "verdict": answer.verdict, "why": answer.why, "said": answer.pair.verdict.value,
                "finding": answer.case.finding.code if answer.case and answer.case.finding else None,
                **(answer.record or {}),
            }
            for place, (question, answer) in enumerate(found)
        ],
    }  # fmt: skip


def by_rule(found: Iterable[tuple[Question, Answer]]) -> dict[str, Counter[str]]:
    """How often the findings of each rule were `shown`, `not shown` and `contradicted`, by its name."""
    answers: dict[Question, list[Answer]] = {}
    for question, answer in found:
        answers.setdefault(question, []).append(answer)
    counts: dict[str, Counter[str]] = {}
    for given in answers.values():
        for proof in proofs(given):
            counts.setdefault(proof.finding.rule, Counter())[proof.outcome] += 1
    return dict(sorted(counts.items()))
