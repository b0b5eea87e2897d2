"""From the text of `schemacheck.yaml` to a Config. Unknown keys are refused with their place."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.config.document import ConfigError, Mapping, check_depth, place, refuse
from schemacheck.config.model import Config, LinkConfig, Placed, Tolerated
from schemacheck.config.options import KINDS, LINK_OPTIONS, option
from schemacheck.errors import BadSetting, InputError, UnknownServer, near
from schemacheck.model import Effect, Location, Server, variable
from schemacheck.system import git

if TYPE_CHECKING:
    from yaml.nodes import Node

#: The keys of the file, of a link, and of an entry of `tolerate`.
TOP_KEYS = (
    "source",
    "replica",
    "versions",
    "against",
    "ask",
    "links",
    "fail-on",
    "format",
    "select",
    "ignore",
    "baseline",
    "tolerate",
    "require",
)
LINK_KEYS = (
    "source",
    "replica",
    *(o.name for o in LINK_OPTIONS),
    "source-set",
    "replica-set",
    "filters",
    "kind",
)
TOLERATE_KEYS = ("rule", "tables", "columns", "effect", "reason", "expires", "files")

#: What `require` may ask of suppressions: a comment's reason, an entry's last day.
REQUIREMENTS = ("reason", "expires")

EFFECTS = tuple(effect.value for effect in Effect)


def load(path: str | Path) -> Config:
    """Read a configuration file, by its path or as `git:REF:PATH`. Raises InputError where it cannot be read,
    ConfigError (a UsageError, its message starts with file:line:column) where it makes no sense.
    """
    name = str(path)
    try:
        text = git.read(name).decode("utf-8")
    except (UnicodeDecodeError, InputError) as error:
        message = f"cannot read the configuration: {name if isinstance(error, ValueError) else ''} {error}"
        raise InputError(" ".join(message.split())) from error
    return parse(text, name)


def parse(text: str, file: str) -> Config:
    """Read a configuration's text; `file` names it in messages."""
    import yaml

    try:
        check_depth(text)
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = Location(file, mark.line + 1, mark.column + 1) if mark else Location(file, 1, 1)
        raise ConfigError(f"{at}: this is not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{file}:1:1: this is not YAML: {error}") from None
    if root is None:
        return Config(file)
    top = Mapping(root, file, TOP_KEYS, "the configuration")
    require = top.texts("require")
    for word in require:
        if word.value not in REQUIREMENTS:
            refuse(word.location, f"'require' cannot be {word.value!r}{near(word.value, REQUIREMENTS)}")
    asked = tuple(word.value for word in require)
    return Config(
        file,
        top.text("source"),
        top.text("replica"),
        _links(top),
        _effect(top, "fail-on"),
        _format(top),
        top.texts("select"),
        top.texts("ignore"),
        top.text("baseline"),
        tuple(_tolerated(node, file, asked) for node in top.items("tolerate")),
        asked,
        _versions(top),
        top.text("against"),
        top.text("ask"),
    )


def _versions(top: Mapping) -> LinkConfig | None:
    """`versions: 8.0.36` or `versions: {source: ..., replica: ...}`."""
    from yaml.nodes import MappingNode

    node = top.nodes.get("versions")
    if node is None:
        return None
    if not isinstance(node, MappingNode):
        both = _server(top, "versions")
        return LinkConfig("versions", place(node, top.file), both, both)
    ends = Mapping(node, top.file, ("source", "replica"), "'versions'")
    return LinkConfig("versions", ends.location, _server(ends, "source"), _server(ends, "replica"))


def _links(top: Mapping) -> tuple[LinkConfig, ...]:
    node = top.nodes.get("links")
    if node is None:
        return ()
    outer = Mapping(node, top.file, None, "'links'")
    return tuple(_link(name, inner, top.file) for name, inner in outer.nodes.items())


def _link(name: str, node: Node, file: str) -> LinkConfig:
    link = Mapping(node, file, LINK_KEYS, f"link {name!r}")
    options = []
    for key in link.nodes:
        if key in ("source", "replica", "source-set", "replica-set", "filters", "kind"):
            continue
        value = link.text(key)
        if value is not None:
            _setting(option(key).variable, value)
            options.append((key, value))
    source, replica = _server(link, "source"), _server(link, "replica")
    return LinkConfig(
        name,
        link.location,
        source,
        replica,
        tuple(options),
        _settings(link, "source-set"),
        _settings(link, "replica-set"),
        link.text("filters"),
        _kind(link),
    )


def _kind(link: Mapping) -> Placed[str] | None:
    placed = link.text("kind")
    if placed is not None and placed.value not in KINDS:
        refuse(placed.location, f"'kind' is one of {', '.join(KINDS)}, not {placed.value!r}")
    return placed


def _settings(link: Mapping, key: str) -> tuple[tuple[str, Placed[str]], ...]:
    pairs = link.pairs(key)
    for name, value in pairs:
        _setting(name, value)
    return pairs


def _setting(name: str, value: Placed[str]) -> None:
    try:
        variable.check(name, value.value)
    except BadSetting as error:
        refuse(value.location, str(error))


def _server(link: Mapping, key: str) -> Placed[str] | None:
    """A server's name, refused here already where nobody knows it."""
    value = link.text(key)
    if value is not None:
        try:
            Server.parse(value.value)
        except UnknownServer as error:
            refuse(value.location, str(error))
    return value


def _effect(mapping: Mapping, key: str) -> Placed[Effect] | None:
    value = mapping.text(key, EFFECTS)
    return None if value is None else Placed(Effect(value.value.casefold()), value.location)


def _format(top: Mapping) -> Placed[str] | None:
    from schemacheck.outputs import formats

    return top.text("format", formats())


def _tolerated(node: Node, file: str, require: tuple[str, ...]) -> Tolerated:
    entry = Mapping(node, file, TOLERATE_KEYS, "an entry of 'tolerate'")
    rule, reason, expires = entry.text("rule"), entry.text("reason"), entry.text("expires")
    tables, columns, files = entry.texts("tables"), entry.texts("columns"), entry.texts("files")
    if reason is None or not reason.value.strip():
        refuse(entry.location, "an entry of 'tolerate' needs a 'reason'")
    if expires is None and "expires" in require:
        refuse(entry.location, "an entry of 'tolerate' needs 'expires', since 'require' says so")
    if rule is None and not tables:
        refuse(entry.location, "an entry of 'tolerate' needs a 'rule' or 'tables'")
    if rule is not None:
        _known_rule(rule)
    effect = _effect(entry, "effect")
    return Tolerated(
        reason.value,
        entry.location,
        rule.value if rule else None,
        tuple(t.value for t in tables),
        tuple(c.value for c in columns),
        effect.value if effect else None,
        _date(expires) if expires else None,
        tuple(f.value for f in files),
    )


def _known_rule(rule: Placed[str]) -> None:
    from schemacheck import rules

    all_rules = rules.all_rules()
    if not rule.value.strip():
        refuse(rule.location, "'rule' is empty: name a rule, or leave the key out")
    if not any(rules.means(rule.value, r.code, r.name) for r in all_rules):
        names = tuple(word for r in all_rules for word in (r.code, r.name))
        refuse(rule.location, f"there is no rule {rule.value!r}{near(rule.value, names)}")


def _date(text: Placed[str]) -> dt.date:
    try:
        return dt.date.fromisoformat(text.value)
    except ValueError:
        refuse(text.location, f"'expires' must be a date as 2027-01-31, not {text.value!r}")
