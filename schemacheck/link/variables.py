"""Server variables that no other decision reads: harmless, or a matter of statements, or not known.

`rules/link_variables.yaml` has every name of the recorded servers. What differs and is not there is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.link.ends import Ends, on
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server, variable

RULE = "SC946"


@dataclass(frozen=True, slots=True)
class Setting:
    """What one variable decides.

    `used` finds the statements that depend on it; `stock` are the values that servers come with, folded;
    `diverges`: rows differ (else nothing is known); `end` names the end whose value alone
    decides; `engine`: tables of this engine alone; `under`: only with these values of the source's session;
    `both`: only where both ends give it; `replica`: the family of the replicas for which it matters;
    `ignored`: a capability of servers that do not look at it; `where`: only with these values of the replica;
    `alike`: not where the source has the same; `newer`: not under a source known to be as old as the replica;
    `forgotten`: a capability of replicas whose CHANGE MASTER sets it back; `harmless`: values that are;
    `text`: only where changes are logged as statements; `filters`: not where filters were given; `refuses`:
    the error of a replica where it is OFF; `session`: sessions set it themselves, which no log tells.
    """

    name: str
    used: re.Pattern[str]
    stock: frozenset[str]
    diverges: bool
    end: str
    says: str
    engine: str
    under: tuple[tuple[str, str], ...]
    both: bool
    replica: str
    ignored: str
    where: tuple[tuple[str, str], ...]
    alike: bool
    newer: bool
    forgotten: str
    harmless: re.Pattern[str] | None
    text: bool
    filters: bool
    refuses: int
    session: bool


@lru_cache(maxsize=64)
def settings(group: str) -> tuple[Setting, ...]:
    """The variables of a group of `rules/link_variables.yaml`: `statements`, `definitions` or `ends`."""
    return tuple(
        Setting(
            name,
            re.compile(entry.get("in", ""), re.IGNORECASE | re.DOTALL),
            frozenset(variable.folded(str(value)) for value in entry["stock"]),
            entry.get("comes") == "diverges",
            entry.get("end", ""),
            entry.get("says", ""),
            entry.get("engine", ""),
            tuple(entry.get("under", {}).items()),
            bool(entry.get("both")),
            entry.get("replica", ""),
            entry.get("ignored", ""),
            tuple(entry.get("where", {}).items()),
            bool(entry.get("alike")),
            bool(entry.get("newer")),
            entry.get("forgotten", ""),
            re.compile(entry["harmless"], re.IGNORECASE) if "harmless" in entry else None,
            bool(entry.get("text")),
            bool(entry.get("filters")),
            entry.get("refuses", 0),
            bool(entry.get("session")),
        )
        for name, entry in knowledge.load("link_variables")[group].items()
    )


def differs(setting: Setting, ends: Ends, session: Mapping[str, str] | None = None) -> bool:
    """Whether the two ends have other values, as far as they were given; stock values count as alike."""
    if setting.replica and setting.replica != ends.replica.family:
        return False
    if any(
        variable.folded(ends.replica.setting(name)) != variable.folded(value) for name, value in setting.where
    ):
        return False
    values: list[set[tuple[str, str]]] = []
    for end, server, own in (("source", ends.source, session or {}), ("replica", ends.replica, {})):
        if setting.end not in ("", end) or (setting.ignored and server.has(setting.ignored)):
            values.append(set())
            continue
        result = {name: value for name, value in server.settings if variable.covers(setting.name, name)}
        result |= {name: value for name, value in own.items() if variable.covers(setting.name, name)}
        values.append({(name, variable.folded(value)) for name, value in result.items()})
    for name, value in setting.under:
        if variable.folded(
            (session or {}).get(name) or ends.source.setting(name) or value
        ) != variable.folded(value):
            return False
    if setting.both and not all(values):
        return False
    mine, theirs = ({pair for pair in pairs if pair[1] not in setting.stock} for pairs in values)
    return mine != theirs


def of_statement(
    ends: Ends, text: str, session: Mapping[str, str] | None, engines: frozenset[str]
) -> Outcome | None:
    """What a change that is logged as text depends on and does not bring along; `text` is without strings,
    `engines` are those of its tables, lower case. `session`: None where a log alone tells of it.
    """
    for setting in settings("statements"):
        if (setting.engine and setting.engine.lower() not in engines) or not setting.used.search(text):
            continue
        if session is None and setting.session:
            why = f"the source's session may have set {setting.name}, which no log tells"
            return Outcome(Kind.UNKNOWN, RULE, 0, why, "Log rows: set binlog_format=ROW on the source")
        if differs(setting, ends, session):
            kind = Kind.DIVERGES if setting.diverges else Kind.UNKNOWN
            return Outcome(kind, RULE, 0, f"statements do not carry {setting.name}", _alike(setting))
    return None


def of_rows(ends: Ends, engine: str) -> Outcome | None:
    """What decides about rows of a table of this engine (lower case) in every format: its size."""
    for setting in settings("statements"):
        if setting.engine and setting.engine.lower() == engine and differs(setting, ends):
            why = f"{setting.name} of the replica limits such a table"
            return Outcome(Kind.UNKNOWN, RULE, 0, why, _alike(setting))
    return None


def of_definition(ends: Ends, text: str, session: Mapping[str, str]) -> Outcome | None:
    """What a definition depends on and does not bring along; `text` is without strings. The source has run
    it, so a setting that `refuses` it is not OFF there.
    """
    for setting in settings("definitions"):
        if not setting.used.search(text):
            continue
        if setting.refuses and not on(ends.replica, setting.name):
            change, number = f"Set {setting.name} = ON on the replica", setting.refuses
            if ends.replica.given(setting.name):
                why = f"{setting.name} is OFF on the replica, which refuses it with error {number}"
                return Outcome(Kind.SQL, RULE, number, why, change)
            why = f"whether {setting.name} is ON on the replica is not known: else error {number}"
            return Outcome(Kind.UNKNOWN, RULE, 0, why, change)
        if not setting.refuses and differs(setting, ends, session):
            why = f"what {setting.name} of one end alone makes of a definition"
            return Outcome(Kind.UNKNOWN, RULE, 0, why, _alike(setting))
    return None


def of_ends(ends: Ends) -> Iterator[Outcome]:
    """Variables whose value on one end decides by itself, and those that nobody knows."""
    for setting in settings("ends"):
        for end, server in (("replica", ends.replica), ("source", ends.source)):
            value = server.setting(setting.name)
            decides = setting.end in ("", end) and server.given(setting.name)
            if decides and variable.folded(value) not in setting.stock and not _met(setting, ends):
                kind = Kind.DIVERGES if setting.diverges else Kind.UNKNOWN
                why = f"{setting.name} = {value} on the {end}: {setting.says}"
                change = f"Leave {setting.name} at its default on the {end}"
                yield Outcome(
                    kind, RULE, 0, why, "Give the filters with --filters" if setting.filters else change
                )
                break
    for name in sorted(_unlisted(ends.source) & _unlisted(ends.replica)):
        mine, theirs = ends.source.setting(name), ends.replica.setting(name)
        if variable.folded(mine) != variable.folded(theirs):
            why = (
                f"{name} is {mine!r} on the source and {theirs!r} on the replica, and nothing is known of it"
            )
            yield Outcome(Kind.UNKNOWN, RULE, 0, why, f"Set {name} alike on both ends")


def _met(setting: Setting, ends: Ends) -> bool:
    """Whether the source, a new channel or the value itself makes it harmless."""
    source, replica = ends.source, ends.replica
    if (setting.text and ends.link.binlog_format == "ROW") or (setting.filters and ends.filtered):
        return True
    if any(variable.folded(source.setting(name)) != value for name, value in setting.under):
        return True
    if setting.forgotten and ends.channel and not ends.channel.told and replica.has(setting.forgotten):
        return True
    if setting.harmless is not None and setting.harmless.fullmatch(replica.setting(setting.name).strip()):
        return True
    if setting.newer and not source.mariadb and source.version <= replica.version:
        return True
    values = [
        variable.folded(end.setting(setting.name)) for end in (source, replica) if end.given(setting.name)
    ]
    return setting.alike and len(values) == 2 and values[0] == values[1]


def _unlisted(server: Server) -> frozenset[str]:
    return frozenset(
        name for name, _ in server.settings if variable.standing(name) is variable.Standing.UNLISTED
    )


def of_use(ends: Ends, group: str) -> Iterator[Outcome]:
    """Variables of a group (`statements`, `definitions`) that differ, where somebody may use what depends on
    them. Those of one engine are a matter of its tables; SC943 and SC945 tell some of definitions, and an
    assumption tells of time zones.
    """
    told = {*knowledge.load("link_variables")["later"], "innodb_force_primary_key", "time_zone_names"}
    differing = [s for s in settings(group) if differs(s, ends) and not s.engine and s.name not in told]
    if differing:
        what = "definitions" if group == "definitions" else "changes that are logged as text"
        names = ", ".join(setting.name for setting in differing)
        why = f"statements do not carry {names}: {what} that depend on them may differ"
        kind = Kind.DIVERGES if any(setting.diverges for setting in differing) else Kind.UNKNOWN
        yield Outcome(kind, RULE, 0, why, "Set them alike on both ends")


def _alike(setting: Setting) -> str:
    return f"Set {setting.name} alike on both ends"
