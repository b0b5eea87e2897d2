"""What the first lines of a mysqldump, mariadb-dump or mydumper file say about the server."""

from __future__ import annotations

import re

_SERVER = re.compile(r"^-- Server version[ \t]+(\S+)", re.MULTILINE)
_HOST_LINE = re.compile(r"^-- (MariaDB|MySQL|Percona)[^\n]*? dump ", re.MULTILINE)
_SANDBOX = "/*M!999999"
_MARIADB = re.compile(r"/\*M!\d")


def server_of_dump(head: str) -> dict[str, str]:
    """`version` (and `version_comment` where only the flavour is known) as variables; {} where nothing is said.

    `-- Server version` stands in all but --compact and --skip-comments dumps; `-- MariaDB dump` and
    the sandbox comment name the dumping program, which is taken for the server's flavour only
    where the version does not name one.
    """
    told: dict[str, str] = {}
    if match := _SERVER.search(head):
        told["version"] = match.group(1)
    host = _HOST_LINE.search(head)
    if (host and host.group(1) == "MariaDB") or head.lstrip().startswith(_SANDBOX) or _MARIADB.search(head):
        told["version_comment"] = "MariaDB"
    elif host and host.group(1) == "Percona":
        told["version_comment"] = "Percona Server"
    return told
