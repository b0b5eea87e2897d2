"""Rings and chains: where a change goes and where it stops."""

from schemacheck.filters.topology import Connection, Node, inspect, spread
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet

LINK = Link.of("mysql-8.0.36")


def joined(*pairs: tuple[str, str], **filters: FilterSet) -> list[Connection]:
    return [Connection(a, b, LINK, filters.get(f"{a}{b}", FilterSet())) for a, b in pairs]


def nodes(names: str, **more: object) -> list[Node]:
    return [Node(name, i, **more) for i, name in enumerate(names, 1)]  # type: ignore[arg-type]


def kinds(found: object) -> list[str]:
    return [finding.kind for finding in found]  # type: ignore[attr-defined]


RING = (("a", "b"), ("b", "c"), ("c", "a"))


def test_a_ring_stops_at_its_origin() -> None:
    result = spread(nodes("abc"), joined(*RING), "a", "d", "t")
    assert set(result.reached) == {"a", "b", "c"}
    assert (result.loops, result.barriers) == ([], [])
    assert list(inspect(nodes("abc"), joined(*RING), [("d", "t")])) == []


def test_a_change_from_outside_loops_in_a_ring() -> None:
    servers, links = nodes("abcx"), joined(*RING, ("x", "a"))
    result = spread(servers, links, "x", "d", "t")
    assert result.loops == [("x", "a", "b", "c", "a")]
    assert kinds(inspect(servers, links, [("d", "t")])) == ["loop"]


def test_gtids_break_the_loop() -> None:
    links = joined(*RING, ("x", "a"))
    assert spread(nodes("abcx", gtid=True), links, "x", "d", "t").loops == []


def test_replicate_same_server_id_loops() -> None:
    servers = [Node("a", 1, replicate_same_server_id=True), Node("b", 2)]
    assert spread(servers, joined(("a", "b"), ("b", "a")), "a", "d", "t").loops == [("a", "b", "a")]


def test_a_chain_without_log_slave_updates_loses_everything() -> None:
    servers = [Node("a", 1), Node("b", 2, log_slave_updates=False), Node("c", 3)]
    links = joined(("a", "b"), ("b", "c"))
    assert set(spread(servers, links, "a", "d", "t").reached) == {"a", "b"}
    (finding,) = inspect(servers, links, [("d", "t")])
    assert finding.kind == "lost"
    assert "b has no log_slave_updates" in finding.message
    assert set(spread(servers, links, "b", "d", "t").reached) == {"b", "c"}


def test_a_filter_in_the_middle_of_a_chain() -> None:
    links = joined(("a", "b"), ("b", "c"), bc=FilterSet(ignore_table=("d.t",)))
    (finding,) = inspect(nodes("abc"), links, [("d", "t"), ("d", "u")])
    assert finding.message == (
        "d.t changed on a reaches b, but not its replica c: d.t: not replicated: --replicate-ignore-table=d.t"
    )


def test_rewriting_along_the_way() -> None:
    links = joined(("a", "b"), ("b", "c"), ab=FilterSet(rewrite_db=(("d", "e"),)), bc=FilterSet(do_db=("e",)))
    result = spread(nodes("abc"), links, "a", "d", "t")
    assert result.reached == {"a": "d.t", "b": "e.t", "c": "e.t"}


def test_two_ways_to_one_server() -> None:
    links = joined(("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
    assert kinds(inspect(nodes("abcd"), links, [("d", "t")])) == ["duplicate"]
    assert kinds(inspect(nodes("abcd", gtid=True), links, [("d", "t")])) == []


def test_domains_of_mariadb() -> None:
    link = Link.of("mariadb-10.11", binlog_format="ROW")
    for filters, reached in (
        (FilterSet(do_domain_ids=(0,)), True),
        (FilterSet(do_domain_ids=(8,)), False),
        (FilterSet(ignore_domain_ids=(0,)), False),
    ):
        result = spread(nodes("ab"), [Connection("a", "b", link, filters)], "a", "d", "t")
        assert ("b" in result.reached) is reached


def test_one_server_id_twice() -> None:
    servers = [Node("a", 1), Node("b", 1)]
    assert kinds(inspect(servers, joined(("a", "b")), [])) == ["same-server-id"]
    assert set(spread(servers, joined(("a", "b")), "a", "d", "t").reached) == {"a"}
