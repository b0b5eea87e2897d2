"""What the environment says: secrets, never options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "SCHEMACHECK_"

#: Secrets alone.
READ = frozenset(PREFIX + name for name in ("PASSWORD", "SOURCE_PASSWORD", "REPLICA_PASSWORD", "FLEET_KEY"))


def check(environ: Iterable[str]) -> None:
    """Raise UsageError for a variable of ours that nothing reads: who sets it takes it to count."""
    unread = sorted(name for name in environ if name.startswith(PREFIX) and name not in READ)
    if unread:
        raise UsageError(
            f"the environment sets {unread[0]}, which is not read: give the option, or set it in "
            "schemacheck.yaml"
        )
