"""An upgrade's waves, and each link at each stage as `check` has it with those versions."""

from __future__ import annotations

import json
from pathlib import Path

import fleets
import pytest

from schemacheck.cli import main
from schemacheck.fleet import profiles, snapshots, topology, upgrade
from schemacheck.model import Effect, Server

FLEET = fleets.ROOT / "fixtures" / "fleet" / "fleet.yaml"


def links(text: str) -> tuple[topology.FleetLink, ...]:
    ends = [pair.split(">") for pair in text.split()]
    document = {"links": [{"source": source, "replica": replica} for source, replica in ends]}
    return topology.of_document(document, "links").links


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a>b b>c a>d", "c d / b / a"),
        ("a>b b>a", "a+b"),
        ("a>b b>c c>b c>d", "d / b+c / a"),
        ("a>b b>a x>y", "a+b y / x"),
        ("a>c b>c c>d c>e d>f", "e f / d / c / a b"),
    ],
)
def test_no_server_goes_before_its_replicas(text: str, wanted: str) -> None:
    made = upgrade.waves(links(text))
    assert " / ".join(" ".join("+".join(group) for group in wave) for wave in made) == wanted


def test_nodes_of_a_cluster_go_one_after_the_other_behind_their_replicas() -> None:
    nodes = [{"source": a, "replica": b, "kind": "galera"} for a, b in ("ab", "ba")]
    ends = [{"source": "b", "replica": "r"}, {"source": "p", "replica": "b", "channel": "x"}]
    document = {
        "defaults": {"server": "mariadb-10.11.8"}, "links": [*nodes, *ends],
        "instances": {"p": {"server": "percona-8.0.36"}},
    }  # fmt: skip
    asked = upgrade.Upgrade(Server.parse("mariadb-11.8.6"))
    fleet = asked.changed(topology.of_document(document, "links"))
    made = upgrade.of_rows([], fleet, profiles.resolve(fleet, [], asked), asked, Effect.UNSUPPORTED)
    assert [[(group["kind"], [*group["servers"]]) for group in wave["groups"]] for wave in made["waves"]] == [
        [(None, ["r"])], [("cluster", ["a", "b"])], [(None, [])],
    ]  # fmt: skip
    old, new = "MariaDB 10.11.8", "MariaDB 11.8.6"
    steps = [
        [
            (link["source"] + link["replica"], link["source_server"], link["replica_server"])
            for link in wave["links"]
        ]
        for wave in made["waves"]
    ]
    both_ways = [
        (ends, *servers) for ends in ("ab", "ba") for servers in ((old, new), (new, old), (new, new))
    ]
    assert steps == [
        [("br", old, new)],
        [*both_ways, ("br", new, new), ("pb", "Percona Server 8.0.36", new)],
        [],
    ]
    assert made["stay"] == {"p": "Percona Server 8.0.36"}
    text = list(upgrade.lines(made))
    assert text[0] == "upgrade to MariaDB 11.8.6: 3 servers in 2 waves"
    assert "  a (MariaDB 10.11.8), b (MariaDB 10.11.8) (nodes of one cluster, " in "\n".join(text)


