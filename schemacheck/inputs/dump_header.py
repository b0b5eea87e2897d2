"""What the first lines of a mysqldump, mariadb-dump or mydumper file say about the server."""

from __future__ import annotations

import re

from schemacheck import knowledge

_SERVER = re.compile(r"^-- Server version[ \t]+(\S+)", re.MULTILINE)
_HOST_LINE = re.compile(r"^-- (MariaDB|MySQL|Percona)[^\n]*? dump ", re.MULTILINE)
_SANDBOX = "/*M!999999"
_MARIADB = re.compile(r"/\*M!\d")


def server_of_dump(head: str) -> dict[str, str]:
    """`version` (and `version_comment` where only the flavour is known) as variables; {} where nothing is
    said.

    `-- Server version` stands in all but --compact and --skip-comments dumps; `-- MariaDB dump` and
    the sandbox comment name the dumping program (on Debian `mysqldump` is MariaDB's), which is taken for the
    server's flavour only where the version fits no MySQL: a MariaDB server has its name in its version.
    """
    record: dict[str, str] = {}
    if match := _SERVER.search(head):
        record["version"] = match.group(1)
    host = _HOST_LINE.search(head)
    by_mariadb = (host and host.group(1) == "MariaDB") or head.lstrip().startswith(_SANDBOX)
    if (by_mariadb or _MARIADB.search(head)) and not _is_mysqls(record.get("version", "")):
        record["version_comment"] = "MariaDB"
    elif host and host.group(1) == "Percona":
        record["version_comment"] = "Percona Server"
    return record


#: What mysqldump, mydumper, phpMyAdmin, HeidiSQL, Sequel Ace, SQLyog, Navicat, MySQL Workbench write first.
_DUMPED = re.compile(
    r"^(?:-- (?:MySQL|MariaDB|Percona Server) dump|-- Server version|-- phpMyAdmin|-- Host:|# Host:|# Dump of"
    r"|SQLyog|-- MySQL Script generated| *Navicat|/\*!\d+ SET @OLD_\w+ ?= ?@@)",
    re.MULTILINE | re.IGNORECASE,
)


def is_dump(text: str) -> bool:
    """Whether a program wrote this text out of a server, as its first lines say."""
    return _DUMPED.search(text[:4096]) is not None


def _is_mysqls(version: str) -> bool:
    """Whether a version without a flavour's name is of a series that MySQL has."""
    numbers = re.match(r"([0-9]+)\.([0-9]+)", version)
    if numbers is None or "mariadb" in version.lower():
        return False
    return any(latest[:2] == (int(numbers[1]), int(numbers[2])) for latest in knowledge.releases("mysql"))


_BEGINS = re.compile(
    r"^-- (?:MySQL|MariaDB|Percona(?: Server)?) dump [0-9]|^(-- Dump completed\b)", re.MULTILINE
)


def cut_off(text: str) -> int | None:
    """The line of the first dump in a text that began as mysqldump begins them and did not end as it ends
    them; None where all are whole.

    mysqldump and mariadb-dump write both comments or neither (`write_header`, `write_footer`;
    --skip-comments, --compact).
    """
    begun: int | None = None
    for match in _BEGINS.finditer(text):
        if match[1] is None and begun is not None:
            break
        begun = match.start() if match[1] is None else None
    return None if begun is None else text.count("\n", 0, begun) + 1
