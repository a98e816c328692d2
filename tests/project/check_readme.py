#!/usr/bin/env python3
"""Runs the README's commands and compares what they print with what the README shows.

A block that begins with "$ ./scripts/run" is run (without installing packages) and its output compared line by line. Other lines
that begin with "./scripts/run" must end with status 0.
"$ ./scripts/test" is the command this test itself runs under, so only .ci/run is checked to call it.
Every path the README names in backquotes or links must exist.

usage: check_readme.py <project folder>
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
text = (root / "README.md").read_text()
failures = []

blocks = [b.strip("\n").splitlines() for b in re.findall(r"```text\n(.*?)```", text, re.S)]
runs = [b for b in blocks if b and b[0].startswith("$ ./scripts/run")]
if not runs:
    failures.append("README shows no ./scripts/run")
for block in runs:
    command = block[0][2:].split()
    command.insert(1, "--no-install")
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=280)
    shown, printed = block[1:], result.stdout.rstrip("\n").splitlines()
    if result.returncode != 0:
        failures.append(f"{' '.join(command)} ended with status {result.returncode}:\n{result.stderr}")
    if shown != printed:
        failures.append("README shows\n" + "\n".join(shown) + f"\nbut {' '.join(command)} prints\n" + "\n".join(printed))

# The other commands must succeed, one after the other, in a folder of their own.
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "configs").symlink_to(root / "configs")
    (pathlib.Path(folder) / "out").mkdir()
    for command in ["run configs/tdm/mesh_4x4.yaml", *re.findall(r"^\./scripts/run ([^#\n]+)", text, re.M)]:
        result = subprocess.run([root / "build/weft", *shlex.split(command)], cwd=folder, capture_output=True, text=True, timeout=280)
        if result.returncode != 0:
            failures.append(f"{command.strip()} ended with status {result.returncode}:\n{result.stderr}")

if "./scripts/test" not in text or "scripts/test" not in (root / ".ci/run").read_text():
    failures.append("README and .ci/run must both name scripts/test")

for target in re.findall(r"\]\(([^)#:]+)\)", text) + re.findall(r"`((?:configs|docs|examples|rtl|scripts|sc_models|tb|tests|bench)/[^`* ]*)`", text):
    if not (root / target).exists():
        failures.append(f"README names '{target}', which does not exist")

print("\n\n".join(failures) if failures else "README: ok")
sys.exit(1 if failures else 0)