@pytest.mark.parametrize("server", ["mysql-8.4.9", "mysql-9.7.4"])
def test_every_stage_of_every_link_is_what_check_says(tmp_path: Path, server: str) -> None:
    path = fleets.small(tmp_path, 8, tables=30)
    asked = upgrade.Upgrade(Server.parse(server))
    tables, findings, _, _ = fleets.of_task(path, what_if=asked, changed=asked.changed)
    own = topology.read(path)
    fleet = asked.changed(own)
    resolved = profiles.resolve(fleet, snapshots.find(fleet, ()), asked)
    stays = {"c": "mariadb-10.11.8"}
    rows = [{name: row[name] for name in upgrade.COLUMNS} for row in tables]
    made = upgrade.of_rows(rows, fleet, resolved, asked, Effect.LOSSY)
    listed: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for link in [link for wave in made["waves"] for link in wave["links"]]:
        key = (link["source"], link["replica"], link["source_server"], link["replica_server"])
        listed[key] = sorted((row["table"], row["code"] or "") for row in link["in_the_way"] if row["table"])
    assert len(listed) == 4
    for link in fleet.links:
        stage, number = divmod(link.number, len(own.links))
        ends = dict(zip((link.source, link.replica), upgrade.STAGES[stage], strict=True))
        servers = {name: stays.get(name) or (server if new else "mysql-8.0.36") for name, new in ends.items()}
        document = path.read_text("utf-8").partition("instances:")[0] + "instances:\n"
        places = f"[snapshots/{link.source}, snapshots/{link.replica}]"
        document = document.replace("snapshots: snapshots", f"snapshots: {places}")
        document += "".join(f"  {name}: {{server: {at}}}\n" for name, at in servers.items())
        document += "links:\n" + path.read_text("utf-8").partition("links:\n")[2].splitlines()[number] + "\n"
        (tmp_path / "link.yaml").write_text(document, "utf-8")
        wanted = {
            key: told for key, told in fleets.pair_by_pair(tmp_path / "link.yaml").items() if len(key) == 5
        }
        some = [row for row in tables if row["link"] == link.number and row["state"] != "surplus"]
        pairs = {row["pair"] for row in some}
        mine = [row for row in findings if row["link"] == link.number and row["pair"] in pairs]
        fleets.compare(fleets.of_job(some, mine), wanted)
        key = (
            link.source,
            link.replica,
            *(str(Server.parse(servers[name])) for name in (link.source, link.replica)),
        )
        if key in listed:
            bad = [
                (row["table"], finding["code"])
                for row in some
                for finding in row["findings"]
                if Effect(finding["effect"]) >= Effect.LOSSY
            ]
            assert listed.pop(key) == sorted(bad) != []
    assert listed == {}


@pytest.mark.spark
def test_a_plan_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pysail")
    words = ["fleet", "upgrade", str(FLEET), "--to", "mysql-9.7.4", "--engine", "sail", "-q"]
    assert main([*words, "--out", str(tmp_path / "plan.json")]) == 1
    text, made = capsys.readouterr().out, json.loads((tmp_path / "plan.json").read_text("utf-8"))
    assert "orders-legacy (MySQL 5.6.24) (a ring: " in text
    assert "shop.rng: stops, as today [SC701 missing-table]" in text
    assert text.splitlines()[-1].startswith("stay: orders-primary (MySQL 9.7.4), ")
    assert [wave["wave"] for wave in made["waves"]] == [1, 2]
    (ring,) = [group for wave in made["waves"] for group in wave["groups"] if group["kind"]]
    assert (ring["servers"], ring["stay"]) == ({"orders-legacy": "MySQL 5.6.24"}, ["orders-primary"])
    assert main([*words, "--out", str(tmp_path / "no" / "plan.json")]) == 2
    assert "plan.json: cannot be written: No such file or directory" in capsys.readouterr().err
    assert main([*words[:4], "mysql-5.5.62", *words[5:]]) == 0
    assert capsys.readouterr().out.startswith("upgrade to MySQL 5.5.62: 0 servers in 0 waves\nstay: ")


def test_each_word_has_options_and_a_page_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "upgrade", str(FLEET)]) == 2
    for words in (["upgrade", "--to", "mysql-8.4"], [str(FLEET), "--to", "mysql-8.4"], ["diff", "run"]):
        with pytest.raises(SystemExit) as end:
            main(["fleet", *words])
        assert end.value.code == 2
    assert "there is no option --to" in capsys.readouterr().err
    for word, option in (("upgrade", "--to"), ("what-if", "--replica-version"), ("diff", "BEFORE")):
        with pytest.raises(SystemExit):
            main(["fleet", word, "--help"])
        page = capsys.readouterr().out
        assert option in page
        assert ("--run-id" in page) == (word == "what-if")


def test_long_chains_and_rings_take_no_longer_than_their_links() -> None:
    """Work for each pair of servers would take hours here."""
    chain = " ".join(f"s{number}>s{number + 1}" for number in range(20_000))
    assert len(upgrade.waves(links(chain))) == 20_001
    (ring,) = upgrade.waves(links(f"{chain} s20000>s0"))
    assert len(ring[0]) == 20_001
