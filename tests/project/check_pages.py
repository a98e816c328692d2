#!/usr/bin/env python3
"""Runs what pages show: commands in blocks of text, with their outputs, and the files that the commands need.

A block that begins with "$ " is run in order, each command in one folder per page that has the project's configs/; the lines after
a command are its output. A line "..." stands for any lines, "..." within a line for any text. A block whose first line is
"# <name>" or "// <name>", <name> with an ending, is written to that file before. Commands that end with another status than 0 show
it in a last line "(exit status N)".

usage: check_pages.py <project folder> <program> <page>...
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
failures, commands = [], 0


def matches(shown, printed):
    """Whether the shown lines, with their "...", describe the printed ones."""
    parts = []
    for line in shown:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n")
    return re.fullmatch("".join(parts), "".join(line.rstrip() + "\n" for line in printed)) is not None


def run(page, block, folder):
    global commands
    steps, step = [], None
    for line in block:
        if line.startswith("$ "):
            step = [line[2:], []]
            steps.append(step)
        elif step[0].endswith("\\"):
            step[0] += "\n" + line
        else:
            step[1].append(line)
    for command, shown in steps:
        commands += 1
        environment = dict(os.environ, PATH=f"{folder}/.bin:{os.environ['PATH']}", SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, check=False, timeout=280,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed = done.stdout.rstrip("\n").splitlines() + ([f"(exit status {done.returncode})"] if done.returncode else [])
        if not shown and done.returncode == 0:
            continue
        if done.returncode and not any(line.startswith("(exit status") for line in shown):
            printed.pop()
            if not shown:
                shown = ["exit status 0"]
        while printed and not printed[-1]:
            printed.pop()
        if not matches([line for line in shown], printed):
            failures.append(f"{page}: $ {command}\nshows\n" + "\n".join(shown) + "\nbut prints\n" + "\n".join(printed[:60]))


for name in sys.argv[3:]:
    text = (root / name).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / ".bin").mkdir()
        (folder / ".bin/weft").symlink_to(program)
        for part in ("configs", "examples", "python"):
            (folder / part).symlink_to(root / part)
        for block in re.findall(r"^```\w+\n(.*?)^```", text, re.S | re.M):
            lines = block.rstrip("\n").splitlines()
            file = re.fullmatch(r"(?:#|//) ([\w.-]+\.\w+)(?::.*)?", lines[0]) if lines else None
            if file:
                (folder / file[1]).write_text(block, encoding="utf-8")
            elif lines and lines[0].startswith("$ "):
                run(name, lines, folder)

print("\n\n".join(failures) if failures else f"pages: {commands} commands as shown")
sys.exit(1 if failures else 0)
