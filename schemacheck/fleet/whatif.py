"""What if the fleet ran under another setting, or its replicas under another version: the engine is asked
again.

A big fleet is sampled: distinct pairs in the order of a hash of their signatures, which is random and the
same on every run, equal and differing ones apart. Counts are then estimates, and say so.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from schemacheck import engine, knowledge
from schemacheck.conversion.setting import candidates
from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import SchemacheckError
from schemacheck.fleet import decide, definition, secret
from schemacheck.model import Effect, InputProblem, Link, Server, Table, transport

#: A sample (`profile`, `source`, `replica`, `count`), and the number of pairs that it was drawn from.
Stratum = tuple[Sequence[dict[str, Any]], int]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Pairs that survive (identical or compatible), by setting and by version of the replica.

    `settings` and `versions` are (name, surviving pairs, pairs whose replica knows the setting or all pairs).
    `asked` of `distinct` distinct pairs were decided; where these differ the counts are estimates. `key`
    stands for what was asked, of which program: equal keys, equal counts. `seal` signs an answer that
    the next run may use.
    """

    settings: tuple[tuple[str, int, int], ...] = ()
    versions: tuple[tuple[str, int, int], ...] = ()
    asked: int = 0
    distinct: int = 0
    key: str = ""
    seal: str = ""

    def sealed(self, key_: str) -> WhatIf:
        """The answer, signed."""
        return replace(self, seal=secret.seal(key_, self._text()).hex())

    def _text(self) -> bytes:
        return repr((self.settings, self.versions, self.asked, self.key)).encode("utf-8", "surrogatepass")


def versions(flavors: Iterable[str]) -> tuple[Server, ...]:
    """The newest known release of every series of these flavours."""
    found = {(flavor, latest) for flavor in flavors for _, _, latest in knowledge.series(flavor)}
    return tuple(Server(flavor, latest) for flavor, latest in sorted(found))


def key(links: Sequence[Link], strata: Sequence[Stratum]) -> str:
    """What stands for a question in every run."""
    asked = transport.pack((tuple(links), [(list(sample), pairs) for sample, pairs in strata]))
    return hashlib.sha256(decide.rules_version().encode() + asked).hexdigest()


def remembered(told: Any, wanted: str, total: int, key_: str) -> WhatIf | None:
    """The answer that an earlier run's summary has (`asdict` of a WhatIf), if it is one to this question and
    signed with the key.
    """
    if not isinstance(told, dict) or told.get("key") != wanted:
        return None
    try:
        lists = [
            tuple((str(name), int(here), int(of)) for name, here, of in told[one])
            for one in ("settings", "versions")
        ]
        found = WhatIf(lists[0], lists[1], int(told["asked"]), total, wanted).sealed(key_)
        return found if secret.same(found.seal, told.get("seal")) else None
    except (LookupError, TypeError, ValueError, OverflowError):
        return None


def ask(links: Sequence[Link], strata: Sequence[Stratum], total: int) -> WhatIf:
    """Decide sampled pairs under everything else.

    A stratum is a sample (`profile`, `source`, `replica`, `count`: the pairs that each stands for) and the
    number of pairs that it was drawn from. `total` is the number of distinct pairs of all strata.
    """
    settings: Counter[str] = Counter()
    survived: Counter[str] = Counter()
    known: Counter[str] = Counter()
    every = versions(sorted({link.replica.flavor for link in links}))
    names = sorted(
        {modes for link in links for modes in candidates(link.replica)},
        key=lambda m: (len(m.split(",")) if m else 0, m),
    )
    for sample, pairs in strata:
        weight = sum(row["count"] for row in sample)
        here: Counter[str] = Counter()
        there: Counter[str] = Counter()
        knows: Counter[str] = Counter()
        read = definition.read(
            (end, row[side])
            for row in sample
            for end, side in (
                (links[row["profile"]].source, "source"),
                (links[row["profile"]].replica, "replica"),
            )
        )
        for row in sample:
            link = links[row["profile"]]
            source, replica = read[link.source, row["source"]], read[link.replica, row["replica"]]
            for modes in names:
                if modes in candidates(link.replica):
                    knows[modes] += row["count"]
                    if _survives(source, replica, link.with_modes(modes)):
                        here[modes] += row["count"]
            for server in every:
                if _survives(
                    source,
                    replica,
                    Link(link.source, replace(link.replica, flavor=server.flavor, version=server.version)),
                ):
                    there[str(server)] += row["count"]
        for found, into in ((here, settings), (there, survived), (knows, known)):
            for name, count in found.items():
                into[name] += round(count * pairs / weight)
    pairs = sum(pairs for _, pairs in strata)
    return WhatIf(
        tuple((modes, settings[modes], known[modes]) for modes in names),
        tuple((str(server), survived[str(server)], pairs) for server in every),
        sum(len(sample) for sample, _ in strata),
        total,
        key(links, strata),
    )


def _survives(source: Table | InputProblem, replica: Table | InputProblem, link: Link) -> bool:
    if isinstance(source, InputProblem) or isinstance(replica, InputProblem):
        return False
    try:
        return (
            engine.check_pair(source.named("d", "t"), replica.named("d", "t"), link).verdict
            <= Effect.COMPATIBLE
        )
    except SchemacheckError:
        return False
