"""What a rule is, and all of them: a file of this package that defines RULE is a rule; nothing
else lists it.
"""

from __future__ import annotations

import enum
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from schemacheck.alignment import Pair
from schemacheck.conversion import Kind, What
from schemacheck.conversion.own_time_zone import in_time_zone
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Finding, KeyKind
from schemacheck.model.column_type import GEOMETRIES, INTEGERS, STRINGS, TEMPORALS
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.storage_engine import is_doubtful

__all__ = ["HEADINGS", "About", "Rule", "all_rules", "find", "pair_subjects", "rules_about", "rules_for"]

#: Codes of rules that are gone. Suppressions and baselines of users may have them: never another rule's.
RETIRED = frozenset(("SC705",))
#: Headings that every rule's documentation has, in this order.
HEADINGS = ("What it finds", "What the replica does", "Example", "Remedy", "References")
#: Asked of every key, and an enum looks its members up each time.
_PRIMARY, _UNIQUE, _SPATIAL = KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.SPATIAL
_UNCHANGED, _UNREADABLE = What.UNCHANGED, Kind.UNREADABLE
_MEMBERED = ("enum", "set")
#: What a rule's `check` is given: a Pair, the Ends of a link, a Match, an InputProblem or a SuppressionUse.
Subject = TypeVar("Subject")


class About(enum.Enum):
    """What a rule looks at, and when it is asked. Those above MATCH are given a Pair that shows them."""

    PAIR = "any pair"
    COLUMNS = "a common column differs"
    UNMADE = "an ENUM or SET differs, or the replica may fail to make a column of a type"
    ATTRIBUTES = "a common column differs in more than its type"
    VALUES = "a value is changed by its conversion"
    INTEGERS = "the value of an integer is changed by its conversion"
    DECIMALS = "the value of a DECIMAL is changed by its conversion"
    FLOATS = "the value of a FLOAT or DOUBLE is changed by its conversion"
    BITS = "the value of a BIT is changed by its conversion"
    TIMES = "the value of a date or time is changed by its conversion"
    MEMBERS = "the value of an ENUM or SET is changed by its conversion"
    TEXTS = "the value of a string is changed by its conversion"
    SHAPES = "the value of a geometry is changed by its conversion"
    REFUSALS = "a conversion is refused"
    PLACES = "a column has another name, or is on one side only"
    UNREADABLE = "the replica does not know a type"
    STATEMENTS = "statements are logged"
    CLUSTER = "the link is a cluster of nodes"
    CONSTRAINTS = "a CHECK or FOREIGN KEY holds, here or in a table that references this one"
    VERSIONS = "the ends are servers of different versions"
    OPTIONS = "the engine, partitioning, system versioning or generated key of the tables differ"
    COMPACT_ROWS = "the replica's row format keeps the beginning of long values in the page"
    KEYS = "the keys differ"
    KEYED = "a common column that differs is in a unique key of the replica"
    SPECIAL_KEYS = "a key of the replica is spatial, or over an expression"
    NO_PRIMARY_KEY = "the replica's table has no primary key"
    PARTIAL_IMAGE = "row events do not carry every column"
    TRIGGERS = "the replica's table has triggers"
    TIME_ZONE = "the applier computes stored columns of the replica in its own time zone"
    MATCH = "a source table has no plain counterpart on the replica (given the Match)"
    LINK = "a link by itself, whatever its tables are (given the Ends)"
    INPUT = "a piece of the input could not be read (given the InputProblem)"
    CHANGE = "a statement of a change is refused by the replica (given the RefusedStatement)"
    EVENT = "an event is enabled on the replica (given the OwnEvent)"
    SUPPRESSION = "a comment or an entry of `tolerate:` was used or not (given the SuppressionUse)"


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """One rule.

    `code` is SC and three digits, `name` kebab case and equal to the file's name. `check` is the logic: it is
    given the subject and yields findings without code and name, which `findings` fills in. `about` says what
    the rule looks at: where none of that is so, it is not asked. `doc` is the page (Markdown): the file's
    docstring, which `all_rules` fills in; its first line is the title, and it has all of HEADINGS as
    `## ` headings.
    """

    code: str
    name: str
    check: Callable[[Subject], Iterator[Finding]]
    about: tuple[About, ...] = (About.PAIR,)
    doc: str = ""

    @property
    def title(self) -> str:
        """The page's first line, without its full stop."""
        return self.doc.strip().partition("\n")[0].removesuffix(".")

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """What the rule finds, under its code and name."""
        for finding in self.check(subject):
            yield finding.by(self.code, self.name)


