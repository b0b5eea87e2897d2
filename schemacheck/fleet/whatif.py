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

    `settings` and `versions` are (name, surviving pairs, pairs whose replica knows the setting or all pairs);
    no pair survives on a link that does not run. `stopped` are those under which links do not run: (name,
    links, their pairs).
    `asked` of `distinct` distinct pairs were decided; where these differ the counts are estimates. `key`
    stands for what was asked, of which program: equal keys, equal counts. `seal` signs an answer that
    the next run may use.
    """

    settings: tuple[tuple[str, int, int], ...] = ()
    versions: tuple[tuple[str, int, int], ...] = ()
    stopped: tuple[tuple[str, int, int], ...] = ()
    asked: int = 0
    distinct: int = 0
    key: str = ""
    seal: str = ""

    def sealed(self, key_: str) -> WhatIf:
        """The answer, signed."""
        return replace(self, seal=secret.seal(key_, self._text()).hex())

    def _text(self) -> bytes:
        return repr((self.settings, self.versions, self.stopped, self.asked, self.key)).encode(
            "utf-8", "surrogatepass"
        )


def versions(flavors: Iterable[str]) -> tuple[Server, ...]:
    """The newest known release of every series of these flavours."""
    found = {(flavor, latest) for flavor in flavors for _, _, latest in knowledge.series(flavor)}
    return tuple(Server(flavor, latest) for flavor, latest in sorted(found))


def key(links: Sequence[Link], uses: Sequence[int], strata: Sequence[Stratum]) -> str:
    """What stands for a question in every run; `uses` says of how many links of the fleet each is."""
    asked = transport.pack((tuple(links), tuple(uses), [(list(sample), pairs) for sample, pairs in strata]))
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
            for one in ("settings", "versions", "stopped")
        ]
        found = WhatIf(lists[0], lists[1], lists[2], int(told["asked"]), total, wanted).sealed(key_)
        return found if secret.same(found.seal, told.get("seal")) else None
    except (LookupError, TypeError, ValueError, OverflowError):
        return None


def ask(links: Sequence[Link], uses: Sequence[int], strata: Sequence[Stratum], total: int) -> WhatIf:
    """Decide sampled pairs under everything else; a link is asked about itself first. `uses` as for `key`.

    A stratum is a sample (`profile`, `source`, `replica`, `count`: the pairs that each stands for) and the
    number of pairs that it was drawn from. `total` is the number of distinct pairs of all strata.
    """
    every = versions(sorted({link.replica.flavor for link in links}))
    names = sorted(
        {modes for link in links for modes in candidates(link.replica)},
        key=lambda m: (len(m.split(",")) if m else 0, m),
    )
    # Every link under what is asked; None where its replica does not know the setting.
    asked: dict[str, list[Link | None]] = {
        modes: [link.with_modes(modes) if modes in candidates(link.replica) else None for link in links]
        for modes in names
    }
    for server in every:
        asked[str(server)] = [
            replace(link, replica=replace(link.replica, flavor=server.flavor, version=server.version))
            for link in links
        ]
    running = {name: [link is None or _runs(link) for link in under] for name, under in asked.items()}
    totals = {count: Counter[str]() for count in ("survive", "known", "stopped")}
    for sample, pairs in strata:
        weight = sum(row["count"] for row in sample)
        here = {count: Counter[str]() for count in totals}
        read = definition.read(
            (end, row[side])
            for row in sample
            for end, side in (
                (links[row["profile"]].source, "source"),
                (links[row["profile"]].replica, "replica"),
            )
        )
        for row in sample:
            number = row["profile"]
            source, replica = (
                read[links[number].source, row["source"]],
                read[links[number].replica, row["replica"]],
            )
            for name, under in asked.items():
                if (link := under[number]) is None:
                    continue
                here["known"][name] += row["count"]
                if not running[name][number]:
                    here["stopped"][name] += row["count"]
                elif _survives(source, replica, link.of_rows):
                    here["survive"][name] += row["count"]
        for count, by_name in here.items():
            for name, of in by_name.items():
                totals[count][name] += round(of * pairs / weight)
    stopped = {
        name: sum(n for n, runs in zip(uses, ran, strict=True) if not runs) for name, ran in running.items()
    }
    return WhatIf(
        tuple((name, totals["survive"][name], totals["known"][name]) for name in names),
        tuple((name, totals["survive"][name], totals["known"][name]) for name in map(str, every)),
        tuple((name, count, totals["stopped"][name]) for name, count in stopped.items() if count),
        sum(len(sample) for sample, _ in strata),
        total,
        key(links, uses, strata),
    )


def _runs(link: Link) -> bool:
    """Whether a link runs at all, whatever its tables are."""
    return all(finding.effect is not Effect.STOPS for finding in engine.link_findings(link))


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
