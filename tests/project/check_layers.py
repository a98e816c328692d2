#!/usr/bin/env python3
"""Checks which folder of sc_models includes which, where SystemC, YAML and Verilated headers may appear, that no folder
is too wide, and that units (a header and its source) do not include each other in a circle.

usage: check_layers.py <project folder>       exit status 1 and one line per violation
"""
import collections
import pathlib
import re
import sys

# Layers in the order in which data flow: a file includes only its own layer and those before it.
ORDER = ["base", "schema", "network", "algorithms", "kernel", "parallel", "workload", "observe", "fabrics", "cosim", "run", "studies",
         "sweep", "cli"]
APART = {("sweep", "studies")}  # neither includes the other

# Folders within a layer, each with the folders beside it that it may include; "." is the layer's folder itself.
PARTS = {
    "network": {".": [], "topology": ["."], "routing": ["."], "keys": [".", "topology", "routing"]},
    "algorithms": {"slots": [], "alltoall": ["slots"], "jobs": ["slots"], "qos": [], "dlt": [], "collectives": [],
                   "dram": [], "optweb": ["collectives", "dram"]},
    "workload": {".": [], "axi": ["."]},
    "fabrics": {"tdm": [], "packet": [], "optweb": [], "ideal": []},
    "fabrics/tdm": {"keys": [], ".": ["keys"], "plan": ["keys"], "setup": [".", "keys"], "traffic": [".", "keys"], "observe": [".", "keys"]},
    "fabrics/packet": {"common": [], "ib": ["common"], "opa": ["common"], "iq": ["common"], "keys": ["common", "."],
                       "observe": ["common", "keys"],
                       ".": ["common", "ib", "opa", "iq"]},
    "fabrics/ideal": {".": [], "keys": [], "observe": ["."]},
    "fabrics/optweb": {".": ["link", "boxes", "user", "ranks"], "link": ["."], "ranks": [".", "link"], "boxes": ["."], "user": [".", "boxes"], "keys": [], "observe": ["."]},
    "cosim": {"runtime": [], "common": ["runtime"], "tdm": ["common", "runtime"], "packet": ["common", "runtime"],
              "optweb": ["common", "runtime"], ".": ["tdm", "packet", "optweb"],
              "compiled": ["common", "tdm", "packet", "optweb"]},
    "run": {"waves": [], ".": ["waves"], "tdm": [".", "waves"], "packet": [".", "waves"], "optweb": [".", "waves"], "ideal": [".", "waves"]},
    "studies": {"slots": [], "alltoall": [], "schedule": [], "dtable": [], "dlt": [], "cost": []},
}
# Where headers of others may appear.
SYSTEMC = {"kernel", "parallel", "workload", "fabrics", "cosim", "run", "cli"}
YAML = {"schema"}
VERILATED = {"cosim"}

WIDEST = 40  # files of one folder


def unit(path: str) -> str:
    return re.sub(r"\.(h|cpp)$", "", path)


def part(path: str, layer: str) -> str:
    """Folder of a file within a layer or a part of one: "." for the folder itself."""
    rest = path[len(layer) + 1:].split("/")
    return rest[0] if len(rest) > 1 else "."


def includes(text: str):
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
        if match:
            yield number, match.group(1)


def order_violation(path: str, header: str):
    """Why a file may not include a header of ours; nothing when it may."""
    mine, other = path.split("/")[0], header.split("/")[0]
    if mine != other:
        if ORDER.index(other) > ORDER.index(mine) or (mine, other) in APART:
            return f"'{mine}' must not include '{header}'"
        return None
    layer = mine
    while layer in PARTS:
        a, b = part(path, layer), part(header, layer)
        for name in (a, b):
            if name not in PARTS[layer]:
                return f"folder '{layer}/{name}' is not in the list of parts"
        if a != b:
            return None if b in PARTS[layer][a] else f"'{layer}/{a}' must not include '{header}'"
        layer = layer + "/" + a
    return None


def circles(edges):
    """Sets of units that include each other (Tarjan's strongly connected components)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(edges[v]):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def violations(root: pathlib.Path):
    models = root / "sc_models"
    edges = collections.defaultdict(set)
    width = collections.Counter()
    for path in sorted(models.rglob("*")):
        if path.suffix not in {".h", ".cpp"} or path.parent == models:
            continue
        name = str(path.relative_to(models))
        layer = name.split("/")[0]
        width[str(pathlib.Path(name).parent)] += 1
        if layer not in ORDER:
            yield f"sc_models/{name}: folder '{layer}' is not in the list of layers"
            continue
        for number, header in includes(path.read_text()):
            where = f"sc_models/{name}:{number}"
            if "/" in header and header.split("/")[0] in ORDER:
                why = order_violation(name, header)
                if why:
                    yield f"{where}: {why}"
                if unit(name) != unit(header):
                    edges[unit(name)].add(unit(header))
            if (header in {"systemc", "systemc.h", "tlm", "tlm.h"} or header.startswith("tlm_utils/")) and layer not in SYSTEMC:
                yield f"{where}: no SystemC in '{layer}'"
            if header.startswith("yaml-cpp") and layer not in YAML:
                yield f"{where}: no YAML outside schema"
            if (re.match(r"verilated\w*\.h$", header) or re.match(r"V[a-z_]+\w*\.h$", header)) and layer not in VERILATED:
                yield f"{where}: no Verilated header outside cosim"
    for folder, files in sorted(width.items()):
        if files > WIDEST:
            yield f"sc_models/{folder}: {files} files in one folder, more than {WIDEST}"
    for circle in circles(edges):
        yield "sc_models: units include each other: " + ", ".join(circle)


def main():
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "layers: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
