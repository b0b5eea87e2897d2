"""Events for people and programs: text and JSON lines.

`event_lines` is what `schemacheck binlog events` prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def event_lines(
    files: Iterable[str],
    *,
    form: str = "text",
    start_position: int | None = None,
    stop_position: int | None = None,
    follow: bool = False,
) -> Iterator[str]:
    """Lines about every event of the logs, without line ends; memory does not grow with the logs.

    `form` is text or jsonl. Of several files text names each one; JSON objects have `file`. `stop_position`
    ends the last file before the first event at or behind it. Raises BinlogError (what came before the damage
    was given; rows that contradict their table map are given as bytes, and the error comes at the end),
    InputError.
    """
    from schemacheck.binlog.errors import DamagedEvent
    from schemacheck.binlog.files import read_logs
    from schemacheck.binlog.listing.record import encode, record
    from schemacheck.binlog.listing.text import UNREADABLE, lines

    unreadable: list[tuple[str, int]] = []
    names = list(files)
    current = None
    for file, event in read_logs(names, start_position=start_position, follow=follow):
        position = event.header.position
        if stop_position is not None and file == names[-1] and position >= stop_position:
            return
        if form == "jsonl":
            result = record(event)
            if "unreadable" in result:
                unreadable.append((file, position))
            yield encode({"file": file, **result})
            continue
        if file != current and len(names) > 1:
            yield f"# {file}"
        current = file
        for line in lines(event):
            if line.startswith(UNREADABLE):
                unreadable.append((file, position))
            yield line
    if unreadable:
        file, position = unreadable[0]
        raise DamagedEvent(
            f"the rows of {len(unreadable)} events cannot be read and are shown as bytes, first here",
            position,
            file,
        )
