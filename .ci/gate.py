"""The gate of a code host: checks the definitions, plans the change, and writes what the host shows.

    python3 -I .ci/gate.py --service github|gitlab|plain [OPTION]...

The GitHub Action, the GitLab template and scripts of other hosts run this. It decides nothing: `schemacheck
check` and `schemacheck plan` do, under the policy of the base branch. An empty option is as if not given.
Isolated: the standard library alone, and nothing of the checkout is run.

exit status: 4 or 2 where a command could not run, else 1 where one found something, else 3 where something is
unknown, else 0.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: What a file is called where a run checks several links: schemacheck puts the name in.
LINK = "{link}"
#: Exit statuses, the one that counts first.
WORST_FIRST = (4, 2, 1, 3, 0)
#: Options that say whose policy counts.
OWN = ("--config", "--no-config", "--against")
#: Options of check that say what the link is like: a plan is made for the same link.
OF_LINK = frozenset(f"--{name}" for name in (
    "source-version", "master-version", "replica-version", "slave-version", "flavor", "kind", "set",
    "source-set", "replica-set", "link", "environment", "env", "type-conversions", "mode",
    "slave-type-conversions", "replica-type-conversions", "binlog-format", "binlog-row-image",
    "binlog-row-metadata", "sql-mode", "lower-case-table-names", "explicit-defaults-for-timestamp",
    "default-charset", "database", "filters",
))  # fmt: skip
#: Events for which a workflow checks out somebody's change, and whose document names no base.
BASELESS = frozenset((
    "merge_group", "workflow_run", "issue_comment", "check_run", "check_suite", "status",
    "deployment_status", "pull_request", "pull_request_target", "pull_request_review",
    "pull_request_review_comment", "pull_request_comment",
))  # fmt: skip
#: As in schemacheck/system/git.py, which is not installed yet where this runs.
ELSEWHERE = frozenset((
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_NAMESPACE",
    "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
))  # fmt: skip
CAREFUL = (
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.warnAmbiguousRefs=true",
)
SWITCH = {"true": True, "false": False, "": False}


class Refused(Exception):
    """Why nothing can be checked."""


def arguments(words: list[str]) -> argparse.Namespace:
    """The options; what the Action gives as inputs."""
    parser = argparse.ArgumentParser(prog="gate.py", allow_abbrev=False, description=__doc__.splitlines()[0])
    parser.add_argument("--service", choices=("github", "gitlab", "plain"), default="plain")
    parser.add_argument("--command", default="schemacheck", help="the installed schemacheck")
    parser.add_argument("--source", default="")
    parser.add_argument("--replica", default="")
    parser.add_argument(
        "--against-base",
        default="",
        help="true: SOURCE as it was at the base is the old side (default: where no other side is named)",
    )
    parser.add_argument("--versions", default="", help="8.0.36, or source: 8.0.36, replica: mariadb-10.11")
    parser.add_argument("--change", default="", help="files of a change to plan, separated by blanks")
    parser.add_argument("--check", default="true", help="false: the plan alone")
    parser.add_argument("--config", default="")
    parser.add_argument("--policy", default="base", help="base or head: whose configuration counts")
    parser.add_argument("--base", default="", help="the base's commit")
    parser.add_argument("--event", default="", help="the service's name of what the job runs for")
    parser.add_argument("--base-branch", default="", help="the base's branch, fetched from origin")
    parser.add_argument("--options", default="", help="further options of check, quoted as in a shell")
    parser.add_argument("--plan-options", default="", help="further options of plan")
    parser.add_argument("--workspace", default="", help="the root of the checkout")
    parser.add_argument("--directory", default=".", help="the working directory as it was named")
    parser.add_argument("--sarif", default="")
    parser.add_argument("--reports", default="", help="a folder for reports")
    return parser.parse_args(words)


def switch(name: str, value: str) -> bool:
    """What an option that is true or false says. Raises Refused."""
    if value not in SWITCH:
        message = f"{name} is true or false"
        raise Refused(message)
    return SWITCH[value]


def words_of(name: str, value: str) -> list[str]:
    """Words as a shell would part them; nothing is expanded. Raises Refused."""
    try:
        return shlex.split(value)
    except ValueError as error:
        message = f"{name}: {error}"
        raise Refused(message) from None


def program(name: str) -> str:
    """A program of PATH; folders of PATH that depend on the working directory are left out, the checkout may
    hold a program of that name. Raises Refused.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)))
    if found is None:
        message = f"{name} is not on PATH, or only in a folder that is not named from the root (/...)"
        raise Refused(message)
    return found


