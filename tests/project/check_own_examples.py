#!/usr/bin/env python3
"""Runs the commands of the examples own_topology and own_fabric and compares what they say with closed forms that are
worked out here from their YAML.

usage: check_own_examples.py <folder with both examples, each with its program in build/>
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

work = pathlib.Path(sys.argv[1]).resolve()
failures = []


def expect(right, text):
    if not right:
        failures.append(text)


class Example:
    def __init__(self, name):
        self.folder = work / name
        self.program = self.folder / "build" / name

    def lines(self):
        files = [f for f in self.folder.iterdir() if f.suffix in (".cpp", ".h")]
        return sum(len(f.read_text().splitlines()) for f in files)

    def call(self, *arguments, status=0):
        """Standard output, or standard error of a call that is to fail."""
        result = subprocess.run([str(self.program), *arguments], cwd=self.folder, capture_output=True, text=True,
                                timeout=600)
        call = f"{self.folder.name} {' '.join(arguments)}"
        if result.returncode != status:  # what follows needs its output
            failures.append(f"{call}: status {result.returncode} instead of {status}\n{result.stderr}")
            raise SystemExit("\n\n".join(failures))
        expect("arning" not in result.stderr, f"{call} warns:\n{result.stderr}")
        return result.stdout if status == 0 else result.stderr

    def report(self, file, *settings):
        sets = [word for s in settings for word in ("--set", s)]
        text = self.call("run", file, "--json", "--no-files", *sets)
        report = json.loads(text)
        expect(report.get("complete") is True, f"{self.folder.name} run {file} {settings}: not complete")
        return report

    def refused(self, file, old, new, place, *words):
        """`file` with `new` in place of `old` is refused at `place` of the changed file, with these words."""
        text = (self.folder / file).read_text()
        expect(text.count(old) == 1, f"{file} has '{old}' {text.count(old)} times")
        (self.folder / "bad.yaml").write_text(text.replace(old, new))
        for command in ("check", "run"):
            error = self.call(command, "bad.yaml", status=2)
            for word in (f"bad.yaml:{place}: error: ", *words):
                expect(word in error, f"{self.folder.name} {command} with '{new}' should say '{word}':\n{error}")


def figure(report, section, key):
    return report["figures"][section][key]["value"]


def place_of(example, file, text):
    """line:column of the first occurrence."""
    before = (example.folder / file).read_text().split(text)[0]
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def sweep_points(example, folder, runs):
    example.call("sweep", "sweep.yaml", "--out", folder, "--overwrite")
    with open(example.folder / folder / "results.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    expect(len(rows) == runs, f"{example.folder.name} sweep: {len(rows)} runs instead of {runs}")
    return rows


def hops(switches, chord, distance):
    """Shortest way on a ring with chords, by breadth-first search."""
    reached, front, count = {0}, {0}, 0
    while distance % switches not in reached:
        front = {(s + step) % switches for s in front for step in (1, -1, chord, -chord)} - reached
        reached |= front
        count += 1
    return count


def check_topology():
    ring = Example("own_topology")
    expect(ring.lines() <= 60, f"own_topology has {ring.lines()} lines of C++, more than 60")
    described = ring.call("describe")
    expect("topology.chord" in described and "2 to 2047" in described, "describe does not show topology.chord")
    expect("chordal_ring" in ring.call("describe", "--json-schema", "tdm"), "chordal_ring is not in the JSON Schema")

    # A tornado sends 7 places on in a ring of 16; each circuit takes a shortest way. 16 switches with 4 links each.
    for chord in (2, 5, 7):
        text = ring.call("slots", "--topology", "chordal_ring", "--switches", "16", "--chord", str(chord), "--pattern",
                         "tornado", "--json", "--out", f"slots_{chord}")
        links = json.loads(text)["tables"]["links"]["rows"]
        taken = sum(row["circuits"] for row in links if "node" not in row["link"])
        expect(taken == 16 * hops(16, chord, 7), f"slots with chords of {chord}: {taken} links are taken")

    for file in ("tdm.yaml", "packet.yaml"):
        expect("chordal ring" in ring.call("check", file), f"check {file} does not name the network")
    circuits = ring.report("tdm.yaml")
    expect(figure(circuits, "run", "transit_max") <= figure(circuits, "run", "predicted_transit_max"),
           "a message took longer than its circuit")
    packets = ring.report("packet.yaml")
    expect(figure(packets, "run", "missing") == 0 and figure(packets, "run", "conserved") == "yes", "packets are lost")
    # The head: 2 cycles for the NIC, 6 for each of two switches at least, with a cycle of 5.12 ns; then 3 flits.
    expect(abs(figure(packets, "run", "latency_min") - (2 + 2 * 6 + 3) * 5.12) < 1e-6,
           f"neighbours are {figure(packets, 'run', 'latency_min')} ns apart")
    rows = sweep_points(ring, "sweep", 12)
    expect(all(float(next(v for k, v in row.items() if k.startswith("latency"))) > 0 for row in rows),
           "a point of the sweep has no latency")
    ring.refused("tdm.yaml", "chord: 5", "chord: 8", place_of(ring, "tdm.yaml", "{ kind"), "topology.chord: expected")
    ring.refused("tdm.yaml", "chordal_ring", "cordal_ring", place_of(ring, "tdm.yaml", "chordal_ring"),
                 "did you mean 'chordal_ring'?")


def check_fabric():
    bus = Example("own_fabric")
    expect(bus.lines() <= 250, f"own_fabric has {bus.lines()} lines of C++, more than 250")
    text = (bus.folder / "bus.yaml").read_text()

    def number(pattern):
        return int(re.search(pattern, text).group(1))

    nodes, width = number(r"nodes: (\d+)"), number(r"width: (\d+)B")
    arbitration, flight = number(r"arbitration: (\d+)cycle"), number(r"flight: (\d+)cycle")
    period = 1000 / number(r"clock: (\d+)MHz")  # ns
    words = {level: -(-number(level + r": { message: (\d+)B") // width) for level in ("request", "data")}
    held = {level: arbitration + w - 1 + flight for level, w in words.items()}

    checked = json.loads(bus.call("check", "bus.yaml", "--json"))
    # Messages that meet nobody, each level from and to other nodes.
    trace = [f"{30000 + 1000 * i},{i % nodes},{(3 * i + 1) % nodes},{('request', 'data')[i % 2]}" for i in range(20)]
    (bus.folder / "alone.csv").write_text("\n".join(["time_ns,source,destination,level", *trace]) + "\n")
    for order in ("round_robin", "fcfs"):
        alone = bus.report("bus.yaml", "traffic=null", "trace=alone.csv", f"bus.order={order}")
        for row in alone["tables"]["services"]["rows"]:
            expected = held[row["service"]] * period
            expect(row["messages"] == 10 and row["latency_min"] == row["latency_max"] == expected,
                   f"{order}: {row['service']} alone takes {row['latency_min']} to {row['latency_max']} ns instead of "
                   f"{expected}")
            expect(figure(checked, "network", f"zero_load_{row['service']}") == expected, "check predicts another latency")
        # Two messages of node 0, then one of node 1 while the first has the bus: it is next in turn, or last.
        (bus.folder / "three.csv").write_text("time_ns,source,destination,level\n" + "30000,0,2,data\n" * 2 + "30002,1,2,data\n")
        bus.call("run", "bus.yaml", "--set", "traffic=null", "--set", "trace=three.csv", "--set", f"bus.order={order}", "--set",
                 "observe.message_log=true", "--out", f"three_{order}")
        with open(bus.folder / f"three_{order}" / "messages.csv", newline="") as file:
            sent = [(int(row["source"]), float(row["delivered (ns)"])) for row in csv.DictReader(file)]
        turns = (0, 1, 0) if order == "round_robin" else (0, 0, 1)
        expect(sent == [(node, 30000 + (i + 1) * held["data"] * period) for i, node in enumerate(turns)],
               f"{order}: three messages arrive as {sent}")
        # A bus that is full: it carries the words of a message in the time for which the message holds it.
        for cycles in (0, arbitration):
            full = bus.report("bus.yaml", "traffic.0.load=0", "traffic.1.load=0.5", f"bus.order={order}",
                              f"bus.arbitration={cycles}cycles")
            carried = figure(full, "run", "accepted") * nodes
            most = words["data"] / (cycles + words["data"] - 1 + flight)
            edge = 2 * words["data"] * period / figure(full, "run", "window")  # messages that are cut by the window
            expect(abs(carried - most) <= edge and carried <= 1 + edge,
                   f"{order}: a full bus carries {carried} words per cycle instead of {most}")

    free = bus.report("bus.yaml")
    expect(figure(free, "run", "conserved") == "yes" and figure(free, "run", "missing") == 0, "messages are missing")
    rows = sweep_points(bus, "sweep", 16)
    accepted = [float(next(v for k, v in row.items() if k.startswith("accepted"))) * nodes for row in rows]
    expect(all(0 < a <= 1 for a in accepted), f"the bus carries more than a word per cycle: {accepted}")

    # 7 messages of a broadcast and 24 of an allreduce, 1 KiB each, one at a time.
    program = bus.report("program.yaml")
    least = 31 * (2 + 1024 // 8) * 2
    expect(figure(program, "run", "bytes") == 31 * 1024, "the program sends other messages")
    expect(least <= figure(program, "run", "time"), f"the program is over in less than {least} ns")

    expect("bus.arbitration" in bus.call("describe"), "describe does not show the keys of the bus")
    schema = json.loads(bus.call("describe", "--json-schema", "bus"))
    expect("bus" in schema["$defs"]["bus-whole"]["properties"], "the bus has no JSON Schema")
    bus.refused("bus.yaml", "arbitration:", "arbitraton:", place_of(bus, "bus.yaml", "arbitration:"),
                "unknown key 'arbitraton' in section 'bus'", "did you mean 'arbitration'?")
    bus.refused("bus.yaml", "order: round_robin", "order: fifo",
                place_of(bus, "bus.yaml", "round_robin }"), "expected one of: round_robin, fcfs")
    bus.refused("bus.yaml", "nodes: 8", "nodes: 0", place_of(bus, "bus.yaml", "8, width"), "bus.nodes")
    bus.refused("bus.yaml", "fabric: bus", "fabric: buss", "2:9", "did you mean 'bus'?")


check_topology()
check_fabric()
print("\n\n".join(failures) if failures else "examples: ok")
sys.exit(1 if failures else 0)
