"""A table as replication sees it: columns in order, keys, constraints, engine.

Equality is by meaning. Where a definition was written (`location`) and how it was spelled
(`text`) never take part, so the same table read from DDL, from information_schema and from a
live server is one value.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from operator import attrgetter

from schemacheck.dataclass import compared, dataclass, field, maker
from schemacheck.model import charset, numbered
from schemacheck.model.column_type import ColumnType
from schemacheck.model.location import Location
from schemacheck.model.program import Made, Ran, Trigger


class DefaultKind(enum.Enum):
    """What comes after DEFAULT."""

    NULL = "null"
    LITERAL = "literal"
    EXPRESSION = "expression"
    CURRENT_TIMESTAMP = "current_timestamp"


@dataclass(frozen=True, slots=True)
class Default:
    """A column's default. `text` is the literal's value without quotes (`0`, `abc`, `b'101'`), the
    normalised expression, or '' for NULL and CURRENT_TIMESTAMP. A column without a usable default
    has `Column.default is None`; a nullable column without DEFAULT has `Default(NULL)`.
    """

    kind: DefaultKind
    text: str = ""

    def __eq__(self, other: object) -> bool:
        """As dataclasses have it, without two tuples."""
        if not isinstance(other, Default):
            return NotImplemented
        return self.kind is other.kind and self.text == other.text

    def __hash__(self) -> int:
        """As dataclasses have it."""
        return hash((self.kind, self.text))


#: DEFAULT NULL, one value for all columns that have it: comparing it with itself costs nothing.
DEFAULT_NULL = Default(DefaultKind.NULL)
#: The base type of a view's column that is not worked out.
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `generated` is 'virtual', 'stored' or None; `expression` its normalised text. `attributes`
    are what else the definition says, as SQL: information_schema tells WITHOUT_VERSIONS alone of them.
    """

    name: str
    type: ColumnType
    nullable: bool = True
    default: Default | None = None
    on_update: bool = False
    auto_increment: bool = False
    generated: str | None = None
    expression: str | None = None
    invisible: bool = False
    location: Location | None = field(default=None, compare=False)
    attributes: tuple[str, ...] = field(default=(), compare=False)

    def __eq__(self, other: object) -> bool:
        """Everything but the location and the attributes. (Spelled out: a check mostly compares columns that
        are equal, and dataclass's own way makes two tuples for it.)
        """
        if not isinstance(other, Column):
            return NotImplemented
        return (
            self.name == other.name
            and (self.type is other.type or self.type == other.type)
            and self.same_attributes(other)
        )

    def same_attributes(self, other: Column) -> bool:
        """Whether all that counts in equality is alike, name and type left out."""
        return (
            self.nullable == other.nullable
            and (self.default is other.default or self.default == other.default)
            and self.on_update == other.on_update
            and self.auto_increment == other.auto_increment
            and self.generated == other.generated
            and self.expression == other.expression
            and self.invisible == other.invisible
        )

    def __hash__(self) -> int:
        """Of what tells columns apart mostly."""
        return hash((self.name, self.type))

    @property
    def has_default(self) -> bool:
        """Whether an INSERT may leave the column out without the server inventing a value."""
        return self.default is not None or self.auto_increment or self.generated is not None


#: How often a table is compared before its columns are numbered: fewer times than the lowest number.
_BEFORE_SHAPES = 4


class KeyKind(enum.Enum):
    """Kinds of keys. FOREIGN keys are `ForeignKey`."""

    PRIMARY = "primary"
    UNIQUE = "unique"
    INDEX = "index"
    FULLTEXT = "fulltext"
    SPATIAL = "spatial"
    VECTOR = "vector"

    # Members are singletons; the enum's own hash is a Python call.
    __hash__ = object.__hash__


#: Asked of every key, and an enum looks its members up each time.
_PRIMARY, _UNIQUE = KeyKind.PRIMARY, KeyKind.UNIQUE


@dataclass(frozen=True, slots=True)
class KeyPart:
    """A column with an optional prefix length (characters; bytes for binary types), or an expression."""

    column: str | None
    length: int | None = None
    expression: str | None = None
    descending: bool = False


WITHOUT_VERSIONS = "WITHOUT SYSTEM VERSIONING"  # of a column whose changes leave no history


