"""What zstd has compressed, every frame to its end (the library takes a cut frame for whole)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

#: Compressed bytes that are unpacked at once: one may grow 32,000 times.
_PIECE = 1 << 12
#: 128 MiB: what `zstd --long` writes by default.
_WINDOW = 1 << 27


def unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in all frames of pieces. Raises ImportError without zstandard, ValueError for damage."""
    import zstandard

    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    frame = None
    try:
        for whole in pieces:
            view = memoryview(whole)
            while view:
                frame = frame or reader.decompressobj()
                piece = view[:_PIECE]
                yield frame.decompress(piece)
                view = view[len(piece) - len(frame.unused_data) :]
                if frame.eof:
                    frame = None
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if frame is not None:
        raise ValueError("it ends too early")
