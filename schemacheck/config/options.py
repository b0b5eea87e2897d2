"""The settings of a link that have a word of their own, as data: the command line's options, the
configuration's keys and the variables of the servers are the same list."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.link import LinkKind
from schemacheck.model.variable import words


@dataclass(frozen=True, slots=True)
class LinkOption:
    """`name` is the option and the key, `variable` the server variable, `sides` the ends that it is
    set on."""

    name: str
    variable: str
    sides: tuple[str, ...]
    help: str

    @property
    def values(self) -> tuple[str, ...]:
        """What is allowed, where the variable is one word; empty for a set or free text."""
        return words(self.variable)

    @property
    def attribute(self) -> str:
        """The name in an argparse namespace."""
        return self.name.replace("-", "_")


SOURCE, REPLICA = "source", "replica"
BOTH = (SOURCE, REPLICA)

LINK_OPTIONS = (
    LinkOption(
        "type-conversions", "slave_type_conversions", (REPLICA,),
        "the replica's slave_type_conversions, '' or words with commas: ALL_LOSSY, "
        "ALL_NON_LOSSY, ALL_SIGNED, ALL_UNSIGNED",
    ),
    LinkOption("binlog-format", "binlog_format", (SOURCE,), "the source's binlog_format"),
    LinkOption("binlog-row-image", "binlog_row_image", (SOURCE,), "the source's binlog_row_image"),
    LinkOption("binlog-row-metadata", "binlog_row_metadata", (SOURCE,), "the source's binlog_row_metadata"),
    LinkOption("sql-mode", "sql_mode", BOTH, "sql_mode of both servers"),
    LinkOption("lower-case-table-names", "lower_case_table_names", BOTH,
    "lower_case_table_names of both servers"),
    LinkOption(
        "explicit-defaults-for-timestamp", "explicit_defaults_for_timestamp", BOTH,
        "explicit_defaults_for_timestamp of both servers"
    ),
    LinkOption("default-charset", "character_set_server", BOTH, "character_set_server of both servers"),
)  # fmt: skip


#: What runs between the ends of a link (`kind:`, `--kind`).
KINDS = tuple(kind.value for kind in LinkKind)


def option(name: str) -> LinkOption:
    """The option of this name."""
    return next(o for o in LINK_OPTIONS if o.name == name)
