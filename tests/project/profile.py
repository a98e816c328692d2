#!/usr/bin/env python3
"""Profiles over time (observe.profile) of every family: the sums over all windows are the totals of the report, exactly; and a profile changes nothing else in a report.

usage: profile.py <project folder> <weft> <folder for results>
"""
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys

# Name, configuration, window, unit of a link's column, further options.
RUNS = [
    ("iq", "configs/packet/iq_mesh_8x8.yaml", "1us", "flits", ["run.warm_up=2us", "run.measure=5us"]),
    ("iq_bursts", "configs/packet/profile.yaml", "1us", "flits", []),
    ("ib", "configs/packet/first.yaml", "700ns", "flits", []),
    ("opa", "configs/packet/first.yaml", "3us", "flits", ["switch.architecture=opa"]),
    ("tree", "configs/packet/paper_tree_4ary3.yaml", "100cycles", "flits", ["run.measure=5us"]),
    ("packet_programs", "configs/packet/is_torus_16.yaml", "1us", "flits", []),
    ("tdm", "configs/tdm/mesh_4x4.yaml", "1us", "words", []),
    ("tdm_traffic", "configs/tdm/traffic_4x4.yaml", "1us", "words", []),
    ("tdm_programs", "configs/tdm/programs.yaml", "1us", "words", []),
    ("setup", "configs/tdm/setup_faults.yaml", "1us", "words", []),
    ("optweb", "configs/optweb/is_16.yaml", "5us", "words", []),
    ("optweb_traffic", "configs/optweb/traffic_8.yaml", "1us", "words", []),
    ("ideal", "configs/ideal/first.yaml", "1us", None, []),
]


def run(project, weft, out, name, config, options):
    arguments = [weft, "run", config, "--overwrite", "--out", str(out / name)]
    for o in options:
        arguments += ["--set", o]
    done = subprocess.run(arguments, cwd=project, capture_output=True, text=True)
    if done.returncode != 0:
        return f"{' '.join(arguments)}: exit status {done.returncode}: {done.stderr}"
    return json.loads((out / name / "report.json").read_text())


def figure(report, section, key):
    return report["figures"].get(section, {}).get(key, {}).get("value")


def check(name, report, plain, unit, errors):
    def expect(what, good, detail=""):
        if not good:
            errors.append(f"{name}: {what} {detail}")

    windows = report["tables"]["profile"]["rows"]
    series = report["profile"]
    expect("several windows", len(windows) >= 3, len(windows))
    expect("windows without gaps", all(a["end"] == b["begin"] for a, b in zip(windows, windows[1:])))
    length = windows[-1]["end"] - windows[0]["begin"]
    for kind in ("links", "switches", "nodes"):
        values = series.get(kind, {}).get("values", [])
        lines = values.values() if isinstance(values, dict) else values
        expect(f"{kind} by window", all(len(line) == len(windows) for line in lines))

    links = series["links"]["values"]
    expect("use of links", all(f <= math.ceil(w["link_capacity"]) for flits in links.values() for f, w in zip(flits, windows)))
    sums = {link: sum(flits) for link, flits in links.items()}
    expect("links of the table", [w["link_flits"] for w in windows] == [sum(c) for c in zip(*links.values())])
    if unit and "links" in report["tables"]:
        wanted = {}
        for row in report["tables"]["links"]["rows"]:  # of several phases
            wanted[row["link"]] = wanted.get(row["link"], 0) + row[unit]
        wanted = {link: n for link, n in wanted.items() if n > 0}
        # With traffic, tables of circuits and of OPTWEB are of the whole run, warm-up and drain included.
        longer = unit == "words" and figure(report, "run", "window") is not None
        good = all(0 < n <= wanted.get(link, 0) for link, n in sums.items()) if longer else sums == wanted
        expect("sums of links", good, [(k, sums.get(k), wanted.get(k)) for k in {**sums, **wanted} if sums.get(k) != wanted.get(k)][:3])
    if unit is None:
        expect("flits on links", sum(sums.values()) > 0)

    cycle, nodes = figure(report, "network", "cycle"), figure(report, "network", "nodes")
    for key in ("offered", "accepted"):
        value = figure(report, "run", key)
        if key not in windows[0] or value is None:
            continue
        # Of programs and circuits the loads of the report have a time of their own.
        total = sum(w[key] for w in windows)
        if figure(report, "run", "window") is not None:
            expect(f"sum of {key}", math.isclose(total * cycle / (length * nodes), value, rel_tol=1e-12), (total, value))
        else:
            expect(f"sum of {key}", total > 0)
    if "switches" in series:
        mean = [sum(v * (w["end"] - w["begin"]) for v, w in zip(line, windows)) / length for line in series["switches"]["values"]]
        told = [row["occupancy"] for row in report["tables"]["switches"]["rows"]]
        # The buffers of iq are looked at: as often in each window, but for the last.
        near = 0.05 if name.startswith("iq") else 1e-9
        expect("occupancy of switches", all(math.isclose(m, t, rel_tol=near, abs_tol=near) for m, t in zip(mean, told)), list(zip(mean, told))[:3])
        expect("flits in buffers", max(told) > 0 and min(told) >= 0)
        expect("occupancy is never negative", min(min(line) for line in series["switches"]["values"]) >= 0)
    if "nodes" in series:
        expect("waiting is never negative", min(min(line) for line in series["nodes"]["values"]) >= 0)

    if name == "iq_bursts":  # whose configuration asks for a profile
        return
    # Nothing else is different.
    tables = {k: v for k, v in report["tables"].items() if k not in ("profile", "switches")}
    expect("tables", tables == {k: v for k, v in plain["tables"].items() if k != "switches"},
           [k for k in tables if tables[k] != plain["tables"].get(k)])
    expect("figures", report["figures"] == plain["figures"])
    expect("no profile unless it is asked for", "profile" not in plain and "profile" not in plain["tables"])


def main() -> int:
    project, weft, out = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    errors = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = []
        for name, config, window, unit, options in RUNS:
            jobs.append((name, unit, pool.submit(run, project, weft, out, name, config, options + [f"observe.profile={window}"]),
                         pool.submit(run, project, weft, out, name + "_plain", config, options)))
        for name, unit, profiled, plain in jobs:
            results = profiled.result(), plain.result()
            if any(isinstance(r, str) for r in results):
                errors += [r for r in results if isinstance(r, str)]
            else:
                check(name, *results, unit, errors)
    print("\n".join("error: " + e for e in errors) if errors else f"profiles: ok ({len(RUNS)} runs)")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
