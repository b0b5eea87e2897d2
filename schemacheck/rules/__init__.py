"""What a rule is, and all of them: a file of this package that defines RULE is a rule; nothing
else lists it.
"""

from __future__ import annotations

import enum
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from schemacheck.alignment import Pair
from schemacheck.alignment.terms import Terms
from schemacheck.conversion import Kind, What
from schemacheck.conversion.own_values import in_time_zone
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Finding, KeyKind, Table
from schemacheck.model.column_type import GEOMETRIES, INTEGERS, STRINGS, TEMPORALS
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.storage_engine import compressed_page_size, is_doubtful

if TYPE_CHECKING:
    from schemacheck.evidence.ask import Answer, Ask

__all__ = ["HEADINGS", "About", "Rule", "all_rules", "find", "pair_subjects", "rules_about", "rules_for"]

#: Codes of rules that are gone. Suppressions and baselines of users may have them: never another rule's.
RETIRED = frozenset(("SC705",))
#: Headings that every rule's documentation has, in this order.
HEADINGS = ("What it finds", "What the replica does", "Example", "Fix", "References")
#: Asked of every key, and an enum looks its members up each time.
_PRIMARY, _UNIQUE, _SPATIAL = KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.SPATIAL
_UNCHANGED, _NOT_KNOWN = What.UNCHANGED, Kind.UNREADABLE
#: Values that a column of one length fills up or cuts.
_TO_LENGTH = (What.PADDED, What.TRIMMED)
_MEMBERED = ("enum", "set")
#: What a rule's `check` is given: a Pair, the Ends of a link, a Match, an InputProblem or a SuppressionUse.
Subject = TypeVar("Subject")


class About(enum.Enum):
    """What a rule looks at, and when it is asked. Those above MATCH are given a Pair that shows them."""

    PAIR = "any pair"
    COLUMNS = "a common column differs"
    UNMADE = "an ENUM or SET differs, or the replica may fail to make a column of a type"
    ATTRIBUTES = "a common column differs in more than its type"
    PADDED = "a value is filled up, or loses its trailing spaces, by its conversion"
    STORED = "the value of a UUID or an address is changed by its conversion, or made one"
    INTEGERS = "the value of an integer is changed by its conversion"
    DECIMALS = "the value of a DECIMAL is changed by its conversion"
    FLOATS = "the value of a FLOAT, DOUBLE or YEAR is changed by its conversion"
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
    COMPACT_ROWS = "the replica's pages may hold less of a row: its row format, compressed pages or engine"
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
    FUNCTION = "a stored function of the source that logged statements may call (given the CalledFunction)"
    SUPPRESSION = "a comment or an entry of `tolerate:` was used or not (given the SuppressionUse)"


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """One rule.

    `code` is SC and three digits, `name` kebab case and equal to the file's name. `check` is the logic: it is
    given the subject and yields findings without code and name, which `findings` fills in. `about` says what
    the rule looks at: where none of that is so, it is not asked. `evidence` says what rows and writes make
    a finding happen (None: nothing tells). `doc` is the page (Markdown): the file's docstring, which
    `all_rules` fills in; its first line is the title, and it has all of HEADINGS as `## ` headings.
    """

    code: str
    name: str
    check: Callable[[Subject], Iterator[Finding]]
    about: tuple[About, ...] = (About.PAIR,)
    doc: str = ""
    evidence: Callable[[Ask], Answer] | None = None

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
    """Every rule, by code. Raises RuntimeError where two share one, or it is a retired rule's."""
    result: dict[str, Rule[Any]] = {}
    for module in pkgutil.iter_modules(__path__):
        file = import_module(f"{__name__}.{module.name}")
        rule = replace(file.RULE, doc=file.__doc__ or "")
        if rule.code in result:
            raise RuntimeError(f"rule code {rule.code} is taken twice: {result[rule.code].name}, {rule.name}")
        if rule.code in RETIRED:
            raise RuntimeError(f"rule code {rule.code} of {rule.name} was that of a rule that is gone")
        result[rule.code] = rule
    return tuple(result[code] for code in sorted(result))


@lru_cache(maxsize=256)
def rules_about(*subjects: About) -> tuple[Rule[Any], ...]:
    """The rules that look at one of these, by code."""
    return tuple(rule for rule in all_rules() if not set(subjects).isdisjoint(rule.about))


def find(code_or_name: str) -> Rule[Any] | None:
    """The rule of this code or name, in any case."""
    wanted = code_or_name.strip().lower()
    return next((r for r in all_rules() if wanted in (r.code.lower(), r.name)), None)


def _bit(*subjects: About) -> int:
    """These members of About in the number that says what a pair shows."""
    return sum(1 << place for place, about in enumerate(About) if about in subjects)


