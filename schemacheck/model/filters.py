"""The replication filters of one replication stream: what both ends are set to keep out.

Only values; what a server makes of them is `schemacheck.filters`.
"""

from __future__ import annotations

from schemacheck.dataclass import dataclass, field, replace

#: The options in the order of the servers' evaluation, as they are written, with the field that holds them.
OPTIONS = {
    "binlog-do-db": "binlog_do_db",
    "binlog-ignore-db": "binlog_ignore_db",
    "replicate-rewrite-db": "rewrite_db",
    "replicate-do-db": "do_db",
    "replicate-ignore-db": "ignore_db",
    "replicate-do-table": "do_table",
    "replicate-ignore-table": "ignore_table",
    "replicate-wild-do-table": "wild_do_table",
    "replicate-wild-ignore-table": "wild_ignore_table",
    "do-domain-ids": "do_domain_ids",
    "ignore-domain-ids": "ignore_domain_ids",
}


@dataclass(frozen=True, slots=True)
class FilterSet:
    """The filters of one source server and of one channel (MySQL) or connection (MariaDB) of a replica.

    Every field holds the values of one repeatable option in the order given: database names,
    `db.table` names, `db.table` patterns, (from, to) pairs of `replicate-rewrite-db`, GTID domain ids.
    `channel` is the channel or connection ('' for the default one). `origins` tells for (option,
    value) where it was written; it takes no part in comparison.
    """

    binlog_do_db: tuple[str, ...] = ()
    binlog_ignore_db: tuple[str, ...] = ()
    do_db: tuple[str, ...] = ()
    ignore_db: tuple[str, ...] = ()
    do_table: tuple[str, ...] = ()
    ignore_table: tuple[str, ...] = ()
    wild_do_table: tuple[str, ...] = ()
    wild_ignore_table: tuple[str, ...] = ()
    rewrite_db: tuple[tuple[str, str], ...] = ()
    do_domain_ids: tuple[int, ...] = ()
    ignore_domain_ids: tuple[int, ...] = ()
    channel: str = ""
    origins: tuple[tuple[str, str, str], ...] = field(default=(), compare=False, repr=False)

    @property
    def empty(self) -> bool:
        """Whether no option is set at all."""
        return not any(getattr(self, name) for name in OPTIONS.values())

    @property
    def has_database_rules(self) -> bool:
        """Whether the replica has do-db or ignore-db rules."""
        return bool(self.do_db or self.ignore_db)

    @property
    def has_table_rules(self) -> bool:
        """Whether the replica has any rule on tables."""
        return bool(self.do_table or self.ignore_table or self.wild_do_table or self.wild_ignore_table)

    @property
    def source_side(self) -> FilterSet:
        """Only what the source evaluates."""
        return FilterSet(self.binlog_do_db, self.binlog_ignore_db, origins=self.origins)

    def with_source(self, source: FilterSet) -> FilterSet:
        """These filters of a replica behind the `binlog-*-db` rules of `source`."""
        return replace(
            self,
            binlog_do_db=source.binlog_do_db,
            binlog_ignore_db=source.binlog_ignore_db,
            origins=self.origins + source.origins,
        )

    def merged(self, other: FilterSet) -> FilterSet:
        """Both sets' values, this one's first; the channel of this one, or else the other's."""
        values = {name: getattr(self, name) + getattr(other, name) for name in OPTIONS.values()}
        return FilterSet(
            **values, channel=self.channel or other.channel, origins=self.origins + other.origins
        )

    def options(self) -> tuple[tuple[str, str], ...]:
        """Every rule as (option without dashes, value as it is written on a command line)."""
        return tuple(
            (option, "->".join(value) if isinstance(value, tuple) else str(value))
            for option, name in OPTIONS.items()
            for value in getattr(self, name)
        )

    def origin(self, option: str, value: str) -> str:
        """Where a rule was written (`my.cnf:12`), or ''."""
        return next((where for name, text, where in self.origins if (name, text) == (option, value)), "")

    def __str__(self) -> str:
        return " ".join(f"--{option}={value}" for option, value in self.options()) or "no filters"


#: Names of all rule fields, for those who walk over them.
FIELDS = tuple(name for name in FilterSet.__match_args__ if name in OPTIONS.values())
