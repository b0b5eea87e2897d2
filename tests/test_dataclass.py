"""`schemacheck.dataclass` makes what the standard library makes."""

from __future__ import annotations

import ast
import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import schemacheck
from schemacheck import dataclass as ours

ROOT = Path(schemacheck.__file__).parent


def classes() -> list[type]:
    """Every class of the package that is made so."""
    found: dict[type, None] = {}
    for module in pkgutil.walk_packages([str(ROOT)], "schemacheck."):
        if module.name == "schemacheck.__main__":
            continue
        try:
            there = importlib.import_module(module.name)
        except ImportError:
            continue  # an extra that is not installed
        for one in vars(there).values():
            if isinstance(one, type) and one.__module__ == module.name and "__own_fields__" in vars(one):
                found[one] = None
    return list(found)


def as_in_the_library(kind: type) -> type:
    """The standard library's class of the same fields."""
    fields = []
    for one in dataclasses.fields(kind):
        given: dict[str, Any] = {"init": one.init, "repr": one.repr, "compare": one.compare}
        if one.default is not dataclasses.MISSING:
            given["default"] = one.default
        if one.default_factory is not dataclasses.MISSING:
            given["default_factory"] = one.default_factory
        fields.append((one.name, one.type, dataclasses.field(**given)))
    return dataclasses.make_dataclass(kind.__name__, fields, frozen=True)


def test_every_class_of_the_package_takes_the_same_arguments() -> None:
    found = classes()
    assert len(found) > 250
    wrong = []
    for kind in found:
        expected = as_in_the_library(kind)
        with pytest.raises(TypeError):
            kind(**{"no such field": 1})  # compiles __init__ too
        here, there = (list(inspect.signature(one).parameters) for one in (kind, expected))
        if here != there or kind.__match_args__ != expected.__match_args__:  # type: ignore[attr-defined]
            wrong.append((kind, here, there))
        if kind.__eq__ is object.__eq__ and kind.__hash__ is not object.__hash__:
            wrong.append((kind, "hashed by fields, compared by identity"))
        if hasattr(kind, "__dict__") and "__dict__" in dir(kind):
            wrong.append((kind, "has no slots"))
    assert not wrong


def test_the_package_takes_its_dataclasses_from_one_place() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        if path != Path(ours.__file__)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "dataclasses"
        and {"dataclass", "field", "replace"} & {alias.name for alias in node.names}
    ]
    assert not wrong


