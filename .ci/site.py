"""Builds the documentation site from docs/ and from the program itself: no network, no dead link.

python .ci/site.py OUT          OUT/docs holds the pages, OUT/site what is built; needs mkdocs
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
HOWTO = (
    ("From 5.7 to 8.4", "howto/upgrade-5.7-to-8.4.md"),
    ("MySQL and MariaDB", "howto/mysql-and-mariadb.md"),
    ("Blue/green", "howto/blue-green.md"),
    ("Failover and rollback", "howto/failover.md"),
    ("Several sources", "howto/multi-source.md"),
    ("Online schema change", "howto/online-schema-change.md"),
    ("Migration histories", "howto/migration-histories.md"),
    ("A fleet every night", "howto/fleet-every-night.md"),
    ("Pull requests from forks", "forks.md"),
    ("Planning a rollout", "plan.md"),
    ("Drift alarm", "watch.md"),
    ("Agents and editors", "agents.md"),
)
EXPLANATION = (
    ("How columns are mapped", "columns.md"),
    ("Statements", "statements.md"),
    ("Links", "link.md"),
    ("Clusters", "clusters.md"),
    ("Limits", "limits.md"),
    ("Architecture", "architecture.md"),
)
#: Pages of the repository's root that the site shows too.
PROJECT = ("CHANGELOG", "CONTRIBUTING", "SECURITY", "SUPPORT", "CODE_OF_CONDUCT")


def commands() -> str:
    """Every command's help, as it prints it."""
    from schemacheck.cli import dispatch

    os.environ["COLUMNS"] = "100"
    parts = ["# Commands\n\nWhat `schemacheck COMMAND --help` prints.\n"]
    parts += [
        f"## {name}\n\n```text\n{dispatch.parser_of(name).format_help()}```\n" for name in dispatch.names()
    ]
    return "\n".join(parts)


def errors() -> dict[str, str]:
    """A page for each error that a replica is known to stop with, by number; what `explain NUMBER` prints."""
    from schemacheck import knowledge, rules
    from schemacheck.cli.commands.explain import error_page

    pages = {}
    for entry in knowledge.load("stops")["stops"]:
        for number in entry["numbers"]:
            pages[number] = re.sub(
                r"^- (SC\d+) ",
                lambda found: f"- [{found[1]}](../rules/{_page_of(rules.find(found[1]))}) ",
                error_page(number),
                flags=re.MULTILINE,
            )
    return dict(sorted(pages.items(), key=lambda page: int(page[0])))


def _page_of(rule: object) -> str:
    code = str(getattr(rule, "code", ""))
    return next(path.name for path in (ROOT / "docs" / "rules").glob(f"{code}*.md"))


def schemas(folder: Path) -> str:
    """The published JSON schemas, copied into the folder, and a page that lists them."""
    lines = ["# Outputs and their schemas\n", "`--format json` of `check`, and `schemacheck.yaml`:\n"]
    for path in sorted((ROOT / "schemacheck" / "schemas").glob("*.json")):
        shutil.copy(path, folder / path.name)
        lines.append(f"- [{path.name}]({path.name})")
    from schemacheck import outputs

    lines += ["\nFormats of `check`: " + ", ".join(f"`{name}`" for name in outputs.formats()) + ".\n"]
    return "\n".join(lines)


def pages(folder: Path) -> list[dict[str, object]]:
    """Write all pages; returns the navigation."""
    shutil.copytree(ROOT / "docs", folder)
    reference = folder / "reference"
    (reference / "errors").mkdir(parents=True)
    (reference / "commands.md").write_text(commands(), "utf-8")
    (reference / "outputs.md").write_text(schemas(reference), "utf-8")
    found = errors()
    for number, text in found.items():
        (reference / "errors" / f"{number}.md").write_text(
            text.replace("](../rules/", "](../../rules/"), "utf-8"
        )
    listed = "\n".join(f"- [{number}](errors/{number}.md)" for number in found)
    (reference / "errors.md").write_text(f"# Errors by number\n\n{listed}\n", "utf-8")
    rules = sorted(path.name for path in (folder / "rules").glob("SC*.md"))
    for name in PROJECT:
        shutil.copy(ROOT / f"{name}.md", folder / f"{name}.md")
    for path in folder.rglob("*.md"):
        path.write_text(_inside(path, folder), "utf-8")
    nav: list[dict[str, object]] = [{"Start": "index.md"}, {"Tutorial": "tutorial.md"}]
    nav.append({"How to": [{title: page} for title, page in HOWTO]})
    nav.append(
        {
            "Reference": [
                {"Commands": "reference/commands.md"},
                {"The gate and its configuration": "gate.md"},
                {"Outputs": "reference/outputs.md"},
                {"Library": "library.md"},
                {"Link matrix": "link-matrix.md"},
                {"Errors": "reference/errors.md"},
                {"Rules": [{name.removesuffix(".md"): f"rules/{name}"} for name in rules]},
            ]
        }
    )
    nav.append({"Explanation": [{title: page} for title, page in EXPLANATION]})
    nav.append({"Project": [{name.capitalize().replace("_", " "): f"{name}.md"} for name in PROJECT]})
    return nav


def _inside(path: Path, folder: Path) -> str:
    """A page whose links stay in the site: what lies elsewhere in the repository is named and not linked."""

    def link(found: re.Match[str]) -> str:
        shown, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        bare, mark, anchor = target.partition("#")
        if (path.parent / bare).is_file():
            return found[0]
        name = Path(bare).name
        if name.removesuffix(".md") in PROJECT or (folder / bare.removeprefix("docs/")).is_file():
            place = folder / (name if name.removesuffix(".md") in PROJECT else bare.removeprefix("docs/"))
            return f"[{shown}]({os.path.relpath(place, path.parent)}{mark}{anchor})"
        return shown if (ROOT / "docs" / bare).exists() or (ROOT / bare).exists() else found[0]

    return re.sub(r"\[([^\]\n]+)\]\(([^)\s]+)\)", link, path.read_text("utf-8"))


def main(out: str) -> int:
    """Build; the exit status is mkdocs', which takes every warning for an error."""
    folder = Path(out)
    nav = pages(folder / "docs")
    settings = {
        "site_name": "schemacheck",
        "docs_dir": "docs",
        "site_dir": "site",
        "theme": {"name": "readthedocs", "highlightjs": False},
        "plugins": ["search"],
        "nav": nav,
        "use_directory_urls": False,
        "validation": {
            "omitted_files": "ignore",
            "links": {
                "not_found": "warn",
                "anchors": "warn",
                "absolute_links": "warn",
                "unrecognized_links": "warn",
            },
        },
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", "mkdocs.yml"]
    return subprocess.run(command, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
