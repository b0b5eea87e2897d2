"""What a release consists of: built twice, looked into, installed where nothing else is."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml

import schemacheck

ROOT = Path(__file__).parents[2]
ADDRESS = "https://code.example.org/somebody/schemacheck"


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


inspection = load(ROOT / ".ci" / "inspect_release.py")


def build(folder: Path, *what: str, address: str = ADDRESS) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed (.ci/build.lock)")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "SCHEMACHECK_REPOSITORY": address}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), *what],
        cwd=ROOT, env=environment, check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    return build(tmp_path_factory.mktemp("dist"))


def metadata(folder: Path):
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        return message_from_string(archive.read(name).decode())


@pytest.mark.slow
def test_two_builds_are_equal(dist, tmp_path):
    again = build(tmp_path)
    for pattern in ("*.whl", "*.tar.gz"):
        ours, theirs = (next(folder.glob(pattern)) for folder in (dist, again))
        assert ours.name == theirs.name
        assert hashlib.sha256(ours.read_bytes()).digest() == hashlib.sha256(theirs.read_bytes()).digest()


@pytest.mark.slow
def test_nothing_is_missing_and_the_materials_are_the_locks(dist, capsys):
    assert inspection.main(str(dist), f"v{schemacheck.__version__}") == 0, capsys.readouterr().out
    bill = json.loads((dist / f"schemacheck-{schemacheck.__version__}.cdx.json").read_text())
    lock = (ROOT / ".ci" / "runtime.lock").read_text()
    assert {f"{one['name']}=={one['version']}" for one in bill["components"]} == set(
        re.findall(r"^\S+==\S+", lock, re.MULTILINE)
    )
    assert sum(len(one["hashes"]) for one in bill["components"]) == lock.count("--hash=")
    assert inspection.main(str(dist), "v99.0.0") == 1
    assert "the tag is v99.0.0" in capsys.readouterr().out


def test_metadata_that_an_index_would_refuse_is_a_fault():
    assert not inspection.refused(
        "Metadata-Version: 2.4\nName: schemacheck\nVersion: 0.1.0\n\n# schemacheck\n"
    )
    assert inspection.refused("Metadata-Version: 2.4\nName: schemacheck\nVersion: first\n\n# schemacheck\n")


@pytest.mark.slow
def test_the_page_works_away_from_the_repository(dist, tmp_path):
    told = metadata(dist)
    assert f"Repository, {ADDRESS}" in told.get_all("Project-URL")
    assert f"{ADDRESS}/blob/HEAD/docs/gate.md" in told.get_payload()
    assert f"]({ADDRESS}/raw/HEAD/docs/images/fleet.png)" in told.get_payload()
    plain = metadata(build(tmp_path, "--target", "wheel", address=""))
    assert plain.get_all("Project-URL") is None
    assert "](docs/" not in plain.get_payload()
    assert not inspection.wheel_faults(next(tmp_path.glob("*.whl")), "")


@pytest.mark.slow
def test_the_wheel_runs_where_nothing_else_is(dist, tmp_path):
    """Beside the wheel's files only its dependencies are found; nothing of the repository is."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    packages = next((tmp_path / "v" / "lib").glob("python*")) / "site-packages"
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as archive:
        archive.extractall(packages)
    for name in ("yaml", "sqlglot"):
        found = Path(importlib.util.find_spec(name).origin).parent
        (packages / name).symlink_to(found)
    pair = [ROOT / "fixtures/demo/today.sql", ROOT / "fixtures/demo/tomorrow.sql"]

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        command = [tmp_path / "v/bin/python", "-I", "-m", "schemacheck", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run("--version").stdout.strip().endswith(schemacheck.__version__)
    checked = run("check", *pair, "--source-version", "mysql-8.0", "--type-conversions", "ALL_NON_LOSSY")
    assert checked.returncode == 1, checked.stderr
    assert "diverges[SC204]" in checked.stdout
    assert "SC204" in run("explain", "SC204").stdout


def test_every_action_is_named_by_its_full_hash():
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    used = [step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", one) for one in used)
    assert workflow["permissions"] == {}
    writing = {name: job["permissions"] for name, job in workflow["jobs"].items()}
    assert writing["build"] == {"contents": "read"}
    assert writing["publish"] == {"id-token": "write"}
    assert not re.search(
        r"secrets\.|password", (ROOT / ".github/workflows/release.yml").read_text().split("jobs:")[1]
    )


def test_the_container_is_nobodys_and_takes_only_what_the_locks_name():
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    words = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    assert [word for word, _ in words].count("FROM") == 2
    last = [word for word, _ in words][[word for word, _ in words].index("FROM", 2) :]
    assert "RUN" not in last
    assert ["USER", "65532:65532"] in words
    installs = [
        part for word, rest in words if word == "RUN" for part in rest.split("&&") if "pip install" in part
    ]
    assert len(installs) == 3
    assert all("--require-hashes" in part or "--no-index" in part for part in installs)
    for lock in re.findall(r"\.ci/\w+\.lock", " ".join(lines)):
        assert (ROOT / lock).is_file()


def test_the_forms_are_forms():
    for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text())
        if path.name != "config.yml":
            assert {"name", "description", "body"} <= form.keys(), path
            assert all(part["type"] in ("markdown", "input", "textarea") for part in form["body"])


def test_man_pages_are_the_commands_help(tmp_path):
    man = load(ROOT / ".ci" / "man.py")
    assert man.main(str(tmp_path)) == 0
    from schemacheck.cli import dispatch

    assert {file.name for file in tmp_path.iterdir()} == {
        "schemacheck.1",
        *(f"schemacheck-{name}.1" for name in dispatch.names()),
    }
    check = (tmp_path / "schemacheck-check.1").read_text("utf-8")
    assert "\\fB\\-\\-fail\\-on\\fR" in check
    assert ".SH EXIT STATUS\n.nf\n  0  nothing at or above \\-\\-fail\\-on that is not tolerated" in check
    # A line that begins with a point is no request of roff.
    assert man.plain(".so /etc/passwd\n.x") == "\\&.so /etc/passwd\n\\&.x"
    groff = shutil.which("groff")
    if groff:
        for file in tmp_path.iterdir():
            done = subprocess.run(
                [groff, "-man", "-ww", "-z", str(file)], capture_output=True, text=True, check=True
            )
            assert done.stderr == "", file.name


def test_the_archive_of_man_pages_is_the_same_every_time(tmp_path):
    man = load(ROOT / ".ci" / "man.py")
    for name in ("a.tgz", "b.tgz"):
        assert man.main(str(tmp_path / name)) == 0
    assert (tmp_path / "a.tgz").read_bytes() == (tmp_path / "b.tgz").read_bytes()
