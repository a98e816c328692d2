#!/usr/bin/env python3
"""Runs `weft dlt` for every line of the table in docs/dlt.md and compares the figures.

usage: check_dlt_table.py <project folder> <weft program> [--write]     --write: puts the figures into the page instead
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FIGURES = [("closed_form", "predicted_speedup"), ("simulation", "simulated_speedup"),
           ("simulation", "later_than_predicted"), ("linear_program", "message_speedup"),
           ("linear_program", "best_speedup"), ("problem", "speedup_bound")]


def measured(program, options):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "dlt", *options.split(), "--sigma", "0.3", "--json", "--out", out]
        report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)
    figures = report["figures"]
    counts = figures["problem"]["nodes_by_distance"]["value"]
    return [counts] + [f"{figures[section][key]['value']:.3f}" for section, key in FIGURES]


def main():
    page = pathlib.Path(sys.argv[1]) / "docs" / "dlt.md"
    program = str(pathlib.Path(sys.argv[2]).resolve())
    lines = page.read_text().splitlines()
    rows, wrong = 0, []
    for i, line in enumerate(lines):
        match = re.match(r"\| `(--topology [^`]+)` \|", line)
        if not match:
            continue
        rows += 1
        right = f"| `{match.group(1)}` | " + " | ".join(measured(program, match.group(1))) + " |"
        if line != right:
            wrong.append(f"docs/dlt.md:{i + 1}: says\n{line}\nbut weft dlt says\n{right}")
            lines[i] = right
    if "--write" in sys.argv:
        page.write_text("\n".join(lines) + "\n")
        return 0
    if rows < 15:
        wrong.append(f"docs/dlt.md: found {rows} lines of the table, expected at least 15")
    print("\n".join(wrong) if wrong else f"docs/dlt.md: {rows} lines ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
