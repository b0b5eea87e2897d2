"""Scripts of a CREATE TABLE and an ALTER TABLE, asked of MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.6:
what was refused, and the table that SHOW CREATE TABLE printed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from schemacheck.catalog import read
from schemacheck.model import Server
from tests.ddl.recorded import EVERY
from tests.ddl.recorded import read as lines
from tests.facts.ddl import as_printed

CHARSETS = {"d": ("utf8mb4", "utf8mb4_general_ci")}


def agreement(script: str, error: int, shown: str, server: Server) -> str:
    """ "agree", "unknown", or what is wrong."""
    ours: Any = read(script.replace(";;", ";"), server, database="d", charsets=CHARSETS)
    if any(problem.refusal is None and "not understood" not in problem.message for problem in ours.problems):
        return "unknown"
    if bool(ours.problems) != bool(error):
        return "refused read as fine" if error else "accepted read as refused"
    if error:
        return "agree"
    printed: Any = read(shown, server, database="d", charsets=CHARSETS)
    if any(problem.refusal is None for problem in printed.problems):
        return "unknown"
    same = [as_printed(table) for table in ours.tables if table.name == "t"] == list(printed.tables)
    return "agree" if same else "another table"


def judged(file: str) -> tuple[Counter[str], list[str]]:
    """How often we agree with the recorded answers of a file, and the scripts that we read otherwise."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    server = Server.parse("mysql-9.7.4")
    for number, line in enumerate(lines(file)):
        if isinstance(line, dict):
            server = Server.parse(line["server"]).with_told(line["told"])
        if isinstance(line, dict) or number % EVERY:
            continue
        script, error, shown = line
        found = agreement(script, error, shown, server)
        counts[found] += 1
        if found not in ("agree", "unknown"):
            wrong.append(f"{server} {found}: {script} ({error})")
    return counts, wrong


def test_what_four_servers_said() -> None:
    counts, wrong = judged("asked_changes.jsonl.xz")
    # What is open: two character sets in either order, REFERENCES without columns, COMPRESSION added later,
    # how a few expressions are printed.
    assert counts["accepted read as refused"] == 0, wrong
    assert counts["refused read as fine"] <= 13, wrong
    assert counts["another table"] <= 9, wrong
    assert counts["agree"] > 470 // EVERY


def test_keys_members_and_compared_constants_of_four_servers() -> None:
    """Keys of foreign keys, references of a table to itself, long keys, functional keys, members in ucs2,
    and what constants become in the type of the column that they are compared with.
    """
    counts, wrong = judged("asked_keys.jsonl.xz")
    # What is open: the order that MEMORY's keys keep, MATCH in a CHECK, TO_BASE64 and CAST without length in
    # a key, `if(1 or a, ...)`.
    assert counts["accepted read as refused"] == 0, wrong
    assert counts["refused read as fine"] <= 3, wrong
    assert counts["another table"] <= 5, wrong
    assert counts["agree"] > 390 // EVERY


def test_parts_of_changes_of_four_servers() -> None:
    """Keys that foreign keys need no longer, CONVERT TO that changes no column, columns of unique keys that
    are dropped and added again, periods, members as bytes, AUTO_INCREMENT beside a default, addresses, a
    VARCHAR that becomes a TEXT, columns called json.
    """
    counts, wrong = judged("asked_parts.jsonl.xz")
    # What is open: members whose bytes print as nothing or as question marks, and their defaults; the place
    # of a key that a foreign key of another engine brought, among the keys of MySQL 9.7.
    assert counts["accepted read as refused"] == counts["refused read as fine"] == 0, wrong
    assert counts["another table"] <= 3, wrong
    assert counts["agree"] > 2800 // EVERY


def test_mixes_of_collations_and_literal_defaults_of_four_servers() -> None:
    """Collations that have none together in LOCATE, CONCAT and comparisons, QUOTE of bytes and NULL, NOT of
    NOT LIKE, BETWEEN of one constant, literals in parentheses that ALTER COLUMN gives, keys that go down
    beside foreign keys, geometries and bytes as arguments on MariaDB,
    texts that are no numbers as the default of a DECIMAL (unknown), exponents as that of a TIME.
    """
    counts, wrong = judged("asked_mixes.jsonl.xz")
    # What is open: texts that SHOW CREATE TABLE prints with question marks, two joined texts compared, a
    # CHECK that 9.7 writes down before it converts, expressions that MariaDB gives an AUTO_INCREMENT column,
    # ST_X of a JSON document.
    assert counts["accepted read as refused"] <= 9, wrong
    assert counts["refused read as fine"] <= 5, wrong
    assert counts["another table"] <= 8, wrong
    assert counts["agree"] > 650 // EVERY


def test_moments_that_constraints_compare_of_three_servers() -> None:
    """Dates and times compared with texts and numbers in CHECKs, functional keys with 0 and NULL, HEX of
    bytes in generated columns. Numbers beside moments are unknown.
    """
    counts, wrong = judged("asked_moments.jsonl.xz")
    assert not wrong
    assert counts["agree"] > 640 // EVERY
