#!/usr/bin/env python3
"""scripts/coverage on counters written here: holes, explanations and shares; every block has cover properties and a row.

usage: rtl_coverage_test.py <project folder>
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "scripts"))
loader = importlib.machinery.SourceFileLoader("coverage_script", str(root / "scripts" / "coverage"))
coverage = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage_script", loader))
loader.exec_module(coverage)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got} instead of {wanted}")


def counter(file, kind, name, count, place="bench.dut", line=1):
    fields = {"f": f"rtl/packet/{file}", "l": str(line), "page": f"{kind}/x", "o": name, "h": place}
    return "C '" + "".join(f"\x01{k}\x02{v}" for k, v in fields.items()) + f"' {count}\n"


def points(cases):
    """Points of {case: (counters at the end, counters of the first cycle)}."""
    with tempfile.TemporaryDirectory() as scratch:
        coverage.DATA = pathlib.Path(scratch)
        for case, (end, first) in cases.items():
            (coverage.DATA / f"{case}.dat").write_text("# SystemC::Coverage-3\n" + end)
            (coverage.DATA / f"{case}.first.dat").write_text("# SystemC::Coverage-3\n" + first)
        return coverage.read_points()


def toggle(name, count, place="bench.dut"):
    return counter("drr.sv", "v_toggle", name, count, place)


def judged(counts, *entries):
    numbers, complaints = coverage.judge(counts, [coverage.Explanation(e) for e in entries])
    return numbers["drr"]["toggles"], complaints


# Toggles: the most of one case behind the first cycle; others: the sum. Sizes are apart, loops together.
counts = points({
    "drr_5.Gaps": (toggle("a", 2) + toggle("b", 3) + toggle("c", 1) + toggle("d[1]", 1, "bench.gen_x__BRA__*__KET__")
                   + counter("drr_cover.svh", "v_user", "c_wraps", 1) + counter("drr_cover.svh", "v_line", "block", 0)
                   + counter("drr.sv", "v_branch", "else", 0, line=1),
                   toggle("a", 1)),
    "drr_5.Bursts": (toggle("c", 1) + counter("drr_cover.svh", "v_user", "c_wraps", 0)
                     + counter("drr.sv", "v_branch", "else", 4, line=1), ""),
    "drr_16.Gaps": (toggle("a", 9), "")})
first_line = " ".join((root / "rtl/packet/drr.sv").read_text().splitlines()[0].split())
Point = coverage.Point
expect("points", dict(counts), {
    Point("drr", "toggles", "drr_5", "a"): 1, Point("drr", "toggles", "drr_5", "b"): 3,
    Point("drr", "toggles", "drr_5", "c"): 1, Point("drr", "toggles", "drr_5", "gen_x[*].d[1]"): 1,
    Point("drr", "toggles", "drr_16", "a"): 9, Point("drr", "covers", "", "c_wraps"): 1,
    Point("drr", "lines", "", f"else: {first_line}"): 4})

# Every hole needs an explanation, every explanation a hole, and what is reached is not unreachable.
expect("holes", judged(counts),
       ([2, 3, 0], [f"drr, toggles {name} of drr_5: 1, not explained" for name in ("a", "c", "gen_x[*].d[1]")]))
every = {"block": "drr", "toggles": r"a|c|gen_x\[\*\]\.d\[\d\]", "sizes": "drr_5"}
expect("open", judged(counts, {**every, "open": "x"}), ([2, 3, 0], []))
expect("unreachable", judged(counts, {**every, "unreachable": "x"}), ([2, 0, 3], []))
expect("stale", judged(counts, {**every, "open": "x"}, {"block": "drr", "toggles": "b", "open": "y"})[1],
       ["drr, toggles b: explains nothing"])
expect("false", judged(counts, {"block": "drr", "toggles": ".*", "unreachable": "x"})[1],
       ["drr, toggles a of drr_16: explained as unreachable, reached 9 times",
        "drr, toggles b of drr_5: explained as unreachable, reached 3 times"])
expect("share", coverage.share([49, 1, 7]), 98.0)
for wrong in ({"block": "drr", "toggles": "a"}, {"block": "drr", "toggles": "a", "covers": "b", "open": "x"},
              {"block": "drr", "toggles": "a", "opn": "x"}, {"toggles": "a", "open": "x"}):
    try:
        coverage.Explanation(wrong)
    except SystemExit:
        continue
    sys.exit(f"accepted as an explanation: {wrong}")

# The files themselves.
page = (root / "docs" / "rtl_coverage.md").read_text()
for block, file in coverage.blocks().items():
    if f'`include "{block}_cover.svh"' not in file.read_text():
        sys.exit(f"{file} does not include {block}_cover.svh")
    labels = re.findall(r"\b(c_\w+): +cover", (file.parent / f"{block}_cover.svh").read_text())
    row = re.search(rf"^\| `{block}` \|.*\| \d+ of (\d+) \| \d+ \| \d+ \| ([\d.]+) \|$", page, re.M)
    expect(f"cover properties of {block} in docs/rtl_coverage.md", row and row[1], str(len(set(labels))))
    expect(f"labels of {block}", len(labels), len(set(labels)))
    if float(row[2]) < coverage.LEAST:
        sys.exit(f"docs/rtl_coverage.md: {block} has {row[2]} %")
for entry in coverage.yaml.safe_load(coverage.HOLES.read_text()):
    coverage.Explanation(entry)
print("coverage of the RTL: ok")