def git(*words: str) -> subprocess.CompletedProcess[str]:
    """Git in the working directory: the repository is that of the folder, whatever hook set variables, and no
    hook of the checkout runs. Raises Refused.
    """
    kept = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    return subprocess.run(
        [program("git"), *CAREFUL, *words],
        capture_output=True,
        text=True,
        check=False,
        env=kept | {"GIT_NO_REPLACE_OBJECTS": "1"},
    )


def base_commit(asked: argparse.Namespace) -> str:
    """The commit that holds the policy, fetched where the checkout lacks it; "" outside of a pull request.
    Raises Refused.
    """
    if asked.base:
        known = git("cat-file", "-e", f"{asked.base}^{{commit}}").returncode == 0
        fetched = None if known else git("fetch", "--quiet", "--no-tags", "--depth=1", "origin", asked.base)
        if fetched is not None and fetched.returncode:
            what = f"the base branch's commit {asked.base}"
            message = f"{what} cannot be fetched; it holds the policy ({fetched.stderr.strip()})"
            raise Refused(message)
        return str(asked.base)
    if asked.base_branch:
        branch = f"refs/heads/{asked.base_branch}"
        fetched = git("fetch", "--quiet", "--no-tags", "--depth=1", "origin", branch)
        found = git("rev-parse", "--verify", "FETCH_HEAD")
        if fetched.returncode or found.returncode:
            what = f"the target branch {asked.base_branch}"
            message = f"{what} cannot be fetched; it holds the policy ({fetched.stderr.strip()})"
            raise Refused(message)
        return found.stdout.strip()
    return ""


def policy(config: str, base: str) -> str:
    """The configuration as --config takes it: a file of the checkout as it is at the base's commit."""
    if not config:
        return f"git:{base}:"
    if config.startswith("git:"):
        return config
    if not Path(config).is_absolute():
        return f"git:{base}:./{config}"
    top = git("rev-parse", "--show-toplevel").stdout.rstrip("\n")
    for name in (os.path.abspath(config), os.path.realpath(config)):  # noqa: PTH100
        for root in (top, os.path.realpath(top)) if top else ():
            if Path(name).is_relative_to(root):
                return f"git:{base}:{Path(name).relative_to(root).as_posix()}"
    return config


def own_policy(config: str, base: str) -> bool:
    """Whether a configuration of git is of a commit that the change brings."""
    ref = config.removeprefix("git:").partition(":")[0]
    if not config.startswith("git:") or ref.startswith("-"):
        return False

    def within(other: str) -> bool:
        return git("merge-base", "--is-ancestor", f"{ref}^{{commit}}", other).returncode == 0

    return within("HEAD") and not within(base)


def trusted_only(asked: argparse.Namespace, base: str) -> None:
    """Raises Refused for what would let the change bring the policy that it is checked by."""
    if own_policy(asked.config, base):
        message = f"config: {asked.config} is of the change itself; with policy base it is the base's"
        raise Refused(message)
    for name, value in (("options", asked.options), ("plan-options", asked.plan_options)):
        for word in words_of(name, value):
            option = word.partition("=")[0]
            if option in OWN:
                message = f"{name}: {option} is not taken here, see config, policy and against-base"
                raise Refused(message)
    top = os.path.realpath(asked.workspace) if asked.workspace else ""
    plain = os.path.normpath(Path(top, asked.directory)) if top else ""
    if plain and Path(plain).is_relative_to(top) and os.path.realpath(plain) != plain:
        message = f"working-directory {asked.directory} leads over a symbolic link: name what it leads to"
        raise Refused(message)


