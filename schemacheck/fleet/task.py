"""What runs in Python on the workers: a group of links and the bytes of its dumps, to a batch of pairs and
problems. No pyspark here.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.fleet import columns, dump, memory, pairs, timings
from schemacheck.fleet.group import Group
from schemacheck.fleet.pairs import Pair
from schemacheck.fleet.snapshots import File
from schemacheck.model import Effect, InputProblem, PairState, transport
from schemacheck.system.collector import collector_paused

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import Dump

#: What a task is given: all rows of one group. `spec` is the group; all others are of one dump: a
#: file's bytes, or rows of a view whose values stand in the order of `heading` (names with tabs between).
ASKED = (
    columns.Column("grp", "int", "the group"),
    columns.Column("spec", "binary", "the group, packed"),
    columns.Column("home", "string", "the group's key, equal in every run"),
    columns.Column("memory", "binary", "what an earlier run remembers of it"),
    columns.Column("origin", "int", "the dump"),
    columns.Column("path", "string", "the file"),
    columns.Column("content", "binary", "its bytes"),
    columns.Column("view", "string", "the view whose rows these are"),
    columns.Column("heading", "string", "their columns, with tabs between them"),
    columns.Column("fields", "array<string>", "one row's values"),
)


def asked(*names: str) -> tuple[columns.Column, ...]:
    """Some columns of ASKED."""
    by_name = {column.name: column for column in ASKED}
    return tuple(by_name[name] for name in names)


#: A row of GROUPS.
Row = tuple[str | None, bytes | None, str | None, bool | None, str | None, str | None]


def answer(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The pairs and problems of one group. Of a group without any rows of dumps the files are opened."""
    group, given, _ = _of_batch(batch)
    with collector_paused():
        dumps = [_with_bytes(item, group, given) for item in group.dumps]
        yield _decided(group, dumps, given or {}, timings.Laps())[0]


