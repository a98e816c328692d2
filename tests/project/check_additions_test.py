#!/usr/bin/env python3
"""check_additions.py must find what is planted in a copy of the sources."""
import pathlib
import shutil
import sys
import tempfile

import check_additions

root = pathlib.Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    shutil.copytree(root / "sc_models", copy / "sc_models")
    models = copy / "sc_models"
    assert list(check_additions.violations(copy)) == []
    plants = {
        "run/packet/packet_report.cpp": ('inline bool planted(const Graph& g) { return g.name() == "torus"; }\n', "'torus'"),
        "fabrics/tdm/controller.cpp": ("inline const auto* planted() { return &kScfqScheduler; }\n", "'scfq'"),
        "studies/slots/table1.cpp": ("// dsatur in a comment\nenum class Planted { dsatur };\n", "'dsatur'"),
    }
    for name, (text, word) in plants.items():
        path = models / name
        before = path.read_text()
        path.write_text(before + text)
        found = list(check_additions.violations(copy))
        path.write_text(before)
        assert len(found) == 1 and name in found[0] and word in found[0], found
    # An exception that is not needed, a line that is missing from the README, a record that is not in its place.
    (models / "cli/network_options.cpp").write_text("\n")
    readme = models / "README.md"
    readme.write_text(readme.read_text().replace("- an egress scheduler:", "- something else:"))
    tree = models / "network/topology/tree.cpp"
    tree.write_text(tree.read_text().replace("static const Topology record{", "static const Topology other{"))
    found = "\n".join(check_additions.violations(copy))
    for part in ("network_options.cpp does not name the topology 'mesh' any more", "no line for: egress scheduler",
                 "0 records for tree_topology"):
        assert part in found, (part, found)