def commands(asked: argparse.Namespace, folder: Path) -> list[tuple[str, list[str]]]:
    """(what it is, the command) of every run. Raises Refused."""
    if asked.policy not in ("base", "head", ""):
        message = "policy is base or head"
        raise Refused(message)
    trusted = asked.policy != "head"
    change = words_of("change", asked.change)
    alone = bool(asked.source) and not asked.replica and not change
    against = switch("against-base", asked.against_base) or (alone and not asked.against_base)
    base = base_commit(asked) if against or trusted else ""
    against = against and bool(base or asked.against_base)
    if trusted and not base and asked.event in BASELESS:
        message = (
            f"policy is base, and the event {asked.event} names none: run on pull_request, "
            "pull_request_target or merge_group, or say policy: head for a checkout that you trust"
        )
        raise Refused(message)
    if base and trusted:
        trusted_only(asked, base)
    config = policy(asked.config, base) if base and trusted else asked.config
    shared = [f"--config={config}"] if config else []
    if base and not (asked.against_base or asked.source or asked.replica):
        against = configured_against(asked, shared)
    shared += versions(asked.versions)
    if against and not base:
        message = "against-base is for pull requests: there is no base"
        raise Refused(message)
    if against and asked.replica:
        message = "with against-base, source is the one path that is compared with itself; leave replica out"
        raise Refused(message)
    if against:
        shared.append(f"--against={base}")
    paths = [one for one in (asked.source, asked.replica) if one]
    out = []
    checks = switch("check", asked.check or "true")
    options, of_plan = words_of("options", asked.options), words_of("plan-options", asked.plan_options)
    if checks:
        rollout = ["--unlogged"] if against and "--unlogged" in of_plan else []
        words = [*shared, *check_formats(asked, folder), *rollout, *options]
        out.append(("check", [asked.command, "check", *words, "--", *paths]))
    # A check against the base says itself how the change is rolled out.
    if change or (against and (not checks or set(of_plan) - {"--unlogged"})):
        if not asked.source:
            message = "source is missing: a plan begins with the definitions of today"
            raise Refused(message)
        words = [*shared, *plan_formats(asked, folder), *of_link(options), *of_plan]
        out.append(("plan", [asked.command, "plan", *words, "--", asked.source, *change]))
    if not out:
        message = "check is false and there is no change to plan"
        raise Refused(message)
    return out


def versions(value: str) -> list[str]:
    """The servers as options: `8.0.36` for both ends, or `source: ...` and `replica: ...`. Raises Refused."""
    out = []
    for part in filter(None, map(str.strip, re.split(r"[,\n]", value.strip().strip("{}")))):
        side, name = part.split(":", 1) if ":" in part else ("", part)
        ends = {"": ("source", "replica"), "source": ("source",), "replica": ("replica",)}.get(side.strip())
        name = name.strip().strip("'\"")
        if ends is None or not name:
            message = f"versions is a server (8.0.36), or source: ... and replica: ..., not {part!r}"
            raise Refused(message)
        out += [f"--{end}-version={name}" for end in ends]
    return out


def of_link(options: list[str]) -> list[str]:
    """Those of the check's options that say what the link is like."""
    out: list[str] = []
    following = False
    for word in options:
        name, equals, _ = word.partition("=")
        if following or name in OF_LINK:
            out.append(word)
        following = name in OF_LINK and not equals and not following
    return out


