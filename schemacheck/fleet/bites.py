"""Evidence of a fleet: profiles by the source that they are of, and what `check --evidence` makes of them."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.engine.carried import with_carried
from schemacheck.errors import InputError
from schemacheck.evidence.decide import of_flavor, with_evidence
from schemacheck.model import Report
from schemacheck.profile.reader import load, loads

if TYPE_CHECKING:
    from schemacheck.model import Finding, Link, PairReport, Server
    from schemacheck.profile.document import Profile

#: Files of profiles, compressed (to a tenth and less), by the instance that they are of.
Texts = Mapping[str, tuple[str, ...]]
Row = dict[str, Any]


def read(places: Iterable[str], sources: Mapping[str, Server | None]) -> Texts:
    """The profiles of INSTANCE.json, of a folder with such files, or of INSTANCE/*.json in it. Raises
    InputError with the file where it is no profile, or of another server than the source of that name.
    """
    result = defaultdict(list)
    for place in map(Path, places):
        files = sorted((*place.glob("*.json"), *place.glob("*/*.json"))) if place.is_dir() else [place]
        if not files:
            raise InputError(
                f"{place}: no profile: a folder of evidence has INSTANCE.json or INSTANCE/*.json"
            )
        for file in files:
            name = next((text for text in (file.stem, file.parent.name) if text in sources), None)
            if name is None:
                raise InputError(
                    f"{file}: no link of the fleet has a source {file.stem}; name it INSTANCE.json"
                )
            profile, server = load(file), sources[name]
            try:
                if server is not None:
                    of_flavor(profile, server)
            except InputError as error:
                raise InputError(f"{file}: {error}") from None
            result[name].append(b64encode(zlib.compress(file.read_bytes(), 1)).decode())
    return {name: tuple(texts) for name, texts in result.items()}


@lru_cache(maxsize=16)
def _profile(text: str) -> Profile:
    return loads(zlib.decompress(b64decode(text)))


def needs_all(texts: Sequence[str]) -> bool:
    """Whether it matters which other tables a link has: only to statements of a log."""
    return any(_profile(text).kind == "binlog" for text in texts)


def states(reports: Sequence[PairReport], link: Link, texts: Sequence[str]) -> list[list[Row]]:
    """Of each report of a link its findings' code, column and state, as `check --evidence` has it."""
    whole = Report(link, tuple(with_carried(list(reports), link)))
    listed = with_evidence(whole, [_profile(text) for text in texts])
    return [
        [{"code": finding.code, "column": finding.column, **plain(finding)} for finding in report.findings]
        for report in listed.pairs
    ]


def of_link(findings: tuple[Finding, ...], link: Link, texts: Sequence[str]) -> tuple[Finding, ...]:
    """A link's own findings with their states."""
    if not texts or not findings:
        return findings
    return with_evidence(Report(link, (), link_findings=findings), map(_profile, texts)).link_findings


def plain(finding: Finding) -> Row:
    """The columns of a finding's state; none where it has none."""
    seen = finding.evidence
    if seen is None:
        return {}
    why = "" if seen.count or seen.absent or not seen.of else f": {seen.of}"
    return {
        "bite": seen.bite.value, "bite_count": seen.count, "bite_unit": seen.unit,
        "bite_absent": seen.absent, "evidence": seen.word + why,
    }  # fmt: skip
