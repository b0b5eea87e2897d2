"""Evidence of a fleet: profiles by the source that they are of, and what `check --evidence` makes of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.engine.carried import with_carried
from schemacheck.errors import InputError
from schemacheck.evidence.decide import with_evidence
from schemacheck.fleet import decide
from schemacheck.model import Report
from schemacheck.model.evidence import Bite
from schemacheck.profile.document import dump
from schemacheck.profile.reader import load, loads

if TYPE_CHECKING:
    from schemacheck.fleet.pairs import Pair
    from schemacheck.model import Finding
    from schemacheck.profile.document import Profile

#: The texts of profiles by the instance that they are of.
Texts = Mapping[str, tuple[str, ...]]


def read(places: Iterable[str], sources: Iterable[str]) -> Texts:
    """The profiles of INSTANCE.json, of a folder with such files, or of INSTANCE/*.json in it. Raises
    InputError with the file where it is no profile, or of no source.
    """
    known, found = set(sources), defaultdict(list)
    for place in map(Path, places):
        files = sorted((*place.glob("*.json"), *place.glob("*/*.json"))) if place.is_dir() else [place]
        if not files:
            raise InputError(
                f"{place}: no profile: a folder of evidence has INSTANCE.json or INSTANCE/*.json"
            )
        for file in files:
            name = next((one for one in (file.stem, file.parent.name) if one in known), None)
            if name is None:
                raise InputError(
                    f"{file}: no link of the fleet has a source {file.stem}; name it INSTANCE.json"
                )
            found[name].append(dump(load(file), "schemacheck"))
    return {name: tuple(texts) for name, texts in found.items()}


@lru_cache(maxsize=16)
def _profile(text: str) -> Profile:
    return loads(text)


def state(pairs: Sequence[Pair], alike: Sequence[Pair], texts: Sequence[str]) -> None:
    """Give the findings of a link's pairs their states; `alike` are its pairs without any."""
    asked = [pair for pair in pairs if pair.source is not None and pair.match is not None]
    if not any(pair.findings for pair in asked):
        return
    profiles = [_profile(text) for text in texts]
    # Only of statements it matters which other tables there are.
    logs = any(one.kind == "binlog" for one in profiles)
    every = [*asked, *(alike if logs else ())]
    link = every[0].stream.link
    reports = tuple(with_carried(decide.whole(every), link))
    told = with_evidence(Report(link, reports), profiles)
    for pair, report in zip(every, told.pairs, strict=True):
        codes = [(one["code"], one["column"]) for one in pair.findings]
        if codes == [(one.code, one.column) for one in report.findings]:
            both = zip(pair.findings, report.findings, strict=True)
            pair.findings = [{**plain, **_plain(finding)} for plain, finding in both]
        else:  # Decided otherwise beside other tables: what evidence does not decide, could happen.
            pair.findings = [{**plain, "bite": Bite.COULD.value} for plain in pair.findings]


def _plain(finding: Finding) -> dict[str, Any]:
    """A finding's state as values."""
    seen = finding.evidence
    if seen is None:
        return {}
    return {
        "bite": seen.bite.value, "bite_count": seen.count, "bite_unit": seen.unit,
        "bite_absent": seen.absent, "evidence": seen.word,
    }  # fmt: skip
