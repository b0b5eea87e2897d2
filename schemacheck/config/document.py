"""A YAML document with places: mappings that know their lines and refuse what nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from schemacheck.config.model import Placed
from schemacheck.errors import UsageError, near
from schemacheck.model import Location

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node


#: No document of ours is nested deeper. The parser in C has no limit of its own, and dies.
_DEEPEST = 50


class ConfigError(UsageError):
    """A configuration that makes no sense; the message starts with file:line:column."""


def refuse(location: Location, message: str) -> NoReturn:
    """Raise ConfigError with the place in front."""
    text = f"{location}: {message}"
    raise ConfigError(text)


def check_depth(text: str) -> None:
    """Raises yaml.YAMLError where a document is nested too deeply to be read, or is none."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            mark: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem="nested too deeply", problem_mark=mark)


class Mapping:
    """One mapping of the document. Only `keys` are allowed in it, each once (None: any)."""

    def __init__(self, node: Node, file: str, keys: tuple[str, ...] | None, what: str) -> None:
        from yaml.nodes import MappingNode

        self.file = file
        self.what = what
        self.location = place(node, file)
        if not isinstance(node, MappingNode):
            refuse(self.location, f"{what} must be a mapping of keys to values")
        self.nodes = self._entries(node, keys)

    def _entries(self, node: MappingNode, keys: tuple[str, ...] | None) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        for key_node, value in node.value:
            at = place(key_node, self.file)
            key = str(key_node.value)
            if keys is not None and key not in keys:
                refuse(at, f"{self.what} has no key {key!r}{near(key, keys)}")
            if key in entries:
                refuse(at, f"{key!r} is given twice")
            entries[key] = value
        return entries

    def text(self, key: str, allowed: tuple[str, ...] = ()) -> Placed[str] | None:
        """The scalar behind a key as it was written; None where the key is missing."""
        node = self.nodes.get(key)
        return None if node is None else scalar(node, self.file, key, allowed)

    def texts(self, key: str) -> tuple[Placed[str], ...]:
        """A sequence of scalars; a single scalar counts as a sequence of one."""
        from yaml.nodes import ScalarNode, SequenceNode

        node = self.nodes.get(key)
        if node is None:
            return ()
        if isinstance(node, ScalarNode):
            return (scalar(node, self.file, key),)
        if not isinstance(node, SequenceNode):
            refuse(place(node, self.file), f"{key!r} must be a list")
        return tuple(scalar(item, self.file, key) for item in node.value)

    def pairs(self, key: str) -> tuple[tuple[str, Placed[str]], ...]:
        """A mapping of scalars to scalars, in order."""
        node = self.nodes.get(key)
        if node is None:
            return ()
        inner = Mapping(node, self.file, None, repr(key))
        return tuple((name, scalar(value, self.file, name)) for name, value in inner.nodes.items())

    def items(self, key: str) -> tuple[Node, ...]:
        """The nodes of a sequence."""
        from yaml.nodes import SequenceNode

        node = self.nodes.get(key)
        if node is None:
            return ()
        if not isinstance(node, SequenceNode):
            refuse(place(node, self.file), f"{key!r} must be a list")
        return tuple(node.value)


def scalar(node: Node, file: str, key: str, allowed: tuple[str, ...] = ()) -> Placed[str]:
    """A scalar's text as written (`ON` stays `ON`, 8.0 stays 8.0)."""
    from yaml.nodes import ScalarNode

    at = place(node, file)
    if not isinstance(node, ScalarNode):
        refuse(at, f"{key!r} must be a single value")
    if node.tag == "tag:yaml.org,2002:null" and not node.style:
        refuse(at, f"{key!r} has no value")
    value = str(node.value)
    if allowed and value.casefold() not in [word.casefold() for word in allowed]:
        refuse(at, f"{key!r} cannot be {value!r}{near(value, allowed)}")
    return Placed(value, at)


def place(node: Node, file: str) -> Location:
    """Where a node starts, counted from 1."""
    mark = node.start_mark
    return Location(file, mark.line + 1, mark.column + 1)