@cache
def all_rules() -> tuple[Rule[Any], ...]:
    """Every rule, by code. Raises RuntimeError where two share a code, or one has that of a rule that is
    gone.
    """
    found: dict[str, Rule[Any]] = {}
    for module in pkgutil.iter_modules(__path__):
        file = import_module(f"{__name__}.{module.name}")
        rule = replace(file.RULE, doc=file.__doc__ or "")
        if rule.code in found:
            raise RuntimeError(f"rule code {rule.code} is taken twice: {found[rule.code].name}, {rule.name}")
        if rule.code in RETIRED:
            raise RuntimeError(f"rule code {rule.code} of {rule.name} was that of a rule that is gone")
        found[rule.code] = rule
    return tuple(found[code] for code in sorted(found))


@lru_cache(maxsize=256)
def rules_about(*subjects: About) -> tuple[Rule[Any], ...]:
    """The rules that look at one of these, by code."""
    return tuple(rule for rule in all_rules() if not set(subjects).isdisjoint(rule.about))


def find(code_or_name: str) -> Rule[Any] | None:
    """The rule of this code or name, in any case."""
    wanted = code_or_name.strip().lower()
    return next((r for r in all_rules() if wanted in (r.code.lower(), r.name)), None)


#: The base types of the source's column for each member of About between VALUES and REFUSALS.
_VALUES_OF = tuple(
    map(
        frozenset,
        (
            INTEGERS,
            ("decimal",),
            ("float", "double"),
            ("bit",),
            ("date", *TEMPORALS),
            ("enum", "set"),
            STRINGS,
            GEOMETRIES,
        ),
    )
)
_NO_VALUES = (False,) * len(_VALUES_OF)


def pair_subjects(pair: Pair) -> tuple[About, ...]:
    """What a pair shows."""
    return _subjects(_shown(pair))


def rules_for(pair: Pair) -> tuple[Rule[Any], ...]:
    """The rules that look at something that the pair shows, by code."""
    return _rules_for(_shown(pair))


def _shown(pair: Pair) -> tuple[bool, ...]:
    """Whether the pair shows each of About's members above MATCH."""
    known = pair.terms
    refused = renamed = attributes = False
    unmade = known.converts_in_table
    changed: set[str] = set()
    names = set()
    for _, _, here, there, way, allowed, outcome, same in pair.differing:
        if not allowed:
            refused = True
        elif outcome.what is not _UNCHANGED:
            changed.add(here.type.base)
        name = there.name.casefold()
        names.add(name)
        renamed = renamed or (here.name != there.name and here.name.casefold() != name)
        attributes = attributes or not here.same_attributes(there)
        unmade = unmade or way is _UNREADABLE or (not same and here.type.base in _MEMBERED)
    source, replica = pair.source, pair.replica
    primary = special = keyed = False
    for key in replica.keys:
        kind = key.kind
        if kind is _PRIMARY:
            primary = True
        elif kind is _SPATIAL:
            special = True
        unique = not keyed and (kind is _PRIMARY or kind is _UNIQUE)
        for part in key.parts:
            if part.column is None:
                special = True
            elif unique and part.column.casefold() in names:
                keyed = True
    return (
        True,
        bool(pair.differing),
        unmade,
        attributes,
        bool(changed),
        *([not changed.isdisjoint(bases) for bases in _VALUES_OF] if changed else _NO_VALUES),
        refused,
        renamed or bool(pair.extra_source or pair.extra_replica),
        bool(pair.unreadable),
        known.statement_format,
        known.cluster,
        bool(source.foreign_keys or replica.foreign_keys or replica.checks or replica.incoming),
        not known.same_servers,
        pair.gipk_mismatch
        or source.engine != replica.engine
        or source.partitioning != replica.partitioning
        or source.system_versioned != replica.system_versioned
        or source.gipk != replica.gipk
        or source.partitioning == UNKNOWN
        or is_doubtful(source.engine)
        or (bool(source.options or replica.options) and source.most_rows != replica.most_rows),
        replica.keeps_prefixes(compact=known.compact_rows),
        not source.same_keys(replica),
        keyed,
        special,
        not primary,
        known.partial_image,
        bool(replica.triggers),
        known.own_time_zone and any(in_time_zone(replica)),
    )


@cache
def _rules_for(shown: tuple[bool, ...]) -> tuple[Rule[Any], ...]:
    return rules_about(*_subjects(shown))


@cache
def _subjects(shown: tuple[bool, ...]) -> tuple[About, ...]:
    """The first members of About for which the flag is set."""
    return tuple(subject for subject, there in zip(About, shown, strict=False) if there)


def means(selector: str, code: str, rule: str) -> bool:
    """Whether `SC204`, `SC2` or a rule's name means this rule. A beginning shorter than `SC` is a slip."""
    wanted = selector.upper()
    return (code.startswith(wanted) and wanted.startswith("SC")) or rule == selector.lower()
