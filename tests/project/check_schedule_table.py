#!/usr/bin/env python3
"""Compares the tables of results in docs/schedule.md with what weft schedule gives.

usage: check_schedule_table.py <project folder> <weft program>
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
sys.argv[2] = str(pathlib.Path(sys.argv[2]).resolve())
text = (root / "docs/schedule.md").read_text()
failures = []
tables = 0
for command, table in re.findall(r"```sh\n(weft schedule [^\n]*--policy all[^\n]*)\n```\n\n(\|.*?)\n\n", text, re.S):
    tables += 1
    with tempfile.TemporaryDirectory() as out:
        arguments = [sys.argv[2], *command.split()[1:], "--json", "--out", out]
        run = subprocess.run(arguments, cwd=root, capture_output=True, text=True, timeout=100, check=True)
    figures = json.loads(run.stdout)["figures"]
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines()]
    for row in rows[2:]:
        for policy, shown in zip(rows[0][1:], row[1:]):
            value = figures[policy][row[0].strip("`")]["value"]
            decimals = len(shown.partition(".")[2])
            if f"{value:.{decimals}f}" != shown:
                failures.append(f"{command}: {row[0]} of {policy} is {value}, docs/schedule.md shows {shown}")
if tables < 2:
    failures.append(f"docs/schedule.md shows {tables} tables with their commands")

# The replay: one workload, a column for each choice of options.
slow = ["--set", "setup.processing=16cycles", "--set", "switch.reconfiguration=16cycles"]
columns = [[], ["--replay-slots", "chosen"], slow, [*slow, "--replay-slots", "chosen"]]
shown = re.search(r"```sh\n(weft workload [^\n]*)\n(weft schedule [^\n]*--run[^\n]*)\n```\n\n(\|.*?)\n\n", text, re.S)
if not shown:
    failures.append("docs/schedule.md shows no replay with its commands")
else:
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in shown[3].splitlines()][2:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[2], *shown[1].split()[1:]], cwd=folder, timeout=100, check=True)
        for column, options in enumerate(columns, 1):
            command = [sys.argv[2], *shown[2].split()[1:], *options, "--json", "--out", "out"]
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=True)
            figures = json.loads(run.stdout)["figures"]["replay"]
            for row in rows:
                value = figures[row[0].split("`")[1]]["value"]
                if f"{value:.{len(row[column].partition('.')[2])}f}" != row[column]:
                    failures.append(f"replay {options}: {row[0]} is {value}, docs/schedule.md shows {row[column]}")
print("\n".join(failures) if failures else "docs/schedule.md: ok")
sys.exit(1 if failures else 0)
