"""Random questions about row events: keys, images, generated columns and the order of rows, not types.

`python -m tests.facts.generate_rows SEED NUMBER FLAVOUR > cases.jsonl` writes cases in the format of the
recordings over channels; FLAVOUR is `mysql` or `mariadb` (generated columns: `mysql-5.6` has none).
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

TYPES = ("int", "bigint", "smallint", "varchar(10)", "int unsigned", "text", "decimal(8,2)", "date")
VALUES = {
    "int": ("1", "2", "3", "-7", "100"), "bigint": ("1", "5000000000", "9223372036854775807", "0"),
    "smallint": ("1", "300", "2"),
    "varchar(10)": ("'a'", "'b'", "'A'", "'long text'"), "int unsigned": ("1", "2", "3000000000"),
    "text": ("'a'", "'some text'"),
    "decimal(8,2)": ("1.25", "2.50"), "date": ("'2001-02-03'", "'2020-12-31'"),
}  # fmt: skip
WIDER = {"int": "bigint", "smallint": "int", "int unsigned": "bigint unsigned", "varchar(10)": "varchar(40)"}
Column = dict[str, Any]


def _column(r: random.Random, name: str) -> Column:
    kind = r.choice(TYPES)
    default = r.choice(VALUES[kind]) if kind != "text" and r.random() < 0.25 else None
    return {"name": name, "type": kind, "null": r.random() < 0.6, "default": default}


def _text(column: Column) -> str:
    if column.get("as"):
        return f"{column['name']} {column['type']} AS ({column['as']}) {column['how']}"
    default = f" DEFAULT {column['default']}" if column["default"] else ""
    return f"{column['name']} {column['type']} {'NULL' if column['null'] else 'NOT NULL'}{default}"


def _keys(r: random.Random, columns: list[Column]) -> list[str]:
    plain = [c for c in columns if not c.get("as")]
    solid = [c for c in plain if not c["null"]]
    keys = []
    if solid and r.random() < 0.55:
        parts = r.sample(solid, min(len(solid), r.choice((1, 1, 2))))
        keys.append(f"PRIMARY KEY ({_parts(parts)})")
    for kind, name in (("UNIQUE KEY", "u1"), ("KEY", "k1")):
        parts = r.sample(plain, min(len(plain), r.choice((1, 1, 2))))
        keys += [f"{kind} {name} ({_parts(parts)})"] if r.random() < 0.35 else []
    return keys


def _parts(columns: list[Column]) -> str:
    return ",".join(c["name"] + ("(5)" if c["type"] == "text" else "") for c in columns)


def _table(columns: list[Column], keys: list[str], engine: str = "InnoDB") -> str:
    return f"CREATE TABLE t ({', '.join([*map(_text, columns), *keys])}) ENGINE={engine}"


def _differ(r: random.Random, columns: list[Column], *, generated: bool) -> list[Column]:
    theirs = [dict(c) for c in columns]
    for _ in range(r.choice((0, 1, 1, 2))):
        what = r.choice(("drop", "add", "null", "default", "wider", "swap", "computed", "add", "drop"))
        place = r.randrange(len(theirs))
        one = theirs[place]
        if what == "drop" and len(theirs) > 1:
            theirs.pop(r.choice((place, len(theirs) - 1)))
        elif what == "add":
            theirs.insert(r.choice((len(theirs), place)), _column(r, f"x{r.randrange(99)}"))
        elif what == "null" and not one.get("as"):
            one["null"] = not one["null"]
        elif what == "default" and not one.get("as") and one["type"] != "text":
            one["default"] = r.choice((None, *VALUES.get(one["type"], ("1",))))
        elif what == "wider":
            one["type"] = WIDER.get(one["type"], one["type"])
        elif what == "swap":
            theirs[place], theirs[-1] = theirs[-1], theirs[place]
        elif what == "computed" and generated:
            numbers = [c["name"] for c in theirs if "int" in c["type"] and not c.get("as")]
            if numbers:
                how = r.choice(("VIRTUAL", "STORED"))
                text = f"{r.choice(numbers)} {r.choice(('+ 1', '* 2', '% 3', '- 5'))}"
                theirs.append({"name": f"h{r.randrange(99)}", "type": "bigint", "as": text, "how": how})
    return theirs


def _value(r: random.Random, column: Column) -> str:
    return "NULL" if column["null"] and r.random() < 0.2 else r.choice(VALUES[column["type"]])


def _statements(r: random.Random, columns: list[Column]) -> list[str]:
    plain = [c for c in columns if not c.get("as")]
    out = []
    for _ in range(r.choice((2, 3, 4))):
        kind = r.choice(("insert", "insert", "replace", "update", "delete", "odku", "order"))
        some = [c for c in plain if (not c["null"] and not c["default"]) or r.random() < 0.75] or plain
        names = ",".join(c["name"] for c in some)
        rows = ",".join(f"({','.join(_value(r, c) for c in some)})" for _ in range(r.choice((1, 2, 3))))
        one, other = r.choice(plain), r.choice(plain)
        if kind in ("insert", "replace") or not out:
            out.append(
                f"{'REPLACE' if kind == 'replace' else 'INSERT IGNORE'} INTO t ({names}) VALUES {rows}"
            )
        elif kind == "odku":
            update = f"ON DUPLICATE KEY UPDATE {one['name']}={_value(r, one)}"
            out.append(f"INSERT IGNORE INTO t ({names}) VALUES {rows} {update}")
        elif kind == "update":
            out.append(
                f"UPDATE IGNORE t SET {one['name']}={_value(r, one)} WHERE "
                f"{other['name']}={r.choice(VALUES[other['type']])}"
            )
        elif kind == "order" and "int" in one["type"]:
            out.append(f"UPDATE IGNORE t SET {one['name']}={one['name']}+1 ORDER BY {one['name']} DESC")
        else:
            out.append(f"DELETE FROM t WHERE {other['name']}={r.choice(VALUES[other['type']])}")
    return out


def cases(seed: int, number: int, flavour: str) -> list[dict[str, Any]]:
    """So many questions; the same seed gives the same."""
    r = random.Random(f"{seed} {flavour}")
    generated = flavour != "mysql-5.6"
    out = []
    for place in range(number):
        ours = [_column(r, f"c{i}") for i in range(r.choice((1, 2, 3, 3, 4)))]
        if generated and r.random() < 0.2 and any("int" in c["type"] for c in ours):
            base = r.choice([c["name"] for c in ours if "int" in c["type"]])
            how = r.choice(("VIRTUAL", "STORED"))
            ours.insert(
                r.randrange(len(ours) + 1), {"name": "g", "type": "bigint", "as": f"{base} % 3", "how": how}
            )
        keys = _keys(r, ours)
        theirs = _differ(r, ours, generated=generated)
        same = r.random() < 0.5 and {c["name"] for c in ours} <= {c["name"] for c in theirs}
        their_keys = keys if same else _keys(r, theirs)
        engine = r.choice(("InnoDB", "InnoDB", "InnoDB", "MyISAM"))
        case = {
            "id": f"rows {seed}.{place}", "group": "rows", "source_ddl": [_table(ours, keys)],
            "replica_ddl": [_table(theirs, their_keys, engine)],
            "source_sql": _statements(r, ours), "modes": r.choice(("", "ALL_NON_LOSSY",
            "ALL_LOSSY,ALL_NON_LOSSY")),
            "binlog_row_image": r.choice(("FULL", "MINIMAL", "MINIMAL", "NOBLOB")), "source_may_fail": True,
        }  # fmt: skip
        if r.random() < 0.2:
            case["replica_globals"] = {"slave_exec_mode": "IDEMPOTENT"}
        if r.random() < 0.3:
            case["sql_mode"] = "NO_ENGINE_SUBSTITUTION"
        out.append(case)
    return out


if __name__ == "__main__":
    for case in cases(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]):
        print(json.dumps(case))
