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
  const rows = () => [...document.querySelectorAll("#spacer .row")].map((r) => [...r.children].map((c) => c.textContent));
  const s = window.schemacheck;
  told.ready = document.body.dataset.ready; told.first = rows()[0]; told.all = s.view.length; told.drawn = rows().length; told.count = $("count").textContent;
  told.plots = [...document.querySelectorAll(".plot")].map((p) => p.id + ":" + p.querySelectorAll("svg").length);
  const byName = document.querySelector('#head [data-key="name"]'); byName.click(); told.sorted = rows().map((r) => r[3]); told.sort = byName.getAttribute("aria-sort"); byName.click(); told.reversed = rows().map((r) => r[3]);
  $("search").value = SEARCH; $("search").dispatchEvent(new Event("input")); await wait(300); told.found = rows().map((r) => r[3]);
  $("clear").click(); $("effect").value = "stops"; $("effect").dispatchEvent(new Event("change")); told.stops = [...new Set(rows().map((r) => r[0]))]; told.stopping = s.view.length;
  document.querySelector("#spacer .row").click(); told.detail = $("detail").textContent; told.sides = $("detail").querySelectorAll(".side").length; told.hash = location.hash;
  told.csv = s.csvOf(s.view); told.hurt = window.hurt ?? null; told.images = document.querySelectorAll("main img").length; told.scripts = document.querySelectorAll("main script").length;
  $("clear").click(); const body = $("body"); body.scrollTop = body.scrollHeight; await wait(60); told.last = rows().length;
  window.dispatchEvent(new Event("beforeprint")); told.printed = document.querySelectorAll("#printed tr").length;
  told.requests = performance.getEntriesByType("resource").map((r) => r.name); told.wrong = window.wrong;
  const pre = document.createElement("pre"); pre.id = "told"; pre.textContent = JSON.stringify(told); document.body.append(pre);
})();
</script>
"""  # noqa: E501


def run_fleet(*arguments: Any) -> None:
    code = "import sys; from schemacheck.fleet.command import main; sys.exit(main())"
    got = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments), "--exit-zero", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert got.returncode == 0, got.stderr


def probe(page: Path, folder: Path, search: str) -> dict[str, Any]:
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
        [CHROMIUM, *flags, f"--user-data-dir={folder / 'profile'}", "--window-size=1360,1000",
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
    assert told["drawn"] < 60  # only what is seen is drawn
    assert told["last"] > 0
    assert told["first"][0] == "stops"
    assert told["plots"] == [
        "plot-clusters:3",
        "plot-types:3",
        "plot-rules:3",
        "plot-settings:3",
        "plot-versions:3",
        "plot-size:0",
    ]
    assert told["sort"] == "ascending"
    for order, backwards in (("sorted", False), ("reversed", True)):
        raw = [name.replace("\\u202e", "\u202e") for name in told[order]]
        assert raw == sorted(raw, reverse=backwards)
    assert told["found"] == ["d." + HOSTILE[0]]
    assert (told["stops"], told["stopping"]) == (["stops"], 46)
    assert told["sides"] == 2
    assert "bigint" in told["detail"]
    assert "Remedy" in told["detail"] or "remedy" in told["detail"]
    assert told["hash"].startswith("#finding-")
    assert told["printed"] == 126


def test_hostile_names_are_text(page: Path, tmp_path: Path) -> None:
    told = probe(page, tmp_path, "gnp.exe")
    assert told["found"] == ["d.\\u202egnp.exe"]
    cells = re.findall(r'"((?:[^"]|"")*)"', told["csv"])
    assert "'=cmd|' /C calc'!A0" in cells
    assert "'@SUM(1)" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell]
    text = page.read_text("utf-8")
    assert "window.hurt" not in text  # names are only inside the compressed payload, or escaped


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
