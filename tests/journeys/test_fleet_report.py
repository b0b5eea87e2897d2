"""A fleet at night: what stops first, the script that mends it for all tables, and the next night."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import pytest

from tests.journeys.transcript import Journey

pytestmark = pytest.mark.spark

DUMPS = Path(__file__).resolve().parents[2] / "fixtures" / "fleet" / "snapshots"
#: A column of nacos that the spare, rebuilt by hand, has as TIMESTAMP.
MOMENT = re.compile(r"^(def\tnacos\t.*\t)datetime(\t.*\t)datetime(?=\t)", re.MULTILINE)


def night(journey: Journey, command: str, status: int) -> str:
    """A run; its times and the engine's version are others in every run."""
    printed = journey.run(command, status=status)
    for text in re.findall(r"[ \d]+\.\d s\b|Sail [\d.]+[^)\n]*\)?", printed):
        journey.hide(text, " TIME" if text.endswith(" s") else "ENGINE")
    for text in re.findall(r"\d+ pairs settled by hash, \d+ by \d+ decisions", printed):
        journey.hide(text, "HOW PAIRS WERE SETTLED")  # what rules can say of equal tables grows
    return printed


def test_fleet_report(journey: Journey) -> None:
    pytest.importorskip("pysail")
    dumps = journey.folder / "dumps"
    for name in ("orders-primary", "orders-spare"):
        shutil.copytree(DUMPS / "orders-primary", dumps / name)
    columns = dumps / "orders-spare" / "columns.tsv.gz"
    rows = gzip.decompress(columns.read_bytes()).decode()
    drifted, count = MOMENT.subn(r"\1timestamp\2timestamp", rows)
    columns.write_bytes(gzip.compress(drifted.encode()))

    journey.tell("Dumps of two servers lie in dumps/. Does the spare keep up with the primary?")
    journey.write(
        "fleet.yaml",
        "snapshots: dumps\nlinks:\n- {source: orders-primary, replica: orders-spare, "
        "filters: {replicate-do-db: [nacos]}}\n",
    )
    printed = night(journey, "schemacheck fleet fleet.yaml --engine sail --out monday", 1)

    journey.tell("One cause, many tables. What is the fix?")
    (script,) = re.findall(r"^  fix: (\S+)$", printed, re.MULTILINE)
    text = journey.run(f"head -8 {script}")
    text = (journey.folder / script).read_text("utf-8")
    mended = set(re.findall(r"ALTER TABLE `nacos`\.(`\w+`) MODIFY COLUMN (`\w+`) datetime", text))
    assert len(mended) == text.count("ALTER TABLE") == count

    journey.tell(f"mysql --host=orders-spare < {script}; the next night's dump has what it made.")
    columns.write_bytes(gzip.compress(rows.encode()))
    night(journey, "schemacheck fleet fleet.yaml --engine sail --out tuesday --previous monday", 0)
    assert 'id="causes"' in (journey.folder / "tuesday" / "report.html").read_text("utf-8")

    journey.tell("What is different on tuesday?")
    night(journey, "schemacheck fleet diff monday tuesday --engine sail", 0)

    journey.tell("A spare of 8.4 is at hand. Would it do?")
    asked = "--replica-version mysql-8.4.9 --of replica=orders-spare --previous tuesday"
    night(journey, f"schemacheck fleet what-if fleet.yaml {asked} --engine sail --out older", 0)
    journey.end()