@dataclass(frozen=True, slots=True)
class Key:
    """A key. `name` is '' where the definition gives none and 'PRIMARY' for the primary key. `attributes` are
    what else the definition says, as SQL (`USING BTREE`, `COMMENT 'x'`).
    """

    kind: KeyKind
    parts: tuple[KeyPart, ...]
    name: str = ""
    visible: bool = True
    location: Location | None = field(default=None, compare=False)
    attributes: tuple[str, ...] = field(default=(), compare=False)
    #: The server made it for a foreign key: it goes when another key begins with its columns.
    generated: bool = field(default=False, compare=False)

    @property
    def unique(self) -> bool:
        """Whether the key refuses duplicates."""
        return self.kind is _PRIMARY or self.kind is _UNIQUE

    @property
    def folded(self) -> frozenset[str]:
        """The folded names of its columns, '' for an expression."""
        return frozenset((part.column or "").casefold() for part in self.parts)

    def finds(self, engine: str | None) -> tuple[str, ...]:
        """Attributes that tell what is found by it, and in which order: a parser, MEMORY's BTREE."""
        memory = engine == "MEMORY"
        return tuple(
            a for a in self.attributes if a.startswith("WITH PARSER") or (memory and a == "USING BTREE")
        )


@dataclass(frozen=True, slots=True)
class Check:
    """A CHECK constraint; `expression` is normalised text."""

    expression: str
    name: str = ""
    enforced: bool = True
    location: Location | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A foreign key; actions are upper case, 'NO ACTION' and 'RESTRICT' both read 'RESTRICT'."""

    columns: tuple[str, ...]
    ref_table: str
    ref_columns: tuple[str, ...]
    ref_database: str | None = None
    on_delete: str = "RESTRICT"
    on_update: str = "RESTRICT"
    name: str = ""
    location: Location | None = field(default=None, compare=False)


class TableKind(enum.Enum):
    """What the name stands for."""

    TABLE = "table"
    VIEW = "view"
    SEQUENCE = "sequence"


#: Engines that keep foreign keys (asked: MyISAM of four servers does not).
_WITH_FOREIGN_KEYS = frozenset(("INNODB", "NDB", "NDBCLUSTER"))


@dataclass(frozen=True, slots=True)
class Size:
    """What TABLES estimates of a table: rows, and bytes on disk with its indexes. None: not said."""

    rows: int | None
    n_bytes: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table, as one server holds it.

    `columns` are in the order of the row image, invisible and generated ones included, hidden
    ones (functional indexes) not. `gipk` says that the first column is a generated invisible
    primary key. `partitioning` is the normalised text
    behind PARTITION BY; it takes no part in equality, since COLUMNS rows do not have it. `incoming` are the
    foreign keys of other tables of the same server that reference this one (`ref_table` then
    names the child); `with_incoming` fills them. `triggers`, and the `query` and the
    `view_columns` (names; None: not known) and `made` of a view, are other objects than the table, which few
    inputs have: they take no part in equality. A sequence's `query` is "CYCLE" or "".
    `system_versioned` tables carry their row_start / row_end among `columns`. `key_order` names the keys in
    the order in which the server asks them, empty where the input does not say it. `row_format` is the one
    that the definition names, upper case, None where it names none or DEFAULT. `options` are the other table
    options that it names, (name, value as SQL), and `partition_sql` what stands behind PARTITION BY, as it is
    written. `size` is what rows of TABLES say of it. `ran` are the definitions that made it, `asked`
    says which server told it where the model did not know, `shown` is its SHOW CREATE TABLE there, `opaque`
    says that only its rows are understood.
    `name` and `database` are as written; the link decides how case is compared. `database` is None where the
    text names none.
    """

    name: str
    columns: tuple[Column, ...]
    database: str | None = None
    keys: tuple[Key, ...] = ()
    checks: tuple[Check, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    kind: TableKind = TableKind.TABLE
    engine: str | None = None
    charset: str | None = None
    collation: str | None = None
    gipk: bool = False
    partitioning: str | None = field(default=None, compare=False)
    incoming: tuple[ForeignKey, ...] = ()
    system_versioned: bool = False
    location: Location | None = field(default=None, compare=False)
    text: str | None = field(default=None, compare=False, repr=False)
    triggers: tuple[Trigger, ...] = field(default=(), compare=False)
    query: str | None = field(default=None, compare=False, repr=False)
    key_order: tuple[str, ...] = field(default=(), compare=False)
    row_format: str | None = field(default=None, compare=False)
    options: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    partition_sql: str | None = field(default=None, compare=False)
    view_columns: tuple[str, ...] | None = field(default=None, compare=False, repr=False)
    size: Size | None = field(default=None, compare=False)
    ran: tuple[Ran, ...] = field(default=(), compare=False, repr=False)
    asked: str = field(default="", compare=False)
    opaque: bool = field(default=False, compare=False)
    made: Made = field(default=Made(), compare=False, repr=False)
    shown: str | None = field(default=None, compare=False, repr=False)
    #: How often `shapes` was asked for, then (greater than that) what it answers.
    _shapes: int = field(default=0, init=False, repr=False, compare=False)
    #: Once `shapes` is made, the number of its keys: equal for the same keys.
    _same_keys: int = field(default=0, init=False, repr=False, compare=False)
    #: The columns, once `without_charset` has looked at all and found none.
    _said: tuple[Column, ...] | None = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """What another process may have: shapes are made anew there."""
        names = self.__match_args__
        state = dict(zip(names, attrgetter(*names)(self), strict=True))
        return state | {"_shapes": 0, "_same_keys": 0, "_said": None}

    def shapes(self) -> int | None:
        """The numbers of all of a column that counts in its equality, `numbered.side_by_side`. For tables
        that are compared often (with many replicas, under many settings, after each statement of a plan): to
        make them costs as much as several comparisons save, so None the first times, and where too many are
        kept already.
        """
        current = self._shapes
        if current > _BEFORE_SHAPES:
            return current
        if current < _BEFORE_SHAPES:
            _set(self, "_shapes", current + 1)
            return None
        if numbered.is_full():
            return None
        _set(self, "_same_keys", numbered.number(self.keys))
        made = numbered.side_by_side(map(numbered.number, map(_SHAPE, self.columns)))
        _set(self, "_shapes", made)
        return made

    def without_charset(self) -> Column | None:
        """The first column whose values carry a character set that nobody said, or that is not known.

        (`mysqldump --xml`, COLUMNS without its character set column: two such columns look alike, and may
        hold other bytes.)
        """
        if self._said is not None:
            return None
        for column in self.columns:
            kind = column.type
            if kind.is_character and (kind.charset is None or not charset.known(kind.charset)):
                return column
        _set(self, "_said", self.columns)
        return None

    @property
    def qualified_name(self) -> str:
        """`db.table`, or the bare name where no database is known."""
        return f"{self.database}.{self.name}" if self.database else self.name

    def named(self, database: str | None, name: str) -> Table:
        """The same table under another name. (Spelled out: `replace` costs four times as much.)"""
        return maker(Table)(
            name, self.columns, database, self.keys, self.checks, self.foreign_keys, self.kind, self.engine,
            self.charset, self.collation, self.gipk,
            self.partitioning, self.incoming, self.system_versioned, self.location, self.text, self.triggers,
            self.query, self.key_order, self.row_format, self.options, self.partition_sql,
            self.view_columns, self.size, self.ran, self.asked, self.opaque, self.made, self.shown,
        )  # fmt: skip

    def same_but_columns(self, other: Table) -> bool:
        """Whether everything that counts in equality is alike, the columns left out."""
        return _BUT_COLUMNS(self) == _BUT_COLUMNS(other)

    def same_definition(self, other: Table) -> bool:
        """Whether both are equal, whatever they are called."""
        return self == other.named(self.database, self.name)

    def same_keys(self, other: Table) -> bool:
        """Whether both have the same keys."""
        ours, theirs = self._same_keys, other._same_keys
        if ours and theirs:
            return ours == theirs
        return self.keys == other.keys

    @property
    def keys_as_asked(self) -> list[Key]:
        """The keys in the order in which the server asks them, where the input tells it; else by name."""
        places = {name: place for place, name in enumerate(self.key_order)}
        return sorted(self.keys, key=lambda key: places.get(key.name, 0))

    @property
    def hides_unique_order(self) -> bool:
        """Whether it has several unique keys, and its input does not tell in which order."""
        return not self.key_order and sum(key.kind is _UNIQUE for key in self.keys) > 1

    @property
    def primary_key(self) -> Key | None:
        """The primary key, if there is one."""
        for key in self.keys:
            if key.kind is _PRIMARY:
                return key
        return None

    @property
    def enforced_keys(self) -> tuple[ForeignKey, ...]:
        """The foreign keys that the engine keeps: others than InnoDB and NDB forget the clause."""
        keys = self.foreign_keys
        return keys if keys and (self.engine or "InnoDB").upper() in _WITH_FOREIGN_KEYS else ()

    @property
    def most_rows(self) -> int:
        """The rows that a MEMORY table holds at most by its definition; 0 for all others."""
        if not self.options or (self.engine or "").upper() != "MEMORY":
            return 0
        return next((int(v) for name, v in self.options if name == "MAX_ROWS" and v.isdecimal()), 0)

    def as_read(self) -> Table | None:
        """The table that a query reads, a view's columns without types; None where they are unknown."""
        if self.kind is not TableKind.VIEW:
            return self
        if self.view_columns is None:
            return None
        columns = tuple(Column(name, ColumnType(UNKNOWN)) for name in self.view_columns)
        return Table(self.name, columns, self.database)

    def column(self, name: str) -> Column | None:
        """The column of this name (case-insensitive, as in every server), or None."""
        folded = name.casefold()
        return next((c for c in self.columns if c.name.casefold() == folded), None)


_set = object.__setattr__
_SHAPE: Callable[[Column], tuple[object, ...]] = attrgetter(*compared(Column))
#: All of a table that counts in equality, its columns left out.
_BUT_COLUMNS = attrgetter(*(name for name in compared(Table) if name != "columns"))
