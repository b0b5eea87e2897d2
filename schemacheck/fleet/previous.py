"""New, fixed and unchanged findings against an earlier run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from schemacheck.errors import InputError
from schemacheck.fleet.results import Results

#: What makes a finding the same finding: not its message, which may be worded anew.
KEY = (
    "source",
    "replica",
    "channel",
    "database",
    "table",
    "column",
    "code",
    "effect",
    "source_type",
    "replica_type",
)


def fingerprint(row: dict[str, Any]) -> bytes:
    """A finding's identity."""
    return hashlib.blake2b(
        "\x1f".join("" if row[name] is None else str(row[name]) for name in KEY).encode(), digest_size=16
    ).digest()


def fingerprints(results: Results) -> set[bytes]:
    """The identities of all findings of a run."""
    if not results.findings.files:
        return set()
    return {
        fingerprint(row)
        for batch in results.findings.to_batches(columns=list(KEY))
        for row in batch.to_pylist()
    }


def load(run: Path) -> set[bytes]:
    """The identities of an earlier run's findings. Raises InputError where the folder is none."""
    if not (run / "summary.json").is_file() or not (run / "findings").is_dir():
        message = f"{run}: no finished run of `schemacheck fleet` (it has no summary.json and findings/)"
        raise InputError(message)
    return fingerprints(Results(run, run))
