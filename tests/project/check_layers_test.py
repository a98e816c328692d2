#!/usr/bin/env python3
"""check_layers.py must find violations planted in a small tree."""
import pathlib
import tempfile

import check_layers

PLANTED = {
    "base/a.h": '#include "algorithms/slots/b.h"\n',
    "observe/s.cpp": '#include "fabrics/tdm/tdm_switch.h"\n',
    "algorithms/slots/t.cpp": "#include <systemc>\n",
    "algorithms/slots/u.cpp": '#include "algorithms/jobs/job.h"\n',
    "run/y.cpp": "#include <yaml-cpp/yaml.h>\n",
    "fabrics/tdm/v.cpp": '#include "Vtdm_switch.h"\n',
    "fabrics/tdm/w.cpp": '#include "fabrics/packet/common/nic.h"\n',
    "fabrics/packet/ib/x.cpp": '#include "fabrics/packet/opa/opa_switch.h"\n',
    "sweep/z.cpp": '#include "studies/dlt/dlt_report.h"\n',
    "nowhere/x.h": "\n",
    "kernel/one.h": '#include "kernel/two.h"\n',
    "kernel/two.cpp": '#include "kernel/two.h"\n#include "kernel/one.h"\n',
    "cli/fine.cpp": '#include <systemc>\n#include "run/tdm/tdm_platform.h"\n',
}
FINE = {"cli/fine.cpp", "kernel/one.h", "kernel/two.cpp"}
WIDE = "schema"

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for name, text in PLANTED.items():
        path = root / "sc_models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "sc_models" / WIDE).mkdir()
    for i in range(check_layers.WIDEST + 1):
        (root / "sc_models" / WIDE / f"f{i}.h").write_text("\n")
    found = list(check_layers.violations(root))

expected = [f"sc_models/{name}:1: " for name in PLANTED if name not in FINE and not name.startswith("nowhere")]
expected += ["sc_models/nowhere/x.h: ", f"sc_models/{WIDE}: 41 files", "include each other: kernel/one, kernel/two"]
assert len(found) == len(expected), found
for part in expected:
    assert any(part in line for line in found), (part, found)
