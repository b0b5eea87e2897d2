"""From options, configuration and input to a link; every value remembers where it came from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import link_arguments
from schemacheck.config import discovery
from schemacheck.config.model import Config, LinkConfig, named
from schemacheck.config.options import BOTH, LINK_OPTIONS, option
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import BadSetting, UsageError
from schemacheck.library import assumptions
from schemacheck.link import variables as link_variables
from schemacheck.model import Link, LinkKind, Schema, Server
from schemacheck.model import variable as variables
from schemacheck.model.variable import canonical

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from schemacheck.model.filters import FilterSet

#: The origin of a server's name that a binary log has told.
LOG = "the log"


@dataclass(frozen=True, slots=True)
class Setting:
    """A server variable of one end (`source` or `replica`) and where its value was written."""

    side: str
    variable: str
    value: str
    origin: str


@dataclass(slots=True)
class Wanted:
    """What options and configuration say about a link: servers by side, settings in rising order
    of precedence, the filters' file."""

    servers: dict[str, tuple[str, str]] = field(default_factory=dict)
    settings: dict[tuple[str, str], Setting] = field(default_factory=dict)
    filters: tuple[str, str] | None = None
    kind: tuple[str, str] | None = None

    def set(self, side: str, variable: str, value: str, origin: str) -> None:
        """A later call wins. Raises UsageError for a value that the variable cannot have."""
        name = canonical(variable)
        try:
            variables.check(variable, value)
        except BadSetting as error:
            raise UsageError(f"{origin}: {error}") from None
        self.settings[side, name] = Setting(side, name, value, origin)

    def settings_of(self, side: str) -> dict[str, str]:
        """Variable -> value of one end."""
        return {s.variable: s.value for s in self.settings.values() if s.side == side}


def configuration(args: argparse.Namespace) -> Config | None:
    """The configuration that holds. Raises InputError, UsageError."""
    if args.config and args.no_config:
        raise UsageError("--config and --no-config exclude each other")
    if args.no_config:
        return None
    from schemacheck.config import reader
    from schemacheck.system import git

    if args.config and git.is_located(args.config):
        from schemacheck.cli import trust

        trust.take_from_place(args)
        name = discovery.located(args.config)
        # A commit without a configuration is one that asks for nothing, and still the trusted one.
        return reader.load(name) if name else Config(args.config)
    path = args.config or discovery.find(Path.cwd())
    return None if path is None else reader.load(args.config or os.path.relpath(path))


def wanted(args: argparse.Namespace, config: Config | None) -> Wanted:
    """Merge the configuration's link and the command line, later ones winning."""
    out = Wanted()
    for link in _layers(args, config):
        _apply(out, link)
    if args.link_kind:
        out.kind = (args.link_kind, "--kind")
    for side in BOTH:
        version = getattr(args, f"{side}_version")
        if version:
            out.servers[side] = (version, f"--{side}-version")
    for spec in LINK_OPTIONS:
        value = getattr(args, spec.attribute)
        if value is not None:
            for side in spec.sides:
                out.set(side, spec.variable, value, f"--{spec.name}")
    for sides, texts, name in (
        (BOTH, args.set, "--set"),
        (BOTH[:1], args.source_set, "--source-set"),
        (BOTH[1:], args.replica_set, "--replica-set"),
    ):
        for variable, value in link_arguments.pairs(texts, name):
            for side in sides:
                out.set(side, variable, value, name)
    return out


def chosen(args: argparse.Namespace, config: Config | None) -> tuple[str | None, ...]:
    """The links that are asked for, each once; (None,) where none is named. Raises UsageError."""
    if not args.all_links:
        return tuple(dict.fromkeys(args.link)) if args.link else (None,)
    if args.link:
        raise UsageError("--link and --all-links exclude each other")
    if config is None or not config.links:
        raise UsageError(
            f"--all-links: {config.file + ' has' if config else 'no configuration, so there are'} no links"
        )
    return tuple(link.name for link in config.links)


def _layers(args: argparse.Namespace, config: Config | None) -> Iterator[LinkConfig]:
    links = config.links if config else ()
    if config and config.versions:
        yield config.versions
    chosen = args.link or []
    if len(chosen) > 1:
        raise UsageError(f"--link: one link at a time here, not {', '.join(chosen)}")
    if chosen:
        yield _named(links, chosen[0], config)
    elif len(links) == 1:
        yield links[0]
    elif links and config:
        raise UsageError(
            f"{config.file} has several links; choose one with --link: "
            f"{', '.join(link.name for link in links)}"
        )


def _named(links: tuple[LinkConfig, ...], name: str, config: Config | None) -> LinkConfig:
    link_config = named(links, name)
    if link_config is None:
        where = config.file if config else "no configuration file"
        text = f"; it has: {', '.join(link.name for link in links)}" if links else ""
        raise UsageError(f"there is no link {name!r} ({where}{text})")
    return link_config


def _apply(out: Wanted, link: LinkConfig) -> None:
    for side, server in (("source", link.source), ("replica", link.replica)):
        if server is not None:
            out.servers[side] = (server.value, str(server.location))
    for name, value in link.options:
        spec = option(name)
        for side in spec.sides:
            out.set(side, spec.variable, value.value, str(value.location))
    for side, settings in (("source", link.source_set), ("replica", link.replica_set)):
        for variable, value in settings:
            out.set(side, variable, value.value, str(value.location))
    if link.kind is not None:
        out.kind = (link.kind.value, str(link.kind.location))
    if link.filters is not None:
        from schemacheck.system import git

        out.filters = (git.beside(link.filters.location.file, link.filters.value), str(link.filters.location))