def made(dataclass: Callable[..., Any], field: Callable[..., Any]) -> dict[str, type]:
    """The same classes by either maker."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        a: int
        b: str = "b"
        c: tuple[int, ...] = ()

    @dataclass(frozen=True, slots=True)
    class Fields:
        shown: int
        hidden: int = field(default=1, repr=False)
        apart: int = field(default=2, compare=False)
        many: list[int] = field(default_factory=list, compare=False)
        later: int = field(init=False, default=7)

    @dataclass(slots=True)
    class Mutable:
        a: int
        many: list[int] = field(default_factory=list)
        unset: int = field(init=False)

        def __post_init__(self) -> None:
            self.unset = self.a + 1

    @dataclass(frozen=True, slots=True)
    class Base:
        a: int
        kind: ClassVar = "base"

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    @dataclass(frozen=True, slots=True)
    class Own:
        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and abs(self.a - other.a) < 2

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return f"<{self.a}>"

    @dataclass(slots=True, eq=False)
    class ByIdentity:
        a: int

    return {one.__name__: one for one in locals().values() if isinstance(one, type)}


OURS, THEIRS = made(ours.dataclass, ours.field), made(dataclasses.dataclass, dataclasses.field)

#: What is done with the classes: each is done with ours and with the library's, and comes to the same.
DEEDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "positional": lambda k: repr(k["Plain"](1, "x", (3,))),
    "named": lambda k: repr(k["Plain"](c=(1,), a=2)),
    "one argument is missing": lambda k: k["Plain"](),
    "one too many": lambda k: k["Plain"](1, "x", (), 4),
    "an unknown one": lambda k: k["Plain"](1, d=4),
    "equal": lambda k: k["Plain"](1) == k["Plain"](1, "b"),
    "not equal": lambda k: (k["Plain"](1) != k["Plain"](2), k["Plain"](1, c=(2,)) == k["Plain"](1)),
    "of another class": lambda k: (
        k["Plain"](1) == k["Base"](1),
        k["Base"](1) == k["Derived"](1),
        k["Plain"](1) == 1,
    ),
    "hashes": lambda k: hash(k["Plain"](1)) == hash(k["Plain"](1, "b")),
    "in a set": lambda k: len({k["Plain"](1), k["Plain"](1), k["Plain"](2)}),
    "set a field": lambda k: setattr(k["Plain"](1), "a", 2),
    "set what is no field": lambda k: setattr(k["Mutable"](1), "z", 2),
    "delete a field": lambda k: delattr(k["Plain"](1), "a"),
    "hidden in repr": lambda k: repr(k["Fields"](1)),
    "left out of comparison": lambda k: (
        k["Fields"](1, apart=3) == k["Fields"](1),
        k["Fields"](1, 5) == k["Fields"](1),
    ),
    "and of the hash": lambda k: hash(k["Fields"](1, apart=3)) == hash(k["Fields"](1)),
    "a list of its own": lambda k: k["Fields"](1).many is k["Fields"](1).many,
    "no argument": lambda k: k["Fields"](1, later=3),
    "after the fields": lambda k: k["Mutable"](4).unset,
    "mutable": lambda k: setattr(one := k["Mutable"](1), "a", 9) or one.a,
    "mutable has no hash": lambda k: hash(k["Mutable"](1)),
    "mutable equality": lambda k: k["Mutable"](1) == k["Mutable"](1),
    "derived": lambda k: (repr(k["Derived"](1)), k["Derived"](1, 3).b, k["Derived"].__match_args__),
    "derived equality": lambda k: (k["Derived"](1) == k["Derived"](1), k["Derived"](1) == k["Derived"](1, 3)),
    "nothing": lambda k: (
        repr(k["Nothing"]()),
        k["Nothing"]() == k["Nothing"](),
        len({k["Nothing"](), k["Nothing"]()}),
    ),
    "own methods": lambda k: (k["Own"](1) == k["Own"](2), hash(k["Own"](9)), repr(k["Own"](3))),
    "by identity": lambda k: (k["ByIdentity"](1) == k["ByIdentity"](1), hash(k["ByIdentity"](1)) == 0),
    "replaced": lambda k: repr(k["replace"](k["Plain"](1, "x"), c=(4,))),
    "replaced what is unknown": lambda k: k["replace"](k["Plain"](1), z=3),
    "replaced with what it had": lambda k: k["replace"](k["Fields"](1, 2, 3, [4])).many,
    "copied": lambda k: (
        copy.copy(k["Plain"](1)) == k["Plain"](1),
        copy.deepcopy(k["Fields"](1, many=[2])).many,
    ),
    "copied, mutable": lambda k: copy.deepcopy(k["Mutable"](1, [2])) == k["Mutable"](1, [2]),
    "as a dict": lambda k: dataclasses.asdict(k["Fields"](1, many=[k["Plain"](3)])),
    "is one": lambda k: (dataclasses.is_dataclass(k["Plain"]), dataclasses.is_dataclass(k["Plain"](1))),
    "fields": lambda k: [
        (f.name, f.init, f.repr, f.compare, f.default is dataclasses.MISSING)
        for f in dataclasses.fields(k["Fields"])
    ],
    "derived fields": lambda k: [f.name for f in dataclasses.fields(k["Derived"])],
    "by the library's replace": lambda k: dataclasses.replace(k["Derived"](1), b=5).b,
    "matched": lambda k: _matched(k["Plain"], k["Plain"](7, "y")),
    "slots": lambda k: (k["Plain"].__slots__, k["Derived"].__slots__),
    "qualified": lambda k: k["Plain"].__qualname__,
    "signature": lambda k: [
        (one, str(inspect.signature(k[one]))) for one in ("Plain", "Fields", "Mutable", "Derived", "Nothing")
    ],
    "type hints": lambda k: typing.get_type_hints(k["Plain"].__init__),
    "the method's name": lambda k: k["Plain"].__init__.__qualname__,
    "a class of the library's made of it": lambda k: _of_the_librarys(k["Base"]),
    "not frozen, made of a frozen one": lambda k: dataclasses.dataclass(type("Thawed", (k["Base"],), {})),
    "a field in a class made of it": lambda k: setattr(type("Sub", (k["Plain"],), {})(1), "a", 2),
    "its own arguments": lambda k: str(inspect.signature(type("Sub", (k["Plain"],), {"__init__": _own}))),
    "a mutable default": lambda k: k["dataclass"](slots=True)(
        type("Bad", (), {"a": [], "__annotations__": {"a": "list"}})
    ),
}


def _of_the_librarys(base: type) -> object:
    kind = dataclasses.dataclass(frozen=True)(
        type("Extended", (base,), {"more": 1, "__annotations__": {"more": "int"}})
    )
    one = kind(a=1, more=4)
    return repr(one), repr(copy.copy(one)), repr(pickle.loads(pickle.dumps(_sent(kind)))), kind(1) == kind(1)


def _sent(kind: Any) -> object:
    """One that `pickle` finds by its name."""
    globals()["Extended"], kind.__module__ = kind, __name__
    return kind(2, more=3)


def _own(self: object, z: int) -> None:
    del self, z


def _matched(kind: Any, value: object) -> object:
    match value:
        case kind(a, b):
            return a, b
    return None


@pytest.mark.parametrize("deed", DEEDS)
def test_the_same_as_the_library(deed: str) -> None:
    def done(classes: dict[str, Any]) -> object:
        try:
            return DEEDS[deed](classes)
        except (TypeError, AttributeError, ValueError, dataclasses.FrozenInstanceError) as error:
            return next(t for t in type(error).__mro__ if t.__module__ in ("builtins", "dataclasses"))

    here = done({**OURS, "replace": ours.replace, "dataclass": ours.dataclass})
    assert here == done({**THEIRS, "replace": dataclasses.replace, "dataclass": dataclasses.dataclass})


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(TypeError, match="order"):
        ours.dataclass(slots=True, order=True)
    with pytest.raises(TypeError, match="slots"):
        ours.dataclass(slots=False)
    with pytest.raises(TypeError, match="kw_only"):
        ours.field(kw_only=True)
    with pytest.raises(TypeError, match="later"):
        ours.replace(OURS["Fields"](1), later=3)


def test_maker_makes_what_the_class_makes() -> None:
    from schemacheck.model import Column, ColumnType, Location

    type_ = ColumnType.parse("int")
    for given, named in (
        (("a", type_), {}),
        (("a", type_, False), {"location": Location("x", 3), "attributes": ("COMMENT 'x'",)}),
    ):
        made, wanted = ours.maker(Column)(*given, **named), Column(*given, **named)
        assert type(made) is Column
        assert [getattr(made, one.name) for one in dataclasses.fields(Column)] == [
            getattr(wanted, one.name) for one in dataclasses.fields(Column)
        ]
        assert made == wanted
        assert hash(made) == hash(wanted)
        assert pickle.loads(pickle.dumps(made)) == wanted
        with pytest.raises(dataclasses.FrozenInstanceError):
            made.name = "b"
    with pytest.raises(TypeError):
        ours.maker(Column)("a")
