"""Filter options, one at a time."""

from __future__ import annotations

import enum

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import BadSetting, near
from schemacheck.model import Server
from schemacheck.model.filters import OPTIONS, FilterSet

_KINDS = {
    "replicate-do-table": "do", "replicate-ignore-table": "ignore", "replicate-wild-do-table": "do",
    "replicate-wild-ignore-table": "ignore",
}  # fmt: skip


class Given(enum.Enum):
    """How an option reaches the server: its words depend on that."""

    OPTION = "option"
    STATEMENT = "statement"


def check(option: str, value: str, server: Server | None, given: Given, where: str = "") -> None:
    """Raise BadSetting, with `where`, if the server would refuse this value: table rules need a dot,
    `replicate-rewrite-db` an arrow and names (`Rpl_filter::add_table_rule`).
    """
    message = _refusal(option, value, server, given)
    if message:
        place = f"{where}: " if where else ""
        raise BadSetting(f"{place}--{option}={value}: the server refuses it: {message}")


def needs_argument(option: str, where: str = "") -> BadSetting:
    """What a server says to a filter option without a value (asked of 9.7 and 11.8)."""
    place = f"{where}: " if where else ""
    return BadSetting(f"{place}--{option}: the server refuses it: option '--{option}' requires an argument")


def _refusal(option: str, value: str, server: Server | None, given: Given) -> str:
    messages = knowledge.load("filters")["messages"]
    if option in _KINDS and "." not in value:
        if given is Given.STATEMENT and option.startswith("replicate-wild"):
            return str(messages["wild-format"]["text"])
        ending = "." if server is not None and server.has("error-log-messages-have-numbers") else "!"
        return str(messages["table-rule"]).format(kind=_KINDS[option], value=value, ending=ending)
    if option == "replicate-rewrite-db" and given is Given.OPTION:
        old, arrow, new = value.partition("->")
        if not arrow:
            return str(messages["rewrite-arrow"])
        if not old.strip():
            return str(messages["rewrite-from"])
        if not new.strip():
            return str(messages["rewrite-to"])
    return ""


@dataclass(frozen=True, slots=True)
class FilterInput:
    """The filter sets of an input, the default channel's first, and settings that it gives beside them."""

    filters: tuple[FilterSet, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def channel(self, name: str = "") -> FilterSet:
        """The set of a channel or connection; KeyError where the input has none."""
        for filters in self.filters:
            if filters.channel == name:
                return filters
        text = ", ".join(repr(f.channel) for f in self.filters)
        raise KeyError(f"no channel {name!r}; there is {text}")


class Collector:
    """Collects options into one FilterSet per channel."""

    def __init__(self, server: Server | None = None, given: Given = Given.OPTION) -> None:
        self._server, self._given = server, given
        #: Of each channel: the values of each field, without twins, and where each was written.
        self._values: dict[str, dict[str, dict[object, None]]] = {}
        self._origins: dict[str, list[tuple[str, str, str]]] = {}

    def add(self, option: str, value: str, where: str = "", channel: str | None = None) -> None:
        """Take one option. Raises BadSetting. `channel` None: `channel:` may stand before the value."""
        if channel is None:
            channel, value = self._channel(option, value)
        check(option, value, self._server, self._given, where)
        name = OPTIONS[option]
        item: object = value
        if name == "rewrite_db":
            old, _, new = value.partition("->")
            item = (old.strip(), new.strip())
        elif name.endswith("domain_ids"):
            if not value.strip().isdigit():
                raise BadSetting(f"{where or option}: {value!r} is no GTID domain id; write a whole number")
            item = int(value)
        text = f"{item[0]}->{item[1]}" if isinstance(item, tuple) else str(item)
        self._values.setdefault(channel, {}).setdefault(name, {})[item] = None
        self._origins.setdefault(channel, []).append((option, text, where))

    def clear(self, option: str, channel: str = "") -> None:
        """Forget an option's values (a statement or variable replaces them)."""
        self._values.setdefault(channel, {}).pop(OPTIONS[option], None)
        remaining = [origin for origin in self._origins.get(channel, ()) if origin[0] != option]
        self._origins[channel] = remaining

    def result(self, *, inherit: bool = True) -> tuple[FilterSet, ...]:
        """One set per channel, the default channel first. `inherit`: its options hold for channels that have
        none of their own (MySQL 8.0; MariaDB's `copy_filter_setting`).
        """
        default = self._set("")
        channels = sorted(channel for channel in self._values if channel)
        if not inherit:
            return (default, *map(self._set, channels))
        named = []
        for own in map(self._set, channels):
            inherited = {f: getattr(default, f) for f in OPTIONS.values() if not getattr(own, f)}
            named.append(replace(own, **inherited, origins=own.origins + default.origins))
        return (default, *named)

    def _set(self, channel: str) -> FilterSet:
        values = {name: tuple(item) for name, item in self._values.get(channel, {}).items()}
        return FilterSet(channel=channel, origins=tuple(self._origins.get(channel, ())), **values)  # type: ignore[arg-type]

    def _channel(self, option: str, value: str) -> tuple[str, str]:
        """MySQL 8.0 writes `channel:value`; a table rule's database may not hold a colon unquoted."""
        if self._server is None or not self._server.has("filters-per-channel") or option.startswith("binlog"):
            return "", value
        before, colon, after = value.partition(":")
        return (before, after) if colon else ("", value)


def canonical(name: str) -> str | None:
    """The option's name as `OPTIONS` has it, without `loose-`; None for any other option."""
    plain = _plain(name)
    return plain if plain in OPTIONS else None


def _plain(name: str) -> str:
    return name.strip().lower().lstrip("-").replace("_", "-").removeprefix("loose-")


#: Options whose names begin as those of filters do and which filter nothing.
_OTHERS = frozenset({
    "replicate-same-server-id", "replicate-annotate-row-events", "replicate-events-marked-for-skip",
})  # fmt: skip
#: With these the names of filters begin.
_LOOKS = ("replicate-", "binlog-do", "binlog-ignore")


def filters_nothing(name: str) -> bool:
    """Whether an option or variable is none of the filters though its name begins as theirs do."""
    return _plain(name) in _OTHERS


def refuse_misspelt(name: str, where: str = "") -> None:
    """Raise BadSetting for an option that looks like a filter and is none."""
    plain = _plain(name)
    if plain in OPTIONS or filters_nothing(name):
        return
    hint = near(plain, OPTIONS, cutoff=0.85)
    if plain.startswith(_LOOKS) or "did you mean" in hint:
        raise BadSetting(
            f"{where or 'the options'}: there is no filter {name.strip()!r}{near(plain, OPTIONS)}"
        )
