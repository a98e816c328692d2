#!/usr/bin/env python3
"""scripts/compare_reports on small reports: what was renamed is found, what differs is told.

usage: compare_reports_test.py <project folder>
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()


def figure(value, unit):
    return {"value": value, "unit": unit, "definition": ""}


def report(schema, figures, tables):
    return {"schema": schema, "title": "t", "config": "c", "seed": 1, "complete": True, "implementation": "model",
            "notes": ["n"], "figures": figures, "tables": tables}


def table(units, rows):
    return {"columns": [{"key": k, "unit": u} for k, u in units.items()], "rows": [dict(zip(units, r)) for r in rows]}


OLD = report("weft-report/1",
             {"run": {"time": figure(1.5, "us"), "min_latency": figure(40.0, "ns"), "text": figure("0.040 + 0.360 = 0.400", "us")},
              "setup": {"simulated_time": figure(7.0, "ns")}},
             {"levels": table({"level": "", "offered": "flits/cycle/NIC", "queueing_mean": "ns"}, [["a", 0.5, 3.0], ["b", 0.25, None]])})
NEW = report("weft-report/2",
             {"run": {"time": figure(1500.0, "ns"), "transit_min": figure(40.0, "ns"), "more": figure(1, "1"),
                      "text": figure("40.2 + 360 = 400.2", "ns")}},
             {"services": table({"service": "", "offered": "flits/cycle/node", "queueing": "ns", "network": "ns"},
                                [["a", 0.5, 3.0, 1.0], ["b", 0.25, None, 1.0]])})
NEW["figures"]["run"]["text"]["value"] = "40 + 360 = 400"


def compare(old, new):
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("old.json", "new.json")]
        for path, content in zip(paths, (old, new)):
            path.write_text(json.dumps(content), encoding="utf-8")
        done = subprocess.run([root / "scripts/compare_reports", *paths], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def changed(change):
    new = copy.deepcopy(NEW)
    change(new)
    return new


failures = []
old = copy.deepcopy(OLD)
del old["figures"]["setup"]  # its time is that of section run, which this report has of another kind
status, text = compare(old, NEW)
if status != 0:
    failures.append(f"equal reports differ:\n{text}")
CASES = {
    "sections.setup.simulated_time: 7.0 ns became 1500.0 ns": (OLD, NEW),
    "sections.run.time: 1.5 us became 1501.0 ns": (old, changed(lambda r: r["figures"]["run"].update(time=figure(1501.0, "ns")))),
    "sections.run.text: ": (old, changed(lambda r: r["figures"]["run"].update(text=figure("40 + 361 = 401", "ns")))),
    "sections.run.min_latency: gone": (old, changed(lambda r: r["figures"]["run"].pop("transit_min"))),
    "sections.run.min_latency: unit ns became us": (old, changed(lambda r: r["figures"]["run"].update(transit_min=figure(40.0, "us")))),
    "tables.levels: gone": (old, changed(lambda r: r["tables"].pop("services"))),
    "tables.levels: 2 rows became 1": (old, changed(lambda r: r["tables"]["services"]["rows"].pop())),
    "tables.levels.queueing_mean, row 1: None ns became 0.0 ns": (old, changed(lambda r: r["tables"]["services"]["rows"][1].update(queueing=0.0))),
    "tables.levels.level, row 0: 'a'  became 'c'": (old, changed(lambda r: r["tables"]["services"]["rows"][0].update(service="c"))),
    "notes: gone: n": (old, changed(lambda r: r.update(notes=[]))),
    "complete: True  became False": (old, changed(lambda r: r.update(complete=False))),
}
for expected, (a, b) in CASES.items():
    status, text = compare(a, b)
    if status != 1 or expected not in text or ", 1 differ" not in text:
        failures.append(f"expected '{expected}' and status 1, got {status}:\n{text}")
print("\n".join(failures) if failures else "compare_reports: ok")
sys.exit(1 if failures else 0)
