"""Programs on several ranks (rank_cases.py): OPTWEB, whose reports, memories and failures are those of one process; windows in
which nothing happens, which are left out."""
import json

MIXED = """
fabric: optweb
title: everything a program has, on nodes with clocks of their own
nodes: 8
verify: data
clocks: { phase: random, tolerance_ppm: 60 }
adapters: [{ at: 'sw[2]', delay: 300ns }, { at: 'sw[0]-sw[7]', delay: 3cycles }]
observe: { profile: 5us }
programs:
  'node[0..7]':
    - { op: compute, name: late, time: 40us, at: [3] }
    - { op: barrier }
    - { op: alltoall, size: 1000B, receive: 300MiB }
    - { op: barrier, group: [0, 1, 2] }
    - { op: allreduce, size: 6KiB, receive: 304MiB }
    - { op: transfer, source: 1, destination: 6, size: 200KiB, path: multipath, receive: 308MiB }
    - { op: broadcast, root: 5, size: 40KiB, receive: 312MiB }
    - { op: fence }
    - { op: sendrecv, shift: 3, size: 20KiB, receive: 316MiB }
    - { op: gather, root: 7, size: 100B, receive: 320MiB }
    - repeat: 3
      program: [{ op: allgather, size: 64B, receive: 324MiB }, { op: compute, time: 300us }]
host:
  - { node: 1, op: read, stripe: 1, size: 256KiB, at: 45us }
  - { node: 6, op: write, stripe: 2, address: 64MiB, size: 4KiB, at: 50us }
"""
WRITTEN = {
    "optweb_mixed.yaml": MIXED,
    # The same without its repetition, sooner.
    "optweb_clocks.yaml": (MIXED[:MIXED.index("    - repeat")] + MIXED[MIXED.index("host:"):])
    .replace("time: 40us", "time: 4us").replace("at: 45us", "at: 8us").replace("at: 50us", "at: 12us"),
    # Computations of 400,000 cycles, with messages in between.
    "long_computations.yaml": """
fabric: packet
title: nodes that compute for long
topology: { kind: torus, dims: [3, 3] }
switch: { architecture: iq, iq: { vcs: 4 } }
qos: { levels: { data: { message: 512B } } }
program:
  - { op: alltoall, name: first, size: 256B }
  - { op: compute, name: long, time: 400us }
  - { op: alltoall, name: second, size: 256B }
  - { op: compute, name: longer, time: 500us, at: [4] }
  - { op: barrier }
""",
    "long_computations_ideal.yaml": """
fabric: ideal
title: nodes that compute for long, without switches
ideal: { nodes: 5, latency: 20ns }
link: { rate: 51.2Gb/s, flit: 32B }
qos: { levels: { data: { message: 512B } } }
program:
  - { op: compute, name: long, time: 400us }
  - { op: alltoall, name: only, size: 256B }
""",
    # A frame is bad of which the sender learns only after its last word: the receiver's buffers know all the same.
    "optweb_repeats.yaml": """
fabric: optweb
title: words that come late, of which the sender does not know yet
nodes: 3
seed: 6
mode: timing
link: { errors: { rate: 1e-5 } }
switch: { eager_buffer: 1MiB }
observe: { boxes: {} }
program: [ { op: reduce_scatter, size: 4096B } ]
""",
    # Links between any two ranks fail, for good too, and repeat frames; nobody gives up.
    "optweb_failing.yaml": """
fabric: optweb
title: links that fail and make errors under programs
nodes: 5
verify: data
link: { errors: { rate: 1e-6 } }
faults:
  - { at: 'sw[0]-sw[4]', down: 3us, up: 9us }
  - { at: 'sw[2]', down: 20us, up: 22us }
  - { at: 'sw[1]-sw[3]', down: 30us }
program:
  - { op: alltoall, size: 30KiB, receive: 300MiB }
  - { op: broadcast, root: 2, size: 100KiB, receive: 304MiB }
  - { op: allreduce, group: [0, 2, 4], size: 10KiB, receive: 308MiB }
""",
    "optweb_stuck.yaml": """
fabric: optweb
title: nodes that wait for each other
nodes: 5
programs:
  'node[0]': [{ op: send, destination: 1, size: 1KiB }, { op: barrier, group: [0, 4] }]
  'node[1]': [{ op: recv, source: 0, size: 1KiB, receive: 300MiB }, { op: recv, source: 4, size: 1KiB, receive: 301MiB }]
  'node[2]': [{ op: compute, time: 5us }]
  'node[4]': [{ op: recv, source: 1, size: 1KiB, receive: 300MiB }, { op: recv, source: 2, size: 64B, receive: 301MiB }]
""",
    # Several receivers are ready in the same cycle: which of them the gate has waited for does not depend on their ranks.
    "optweb_ready.yaml": """
fabric: optweb
nodes: 4
mode: timing
program:
  - { op: allgather, size: 40KiB }
  - { op: alltoall, size: 40KiB }
observe: { boxes: {} }
""",
    # The link fails for good with words on it, when nothing else is left to happen.
    "optweb_lost.yaml": """
fabric: optweb
nodes: 2
mode: timing
program:
  - { op: transfer, source: 0, destination: 1, size: 64B }
faults: [ { at: 'sw[0]-sw[1]', down: 100cycles } ]
""",
    "optweb_mismatch.yaml": """
fabric: optweb
title: sizes that differ
nodes: 4
programs:
  'node[0]': [{ op: compute, time: 3us }, { op: send, destination: 3, size: 1KiB }]
  'node[3]': [{ op: recv, source: 0, size: 2KiB, receive: 300MiB }]
"""}

