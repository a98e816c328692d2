#!/usr/bin/env python3
"""Holds the file lists of the RTL (weft.f, weft.core, Bender.yml) against its folders, and lets Verilator read weft.f.

usage: check_rtl_manifests.py <project folder>       exit status 1 and one line per difference
"""
import pathlib
import re
import subprocess
import sys

import yaml

root = pathlib.Path(sys.argv[1]).resolve()
rtl = root / "rtl"
wrong = []


def hold(name, listed, suffix):
    there = sorted(str(f.relative_to(rtl)) for f in rtl.rglob("*" + suffix))
    if listed != there:
        wrong.append(f"rtl/{name}: missing {sorted(set(there) - set(listed))}, not there {sorted(set(listed) - set(there))}, "
                     f"or not in the order of names")


core = yaml.safe_load((rtl / "weft.core").read_text().split("\n", 1)[1])
hold("weft.core", core["filesets"]["rtl"]["files"], ".sv")
for fileset in ("formal", "cover"):
    hold("weft.core", [name for f in core["filesets"][fileset]["files"] for name in f], f"_{fileset}.svh")
for name in core["filesets"]["constraints"]["files"]:
    if not (rtl / name).exists():
        wrong.append(f"rtl/weft.core: there is no {name}")
version = re.search(r'kVersion = "([^"]+)"', (root / "sc_models" / "base" / "version.h").read_text())[1]
if core["name"] != f"weft::rtl:{version}":
    wrong.append(f"rtl/weft.core: {core['name']} is not of version {version}")
tops = " ".join(core["targets"]["lint"]["toplevel"])
for file in core["filesets"]["rtl"]["files"]:
    if not re.search(rf"\b{pathlib.Path(file).stem} \? \(|\({pathlib.Path(file).stem}\)", tops):
        wrong.append(f"rtl/weft.core: target lint has no {pathlib.Path(file).stem}")
bender = yaml.safe_load((rtl / "Bender.yml").read_text())
hold("Bender.yml", bender["sources"][0]["files"], ".sv")
lines = (rtl / "weft.f").read_text().splitlines()
hold("weft.f", [line for line in lines if line and not line.startswith(("//", "+"))], ".sv")
for folders in (bender["sources"][0]["include_dirs"], [line[8:] for line in lines if line.startswith("+incdir+")]):
    if folders != sorted(f.name for f in rtl.iterdir() if f.is_dir()):
        wrong.append(f"rtl: {folders} are not its folders")
for top in [pathlib.Path(f).stem for f in core["filesets"]["rtl"]["files"]]:
    result = subprocess.run(["verilator", "--lint-only", "-Wall", "-F", "rtl/weft.f", "--top-module", top], cwd=root,
                            capture_output=True, text=True)
    if result.returncode != 0:
        wrong.append(f"verilator -F rtl/weft.f --top-module {top}:\n{result.stderr}")
if wrong:
    sys.exit("\n".join(wrong))
print("file lists of the RTL: ok")
