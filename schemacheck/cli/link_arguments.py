"""Options that describe the link, the same for every command that has one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from schemacheck.cli.options import declare
from schemacheck.config.options import LINK_OPTIONS
from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


OPTIONS = """
--source-version, --master-version SERVER  the source: 8.0.36, mariadb-10.11, percona-8.0
--replica-version, --slave-version SERVER  the replica (default: what its input says, else the same as the
                                           source)
"""
MORE = """
link_kind: --kind {replication,galera,group}
    what runs between the two: ordinary replication (default), or two nodes of a Galera cluster or of a
    replication group
--set NAME=VALUE ...          a server variable on both ends; may be repeated
--source-set NAME=VALUE ...   a server variable of the source
--replica-set NAME=VALUE ...  a server variable of the replica
"""
CONFIGURATION = """
--config FILE    configuration file (default: the nearest schemacheck.yaml, here or above); git:REF:PATH takes
                 it, and the files that it names, from a commit, and follows nothing that only the working
                 tree says (git:REF: means the nearest one there)
--no-config      read no configuration file
--link NAME ...  link of the configuration; needed where it has several
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of both servers, of the settings between them, and of the configuration."""
    group = parser.add_argument_group(
        "link",
        "What is not given here is taken from schemacheck.yaml, then from the input itself;\nelse the "
        "version's default holds, and the report names it.",
    )
    declare(group, OPTIONS)
    for option in LINK_OPTIONS:
        names = [f"--{option.name}"]
        if option.name == "type-conversions":
            names += ["--mode", "--slave-type-conversions", "--replica-type-conversions"]
        text = option.help + (f" ({', '.join(option.values)})" if option.values else "")
        group.add_argument(
            *names, metavar="VALUE", type=partial(_one_of, values=option.values), help=text,
            dest=option.attribute,
        )  # fmt: skip
    declare(group, MORE)
    declare(parser.add_argument_group("configuration"), CONFIGURATION)


def _one_of(text: str, values: tuple[str, ...]) -> str:
    """An argparse type: one of some words, in any case."""
    import argparse

    if values and text.upper() not in values:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(values)}")
    return text


def pairs(texts: Sequence[str], option: str) -> list[tuple[str, str]]:
    """`NAME=VALUE` texts as pairs. Raises UsageError where there is no `=`."""
    out = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{option} takes NAME=VALUE, not {text!r}")
        out.append((name.strip(), value.strip()))
    return out