def remembered(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The same as a row of GROUPS, from which `unpacked` takes it; what an earlier run remembers is not
    decided again.
    """
    import pyarrow as pa

    group, given, packed = _of_batch(batch)
    laps = timings.Laps()
    with collector_paused():
        dumps = [_with_bytes(item, group, given) for item in group.dumps]
        basis, places = memory.basis(group, dumps)
        problem, fits = None, False
        try:
            fits = packed is not None and memory.fits(packed, group.key, basis, places)
        except memory.Damaged as error:
            message = (
                f"what the previous run remembers of these links is damaged ({error}): not used, everything "
                "was read and decided"
            )
            problem = pairs.problem(group.streams[0].replica, InputProblem("SC001", message, skipped=True))
        laps.lap("digest")
        if not fits:
            # The rows count the links of their group: what their numbers are in a run is told beside them.
            streams = [replace(stream, number=n, profile=n) for n, stream in enumerate(group.streams)]
            rows, stated = _decided(replace(group, streams=tuple(streams)), dumps, given or {}, laps)
            packed = memory.packed(rows, group.key, basis, places if stated else "")
            laps.lap("remember")
    row = _of_group(group, packed, fits, problem, laps)
    schema = arrow_schema(columns.GROUPS)
    yield pa.RecordBatch.from_arrays(
        [pa.array([v], k.type) for v, k in zip(row, schema, strict=True)], schema=schema
    )


def kept(group: Group, packed: bytes) -> Row | None:
    """What an earlier run remembers of a group whose files lie here, as a row of GROUPS; None where that is
    to be decided again, or damaged.
    """
    laps = timings.Laps()
    dumps = [_with_bytes(item, group, None) for item in group.dumps]
    try:
        fits = memory.fits(packed, group.key, *memory.basis(group, dumps))
    except memory.Damaged:
        return None
    laps.lap("digest")
    return _of_group(group, packed, fits, None, laps) if fits else None


def _of_group(group: Group, packed: bytes | None, fits: bool, problem: str | None, laps: timings.Laps) -> Row:
    links = json.dumps([[stream.number, stream.profile] for stream in group.streams])
    return group.home, packed, links, fits, problem, laps.text()


def unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows of GROUPS behind the columns of RUN as the pairs and problems that they are made of."""
    import pyarrow as pa
    import pyarrow.compute as pc

    schema = arrow_schema((*columns.RUN, *columns.PAIRS))
    for row in chain.from_iterable(batch.to_pylist() for batch in batches):
        parts = [] if row["problem"] is None else [_alone(problem=row["problem"])]
        if row["memory"] is not None:
            rows = memory.rows(row["memory"])
            at, numbers = rows.column("link"), zip(*json.loads(row["links"]), strict=True)
            values = [pa.array(some, pa.int32()).take(at) for some in numbers]
            earlier = pa.scalar("dumps" if row["remembered"] else None, pa.string())
            values.append(pc.if_else(pc.is_valid(at), earlier, pa.scalar(None, pa.string())))
            for name, column in zip(("link", "profile", "remembered"), values, strict=True):
                rows = rows.set_column(rows.schema.get_field_index(name), name, column)
            parts.append(rows)
        for rows in parts:
            of_run = [
                pa.repeat(pa.scalar(row[c.name], schema.field(c.name).type), len(rows)) for c in columns.RUN
            ]
            yield pa.RecordBatch.from_arrays([*of_run, *rows.columns], schema=schema)


def _of_batch(batch: pa.RecordBatch) -> tuple[Group, _Rows | None, bytes | None]:
    """The group that a task is given, what of its dumps came with it, and what is remembered of it."""
    at = batch.column("spec").is_valid().index(True).as_py()
    packed = batch.column("memory")[at].as_py() if "memory" in batch.schema.names else None
    group: Group = transport.unpack(batch.column("spec")[at].as_py())
    return group, _given(batch) if batch.num_rows > 1 else None, packed


def _with_bytes(entry: Dump, group: Group, given: _Rows | None) -> Dump:
    """The dump with its files' bytes, where they came with it or are compared with an earlier run's."""
    contents = given.get(entry.origin, ({}, {}))[0] if given is not None else None

    def whole(file: File) -> File:
        if contents is not None:
            return _arrived(file, contents)
        if not group.key:
            return file
        try:
            return replace(file, data=Path(file.path).read_bytes())
        except OSError:
            return file  # who reads it says what is wrong

    return replace(entry, native=list(map(whole, entry.native)), other=list(map(whole, entry.other)))


def _decided(
    group: Group, dumps: Sequence[Dump], given: _Rows, laps: timings.Laps
) -> tuple[pa.RecordBatch, bool]:
    """The rows of a group, and whether there are problems of the input."""
    by_instance: dict[str, list[tuple[Dump, dump.Given]]] = {name: [] for name in group.servers}
    for item in dumps:
        rows = given.get(item.origin, ({}, {}))[1]
        if item.files or item.unknown or item.lost or rows:
            by_instance[item.instance].append((item, rows))
    by_name = {name: dump.read(name, some, group.servers[name]) for name, some in by_instance.items()}
    laps.lap("scan")
    result, settled = pairs.of_group(group, by_name)
    laps.lap("decide")
    rows = _batch(group, result, settled, by_name)
    laps.lap("rows")
    return rows, any(element.problems for element in by_name.values())


def _alone(**values: object) -> pa.RecordBatch:
    """A row of PAIRS that is no pair."""
    import pyarrow as pa

    schema = _of_pairs()
    return pa.RecordBatch.from_arrays(
        [pa.array([values.get(kind.name)], kind.type) for kind in schema], schema=schema
    )


def _arrived(file: File, contents: Mapping[str, bytes]) -> File:
    """A file with its bytes. Raises InputError where it was listed and then not read: an empty file has no
    rows, a missing one may have any.
    """
    if file.path not in contents:
        raise InputError(
            f"{file.path}: it was there when snapshots were listed, and was gone when they were read"
        )
    return replace(file, data=contents[file.path])


#: What arrived of each dump: the bytes of its files by path, and its rows by view.
_Rows = Mapping[int, tuple[Mapping[str, bytes], Mapping[str, "list[pa.Table]"]]]


def _given(batch: pa.RecordBatch) -> _Rows:
    """For each dump the bytes of its files by path, and its rows by view."""
    import pyarrow as pa
    import pyarrow.compute as pc

    result: dict[int, tuple[dict[str, bytes], dict[str, list[pa.Table]]]] = defaultdict(lambda: ({}, {}))
    files = batch.filter(pc.is_valid(batch.column("content")))
    for origin, path, content in zip(
        *(files.column(name) for name in ("origin", "path", "content")), strict=True
    ):
        result[origin.as_py()][0][path.as_py()] = content.as_buffer().to_pybytes()
    rows = batch.filter(pc.is_valid(batch.column("fields"))).select(["origin", "view", "heading", "fields"])
    if not rows.num_rows:
        return result
    kinds = rows.select(["origin", "view", "heading"]).to_pylist()
    places: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for number, kind in enumerate(kinds):
        places[kind["origin"], kind["view"], kind["heading"]].append(number)
    for (origin, view, heading), numbers in places.items():
        names = heading.split("\t")
        values = rows.column("fields").take(pa.array(numbers, pa.int32())).flatten()
        table = pa.table(
            {
                name: values.take(pa.array(range(at, len(values), len(names)), pa.int64()))
                for at, name in enumerate(names)
            }
        )
        result[origin][1].setdefault(view, []).append(table)
    return result


def _batch(
    group: Group, result: list[Pair], settled: list[pairs.Settled], by_name: Mapping[str, dump.Known]
) -> pa.RecordBatch:
    import pyarrow as pa

    listed = [
        pairs.problem(name, problem)
        for name in group.owned
        if name in by_name
        for problem in by_name[name].problems
    ]
    listed += [
        pairs.problem(name, InputProblem("SC001", f"{name}{pairs.UNLINKED}", skipped=True))
        for name in group.unlinked
    ]
    rows = [_row(pair) for pair in result]
    schema = _of_pairs()
    values = zip(*rows, strict=True) if rows else ([] for _ in schema)
    of_pairs = pa.RecordBatch.from_arrays(
        [_array(list(item), kind.type) for item, kind in zip(values, schema, strict=True)], schema=schema
    )
    equal = [_equal(settled) for settled in settled if settled.ends]
    every = [of_pairs, *equal, *(_alone(problem=text) for text in listed)]
    return every[0] if len(every) == 1 else pa.concat_batches(every)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Values as Arrow's; lists of findings field by field, which takes it a third of the time."""
    import pyarrow as pa

    if not pa.types.is_list(kind) or not pa.types.is_struct(kind.value_type):
        return pa.array(values, kind)
    # (Every finding has all columns, in their order.)
    each = [item.values() for item in chain.from_iterable(values)]
    fields = list(kind.value_type)
    columns = zip(*each, strict=True) if each else ([] for _ in fields)
    each = [pa.array(some, field.type) for some, field in zip(columns, fields, strict=True)]
    ends = [0, *accumulate(map(len, values))]
    return pa.ListArray.from_arrays(
        pa.array(ends, pa.int32()), pa.StructArray.from_arrays(each, fields=fields), type=kind
    )


def _equal(settled: pairs.Settled) -> pa.RecordBatch:
    """Pairs of one link that nobody was asked about."""
    import pyarrow as pa

    stream, ends = settled.stream, settled.ends
    sources, key = [source for source, _ in ends], pairs.keys(stream)
    databases, tables = [item.database for item in sources], [item.table for item in sources]
    keys = [key(*name, *name) for name in zip(databases, tables, strict=True)]
    given: dict[str, list[Any]] = {
        "pair": keys, "database": databases, "table": tables,
        "replica_database": databases, "replica_table": tables,
        "n_rows": [item.n_rows for item in sources], "n_bytes": [item.n_bytes for item in sources],
    }  # fmt: skip
    alike: dict[str, Any] = {
        "link": stream.number, "cluster": stream.cluster, "source": stream.source, "replica": stream.replica,
        "channel": stream.channel, "profile": stream.profile, "state": PairState.COMPARED.value,
        "smallest_setting": settled.smallest, "outcomes": settled.outcomes, "decided_by": "hash",
        "verdict": Effect.IDENTICAL.value, "n_findings": 0,
    }  # fmt: skip
    schema = _of_pairs()
    none = pa.array([0] * (len(ends) + 1), pa.int32())
    arrays = [
        pa.array(given[kind.name], kind.type)
        if kind.name in given
        else pa.ListArray.from_arrays(none, pa.array([], kind.type.value_type), kind.type)
        if pa.types.is_list(kind.type)
        else pa.repeat(pa.scalar(alike.get(kind.name), kind.type), len(ends))
        for kind in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _row(pair: Pair) -> tuple[Any, ...]:
    """A pair in the order of columns.PAIRS."""
    stream, named = pair.stream, pair.named
    source = pair.source
    names = (source.database, source.table) if source is not None else ("", "")
    key = pairs.keys(stream)(*names, pair.replica_database, pair.replica_table)
    if pair.findings:
        _fingerprint(key, pair.findings)
    return (
        key, stream.number, stream.cluster, stream.source, stream.replica, stream.channel,
        named.database, named.table, pair.replica_database, pair.replica_table,
        named.n_rows, named.n_bytes, pair.decision, stream.profile, pair.state, pair.reason,
        pair.smallest, pair.smallest_reason, pair.outcomes, pair.decided_by, None, *pair.lines,
        pair.verdict,
        pair.findings, len(pair.findings), None,
    )  # fmt: skip


def _fingerprint(key: str, findings: Iterable[dict[str, Any]]) -> None:
    """Give the findings of a pair their fingerprints: not of their messages, which may be worded anew. Those
    that are alike (two keys that one rule speaks of) are counted, so that one more is a new one.
    """
    seen: dict[str, int] = {}
    for f in findings:
        column, *types = (f[name] or "" for name in ("column", "source_type", "replica_type"))
        text = "\x1f".join((key, column, f["code"], *types))
        seen[text] = number = seen.get(text, 0) + 1
        if number > 1:
            text += f"\x1f{number}"
        f["fingerprint"] = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def _of_pairs() -> pa.Schema:
    return arrow_schema(columns.PAIRS)


def arrow_schema(given: tuple[columns.Column, ...]) -> pa.Schema:
    """The Arrow schema of columns."""
    import pyarrow as pa

    plain = {
        "int": pa.int32(), "bigint": pa.int64(), "string": pa.string(), "boolean": pa.bool_(),
        "binary": pa.binary(), "date": pa.date32(), "array<string>": pa.list_(pa.string()),
    }  # fmt: skip

    def kind(column: columns.Column) -> pa.DataType:
        if column.name == "findings":
            return pa.list_(pa.struct(list(arrow_schema(columns.FINDING))))
        return plain[column.kind]

    return pa.schema([(column.name, kind(column)) for column in given])