def configured_against(asked: argparse.Namespace, config: list[str]) -> bool:
    """Whether the configuration names a commit in place of a second side: the base takes its place."""
    done = subprocess.run(
        [program(asked.command), "config", "show", *config], capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    return any(line.startswith("against = ") for line in lines)


def check_formats(asked: argparse.Namespace, folder: Path) -> list[str]:
    """The reports of a check, by what the service reads."""
    files = {"json": folder / f"check-{LINK}.json", "markdown": folder / f"check-{LINK}.md"}
    if asked.service == "gitlab":
        files |= {
            "gitlab": Path("gl-code-quality-report.json"),
            "junit": Path("schemacheck-junit.xml"),
            "html": Path("schemacheck.html"),
        }
    if asked.reports:
        names = {"html": "html", "junit": "xml", "csv": "csv"}
        files |= {form: Path(asked.reports) / f"check.{ending}" for form, ending in names.items()}
    if asked.sarif:
        files["sarif"] = Path(asked.sarif)
    shown = ["--quiet", "--format=github"] if asked.service == "github" else ["--format=text"]
    return [*shown, *(f"--format={form}={file}" for form, file in files.items())]


def plan_formats(asked: argparse.Namespace, folder: Path) -> list[str]:
    """The reports of a plan."""
    shown = "--format=github" if asked.service == "github" else "--format=text"
    return [shown, f"--format=json={folder / 'plan.json'}", f"--format=markdown={folder / 'plan.md'}"]


def cleared(asked: argparse.Namespace, command: list[str]) -> None:
    """Take away what the checkout has where reports are written: a link would lead them elsewhere, and an old
    report would be taken for this run's. Raises Refused where a folder on the way is a link of the checkout.
    """
    top = os.path.realpath(asked.workspace or ".")
    for word in command:
        name = word.split("=", 2)[-1] if word.startswith("--format=") and word.count("=") > 1 else ""
        place = Path(os.path.abspath(name))  # noqa: PTH100 links stay what they are
        folder = Path(os.path.realpath(place.parent))
        if not name or not any(one.is_relative_to(top) for one in (place, folder)):
            continue
        if place.is_relative_to(top) and place.parent != folder:
            message = f"the report {name} would be written over a symbolic link of the checkout"
            raise Refused(message)
        for old in glob.glob(glob.escape(str(place)).replace(LINK, "*")):  # noqa: PTH207 a name holds anything
            if Path(old).is_symlink() or Path(old).is_file():
                Path(old).unlink()


def run(command: list[str]) -> tuple[int, str]:
    """(exit status, the last line of standard error), which is passed on."""
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace")
    sys.stderr.write(said)
    return done.returncode, said.strip().rpartition("\n")[2]


def annotate(asked: argparse.Namespace, message: str) -> None:
    """A fault of the run itself, where the service shows it."""
    if asked.service == "github":
        text = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        sys.stdout.write(f"::error title=schemacheck::{text}\n")
    else:
        sys.stderr.write(f"schemacheck: {message}\n")
    sys.stdout.flush()


def outputs(folder: Path) -> dict[str, str]:
    """What later steps may read; of several links the verdicts one after the other."""
    reports = [json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("check-*.json"))]
    plans = [json.loads(file.read_text("utf-8")) for file in folder.glob("plan.json")]
    found = {}
    if reports:
        found["verdict"] = ",".join(one["verdict"] for one in reports)
        settings = [(one["smallest_setting"] or {}).get("modes") or "" for one in reports]
        found["smallest-setting"] = " ".join(dict.fromkeys(one for one in settings if one))
        planned = [one for one in reports if one["rollout"]]
        found["order"] = ",".join(
            "unknown" if one["exit_status"] == 3 else one["rollout"]["order"] for one in planned
        )
    for one in plans:
        found["order"] = "replicated" if one["way"] == "replicated" else one["order"]
    return found


def page(folder: Path) -> str:
    """The plan's and the check's Markdown, one below the other: first how the change is rolled out."""
    files = [*folder.glob("plan.md"), *sorted(folder.glob("check-*.md"))]
    return "\n".join(file.read_text("utf-8") for file in files)


def append(file: str, text: str) -> None:
    """To a file of the runner."""
    with Path(file).open("a", encoding="utf-8") as out:
        out.write(text)


def main(words: list[str]) -> int:
    """Run what is asked for; write outputs, the summary and the page for the comment."""
    asked = arguments(words)
    # Variables of the service's template are not the command's, which refuses what it does not read.
    for name in [name for name in os.environ if name.startswith("SCHEMACHECK_")]:
        if not name.endswith(("PASSWORD", "_KEY")):
            del os.environ[name]
    statuses = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        try:
            for name, command in commands(asked, folder):
                if asked.reports:
                    Path(asked.reports).mkdir(parents=True, exist_ok=True)
                cleared(asked, command)
                sys.stdout.flush()
                status, last = run([program(command[0]), *command[1:]])
                statuses.append(status if status in WORST_FIRST else 4)
                if statuses[-1] in (2, 4):
                    annotate(asked, last or f"schemacheck {name} ended with {status}")
        except (Refused, OSError) as why:
            annotate(asked, str(why))
            statuses.append(2)
        status = next(one for one in WORST_FIRST if one in statuses)
        found = {"exit-status": str(status)} | outputs(folder)
        text = page(folder)
    for name, value in found.items():
        if os.environ.get("GITHUB_OUTPUT") and asked.service == "github":
            append(os.environ["GITHUB_OUTPUT"], f"{name}={value}\n")
    if asked.service == "github" and text and os.environ.get("GITHUB_STEP_SUMMARY"):
        append(os.environ["GITHUB_STEP_SUMMARY"], text)
    shown = asked.reports or (os.environ.get("RUNNER_TEMP", "") if asked.service == "github" else "")
    if shown and text:
        (Path(shown) / "schemacheck-comment.md").write_text(text, "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
