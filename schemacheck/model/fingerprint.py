"""A finding's identity over time: the same finding has the same fingerprint after the file was
reformatted, moved or got other lines, and another one as soon as a type changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from schemacheck.model.finding import Finding

_VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


def identity(finding: Finding) -> str:
    """What makes it this finding: rule, subject, both type texts, whitespace and case apart (not in the
    members of an ENUM, nor in the names of databases and tables: T and t may be two).

    Of the whole table, and where there is no type text at all (input that was not understood), the message
    takes part, without versions.
    """
    texts = [_plain(side.text or "") for side in (finding.source, finding.replica)]
    if not any(texts) or finding.column is None:
        texts.append(_VERSION.sub("", finding.message))
    column = (finding.column or "").casefold()
    subject = ".".join(part for part in (finding.database, finding.table, column) if part)
    return "\x1f".join([finding.code, subject, *texts])


def _plain(text: str) -> str:
    """A type's text; what stands in quotes stays as it is."""
    parts = text.split("'")
    parts[::2] = [" ".join(part.split()).casefold() for part in parts[::2]]
    return "'".join(parts).strip()


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A fingerprint (32 hex digits) per finding, in order; equal ones are counted."""
    import hashlib

    seen: Counter[str] = Counter()
    out = []
    for finding in findings:
        name = identity(finding)
        out.append(hashlib.sha256(f"schemacheck/v1\x1f{name}\x1f{seen[name]}".encode()).hexdigest()[:32])
        seen[name] += 1
    return out
