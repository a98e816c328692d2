#!/usr/bin/env python3
"""check_layers.py must find violations planted in a small tree."""
import pathlib
import tempfile

import check_layers

PLANTED = {
    "base/a.h": '#include "slots/b.h"\n',
    "stats/s.cpp": '#include "fabric/tdm/tdm_switch.h"\n#include "fabric/observer.h"\n',
    "slots/t.cpp": "#include <systemc>\n",
    "run/y.cpp": "#include <yaml-cpp/yaml.h>\n",
    "fabric/v.cpp": '#include "Vtdm_switch.h"\n',
    "nowhere/x.h": "\n",
}

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for name, text in PLANTED.items():
        path = root / "sc_models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = list(check_layers.violations(root))

expected = ["base/a.h:1", "stats/s.cpp:1", "slots/t.cpp:1", "run/y.cpp:1", "fabric/v.cpp:1", "nowhere/x.h"]
assert len(found) == len(expected), found
for place in expected:
    assert any(f"sc_models/{place}" in line for line in found), (place, found)
