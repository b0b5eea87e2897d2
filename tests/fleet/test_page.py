"""The page in a real browser: it shows, sorts, filters and opens findings, asks the network for nothing, and
takes every name as text.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

HEADING = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\tCOLUMN_DEFAULT\tEXTRA\tCHARACTER_SET_NAME\tCOLLATION_NAME\n"  # noqa: E501
HOSTILE = (
    "<script>window.hurt=1</script>",
    '"quoted"\' & </script><img src=x onerror="window.hurt=2">',
    "=cmd|' /C calc'!A0",
    "\u202egnp.exe",
    "${x} {{ 7*7 }}",
    "@SUM(1)",
)
CHROMIUM = shutil.which("chromium")

#: Runs in the page after it is ready; what it finds is left in <pre id="told">.
_PROBE = """
<script>
window.wrong = []; window.addEventListener("error", (e) => window.wrong.push(String(e.message))); window.addEventListener("unhandledrejection", (e) => window.wrong.push(String(e.reason)));
document.addEventListener("securitypolicyviolation", (e) => window.wrong.push("blocked: " + e.blockedURI));
const quiet = console.error; console.error = (...a) => { window.wrong.push(a.join(" ")); quiet(...a); };
</script>
"""  # noqa: E501
_STEPS = """
<script>
(async () => {
  const told = {}, $ = (id) => document.getElementById(id), wait = (ms) => new Promise((r) => setTimeout(r, ms));
  for (let i = 0; i < 100 && !document.body.dataset.ready; i++) await wait(50);
  const rows = () => [...document.querySelectorAll("#rows tr[data-i]")].map((r) => [...r.children].map((c) => c.textContent));
  const s = window.schemacheck;
  told.ready = document.body.dataset.ready; told.first = rows()[0]; told.all = s.view.length; told.drawn = rows().length; told.count = $("count").textContent;
  told.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  told.empty = [...document.querySelectorAll("main section[id]")].filter((x) => x.textContent.trim() === (x.querySelector("h2") || x).textContent.trim()).map((x) => x.id);
  told.heat = [...document.querySelectorAll(".heat button")].map((b) => [Number(b.textContent), parseFloat(b.style.getPropertyValue("--share"))]).sort((a, b) => b[0] - a[0]);
  told.whatif = [...document.querySelectorAll("#whatif tr")].map((r) => r.textContent.replace(/\\s+/g, " "));
  const cause = document.querySelector("#causes .cause"); told.cause = cause ? cause.textContent.replace(/\\s+/g, " ") : ""; told.script = cause ? cause.querySelector("a")?.getAttribute("href") : null;
  if (cause) { cause.querySelector("button").click(); told.of_cause = s.view.length; } $("clear").click();
  const byName = document.querySelector('#head [data-key="name"]'); byName.firstChild.click(); told.sorted = rows().map((r) => r[3]); told.sort = byName.getAttribute("aria-sort"); byName.firstChild.click(); told.reversed = rows().map((r) => r[3]);
  $("search").value = SEARCH; $("search").dispatchEvent(new Event("input")); await wait(300); told.found = rows().map((r) => r[3]);
  $("clear").click(); $("effect").value = "stops"; $("effect").dispatchEvent(new Event("change")); told.stops = [...new Set(rows().map((r) => r[0]))]; told.stopping = s.view.length;
  document.querySelector("#rows tr").click(); const detail = document.querySelector(".detail"); told.detail = detail?.textContent; told.sides = detail?.querySelectorAll(".side").length; told.hash = location.hash;
  told.csv = s.csvOf(s.view); told.hurt = window.hurt ?? null; told.images = document.querySelectorAll("main img").length; told.scripts = document.querySelectorAll("main script").length;
  $("clear").click(); $("end").scrollIntoView(); window.dispatchEvent(new Event("scroll")); told.last = rows().length;
  window.dispatchEvent(new Event("beforeprint")); told.printed = rows().length;
  told.requests = performance.getEntriesByType("resource").map((r) => r.name); told.wrong = window.wrong;
  const pre = document.createElement("pre"); pre.id = "told"; pre.textContent = JSON.stringify(told); document.body.append(pre);
})();
</script>
"""  # noqa: E501


def run_fleet(*arguments: Any) -> None:
    code = "import sys; from schemacheck.cli import main; sys.exit(main(['fleet', *sys.argv[1:]]))"
    got = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments), "--exit-zero", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert got.returncode == 0, got.stderr


def probe(page: Path, folder: Path, search: str, width: int = 1360) -> dict[str, Any]:
    """Open a copy of the page that looks at itself, and yield what it saw."""
    text = (
        page.read_text("utf-8")
        .replace("<body>", "<body>" + _PROBE, 1)
        .replace("</body>", _STEPS.replace("SEARCH", json.dumps(search).replace("<", "\\u003c")) + "</body>")
    )
    copy = folder / "probe.html"
    copy.write_text(text, "utf-8")
    assert CHROMIUM
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    got = subprocess.run(
        [CHROMIUM, *flags, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},1000",
        "--host-resolver-rules=MAP * ~NOTFOUND",
         "--virtual-time-budget=20000", "--dump-dom", copy.as_uri()],
        capture_output=True, text=True, check=False, timeout=120, env={**os.environ,
        "DBUS_SESSION_BUS_ADDRESS": "disabled:"},
    )  # fmt: skip
    found = re.search(r'<pre id="told">(.*?)</pre>', got.stdout, re.DOTALL)
    assert found, got.stderr[-2000:]
    return json.loads(unescape(found.group(1)))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    pytest.importorskip("pysail")
    folder = tmp_path_factory.mktemp("page")
    escaped = [name.replace("\\", "\\\\") for name in HOSTILE]
    for end, kind in (("a", "bigint"), ("b", "int")):
        (folder / "s" / end).mkdir(parents=True)
        rows = "".join(f"d\t{name}\t{name[:20]}\t1\t{kind}\tYES\tNULL\t\tNULL\tNULL\n" for name in escaped)
        rows += "".join(
            f"d\tt{n:03}\tx\t1\t{kind if n % 2 else 'int'}\tYES\tNULL\t\tNULL\tNULL\nd\tt{n:03}\ty\t2\tvarchar({90 - len(kind) * 10})\tYES\tNULL\t\tutf8mb4\tutf8mb4_bin\n"  # noqa: E501
            for n in range(80)
        )
        (folder / "s" / end / "columns.tsv").write_text(HEADING + rows, "utf-8")
    (folder / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36, settings: {slave_type_conversions: "
        "ALL_NON_LOSSY}}\nlinks: [{source: a, replica: b, cluster: '<i>c</i>'}]\n"
    )
    run_fleet(folder / "fleet.yaml", "--engine", "sail", "--out", folder / "run")
    return folder / "run" / "report.html"


def test_the_page_works(page: Path, tmp_path: Path) -> None:
    told = probe(page, tmp_path, "<SCRIPT>window")
    assert told["wrong"] == []
    assert told["requests"] == []
    assert (told["ready"], told["hurt"], told["images"], told["scripts"]) == ("1", None, 0, 0)
    assert told["all"] == 46 + 80
    assert told["drawn"] == 50  # the rest is drawn when it is wanted
    assert told["last"] > 50
    assert told["first"][0] == "stops"
    assert told["empty"] == []  # a section without figures says why
    assert told["heat"][0][1] == 100 > told["heat"][-1][1]  # the highest count has the strongest colour
    assert "46 tables" in told["cause"]
    assert (told["of_cause"], told["script"]) == (46, "fixes/1-SC202/b.sql")
    assert page.stat().st_size < 100_000
    assert (page.parent / told["script"]).read_text("utf-8").count("ALTER TABLE") == 46
    assert told["sort"] == "ascending"
    for order, backwards in (("sorted", False), ("reversed", True)):
        raw = [name.replace("\\u202e", "\u202e") for name in told[order]]
        assert raw == sorted(raw, reverse=backwards)
    assert told["found"] == ["d." + HOSTILE[0] + "." + HOSTILE[0][:20]]
    assert (told["stops"], told["stopping"]) == (["stops"], 46)
    assert told["sides"] == 2
    assert "bigint" in told["detail"]
    assert "ALTER TABLE" in told["detail"]
    assert told["hash"].startswith("#finding-")
    assert told["printed"] == 126


@pytest.mark.parametrize("width", [500, 800, 1360])
def test_nothing_scrolls_sideways(page: Path, tmp_path: Path, width: int) -> None:
    """(500 is the narrowest window of a headless chromium.)"""
    assert probe(page, tmp_path, "x", width)["wide"] == 0


def test_hostile_names_are_text(page: Path, tmp_path: Path) -> None:
    told = probe(page, tmp_path, "gnp.exe")
    assert told["found"] == ["d.\\u202egnp.exe.\\u202egnp.exe"]
    cells = re.findall(r'"((?:[^"]|"")*)"', told["csv"])
    assert "'=cmd|' /C calc'!A0" in cells
    assert "'@SUM(1)" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell]
    text = page.read_text("utf-8")
    assert "<script>window" not in text  # names are only inside the compressed payload, or escaped
    assert "<img" not in text
    assert text.startswith("<!DOCTYPE html>")


def test_a_finding_can_be_linked_to(page: Path, tmp_path: Path) -> None:
    """The page survives unknown tables and an empty list of findings, too."""
    for end in ("a", "b"):
        (tmp_path / "s" / end).mkdir(parents=True)
        (tmp_path / "s" / end / "columns.tsv").write_text(
            HEADING + "d\t<b>t</b>\tx\t1\tfrob\tYES\tNULL\t\tNULL\tNULL\n", "utf-8"
        )
    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    run_fleet(tmp_path / "fleet.yaml", "--engine", "sail", "--out", tmp_path / "run")
    text = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "<b>t</b>" not in text
    assert "d.&lt;b&gt;t&lt;/b&gt;" in text
    told = probe(tmp_path / "run" / "report.html", tmp_path, "nothing")
    assert told.get("wrong", []) == []
