"""ALGORITHM and LOCK of ALTER TABLE: 25,000 changes of 40 shapes of tables, alone and in pairs, and which
ways four servers took (0) or refused (1). Asked from what costs least on, to the first that is taken.
"""

from __future__ import annotations

from collections import Counter

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from tests.ddl.recorded import read as lines

#: One change of so many is judged.
EVERY = 60
_FIRST = ("PARTITION BY", "REMOVE")


def _statement(part: str, way: str) -> str:
    algorithm, lock = way.split("/")
    said = [f"{n}={v}" for n, v in (("ALGORITHM", algorithm), ("LOCK", lock)) if v]
    if part.startswith(_FIRST):
        return f"ALTER TABLE t {', '.join(said)} {part}"
    return "ALTER TABLE t " + ", ".join([part, *said] if part else said)


def judged(every: int) -> tuple[Counter[str], list[str]]:
    """How many ways agree, are unknown and are wrong, and the wrong ones."""
    counts: Counter[str] = Counter()
    wrong = []
    number = 0
    for line in lines("ways.jsonl.xz"):
        if "server" in line:
            name = line["server"]
            continue
        told = {"system_versioning_alter_history": "KEEP"} if name.startswith("mariadb") else {}
        if line["sql_mode"] is not None:
            told["sql_mode"] = line["sql_mode"]
        server = Server.parse(name).with_told(told)
        base = None
        for part, ways in line["cases"]:
            number += 1
            if number % every:
                continue
            base = base or read(
                ";".join(["CREATE TABLE parent (id int PRIMARY KEY)", *line["create"]]), server, database="d"
            )
            if read(_statement(part, "/"), server, database="d", base=base).problems:
                counts["not read"] += 1
                continue
            for way, refused in ways.items():
                problems = read(_statement(part, way), server, database="d", base=base).problems
                last = problems[-1].refusal if problems else None
                ours = "unknown" if problems and not (last and last.number) else int(bool(problems))
                kind = ours if ours == "unknown" else "agree" if ours == refused else "wrong"
                counts[kind] += 1
                if kind == "wrong":
                    wrong.append(f"{name} {line['create']} {_statement(part, way)} {refused}")
    return counts, wrong


def test_what_servers_took() -> None:
    counts, wrong = judged(EVERY)
    assert len(wrong) <= counts["agree"] // 200, wrong
    assert counts["agree"] > 500
    assert counts["unknown"] < counts["agree"] * 0.6


@pytest.mark.parametrize(
    ("version", "part", "taken"),
    [
        # Series that were not asked do what those on both sides do alike; else nobody knows.
        ("mysql-8.0.36", "ADD b int, ALGORITHM=INPLACE", True),
        # By the manual.
        ("mysql-8.0.36", "ADD b int, ALGORITHM=INSTANT", True),
        ("mysql-8.0.20", "ADD b int FIRST, ALGORITHM=INSTANT", None),
        ("mysql-8.4.4", "MODIFY a bigint, ALGORITHM=INPLACE", None),
        ("mysql-5.7.44", "ADD b int, ALGORITHM=INSTANT", False),
        ("mysql-9.7.4", "ADD b int, ALGORITHM=INSTANT, LOCK=NONE", None),
        ("mysql-9.7.4", "ADD b int, ALGORITHM=NOCOPY", False),
        ("mariadb-10.6.20", "ADD KEY (a), ALGORITHM=INPLACE", True),
        # A column of the key that keeps the rows in order goes.
        ("mysql-9.7.4", "DROP id, ALGORITHM=INPLACE", None),
        ("mariadb-11.8.6", "MODIFY a bigint, LOCK=NONE", True),
        ("mariadb-10.11.19", "MODIFY a bigint, LOCK=NONE", False),
        ("mariadb-10.11.19", "ENGINE=MyISAM, ALGORITHM=INSTANT", True),
    ],
)
def test_a_way(version: str, part: str, taken: bool | None) -> None:
    text = f"CREATE TABLE t (id int NOT NULL PRIMARY KEY, a int) ENGINE=InnoDB; ALTER TABLE t {part}"
    problems = read(text, Server.parse(version), database="d").problems
    numbers = [one.refusal.number if one.refusal else None for one in problems]
    assert (not problems) == (taken is True)
    if not taken:
        assert (numbers[0] is None) == (taken is None)


_MANY = ", ".join(f"'m{one}'" for one in range(255))
_EIGHT = ", ".join(f"'m{one}'" for one in range(8))
_CHILD = "CREATE TABLE c (a int, FOREIGN KEY (a) REFERENCES t (id))"


@pytest.mark.parametrize(
    ("server", "script", "number"),
    [
        # Members that take another byte of every row; one that does not.
        (
            "mysql-9.7.4",
            f"e enum({_MANY})); ALTER TABLE t MODIFY e enum({_MANY}, 'x'), ALGORITHM=INSTANT",
            1845,
        ),
        (
            "mariadb-11.8.6",
            f"e set({_EIGHT})); ALTER TABLE t MODIFY e set({_EIGHT}, 'x'), ALGORITHM=INSTANT",
            1845,
        ),
        ("mysql-9.7.4", "e set('1')); ALTER TABLE t MODIFY e set('1', '2'), ALGORITHM=INSTANT", 0),
        # A table to which another one refers.
        (
            "mysql-9.7.4",
            f"e int); {_CHILD}; ALTER TABLE t CHANGE id new int NOT NULL, ALGORITHM=INSTANT",
            None,
        ),
        # Partitions come and go in a statement of their own, for some servers.
        (
            "mariadb-11.8.6",
            "e int) PARTITION BY HASH (id) PARTITIONS 2; ALTER TABLE t LOCK=SHARED, COALESCE PARTITION 1",
            None,
        ),
        # A CHECK of the column that becomes another one: rows are copied beside writers; one that stays.
        ("mariadb-11.8.6", "e int CHECK (e > 1)); ALTER TABLE t MODIFY e int CHECK (e > 2), LOCK=NONE", None),
        ("mariadb-11.8.6", "e int CHECK (e > 1)); ALTER TABLE t MODIFY e int CHECK (e > 1), LOCK=NONE", 0),
    ],
)
def test_a_way_of_a_table(server: str, script: str, number: int | None) -> None:
    """0: the server takes it; None: nobody knows."""
    text = f"CREATE TABLE t (id int NOT NULL PRIMARY KEY, {script}"
    problems = read(text, Server.parse(server), database="d").problems
    found = [one.refusal.number if one.refusal else None for one in problems]
    assert found == ([] if number == 0 else [number])
