"""Pictures for README.md and docs/: what the commands print and write, as chromium shows it.

python .ci/screens.py docs/images          needs chromium, numpy and the extra `sail`
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from html import escape
from pathlib import Path
from textwrap import wrap

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
DEMO = "fixtures/demo"
LINK = ["--source-version", "mysql-8.0", "--replica-version", "mysql-8.0"]
#: What a picture shows in a terminal: the first example of README.md.
CHECK = ["check", f"{DEMO}/today.sql", f"{DEMO}/tomorrow.sql", *LINK, "--type-conversions", "ALL_NON_LOSSY"]
#: Colours of a terminal by the codes that the text output writes.
COLOURS = {
    "31": "#ff7b72",
    "32": "#7ee787",
    "33": "#e3b341",
    "34": "#79c0ff",
    "35": "#d2a8ff",
    "36": "#76e3ea",
}
TERMINAL = (
    "<meta charset=utf-8><body style='margin:0;background:#0d1117'><pre style='margin:16px;color:#e6edf3;"
    'font:15px/1.45 "DejaVu Sans Mono",monospace\'>'
)
#: The most bytes that a picture may have.
MOST = 150_000


def output(*words: str) -> str:
    """What a command prints in a terminal of 80 columns with colours; findings are no failure here."""
    told = {
        "COLUMNS": "80",
        "FORCE_COLOR": "1",
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
    }
    command = [sys.executable, "-m", "schemacheck", *words]
    done = subprocess.run(command, cwd=ROOT, env=told, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return done.stdout


def terminal(words: list[str]) -> str:
    """A page that shows the command and its output as a terminal does."""
    typed = " \\\n".join(
        wrap(f"$ schemacheck {' '.join(words)}", 78, subsequent_indent="    ", break_on_hyphens=False)
    )
    text = escape(f"{typed}\n{output(*words)}")

    def span(found: re.Match[str]) -> str:
        codes = found[1].split(";")
        if codes == ["0"]:
            return "</span>"
        rules = [f"color:{COLOURS[code]}" for code in codes if code in COLOURS]
        rules += ["font-weight:bold"] if "1" in codes else []
        rules += ["opacity:.7"] if "2" in codes else []
        return f'<span style="{";".join(rules)}">'

    return TERMINAL + re.sub("\x1b\\[([0-9;]+)m", span, text)


def shot(page: Path, picture: Path, width: int, height: int) -> None:
    """The page in a window of this size, as a PNG of at most 256 colours."""
    chromium = shutil.which("chromium") or sys.exit("chromium is not installed")
    with tempfile.TemporaryDirectory() as profile:
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--disable-lcd-text", f"--user-data-dir={profile}", "--virtual-time-budget=8000"]
        command += [f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
    picture.write_bytes(fewer_colours(picture.read_bytes()))
    if picture.stat().st_size > MOST:
        raise SystemExit(f"{picture}: {picture.stat().st_size:,} bytes, more than {MOST:,}")


def fewer_colours(png: bytes) -> bytes:
    """A PNG of 8 bits a channel as one with a palette, in which colours that are near are one."""
    at, data, width, height, channels = 8, b"", 0, 0, 3
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, channels = *struct.unpack(">II", body[:8]), {2: 3, 6: 4}[body[9]]
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    image = unfiltered(lines, channels).reshape(height, width, channels)[:, :, :3]
    for lost in range(7):
        levels = (256 >> lost) - 1
        near = (np.rint(image / 255 * levels) * (255 / levels)).astype(np.int32)
        keys = (near[..., 0] << 16) | (near[..., 1] << 8) | near[..., 2]
        colours, places = np.unique(keys, return_inverse=True)
        if len(colours) <= 256:
            break
    palette = b"".join(struct.pack(">I", min(int(colour), 0xFFFFFF))[1:] for colour in colours)
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = places.reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", palette),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return png[:8] + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def unfiltered(lines: np.ndarray, channels: int) -> np.ndarray:
    """The bytes of a PNG's lines, of which each begins with its filter (PNG specification, 9.2)."""
    out = np.zeros((len(lines), lines.shape[1] - 1), np.int32)
    above = np.zeros(lines.shape[1] - 1, np.int32)
    for number, line in enumerate(lines):
        kind, values = line[0], line[1:].astype(np.int32)
        if kind == 2:
            values = (values + above) & 255
        elif kind:
            for at in range(len(values)):
                left, corner = (values[at - channels], above[at - channels]) if at >= channels else (0, 0)
                if kind == 4:
                    guess = left + above[at] - corner
                    near = [abs(guess - one) for one in (left, above[at], corner)]
                    best = (left, above[at], corner)[near.index(min(near))]
                else:
                    best = left if kind == 1 else (left + above[at]) // 2
                values[at] = (values[at] + best) & 255
        out[number] = above = values
    return out.astype(np.uint8)


def main(folder: str) -> None:
    """Make all pictures."""
    pictures = Path(folder).absolute()
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "terminal.html").write_text(terminal(CHECK), "utf-8")
        shot(work / "terminal.html", pictures / "terminal.png", 770, 300)
        page = output("check", f"{DEMO}/source.sql", f"{DEMO}/replica.sql", *LINK, "--format", "html")
        (work / "check.html").write_text(page, "utf-8")
        shot(work / "check.html", pictures / "check.png", 1000, 760)
        output("fleet", "fixtures/fleet/fleet.yaml", "--engine", "sail", "--out", str(work / "run"), "-q")
        shot(work / "run" / "report.html", pictures / "fleet.png", 1000, 1150)


if __name__ == "__main__":
    main(*sys.argv[1:])
