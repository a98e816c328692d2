#!/usr/bin/env python3
"""Holds the names of version 1 of the report in docs/report.md against those that weft sweep knows.

usage: check_report_names.py <project folder>
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
NAME = r"((?:sections|tables)\.[\w.]+)"
known = re.findall(rf'\{{"{NAME}",\s*"{NAME}"\}}', (root / "sc_models/sweep/report_v1.cpp").read_text(encoding="utf-8"))
told = re.findall(rf"^\| [\w, ]+ \| `{NAME}` \| `{NAME}` \|$", (root / "docs/report.md").read_text(encoding="utf-8"), re.M)
if not known or not told:
    sys.exit("no names found")
failures = [f"docs/report.md lacks {old} -> {new}" for old, new in known if (old, new) not in told]
failures += [f"sc_models/sweep/report_v1.cpp lacks {old} -> {new}" for old, new in told if (old, new) not in known]
failures += [f"{old} is there twice" for old in {o for o, _ in known if sum(o == p for p, _ in known) > 1}]
print("\n".join(failures) if failures else f"report names: ok ({len(known)})")
sys.exit(1 if failures else 0)
