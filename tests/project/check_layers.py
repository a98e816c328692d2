#!/usr/bin/env python3
"""Checks which folder of sc_models includes which, and where SystemC, YAML and Verilated headers may appear.

usage: check_layers.py <project folder>       exit status 1 and one line per violation
"""
import pathlib
import re
import sys

# Folder -> folders it may include, besides itself. The order is that of the flow of data.
ALLOWED = {
    "base": [],
    "config": ["base"],
    "topology": ["base", "config"],
    "routing": ["base", "config", "topology"],
    "slots": ["base", "config", "topology", "routing"],
    "alltoall": ["base", "config", "topology", "routing", "slots"],
    "jobs": ["base", "config", "topology", "routing", "slots"],
    "qos": ["base"],
    "dlt": ["base", "config", "topology"],
    "optweb": ["base", "config", "topology"],
    "collectives": ["base", "config"],
    "fabric": ["base", "config", "topology", "routing", "slots", "qos", "optweb"],
    "traffic": ["base", "config", "topology", "routing", "slots", "qos", "fabric", "optweb",
                "collectives"],
    "stats": ["base", "config", "topology", "slots", "qos"],
    "report": ["base", "config", "topology", "slots", "qos", "stats"],
    "sweep": ["base", "config", "stats", "report"],
    "verilated": [],
    "cosim": ["base", "config", "topology", "slots", "qos", "optweb", "fabric", "report", "verilated"],
    "run": ["base", "config", "topology", "routing", "slots", "qos", "fabric", "traffic", "stats", "report", "cosim",
            "dlt", "alltoall", "jobs", "optweb", "collectives"],
}
# Statistics, reports and waves see the models only through the observer interface.
OBSERVER = "fabric/observer.h"
OBSERVER_ONLY = {"stats", "report"}
SYSTEMC = {"fabric", "traffic", "run", "cosim"}
YAML = {"config"}
VERILATED = {"verilated", "cosim"}


def violations(root: pathlib.Path):
    for path in sorted((root / "sc_models").rglob("*")):
        if path.suffix not in {".h", ".cpp"} or path.parent == root / "sc_models":
            continue
        folder = path.relative_to(root / "sc_models").parts[0]
        if folder not in ALLOWED:
            yield f"{path.relative_to(root)}: folder '{folder}' is not in the list of layers"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if not match:
                continue
            header = match.group(1)
            where = f"{path.relative_to(root)}:{number}"
            target = header.split("/")[0]
            if target in ALLOWED and "/" in header and target != folder:
                through_observer = folder in OBSERVER_ONLY and header == OBSERVER
                if target not in ALLOWED[folder] and not through_observer:
                    yield f"{where}: '{folder}' must not include '{header}'"
            if (header in {"systemc", "systemc.h", "tlm", "tlm.h"} or header.startswith("tlm_utils/")) and folder not in SYSTEMC:
                yield f"{where}: no SystemC in '{folder}'"
            if header.startswith("yaml-cpp") and folder not in YAML:
                yield f"{where}: no YAML outside config"
            if (re.match(r"verilated\w*\.h$", header) or re.match(r"V[a-z_]+\.h$", header)) and folder not in VERILATED:
                yield f"{where}: no Verilated header outside cosim"


def main():
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "layers: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
