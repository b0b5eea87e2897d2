"""What a statement says, before any meaning: the grammar's results, with offsets into the statement."""

from __future__ import annotations

from schemacheck.dataclass import dataclass, field
from schemacheck.model.column_type import ColumnType
from schemacheck.model.location import Location
from schemacheck.model.table import Column

Span = tuple[int, int]


@dataclass(slots=True)
class Expr:
    """An expression's source text and place. `bare` marks MariaDB's DEFAULT without parentheses."""

    text: str
    at: int
    bare: bool = False


@dataclass(slots=True)
class DefaultDraft:
    """What comes after DEFAULT: kind 'null', 'string', 'number', 'hex' (0x), 'hexstring' (x''), 'bit',
    'now', 'temporal' or 'expression'.

    `text` is the value (hex digits for 'hex', binary digits for 'bit', fraction digits for 'now');
    `introducer` is a literal's character set, the word of a temporal literal, or the spelling of 'now'.
    """

    kind: str
    text: str
    at: int
    introducer: str | None = None
    expression: Expr | None = None


@dataclass(slots=True)
class PartDraft:
    """One key part."""

    column: str | None
    length: int | None = None
    expression: Expr | None = None
    descending: bool = False
    #: ASC or DESC is written.
    ordered: bool = False
    at: int = 0
    #: The type that the column had before ALTER TABLE defined it anew.
    replaced: ColumnType | None = None


@dataclass(slots=True)
class KeyDraft:
    """A key as written; `kind` is 'primary', 'unique', 'index', 'fulltext', 'spatial' or 'vector'."""

    kind: str
    parts: list[PartDraft]
    name: str | None = None
    visible: bool = True
    using: str | None = None
    parser: str | None = None
    span: Span = (0, 0)
    location: Location | None = None
    #: Set for keys that the server makes for a foreign key.
    generated: bool = False
    #: ALTER INDEX of this statement names it.
    shown: bool = False
    if_not_exists: bool = False
    #: What else is written, as SQL: `Key.attributes`.
    attributes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CheckDraft:
    """A CHECK constraint; `column` for MariaDB's column-level ones."""

    expression: Expr
    name: str | None = None
    enforced: bool = True
    column: str | None = None
    span: Span = (0, 0)
    location: Location | None = None


@dataclass(slots=True)
class ForeignDraft:
    """A foreign key as written."""

    columns: list[str]
    ref_database: str | None
    ref_table: str
    ref_columns: list[str]
    on_delete: str = "RESTRICT"
    on_update: str = "RESTRICT"
    name: str | None = None
    index_name: str | None = None
    #: The name that the server gives to one without.
    shown: str = ""
    inline: bool = False
    #: It stood before an ALTER TABLE.
    standing: bool = False
    span: Span = (0, 0)
    location: Location | None = None


@dataclass(slots=True)
class ColumnDraft:
    """A column as written."""

    name: str
    type_text: str = ""
    nullable: bool | None = None
    default: DefaultDraft | None = None
    on_update: int | None = None
    #: The fraction digits of ON UPDATE are written.
    on_update_digits: bool = False
    auto_increment: bool = False
    #: NULL is the last of what says something of NULL: AUTO_INCREMENT is NOT NULL, which NULL behind it takes
    #: back.
    null_last: bool = False
    keys: list[str] = field(default_factory=list)
    generated: str | None = None
    expression: Expr | None = None
    invisible: bool = False
    #: WITH SYSTEM VERSIONING is written, which makes the table system-versioned.
    versioned: bool = False
    compressed: bool = False
    srid: int | None = None
    collation: str | None = None
    comment: str | None = None
    #: Whether it has a CHECK that this server reads and forgets; MODIFY and CHANGE have none there.
    ignored_check: bool = False
    #: Whether ALTER COLUMN took the default that a nullable column of the same statement has by itself.
    bare: bool = False
    checks: list[CheckDraft] = field(default_factory=list)
    references: list[ForeignDraft] = field(default_factory=list)
    #: What else is written beside the comment, as SQL: `Column.attributes`.
    attributes: list[str] = field(default_factory=list)
    #: Where ALTER puts it: None at the end, '' first, else behind that column.
    position: str | None = None
    span: Span = (0, 0)
    type_at: int = 0
    #: The character set and collation of CONVERT TO CHARACTER SET in the same statement.
    converted: tuple[str | None, str | None] | None = None
    #: The type of the column that it replaces.
    replaces: ColumnType | None = None
    #: A finished column that ALTER leaves as it is.
    made: Column | None = None


@dataclass(slots=True)
class PartitionDraft:
    """One partition. `bound` is 'LESS THAN', 'IN', 'DEFAULT' or ''; `values` its rows of value texts (a RANGE
    has one row; MAXVALUE stands for itself).
    """

    name: str
    at: int
    bound: str = ""
    values: list[list[str]] = field(default_factory=list)
    engine: str | None = None


@dataclass(slots=True)
class MethodDraft:
    """HASH, KEY, RANGE or LIST over an expression or columns."""

    word: str
    at: int
    linear: bool = False
    expression: Expr | None = None
    #: None where it is an expression.
    columns: list[str] | None = None


@dataclass(slots=True)
class PartitioningDraft:
    """PARTITION BY to its end."""

    method: MethodDraft
    at: int
    count: int | None = None
    #: None where none are written.
    parts: list[PartitionDraft] | None = None
    #: What stands behind PARTITION BY as it is written; None where ALTER TABLE changed the partitions.
    written: str | None = None


@dataclass(slots=True)
class TableOptions:
    """Table options that matter, in canonical form."""

    charset: str | None = None
    collation: str | None = None
    charset_at: int = 0
    engine: str | None = None
    system_versioned: bool = False
    comment: str | None = None
    row_format: str | None = None
    others: dict[str, str] = field(default_factory=dict)
    #: Name -> value as SQL, of those that are kept as they are written: `Table.options`.
    written: dict[str, str] = field(default_factory=dict)
    engine_options: list[str] = field(default_factory=list)
    partitioning: PartitioningDraft | None = None


@dataclass(slots=True)
class TableDraft:
    """A CREATE TABLE statement."""

    name: str
    database: str | None = None
    columns: list[ColumnDraft] = field(default_factory=list)
    keys: list[KeyDraft] = field(default_factory=list)
    checks: list[CheckDraft] = field(default_factory=list)
    foreign_keys: list[ForeignDraft] = field(default_factory=list)
    options: TableOptions = field(default_factory=TableOptions)
    temporary: bool = False
    if_not_exists: bool = False
    or_replace: bool = False
    like: tuple[str | None, str] | None = None
    #: Where the query of CREATE TABLE ... SELECT begins: the index of its first token.
    query: int | None = None
    name_at: int = 0
    name_end: int = 0
    name_is_astral: bool = False
    #: Made by ALTER TABLE: nothing is added that only CREATE TABLE adds.
    altered: bool = False
