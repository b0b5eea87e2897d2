"""What a task tells the next run of its group: its rows, for as long as nothing changes that they depend on,
and the engine's answers by their questions' keys.

Both are found by hashes of everything that they depend on (`basis`, `decide`), so what is remembered of
another program, fleet, setting or dump is never looked at; what is damaged, or not signed with this user's
key, is not used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.fleet import decide, secret
from schemacheck.model import Effect, PairState, transport

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.group import Group
    from schemacheck.fleet.snapshots import Dump, File

_MAGIC = b"schemacheck-memory-3\n"
_DIGEST = 32
_VERDICTS = frozenset(effect.value for effect in Effect)
_STATES = frozenset(state.value for state in PairState)


class Damaged(ValueError):
    """Bytes that are no memory, or not as they were written."""


@dataclass(frozen=True, slots=True)
class Memory:
    """`basis` stands for all that `rows` depend on, '' for nothing; `places` for where the dumps lie, ''
    where no row names such a place.
    """

    basis: str = ""
    places: str = ""
    rows: pa.RecordBatch | None = None
    answers: Mapping[str, decide.Answer] = field(default_factory=dict)

    def of(self, basis: str, places: str) -> pa.RecordBatch | None:
        """The rows, if they are those of this basis."""
        fits = bool(basis) and self.basis == basis and self.places in ("", places)
        return self.rows if fits else None

    def packed(self, key: str) -> bytes:
        """The memory as bytes, signed with the key, for `unpacked`."""
        import pyarrow as pa

        head = _text({"basis": self.basis, "places": self.places})
        sink = pa.BufferOutputStream()
        if self.rows is not None:
            with pa.ipc.new_stream(sink, self.rows.schema) as stream:
                stream.write_batch(self.rows)
        rows = len(head).to_bytes(8, "big") + head + bytes(sink.getvalue())
        answers = b",".join([_answer(key, one) for key, one in self.answers.items()])
        packed = _compressed(rows) + _compressed(b"{%b}" % answers)
        return b"".join((_MAGIC, secret.seal(key, packed), packed))


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


#: Answers as members of a JSON object: many groups have the same.
_answers: dict[str, tuple[decide.Answer, bytes]] = {}


def _answer(key: str, answer: decide.Answer) -> bytes:
    if len(_answers) > decide.KEPT:
        _answers.clear()
    known = _answers.get(key)
    if known is None or known[0] is not answer:
        known = _answers[key] = answer, _text({key: answer})[1:-1]
    return known[1]


def _compressed(text: bytes) -> bytes:
    """How long the text is, how long it is compressed, and that."""
    import pyarrow as pa

    small: bytes = pa.compress(text, "zstd", asbytes=True)
    return len(text).to_bytes(8, "big") + len(small).to_bytes(8, "big") + small


def _opened(data: bytes) -> tuple[bytes, bytes]:
    """The first text of `_compressed` and what comes behind it."""
    import pyarrow as pa

    end = 16 + int.from_bytes(data[8:16], "big")
    text: bytes = pa.decompress(data[16:end], int.from_bytes(data[:8], "big"), "zstd", asbytes=True)
    return text, data[end:]


def unpacked(data: bytes, key: str, basis: str = "", places: str = "") -> Memory:
    """The memory of `packed`'s bytes. Where its rows are those of this basis and these places nobody needs
    its answers: they are not read, which would cost more than all the rest. Raises Damaged, also where the
    bytes are signed with another key.
    """
    import pyarrow as pa

    head, digest, packed = (
        data[: len(_MAGIC)],
        data[len(_MAGIC) : len(_MAGIC) + _DIGEST],
        data[len(_MAGIC) + _DIGEST :],
    )
    if head != _MAGIC or not secret.is_sealed(key, packed, digest):
        raise Damaged("not as it was written")
    try:
        text, rest = _opened(packed)
        end = 8 + int.from_bytes(text[:8], "big")
        told = json.loads(text[8:end].decode("utf-8", "surrogatepass"))
        rows = None
        if len(text) > end:
            with pa.ipc.open_stream(text[end:]) as stream:
                (rows,) = stream
        made = Memory(told["basis"], told["places"], rows)
        if made.of(basis, places) is None:
            answers, _ = _opened(rest)
            made = replace(made, answers=json.loads(answers.decode("utf-8", "surrogatepass")))
        whole = all(map(_whole, made.answers.values()))
    except (
        ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, pa.ArrowException
    ) as error:  # fmt: skip
        raise Damaged(str(error)) from None
    if not whole:
        raise Damaged("an answer lacks a part")
    return made


def _whole(answer: Mapping[str, Any]) -> bool:
    return (
        answer.keys() == decide.ANSWER
        and answer["verdict"] in _VERDICTS
        and answer["state"] in _STATES
        and all(finding.keys() == decide.FINDING for finding in answer["findings"])
    )


def basis(group: Group, dumps: list[Dump], bucket: int, buckets: int) -> tuple[str, str]:
    """What stands for all that a group's rows depend on: the program and its facts, the links with their
    servers, settings and filters, and the dumps' bytes; and what stands for where the dumps lie. '' where
    bytes are not known.
    """
    if any(file.data is None for dump in dumps for file in dump.files):
        return "", ""
    streams = tuple(replace(stream, number=0, profile=0) for stream in group.streams)
    about = transport.pack((streams, dict(group.servers), group.owned, bucket, buckets, dict(group.evidence)))
    digest = hashlib.sha256(f"{decide.rules_version()}\n".encode() + about)
    for dump in dumps:
        native = [(_name(dump, file), file.view, _content(file)) for file in dump.native]
        other = [(_name(dump, file), _content(file)) for file in dump.other]
        unknown = [PurePosixPath(path).name for path in dump.unknown]
        digest.update(repr((dump.instance, native, other, unknown)).encode("utf-8", "surrogatepass"))
    places = repr([(dump.place, [file.path for file in dump.files], dump.unknown) for dump in dumps])
    return digest.hexdigest(), hashlib.sha256(places.encode("utf-8", "surrogatepass")).hexdigest()


def _name(dump: Dump, file: File) -> str:
    path = PurePosixPath(file.path)
    return str(path.relative_to(dump.place)) if path.is_relative_to(dump.place) else path.name


def _content(file: File) -> str:
    """A hash of a file's bytes. When a gzip file was written, which it tells, is no part of it."""
    data = file.data or b""
    if data[:2] != b"\x1f\x8b":
        return hashlib.sha256(data).hexdigest()
    found = hashlib.sha256(data[:4])
    found.update(memoryview(data)[8:])
    return found.hexdigest()