_PAIR, _COLUMNS, _UNMADE = _bit(About.PAIR), _bit(About.COLUMNS), _bit(About.UNMADE)
_ATTRIBUTES, _PADDED, _STORED = _bit(About.ATTRIBUTES), _bit(About.PADDED), _bit(About.STORED)
_REFUSALS, _PLACES, _UNREADABLE = _bit(About.REFUSALS), _bit(About.PLACES), _bit(About.UNREADABLE)
_STATEMENTS, _CLUSTER, _CONSTRAINTS = _bit(About.STATEMENTS), _bit(About.CLUSTER), _bit(About.CONSTRAINTS)
_VERSIONS, _OPTIONS, _COMPACT_ROWS = _bit(About.VERSIONS), _bit(About.OPTIONS), _bit(About.COMPACT_ROWS)
_KEYS, _KEYED, _SPECIAL_KEYS = _bit(About.KEYS), _bit(About.KEYED), _bit(About.SPECIAL_KEYS)
_NO_PRIMARY_KEY, _PARTIAL_IMAGE = _bit(About.NO_PRIMARY_KEY), _bit(About.PARTIAL_IMAGE)
_TRIGGERS, _TIME_ZONE = _bit(About.TRIGGERS), _bit(About.TIME_ZONE)
#: What a changed value shows, by the base type of the source's column.
_CHANGED = {
    base: _bit(subject)
    for subject, bases in {
        About.INTEGERS: INTEGERS,
        About.DECIMALS: ("decimal",),
        About.FLOATS: ("float", "double", "year"),
        About.BITS: ("bit",),
        About.TIMES: ("date", *TEMPORALS),
        About.MEMBERS: _MEMBERED,
        About.TEXTS: STRINGS,
        About.SHAPES: GEOMETRIES,
    }.items()
    for base in bases
}


def pair_subjects(pair: Pair) -> tuple[About, ...]:
    """What a pair shows."""
    return _subjects(_shown(pair))


def rules_for(pair: Pair) -> tuple[Rule[Any], ...]:
    """The rules that look at something that the pair shows, by code."""
    return _rules_for(_shown(pair))


def _shown(pair: Pair) -> int:
    link_terms, source, replica, differing = pair.terms, pair.source, pair.replica, pair.differing
    shown = _PAIR | _COLUMNS if differing else _PAIR
    if link_terms.converts_in_table:
        shown |= _UNMADE
    names = set()
    for _, _, here, there, kind, allowed, outcome, same in differing:
        base = here.type.base
        if not allowed:
            shown |= _REFUSALS
        elif outcome.what is not _UNCHANGED:
            shown |= _CHANGED.get(base, 0)
            if outcome.what in _TO_LENGTH:
                shown |= _PADDED
            if here.type.is_address or there.type.is_address:
                shown |= _STORED
        if kind is _NOT_KNOWN or (not same and here.type.has_members):
            shown |= _UNMADE
        name = there.name.casefold()
        names.add(name)
        if here.name != there.name and here.name.casefold() != name:
            shown |= _PLACES
        if not here.same_attributes(there):
            shown |= _ATTRIBUTES
    if pair.extra_source or pair.extra_replica:
        shown |= _PLACES
    if pair.unreadable:
        shown |= _UNREADABLE
    if source.foreign_keys or replica.foreign_keys or replica.checks or replica.incoming:
        shown |= _CONSTRAINTS
    if (
        pair.gipk_mismatch
        or source.engine != replica.engine
        or source.partitioning != replica.partitioning
        or source.system_versioned != replica.system_versioned
        or source.gipk != replica.gipk
        or source.partitioning == UNKNOWN
        or is_doubtful(source.engine)
    ):
        shown |= _OPTIONS
    if (
        replica.row_format in link_terms.prefix_formats
        or source.engine != replica.engine
        or compressed_page_size(replica) is not None
    ):
        shown |= _COMPACT_ROWS
    if replica.triggers:
        shown |= _TRIGGERS
    if link_terms.own_time_zone and any(in_time_zone(replica)):
        shown |= _TIME_ZONE
    return shown | _of_link(link_terms) | _of_keys(source, replica, names)


def _of_link(link_terms: Terms) -> int:
    shown = 0 if link_terms.same_servers else _VERSIONS
    if link_terms.logs_statements:
        shown |= _STATEMENTS
    if link_terms.partial_image:
        shown |= _PARTIAL_IMAGE
    return shown | _CLUSTER if link_terms.cluster else shown


def _of_keys(source: Table, replica: Table, names: set[str]) -> int:
    """What the keys show; `names` are those of the replica's columns that differ, folded."""
    shown = _NO_PRIMARY_KEY
    for key in replica.keys:
        kind = key.kind
        if kind is _PRIMARY:
            shown &= ~_NO_PRIMARY_KEY
        elif kind is _SPATIAL:
            shown |= _SPECIAL_KEYS
        unique = kind is _PRIMARY or kind is _UNIQUE
        for part in key.parts:
            if part.column is None:
                shown |= _SPECIAL_KEYS
            elif unique and part.column.casefold() in names:
                shown |= _KEYED
    return shown if source.same_keys(replica) else shown | _KEYS


@lru_cache(maxsize=4096)
def _rules_for(shown: int) -> tuple[Rule[Any], ...]:
    return rules_about(*_subjects(shown))


@lru_cache(maxsize=4096)
def _subjects(shown: int) -> tuple[About, ...]:
    """The members of About whose bit is set."""
    return tuple(subject for place, subject in enumerate(About) if shown >> place & 1)


def means(selector: str, code: str, rule: str) -> bool:
    """Whether `SC204`, `SC2` or a rule's name means this rule. A beginning shorter than `SC` is a slip."""
    wanted = selector.upper()
    return (code.startswith(wanted) and wanted.startswith("SC")) or rule == selector.lower()
