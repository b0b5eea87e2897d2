"""Looks at what a build made, and writes its bill of materials beside it.

    python .ci/inspect_release.py DIST [TAG]

The exit status is 1 where something is missing, needless or does not fit the tag.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tarfile
import uuid
import zipfile
from email import message_from_string
from pathlib import Path

HERE = Path(__file__).parent
#: What a wheel must hold, and what must not be in it.
NEEDED = (
    "schemacheck/_facts.json",
    "schemacheck/py.typed",
    "schemacheck/schemas/report-1.schema.json",
    "schemacheck/cli/commands/check.py",
)
NEEDLESS = ("tests/", "fixtures/", "docs/", "__pycache__", ".pyc")
#: What a source archive must hold so that it can be built and tested.
SOURCES = (
    "pyproject.toml",
    "hatch_build.py",
    "LICENSE",
    "README.md",
    "rules/binlog.yaml",
    "tests/conftest.py",
)


def wheel_faults(wheel: Path, tag: str) -> list[str]:
    """What is wrong with a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        place = next(name for name in names if name.endswith(".dist-info/METADATA"))
        text = archive.read(place).decode("utf-8")
    told = message_from_string(text)
    faults = [f"{name} is missing" for name in NEEDED if name not in names]
    faults += refused(text)
    faults += [f"{name} does not belong in it" for name in names if any(word in name for word in NEEDLESS)]
    if tag and tag != f"v{told['Version']}":
        faults.append(f"its version is {told['Version']}, the tag is {tag}")
    page = str(told.get_payload())
    faults += [
        f"the page links to {target!r}, which leads nowhere at the package index"
        for target in re.findall(r"\]\(([^)\s]+)\)", page)
        if not re.match(r"[a-z]+:|#", target)
    ]
    if not page.startswith("# schemacheck"):
        faults.append("the page is not the README")
    return [f"{wheel.name}: {fault}" for fault in faults]


def refused(text: str) -> list[str]:
    """What the package index would refuse of core metadata."""
    from packaging.metadata import Metadata

    try:
        Metadata.from_email(text, validate=True)
    except ExceptionGroup as found:
        return [f"its metadata is refused: {one}" for one in found.exceptions]
    return []


def source_faults(archive: Path) -> list[str]:
    """What is wrong with a source archive."""
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    faults = [f"{name} is missing" for name in SOURCES if name not in names]
    faults += [
        f"{name} does not belong in it" for name in names if name.startswith((".venv", "out/", "dist/"))
    ]
    return [f"{archive.name}: {fault}" for fault in faults]


def materials(wheel: Path) -> str:
    """What the wheel runs with, by the lock, as CycloneDX 1.5. The same wheel gives the same text."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    version = wheel.name.split("-")[1]
    lock = (HERE / "runtime.lock").read_text("utf-8")
    parts = [
        {
            "type": "library",
            "name": name,
            "version": number,
            "purl": f"pkg:pypi/{name.lower()}@{number}",
            "hashes": [{"alg": "SHA-256", "content": one} for one in re.findall(r"sha256:(\w+)", rest)],
        }
        for name, number, rest in re.findall(r"^([\w.-]+)==(\S+)((?:[^\n]*\\\n)*[^\n]*)", lock, re.MULTILINE)
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.UUID(digest[:32])}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "schemacheck",
                "version": version,
                "purl": f"pkg:pypi/schemacheck@{version}",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
        },
        "components": parts,
    }
    return json.dumps(document, indent=2) + "\n"


def main(folder: str, tag: str = "") -> int:
    """Print the faults, or write the bill of materials."""
    dist = Path(folder)
    wheels, archives = sorted(dist.glob("*.whl")), sorted(dist.glob("*.tar.gz"))
    if len(wheels) != 1 or len(archives) != 1:
        sys.stdout.write(f"{folder}: one wheel and one source archive are expected\n")
        return 1
    faults = wheel_faults(wheels[0], tag) + source_faults(archives[0])
    sys.stdout.write(("\n".join(faults) or f"{wheels[0].name}, {archives[0].name}: as expected") + "\n")
    if not faults:
        version = wheels[0].name.split("-")[1]
        (dist / f"schemacheck-{version}.cdx.json").write_text(materials(wheels[0]), "utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
