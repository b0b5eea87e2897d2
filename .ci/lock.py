"""Writes the locks: for every version of constraints.txt the hashes of all its files that the CI or the
Action may install.

    python .ci/lock.py            (asks the package index through pip; a minute per platform and Python)

`constraints.txt` says which versions; edit it, run this, and commit both.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
PLATFORMS = ("x86_64", "aarch64")
PYTHONS = ("3.11", "3.12", "3.13")
TAGS = (
    "manylinux_2_17",
    "manylinux2014",
    "manylinux_2_24",
    "manylinux_2_27",
    "manylinux_2_28",
    "manylinux_2_34",
    "linux",
)
#: What is not published as a wheel: its source is locked.
SOURCES = ("pyspark",)
#: What is published for one kind of machine only.
ONLY = {"pysail": "x86_64"}
#: What builds those sources and this package.
BUILD = (
    "editables",
    "hatchling",
    "packaging",
    "pathspec",
    "pluggy",
    "setuptools",
    "tomlkit",
    "trove-classifiers",
    "wheel",
)
#: What a check needs, with live servers and compressed dumps.
RUNTIME = ("pymysql", "pyyaml", "sqlglot", "sqlglotc", "zstandard")
HEAD = "# Written by .ci/lock.py from constraints.txt; do not edit.\n"


def plain(name: str) -> str:
    """A project's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Project -> version."""
    lines = (HERE / "constraints.txt").read_text("utf-8").split()
    return {plain(name): version for name, _, version in (line.partition("==") for line in lines)}


def reported(names: Iterable[str], versions: dict[str, str], *options: str) -> dict[str, str]:
    """Project -> sha256 of the file that pip would take. Raises CalledProcessError where it finds none."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        wanted = [f"{name}=={versions[name]}" for name in names]
        command = [
            sys.executable,
            "-I",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--dry-run",
            "--ignore-installed",
            "--no-deps",
        ]
        subprocess.run([*command, "--report", str(report), *options, *wanted], check=True)
        found = json.loads(report.read_text("utf-8"))["install"]
    return {
        plain(one["metadata"]["name"]): one["download_info"]["archive_info"]["hashes"]["sha256"]
        for one in found
    }


def hashes(versions: dict[str, str]) -> dict[str, set[str]]:
    """Project -> hashes of its files for all platforms and versions of Python."""
    out: dict[str, set[str]] = {name: set() for name in versions}
    wheels = [name for name in versions if name not in SOURCES]
    for machine in PLATFORMS:
        here = [name for name in wheels if ONLY.get(name, machine) == machine]
        for python in PYTHONS:
            tags = [f"--platform={tag}_{machine}" for tag in TAGS] + ["--platform=any"]
            abi = ["--implementation=cp", f"--abi=cp{python.replace('.', '')}", "--abi=abi3", "--abi=none"]
            where = ["--only-binary=:all:", f"--python-version={python}", "--target=/nowhere", *tags, *abi]
            for name, digest in reported(here, versions, *where).items():
                out[name].add(digest)
    for name, digest in reported(SOURCES, versions, "--no-build-isolation").items():
        out[name].add(digest)
    return out


def lock(names: Iterable[str], versions: dict[str, str], found: dict[str, set[str]]) -> str:
    """The text of one lock."""
    lines = []
    for name in sorted(names):
        digests = "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(found[name]))
        marker = f' ; platform_machine == "{ONLY[name]}"' if name in ONLY else ""
        lines.append(f"{name}=={versions[name]}{marker}{digests}\n")
    return HEAD + "".join(lines)


def main() -> None:
    """Write build.lock, runtime.lock and requirements.lock."""
    versions = pins()
    found = hashes(versions)
    everything = [
        name for name in versions if name not in BUILD or name in ("packaging", "pathspec", "pluggy")
    ]
    for file, names in (("build", BUILD), ("runtime", RUNTIME), ("requirements", everything)):
        (HERE / f"{file}.lock").write_text(lock(names, versions, found), "utf-8")


if __name__ == "__main__":
    main()
