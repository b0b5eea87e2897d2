"""Dataclasses that cost little to define and to make: `dataclass`, `field` and `replace` as in the standard
library, for what this project uses of them.

`dataclasses.dataclass` writes and compiles up to seven functions when a class is defined (0.5 to 1 ms a
class; a `check` of two tables defines 130), and sets each field of a frozen object by a search for its name.
Here a function is compiled when it is first called, and fields are set by their slots' own descriptors. What
the standard library says of such a class (`fields`, `is_dataclass`, `asdict`) is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ("compared", "dataclass", "field", "maker", "replace", "values_of")

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import TypeVar

    _Kind = TypeVar("_Kind")

    def maker(kind: type[_Kind]) -> type[_Kind]:
        """A function that makes what a call of a frozen class makes."""
else:
    import sys
    from collections.abc import Callable, Iterator, Mapping
    from operator import attrgetter

    class _Missing:
        """What stands for a default that each object makes for itself."""

        def __repr__(self) -> str:
            return "<factory>"

    _MISSING = _Missing()
    #: From how many fields on a frozen object is filled under another class: fewer cost the same either way.
    _MANY = 7
    #: What `maker` has made.
    _MAKERS: dict[type, Any] = {}

    class _Field:
        """What `field()` says of one field."""

        __slots__ = ("compare", "default", "factory", "init", "kind", "shown")

        def __init__(self, default: Any, factory: Any, *, init: bool, shown: bool, compare: bool) -> None:
            self.default, self.factory = default, factory
            self.init, self.shown, self.compare = init, shown, compare
            self.kind: Any = None

    def field(*, init: bool = True, compare: bool = True, **more: Any) -> _Field:
        """What a class's body gives to a field that is more than a name and a default."""
        default, factory = more.pop("default", _MISSING), more.pop("default_factory", _MISSING)
        return _Field(default, factory, init=init, shown=_shown(more), compare=compare)

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True, **more: Any) -> Any:
        """Make a class with slots of its annotated names; base classes that have fields are made so too."""
        if not slots:
            raise TypeError("a class of this kind has slots")
        shown = _shown(more)
        return lambda body: _made(body, frozen=frozen, shown=shown, eq=eq)

    def _shown(more: dict[str, Any]) -> bool:
        """The argument `repr`, which is the name of a function too; there are no others."""
        shown: bool = more.pop("repr", True)
        if more:
            raise TypeError(f"{', '.join(more)} is not known here")
        return shown

    def replace(value: Any, /, **changes: Any) -> Any:
        """The value with other fields. Raises TypeError for a name that is no argument of its class."""
        for name in type(value).__match_args__:
            if name not in changes:
                changes[name] = getattr(value, name)
        return type(value)(**changes)

    def _made(body: type, *, frozen: bool, shown: bool, eq: bool) -> type:
        space = dict(body.__dict__)
        own = {
            name: _of(space.pop(name, _MISSING), kind)
            for name, kind in space.get("__annotations__", {}).items()
            if not str(kind).startswith(("ClassVar", "typing.ClassVar"))
        }
        current: dict[str, _Field] = {}
        for base in reversed(body.__mro__[1:]):
            current.update(base.__dict__.get("__own_fields__", ()))
        for name in ("__dict__", "__weakref__"):
            space.pop(name, None)
        space["__slots__"] = tuple(name for name in own if name not in current)
        current.update(own)
        space["__own_fields__"] = own
        space["__match_args__"] = tuple(name for name, item in current.items() if item.init)
        described = _Described(current, frozen=frozen)
        space["__dataclass_fields__"] = described
        space["__dataclass_params__"] = _Parameters(described)
        space["__replace__"] = replace
        compared = [name for name, item in current.items() if item.compare]
        if shown and "__repr__" not in space:
            space["__repr__"] = _repr_of([name for name, item in current.items() if item.shown])
        explicit_hash = space.get("__hash__") is not None
        if frozen:
            space["__setattr__"] = _refuse_to_set
            space["__delattr__"] = _refuse_to_delete
            space.setdefault("__getstate__", _state_of(tuple(current), lambda: kind))
            space.setdefault("__setstate__", _set_state)
        if eq and not explicit_hash:
            space["__hash__"] = _hash_of(compared) if frozen else None
        kind = type(body)(body.__name__, body.__bases__, space)
        kind.__qualname__ = body.__qualname__
        if "__init__" not in space:
            _when_called(kind, "__init__", lambda: _init_of(kind, current, frozen=frozen))
        if eq and "__eq__" not in space:
            _when_called(kind, "__eq__", lambda: _eq_of(kind, compared))
        return kind

    def _of(given: Any, kind: Any) -> _Field:
        """What the body of a class gives to one of its names, whose annotation is `kind`."""
        if given.__class__ in (list, dict, set):
            raise ValueError(f"{given!r} is one default for all: use default_factory")
        if not isinstance(given, _Field):
            given = _Field(given, _MISSING, init=True, shown=True, compare=True)
        given.kind = kind
        return given

    def _when_called(kind: type, name: str, make: Callable[[], Any]) -> None:
        """Let a class have a method that is made when it is first called, or looked at."""
        setattr(kind, name, _Later(kind, name, make))

    class _Later:
        """A method that puts the real one in its place."""

        __slots__ = ("kind", "make", "name")

        def __init__(self, kind: type, name: str, make: Callable[[], Any]) -> None:
            self.kind, self.name, self.make = kind, name, make

        def __get__(self, entry: Any, kind: Any = None) -> Any:
            method = self.make()
            setattr(self.kind, self.name, method)
            return method.__get__(entry, kind)

    def _compiled(kind: type, name: str, arguments: str, lines: list[str], current: Mapping[str, Any]) -> Any:
        """A method of these lines, in which the names of `known` are its own."""
        text = "\n".join((f"def made({', '.join(current)}):", f" def {name}({arguments}):", *lines))
        space: dict[str, Any] = {}
        there = getattr(sys.modules.get(kind.__module__), "__dict__", {})
        exec(f"{text}\n return {name}", there, space)  # noqa: S102 names and lines are of this module's making
        method = space["made"](**current)
        method.__qualname__ = f"{kind.__qualname__}.{name}"
        return method

    def maker(kind: type) -> Any:
        """A function that makes objects of a frozen class in two thirds of the time of a call."""
        made = _MAKERS.get(kind)
        if made is None:
            fields = kind.__dict__["__dataclass_fields__"].fields
            made = _MAKERS[kind] = _init_of(kind, fields, frozen=True, alone=True)
        return made

    def _init_of(kind: type, fields: Mapping[str, _Field], *, frozen: bool, alone: bool = False) -> Any:
        """`__init__`; `alone`: a function that makes the object, too."""
        arguments, lines, current = ["self"], [], {"_missing": _MISSING}
        # An object of many fields is filled as one of a class that lets them be set, in half the time.
        opened = alone or (frozen and len(fields) >= _MANY and kind.__bases__ == (object,))
        for name, item in fields.items():
            value, default = name, ""
            if item.factory is not _MISSING:
                current[f"_make_{name}"] = item.factory
                default = "_missing"
                value = (
                    f"_make_{name}() if {name} is _missing else {name}" if item.init else f"_make_{name}()"
                )
            elif item.default is not _MISSING:
                current[f"_default_{name}"] = item.default
                default = f"_default_{name}"
                value = name if item.init else default
            elif not item.init:
                continue
            if item.init:
                arguments.append(f"{name}={default}" if default else name)
            if frozen and not opened:
                current[f"_set_{name}"] = getattr(kind, name).__set__
                lines.append(f"  _set_{name}(self, {value})")
            else:
                lines.append(f"  self.{name} = {value}")
        if opened:
            current["_become"], current["_frozen"] = object.__dict__["__class__"].__set__, kind
            current["_open"] = type(kind.__name__, (), {"__slots__": kind.__slots__})
            first = "  self = _open()" if alone else "  _become(self, _open)"
            lines = [first, *lines, "  self.__class__ = _frozen"]
        if hasattr(kind, "__post_init__"):
            lines.append("  self.__post_init__()")
        if alone:
            return _compiled(kind, "made", ", ".join(arguments[1:]), [*lines, "  return self"], current)
        method = _compiled(kind, "__init__", ", ".join(arguments), lines or ["  pass"], current)
        method.__annotations__ = {name: element.kind for name, element in fields.items() if element.init}
        method.__annotations__["return"] = None
        return method

    def _eq_of(kind: type, names: list[str]) -> Any:
        same = [f"(self.{name} is other.{name} or self.{name} == other.{name})" for name in names]
        lines = [
            "  if other.__class__ is not self.__class__:",
            "   return NotImplemented",
            f"  return {' and '.join(same) or 'True'}",
        ]
        return _compiled(kind, "__eq__", "self, other", lines, {})

    def _hash_of(names: list[str]) -> Any:
        if not names:
            return lambda _: 0
        values = attrgetter(*names)
        return lambda self: hash(values(self))

    def _repr_of(names: list[str]) -> Any:
        def __repr__(self: Any) -> str:  # noqa: N807 the method's own name
            shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({shown})"

        return __repr__

    def _refuse_to_set(_: Any, name: str, __: Any) -> None:
        raise _frozen(f"cannot assign to field {name!r}")

    def _refuse_to_delete(_: Any, name: str) -> None:
        raise _frozen(f"cannot delete field {name!r}")

    def _frozen(message: str) -> Exception:
        from dataclasses import FrozenInstanceError

        return FrozenInstanceError(message)

    def _state_of(names: tuple[str, ...], kind: Callable[[], type]) -> Any:
        def __getstate__(self: Any) -> dict[str, Any]:  # noqa: N807 the method's own name
            every = names if type(self) is kind() else type(self).__dataclass_fields__
            return {name: getattr(self, name) for name in every}

        return __getstate__

    def _set_state(self: Any, state: Mapping[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    class _Described:
        """`__dataclass_fields__`, made by the standard library when somebody asks for it."""

        __slots__ = ("fields", "frozen", "made")

        def __init__(self, fields: Mapping[str, _Field], *, frozen: bool) -> None:
            self.fields, self.frozen, self.made = fields, frozen, None

        def __get__(self, _: Any, kind: type) -> Mapping[str, Any]:
            return self.of(kind).__dataclass_fields__

        def of(self, kind: type) -> type:
            """The library's class of these fields."""
            if self.made is None:
                import dataclasses

                self.made = dataclasses.make_dataclass(
                    kind.__name__, self._all(), init=False, repr=False, eq=False, frozen=self.frozen
                )
            return self.made

        def _all(self) -> Iterator[tuple[str, Any, Any]]:
            import dataclasses

            for name, item in self.fields.items():
                given: dict[str, Any] = {"init": item.init, "repr": item.shown, "compare": item.compare}
                if item.default is not _MISSING:
                    given["default"] = item.default
                if item.factory is not _MISSING:
                    given["default_factory"] = item.factory
                yield name, item.kind, dataclasses.field(**given)

    class _Parameters:
        """`__dataclass_params__`, which the standard library asks of the bases of its own classes."""

        __slots__ = ("described",)

        def __init__(self, described: _Described) -> None:
            self.described = described

        def __get__(self, _: Any, kind: type) -> Any:
            return self.described.of(kind).__dataclass_params__


def compared(kind: type) -> tuple[str, ...]:
    """The names of the fields that take part in the equality of a class of this kind."""
    fields = kind.__dict__["__dataclass_fields__"].fields
    return tuple(name for name, item in fields.items() if item.compare)


def values_of(value: Any) -> dict[str, Any]:
    """The fields of an object that its class takes, by name."""
    return {name: getattr(value, name) for name in type(value).__match_args__}
