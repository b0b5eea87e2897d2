"""How a server carries out an ALTER TABLE: which ALGORITHM and LOCK a change takes on a version. Data in
`rules/algorithms.yaml`, recorded on servers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from schemacheck import knowledge
from schemacheck.catalog.online_kinds import kinds, traits
from schemacheck.dataclass import dataclass, replace
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.sql.ddl import actions as parts
from schemacheck.sql.lexer import Refused

#: From what costs least to what costs most. ANY: rows are copied, and ALGORITHM=INPLACE
#: alone is refused.
ALGORITHMS = ("ANY", "INSTANT", "NOCOPY", "INPLACE", "COPY")
LOCKS = ("NONE", "SHARED", "EXCLUSIVE")
#: Traits of a table whose changes do beside one another what each does alone.
_PLAINLY = frozenset(("stored", "redundant", "compressed", "virtual"))


@dataclass(frozen=True, slots=True)
class Way:
    """What a change takes at least: the algorithm, the lock (of INSTANT: the one that it takes in place),
    whether it writes every row anew, and the lock of ALGORITHM=COPY.
    """

    algorithm: str
    lock: str = "NONE"
    rebuild: bool = False
    copied: str = "SHARED"

    def takes(self, algorithm: str, lock: str) -> bool:
        """Whether the server does it so; '' is DEFAULT."""
        if algorithm == "COPY":
            return not lock or LOCKS.index(lock) >= LOCKS.index(self.copied)
        if algorithm and ALGORITHMS.index(self.algorithm) > ALGORITHMS.index(algorithm):
            return False
        if self.algorithm == "ANY" and algorithm == "INPLACE":
            return False
        if not lock or LOCKS.index(lock) >= LOCKS.index(self.lock):
            return True
        # Where copying is kinder to writers it is copied.
        return not algorithm and self.lock == "SHARED" and LOCKS.index(lock) >= LOCKS.index(self.copied)


def read(text: str, copied: str = "SHARED") -> Way:
    """`INPLACE NONE rebuild` as a way; `copied` is the lock of ALGORITHM=COPY where nothing else says it."""
    algorithm, *rest = text.split(" ")
    lock = next((text for text in rest if text in LOCKS), "NONE")
    most = max(LOCKS.index(copied), LOCKS.index(lock) if algorithm == "COPY" else 0)
    own = next((text.removeprefix("copy-") for text in rest if text.startswith("copy-")), LOCKS[most])
    return Way(algorithm, own if algorithm == "COPY" else lock, "rebuild" in rest, own)


@dataclass(frozen=True, slots=True)
class _Series:
    """What was recorded of a series of servers."""

    kinds: dict[str, str]
    tables: dict[str, dict[str, str]]
    groups: dict[str, list[str]]

    def way(self, kind: str, table: Sequence[str]) -> Way | None:
        """The way of one kind of change of a table with these traits; None where that was not asked."""
        base = self.kinds.get(kind)
        if base is None or any(text not in self.tables for text in table):
            return None
        given = [hit for text in table if (hit := self._of(kind, base, self.tables[text])) is not None]
        if "?" in given:
            return None
        copied = max(
            [self.kinds["copy"], *(self.tables[t].get("copy", "NONE") for t in table)], key=LOCKS.index
        )
        ways = [read(text, copied) for text in given or [base]]
        return max(ways, key=cost)

    def _of(self, kind: str, base: str, changed: dict[str, str]) -> str | None:
        if kind in changed:
            return changed[kind]
        for name, text in changed.items():
            if kind in self.groups.get(name, ()):
                return text
        if "rebuild" in base.split(" ") and base.startswith("INPLACE") and "rebuild" in changed:
            return changed["rebuild"]
        return changed.get("others")


def cost(method: Way) -> tuple[int, int, int]:
    """What a way costs, to be compared."""
    return ALGORITHMS.index(method.algorithm), LOCKS.index(method.lock), LOCKS.index(method.copied)


def _series(name: str) -> _Series | None:
    load: dict[str, Any] = knowledge.load("algorithms")
    result = load["servers"].get(name)
    return _Series(result["kinds"], result["tables"], load["groups"]) if result is not None else None


def _by_manual(server: Server) -> _Series | None:
    """What the manual says of a server whose series was not asked."""
    load: dict[str, Any] = knowledge.load("algorithms")
    listed = load["manual"].get(server.profile.name)
    if listed is None:
        return None
    like, since = load["servers"][listed["as"]]["kinds"], listed.get("since", {})
    every = {"copy": like["copy"], "keys-beside": like["keys-beside"]}
    every |= {kind: like[kind] for kind in listed["kinds"]} | listed.get("but", {})
    kinds = {
        kind: item
        for kind, item in every.items()
        if all(server.has(since[text]) for text in (kind, "*") if text in since)
    }
    return _Series(kinds, load["manual-tables"], load["groups"]) if kinds else None


def recorded(server: Server) -> bool:
    """Whether a server of this series was asked."""
    return _series(server.profile.name) is not None


def of_server(names: Iterable[str], table: Sequence[str], server: Server) -> tuple[Way, Way] | None:
    """What changes of these kinds together take at least and at most; None where nobody asked, nor the manual
    says. What one part has copied is copied; an index beside a new or dropped column is built with the table.
    """
    series = _series(server.profile.name) or _by_manual(server)
    wanted = set(names)
    ways = [series.way(name, table) for name in wanted] if series is not None else []
    given = [method for method in ways if method is not None]
    if series is None or not given or len(given) < len(ways):
        return None
    if len(wanted) == 1:
        return given[0], given[0]
    if any(_is_apart(name) for name in wanted):
        return None
    least = max(given, key=cost)
    lock = max((method.lock for method in given), key=LOCKS.index)
    least = replace(least, lock=lock, copied=max((method.copied for method in given), key=LOCKS.index),
                    rebuild=any(method.rebuild for method in given))  # fmt: skip
    if least.algorithm == "COPY":
        return least, least
    special = any(series.tables.get(text) for text in table if text not in _PLAINLY)
    if special or "virtual" in table or any(method.algorithm == "ANY" for method in given):
        return None
    columns, indexes = wanted & set(series.groups["columns"]), wanted & set(series.groups["indexes"])
    if columns and indexes and least.algorithm == "NOCOPY":
        least = replace(least, algorithm="INPLACE")
    if columns and least.algorithm == "INPLACE":
        least = replace(least, rebuild=True)
    options = wanted & set(series.groups["options"])
    if options and least.algorithm == "INSTANT" and "NOCOPY" in series.kinds["add-index"]:
        return least, replace(least, algorithm="NOCOPY")
    return least, least


def _is_apart(kind: str) -> bool:
    """Whether a kind does something else beside others, so that it is known alone."""
    return kind in ("move-column", "keys", "rename-table") or "virtual" in kind or "functional" in kind


def check(actions: Sequence[parts.Action], old: Table, new: Table, server: Server) -> None:
    """Refuse an ALTER TABLE whose ALGORITHM or LOCK the server does not take (1845), or may not."""
    ways = {action.words[0]: action for action in actions if isinstance(action, parts.Other)}
    asked = {name: ways[name].words[1] for name in ("ALGORITHM", "LOCK") if name in ways}
    algorithm, lock = (asked.get(name, "DEFAULT").replace("DEFAULT", "") for name in ("ALGORITHM", "LOCK"))
    if not algorithm and not lock:
        return
    at = next(ways[name].at for name in asked)
    unknown: dict[str, Any] = knowledge.load("algorithms")["unknown"]
    if algorithm in unknown.get(server.profile.name, ()) or (algorithm == "NOCOPY" and not server.mariadb):
        raise Refused(f"this server has no ALGORITHM={algorithm}", at, 1800)
    apart = any(isinstance(action, parts.Other) and action.partitions is not None for action in actions)
    odd = not server.mariadb and ((algorithm == "INSTANT" and lock) or (algorithm, lock) == ("COPY", "NONE"))
    # A server without CHECKs reads them, and nothing is left of one.
    none = "nothing" if server.mariadb or server.has("checks-row-events") else "add-check"
    names = tuple(kinds(actions, old, new, server)) or (none,)
    result = None if apart or odd else of_server(names, tuple(traits(old)), server)
    takes = {method.takes(algorithm, lock) for method in result or ()}
    copied = algorithm == "COPY" and lock != "NONE"
    if takes == {True} or (copied and not (result or apart or odd)):
        return
    words = ", ".join(f"{name}={asked[name]}" for name in asked)
    if takes == {False} and recorded(server):
        raise Refused(f"the server does not do this with {words}: leave it out", at, 1845)
    raise Refused(f"whether the server can do this with {words} is not known: leave it out", at)