# Configuration, options, ranks, exit status.
CASES = [
    ("configs/optweb/collectives_4.yaml", ["measure.sizes=[64B, 24KiB]"], (2, 3, 4), 0),
    ("optweb_mixed.yaml", [], (2, 3, 8), 0),
    # FIFOs of both ends of a link, whose nodes are on different ranks.
    ("configs/optweb/collectives_4.yaml", ["measure.sizes=[24KiB]", "link.serial={fifo: 16}"], (2, 4), 0),
    ("configs/optweb/dragonfly_16.yaml", [], (3,), 0),
    ("configs/optweb/reductions_4.yaml", ["measure.sizes=[4KiB]"], (3,), 0),
    ("configs/optweb/boxes_4.yaml", [], (2,), 0),
    ("configs/optweb/hierarchy_64.yaml", [], (2, 3), 0),
    ("optweb_repeats.yaml", [], (2, 3), 0),
    ("optweb_failing.yaml", [], (2, 5), 0),
    ("optweb_stuck.yaml", [], (2, 3), 1),
    ("optweb_ready.yaml", [], (2, 3), 0),
    ("optweb_lost.yaml", [], (2,), 1),
    ("long_computations.yaml", [], (2, 3), 0),
    ("long_computations_ideal.yaml", [], (2,), 0),
]
# Ranks, and exchanges of each of them at most: windows are much more.
RESTS = [
    ("long_computations.yaml", 2, 5000),
    ("long_computations_ideal.yaml", 2, 500),
    ("optweb_mixed.yaml", 3, 300),
]
REFUSED = [
    ("configs/optweb/collectives_4.yaml", ["sequencer.implementation=rtl"], "--set sequencer.implementation=rtl: error: 2 ranks: RTL in the loop"),
    ("configs/optweb/traffic_8.yaml", [], "messages of nodes"),
    ("configs/optweb/hbm2_4.yaml", [], "hbm2_4.yaml:8:18: error: 2 ranks: the DRAM of 'memory.model: hbm2'"),
    ("configs/optweb/detours_5.yaml", [], "detours_5.yaml:7:9: error: 2 ranks: routes round links that fail"),
]


def check_programs(run, place_of, scratch, wrong):
    """A failure that one rank sees, then windows that are left out."""
    config = place_of("optweb_mismatch.yaml", scratch)
    errors = []
    for n in (1, 3):
        result = run(n, [config], scratch / f"mismatch_{n}")
        errors.append([line for line in result.stderr.splitlines() if "expects 2048 bytes from node 0" in line])
        if result.returncode != 1 or len(errors[-1]) != 1:
            wrong.append(f"sizes that differ on {n} ranks: exit status {result.returncode}\n{result.stderr}")
    if errors[0] != errors[1]:
        wrong.append(f"sizes that differ: {errors}")
    for number, (config, n, most) in enumerate(RESTS):
        out = scratch / f"rests_{number}"
        result = run(n, [place_of(config, scratch)], out)
        exchanges = [r["exchanges"] for r in json.loads((out / "run.json").read_text())["of_ranks"]]
        if result.returncode != 0 or not 0 < max(exchanges) <= most:
            wrong.append(f"{config} on {n} ranks: {exchanges} exchanges, at most {most} expected")
