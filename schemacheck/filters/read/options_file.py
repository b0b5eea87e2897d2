"""Option files (my.cnf): the filters of a server, each with its place, and the settings beside them."""

from __future__ import annotations

from schemacheck.filters.read.options import (
    Collector,
    FilterInput,
    canonical,
    needs_argument,
    refuse_misspelt,
)
from schemacheck.model import Server
from schemacheck.text.option_file import options, read_by

#: Settings that decide what is logged, what is applied, and how names are compared.
SETTINGS = frozenset({
    "server_id", "log_slave_updates", "log_replica_updates", "binlog_format", "lower_case_table_names",
    "replicate_same_server_id", "gtid_mode", "log_bin",
})  # fmt: skip


def parse(text: str, name: str = "-", server: Server | None = None) -> FilterInput:
    """The filters and settings of an option file; later lines win. Raises InputError, BadSetting."""
    collector = Collector(server)
    settings: dict[str, str] = {}
    flavor, series = (server.flavor, server.series) if server is not None else (None, None)
    for option in options(text, name, errors="surrogateescape"):
        if not read_by(option.group, flavor, series):
            continue
        connection, dot, word = option.name.rpartition(".")
        current = canonical(word if dot else option.name)
        plain = option.name.lower().replace("-", "_")
        if current is not None:
            if option.value is None:
                raise needs_argument(current, option.place)
            collector.add(current, option.value, option.place, channel=connection if dot else None)
        elif plain in SETTINGS:
            settings[plain] = option.value or "ON"
        elif plain.startswith("skip_") and plain[5:] in SETTINGS:
            settings[plain[5:]] = "OFF"
        else:
            refuse_misspelt(word if dot else option.name, option.place)
    return FilterInput(collector.result(), tuple(sorted(settings.items())))