def server(
    wanted_: Wanted, side: str, told: Server | None = None, opposite: Server | None = None
) -> Server | None:
    """The server of one end: the named one, else what its input told, else the other end's (`opposite` told);
    None where nobody knows. Settings that its input does not tell are the other end's.
    """
    other = "replica" if side == "source" else "source"
    told = told and told.released(opposite)
    name = wanted_.servers.get(side)
    if name is None and told in (None, opposite):
        name = wanted_.servers.get(other)
    if name is not None:
        named = Server.told(name[0]) if name[1] == LOG else Server.parse(name[0])
        end = named.with_told(dict(told.settings) if told else {})
    elif told is not None:
        end = told
    elif opposite is not None:
        end = replace(opposite, settings=())
    else:
        return None
    return end.like(opposite).with_settings(wanted_.settings_of(side))


def with_databases(told: Schema, other: Schema) -> Server | None:
    """The server that an input tells, to read the other one with: new tables there have the character set of
    the databases that it tells, which the other one does not and needs not share with the server.
    """
    pairs = set(told.charsets.values())
    unsaid = other.server and other.server.released(told.server)
    set_up = unsaid is not None and unsaid.settings
    if told.server is None or len(pairs) != 1 or other.charsets or set_up:
        return told.server
    ((charset, collation),) = pairs
    if told.server.setting("collation_server") == collation:
        return told.server
    return told.server.with_told({"character_set_server": charset, "collation_server": collation})


def named_server(wanted_: Wanted, side: str) -> Server | None:
    """The server that a person names for this very end: only such a word is above what its input tells."""
    return server(wanted_, side) if side in wanted_.servers else None


def unnamed(wanted_: Wanted, source: Schema, replica: Schema) -> tuple[str, ...]:
    """Both ends where neither a person nor an input says which server either of them is; else none."""
    definition = wanted_.servers or source.server or replica.server
    return () if definition else BOTH


def taken(wanted_: Wanted, source: Schema, replica: Schema, made: Link) -> Iterator[str]:
    """The ends of whose version their input tells the flavour alone."""
    for side, schema, end in (("source", source, made.source), ("replica", replica, made.replica)):
        flavor_alone = schema.server is not None and schema.server.given("version_comment")
        if side not in wanted_.servers and flavor_alone and not unnamed(wanted_, source, replica):
            yield f"the {side} is taken to be {end} (--{side}-version)"


def link(wanted_: Wanted, source: Schema, replica: Schema) -> tuple[Link, tuple[str, ...]]:
    """The link between two inputs, and what nobody said about it."""
    record = {
        "source": source.server and source.server.released(replica.server),
        "replica": replica.server and replica.server.released(source.server),
    }
    sentences = []
    ends: list[Server] = []
    for side, other in (BOTH, BOTH[::-1]):
        end = server(wanted_, side, record[side], record[other])
        if end is None:
            end = Server.parse("mysql").with_settings(wanted_.settings_of(side))
        if side not in wanted_.servers and record[side] is None:
            sentences.append(f"{side} server = {end}")
        if end != server(wanted_, side, record[side] or replace(end, settings=())):
            sentences.append(f"{side} settings = the {other}'s")
            there, here = (replica, source) if side == "source" else (source, replica)
            if with_databases(there, here) != there.server:
                sentences.append(f"{side} default character set is that of the {other}'s databases")
        ends.append(end)
    if any((table.engine or "").upper() == "MEMORY" for table in replica.tables):
        sentences.append("MEMORY tables were made under one max_heap_table_size on both ends (1114)")
    out = of_kind(Link(ends[0], ends[1]), wanted_)
    if out.binlog_format != "ROW":
        own = ", ".join(each.name for each in link_variables.settings("statements") if each.session)
        sentences.append(f"sessions of the source: {own} = the server's")
    return out, (*taken(wanted_, source, replica, out), *sentences, *assumptions(out))


def of_new_tables(link_: Link, source: Schema, replica: Schema) -> tuple[str, ...]:
    """The assumption about tables that a change makes: what their databases' default character set is."""
    ours, theirs = (end.setting("character_set_server") for end in (link_.source, link_.replica))
    if ours == theirs or (source.charsets and replica.charsets):
        return ()
    return (f"databases have one default character set on both ends (the servers': {ours}, {theirs})",)


def of_kind(link_: Link, wanted_: Wanted) -> Link:
    """The link as what it was said to be. Raises UsageError where a server cannot be such a node."""
    if wanted_.kind is None:
        return link_
    name, origin = wanted_.kind
    try:
        return link_.as_kind(LinkKind(name))
    except BadSetting as error:
        raise UsageError(f"{origin}: {error}") from None


FILTER_OPTIONS = """
--filters FILE   replication filters: a my.cnf, CHANGE REPLICATION FILTER, or the output of SHOW REPLICA
                 STATUS
--channel NAME   replication channel or connection of the filters (default: the default one)
"""


def load_filters(args: argparse.Namespace, wanted: Wanted, link: Link) -> FilterSet | None:
    """The filters; None where nobody named a file. Raises InputError, UsageError."""
    file = args.filters or (wanted.filters[0] if wanted.filters else None)
    if file is None:
        return None
    from schemacheck.filters import read

    try:
        return read.read(file, link.replica).channel(args.channel or "")
    except KeyError as error:
        raise UsageError(f"{file}: {error.args[0]}") from None
