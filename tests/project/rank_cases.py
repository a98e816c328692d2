"""Networks and options of ranks.py, and the configurations that are written for them."""
import rank_programs

# Configuration, options, ranks, exit status.
IQ = "configs/packet/iq_mesh_8x8.yaml"
PHASES = ["sources.messages=3", "sources.message=256B"]
SHORT = ["run.warm_up=2us", "run.measure=6us"]
CASES = [
    (IQ, SHORT, (2, 3), 0),
    # Worms over several ranks, few places, stages of several cycles, and none.
    (IQ, SHORT + ["topology={kind: torus, dims: [3, 3, 3]}", "qos.levels.data.message=640B", "traffic.0.load=0.3",
                  "switch.iq={vcs: 4, buffer: 192B, stages: {routing: 0cycles, crossbar: 3cycles}}",
                  "observe.message_log=true"], (4, 2), 0),
    # IB-like switches, with a line for every message.
    ("configs/packet/paper_torus_8x8.yaml", ["run.warm_up=5us", "run.measure=10us", "observe.message_log=true"], (2, 3), 0),
    # OPA-like ones, in a tree: some switches have no nodes.
    ("configs/packet/paper_tree_4ary3.yaml", ["switch.architecture=opa", "run.warm_up=5us", "run.measure=10us"], (3,), 0),
    # Profiles over time: of buffers that are looked at, with more windows than one holds; of switches that tell, in a run
    # whose length is decided on the way.
    (IQ, ["run.warm_up=1us", "run.measure=20us", "observe.profile=10ns"], (2, 3), 0),
    ("configs/packet/steady.yaml", ["run.half_width=10%", "observe.profile=1us"], (2, 3), 0),
    # The length of the run is decided on the way.
    ("configs/packet/steady.yaml", ["run.half_width=10%"], (2,), 0),
    ("configs/packet/dragonfly.yaml", [], (2,), 0),
    # Messages of several packets, some of which have left their nodes when the sources stop and the rest is taken back.
    (IQ, SHORT + ["qos.levels.data.message=1KiB", "qos.levels.data.packet=192B", "traffic.0.load=0.9",
                  "observe.message_log=true", "observe.profile=1us"], (2, 3, 4), 0),
    ("configs/packet/paper_torus_8x8.yaml", ["run.warm_up=1us", "run.measure=1us", "observe.message_log=true",
                                             "qos.levels.BE.packet=128B", "qos.levels.CL.packet=64B"], (2, 3), 0),
    # Programs: of nodes with several NICs, on switches that let messages overtake.
    ("configs/packet/graph500_scale20_torus_16.yaml", [], (2, 3), 0),
    # Their NICs are at several switches, which stay together.
    ("nics_apart.yaml", [], (4, 2, 3), 0),
    ("opa_programs.yaml", [], (3, 2), 0),
    ("iq_programs.yaml", [], (2, 3, 16), 0),
    # Programs that wait for each other for ever, and messages that nobody receives.
    ("stuck.yaml", [], (3, 2), 1),
    ("unreceived.yaml", [], (2, 3), 1),
    # Links that fail under messages, on switches and under worms that lie over several ranks; whole switches too.
    ("configs/packet/faults_tree.yaml", ["run.measure=70us", "observe.message_log=true"], (2, 3), 0),
    ("configs/packet/faults_tree.yaml", ["run.measure=70us", "switch.architecture=opa", "qos.levels.long.packet=512B",
                                         "faults.0.up=31us"], (2, 3), 0),
    ("iq_faults.yaml", [], (3, 2, 4), 0),
    ("iq_faults_tree.yaml", [], (2, 3), 0),
    # A message is decided for before its only way is there again, and would be routed behind it.
    ("repaired.yaml", [], (2, 3), 0),
    # Without switches.
    ("configs/ideal/first.yaml", ["run.warm_up=5us", "run.measure=20us", "observe.message_log=true",
                                  "observe.profile=1us"], (2, 3), 0),
    ("ideal_programs.yaml", [], (3, 2), 0),
    # The run ends in the middle of a window, with messages between ranks.
    ("configs/packet/paper_torus_8x8.yaml", ["run.warm_up=2us", "run.measure=15003ns", "run.drain=0ns",
                                             "run.settle=false"], (2,), 0),
    # Circuits with sources of their own: multicasts, phases that follow each other, slots that change on the way, links
    # of different length, boards with slow sources; more ranks than this machine has cores.
    ("configs/tdm/mesh_4x4.yaml", ["switch.serdes=40cycles", "run.warm_up=2us", "run.measure=10us", "sources.interval=1us",
                                   "sources.message=256B", "observe.profile=2us"], (4, 2, 3, 8, 16), 0),
    ("configs/tdm/mesh_4x4.yaml", ["run.warm_up=2us", "run.measure=10us", "sources.interval=1us", "sources.message=256B"], (2, 3), 0),
    ("configs/tdm/phases_8x8.yaml", PHASES + ["observe.message_log=true"], (3, 2), 0),
    ("configs/tdm/phases_8x8.yaml", PHASES + ["setup.mode=preset", "switch.serdes=0cycles"], (4,), 0),
    ("configs/tdm/torus_slot_update.yaml", ["run.warm_up=2us", "run.measure=10us", "sources.interval=3us"], (3,), 0),
    ("configs/tdm/board_fic.yaml", [], (2,), 0),
    ("tdm_adapters.yaml", [], (4, 2), 0),
    # Circuits that come and go: requests that are refused and tried again, slots that change, multicasts, links of different
    # length, failures of links and switches that lie on cuts, more than one at a time; sources that are idle for long.
    ("configs/tdm/setup_4x4.yaml", ["observe.profile=2us"], (3, 2, 8), 0),
    ("configs/tdm/setup_4x4.yaml", ["switch.serdes=0cycles", "switch.pipeline=0cycles"], (2,), 0),
    ("configs/tdm/setup_multicast.yaml", ["observe.profile=5us", "observe.message_log=true"], (2, 4), 0),
    ("configs/tdm/setup_adapters.yaml", [], (2, 3), 0),
    ("configs/tdm/setup_adapters.yaml", ["slots.slot_update=true"], (4, 2), 0),
    ("configs/tdm/setup_faults.yaml", ["slots.slot_update=true"], (2, 3), 0),
    ("setup_faults.yaml", [], (2, 3, 4, 8, 16), 0),
    ("setup_idle.yaml", [], (4, 2), 0),
    # So many requests in a window that ranks tell them in two transfers.
    ("setup_line.yaml", [], (2, 4), 0),
    # Messages over circuits: streams, a run whose length is decided on the way, programs.
    ("configs/tdm/traffic_4x4.yaml", ["switch.serdes=20cycles", "run.warm_up=2us", "run.measure=20us",
                                       "observe.message_log=true", "observe.profile=2us"], (2, 3, 8), 0),
    ("configs/tdm/traffic_4x4.yaml", ["switch.serdes=20cycles", "run.warm_up=20us", "run.measure=20us", "setup.mode=central",
                                      "run.until=steady", "run.half_width=20%"], (2,), 0),
    ("tdm_programs.yaml", [], (4, 2), 0),
    # Everything waits for everything, across ranks.
    ("configs/packet/ring_deadlock.yaml", [], (2,), 1),
    *rank_programs.CASES,
]


# Configurations that are written where the test runs.
GROUP = f"group: {list(range(24))}"
PROGRAMS = f"""
programs:
  'node[0..23]':
    - {{ op: barrier, {GROUP} }}
    - {{ op: alltoall, name: keys, size: 3000B, {GROUP} }}
    - {{ op: compute, name: work, time: 700ns }}
    - {{ op: allreduce, name: sum, size: 5KiB, {GROUP} }}
    - {{ op: alltoall, name: empty, size: 0B, {GROUP} }}
  'node[24]': [{{ op: send, destination: 26, size: 900B, wait: false }}, {{ op: send, destination: 26, size: 64B }}]
  'node[25]': [{{ op: send, destination: 26, size: 64B }}, {{ op: compute, name: more, time: 2us }}]
  'node[26]':
    - {{ op: recv, source: 25, size: 64B }}
    - {{ op: recv, source: 24, size: 900B }}
    - {{ op: recv, source: 24, size: 64B }}
"""
ROUTERS = """
fabric: packet
title: programs on routers
topology: { kind: torus, dims: [3, 3, 3] }
switch: { architecture: iq, iq: { vcs: 4, buffer: 256B } }
qos: { levels: { data: { message: 512B, packet: 192B } } }
endpoints: { send_overhead: 20ns, receive_overhead: 30ns, combine: 2cycles }
observe: { profile: 500ns }
"""
SWITCHES = """
fabric: packet
title: programs on switches
topology: { kind: tree, arity: 3, levels: 3 }
switch: { architecture: opa }
qos: { levels: { data: { message: 512B } } }
"""
FAULTY = """
fabric: packet
title: routers whose links fail
switch: { architecture: iq, iq: { vcs: 4, buffer: 256B } }
qos: { levels: { short: { message: 64B }, long: { message: 2KiB, packet: 640B } } }
traffic: [{ level: short, load: 0.05 }, { level: long, load: 0.15 }]
run: { warm_up: 5us, measure: 25us, drain: 20us }
observe: { message_log: true }
"""
WRITTEN = {
    "iq_programs.yaml": ROUTERS + PROGRAMS,
    "stuck.yaml": SWITCHES + f"""
programs:
  'node[0..23]': [{{ op: barrier, {GROUP} }}, {{ op: compute, name: work, time: 1us }}]
  'node[24]': [{{ op: recv, source: 3, size: 64B }}, {{ op: send, destination: 0, size: 64B }}]
  'node[25]': [{{ op: recv, source: 24, size: 192B }}]
""",
    "unreceived.yaml": SWITCHES + """
programs:
  'node[0]': [{ op: send, destination: 17, size: 1KiB }, { op: send, destination: 26, size: 64B }]
  'node[17]': [{ op: compute, name: work, time: 1us }]
""",
    "iq_faults.yaml": """
topology: { kind: torus, dims: [3, 3, 3] }
routing: { algorithm: up_down }
faults:
  - { at: 'sw[0].port1', down: 3001cycles, up: 4000cycles }
  - { at: 'sw[13]', down: 3500cycles, up: 5004cycles }
  - { at: 'sw[5]-sw[8]', down: 5005cycles }
  - { at: 'nic[20]', down: 6000cycles, up: 6001cycles }
""" + FAULTY,
    "ideal_programs.yaml": """
fabric: ideal
title: programs without switches
ideal: { nodes: 27, latency: 100ns }
link: { rate: 51.2Gb/s, flit: 32B }
qos: { levels: { data: { message: 2KiB } } }
observe: { profile: 500ns }
""" + PROGRAMS,
    "tdm_programs.yaml": """
fabric: tdm
title: programs over circuits that are set up first
topology: { kind: mesh, dims: [4, 4] }
switch: { slots: 18, serdes: 4cycles }
slots: { allocator: search }
observe: { profile: 500ns }
program:
  - { op: broadcast, name: parameters, root: 5, size: 512B }
  - { op: sendrecv, name: halo, shift: 1, size: 1KiB }
  - { op: compute, time: 2us }
  - { op: allreduce, name: residual, size: 8B }
  - { op: alltoall, name: transpose, size: 256B }
""",
    # Every link lies on the way of several circuits, so whatever is cut, failures are on cuts.
    "setup_faults.yaml": """
fabric: tdm
title: failures under circuits that come and go
topology: { kind: torus, dims: [4, 4] }
switch: { slots: 6, serdes: 9cycles }
setup: { mode: in_network, processing: 3cycles, backoff: 40cycles, routes: 2 }
observe: { profile: 3us }
sources: { arrivals: poisson, interval: 2us, message: 2KiB, messages: 12 }
circuits:
  - { flow: far0, source: 0, destination: 10, slots: 2 }
  - { flow: far1, source: 1, destination: 11, slots: 2 }
  - { flow: far2, source: 2, destination: 8, slots: 2 }
  - { flow: far3, source: 3, destination: 9, slots: 2 }
  - { flow: far4, source: 4, destination: 14, slots: 2 }
  - { flow: far5, source: 7, destination: 13, slots: 2 }
  - { flow: far6, source: 15, destination: 5, slots: 2 }
  - { flow: far7, source: 12, destination: 6, slots: 2 }
  - { flow: near0, source: 0, destination: 1 }
  - { flow: near1, source: 1, destination: 2 }
  - { flow: near2, source: 6, destination: 5 }
  - { flow: near3, source: 9, destination: 10 }
  - { flow: near4, source: 10, destination: 14 }
  - { flow: near5, source: 13, destination: 12 }
  - { flow: near6, source: 8, destination: 4 }
  - { flow: near7, source: 5, destination: 6 }
  - { flow: spread, source: 3, destinations: [1, 6, 12, 15], changes: [{ at: 12us, slots: 2 }] }
  - { flow: wide, source: 11, destinations: [0, 9], slots: 2 }
faults:
  - { at: 'sw[0]-sw[1]', down: 3us, up: 9us }
  - { at: 'sw[1]', down: 4us, up: 6us }
  - { at: 'sw[6]', down: 4us, up: 4010ns }
  - { at: 'sw[9]-sw[10]', down: 8us, up: 8005ns }
  - { at: 'sw[4]-sw[8]', down: 8005ns, up: 20us }
  - { at: 'nic[15]', down: 10us, up: 12us }
  - { at: 'sw[13]', down: 14us, up: 15us }
  - { at: 'sw[2]-sw[3]', down: 16us }
""",
    "repaired.yaml": """
fabric: packet
seed: 6
topology: { kind: full_mesh, switches: 5 }
link: { delay: 2cycles }
qos: { levels: { l0: { message: 64B } } }
traffic: [ { level: l0, load: 0.30 } ]
faults: [ { at: 'sw[0].port0', down: 147cycles, up: 239cycles } ]
run: { warm_up: 2us, measure: 10us, drain: 40us }
""",
    "setup_line.yaml": """
fabric: tdm
title: requests that crowd a link
topology: { kind: mesh, dims: [4] }
switch: { slots: 2, serdes: 11cycles, pipeline: 0cycles }
setup: { mode: in_network, processing: 3cycles, backoff: 10cycles, tries: 60, routes: 1 }
sources: { arrivals: saturated, message: 700B, messages: 9 }
circuits:
  - { flow: f0, source: 2, destination: 3, slots: 2, start: 1us }
  - { flow: f1, source: 1, destination: 2, slots: 1, start: 2us }
  - { flow: f2, source: 2, destination: 0, slots: 1, start: 2us, changes: [{ at: 4us, slots: 1 }] }
  - { flow: f3, source: 0, destination: 3, slots: 2, start: 2us }
  - { flow: f4, source: 3, destinations: [1, 0], slots: 1, start: 1us, changes: [{ at: 5us, slots: 2 }] }
  - { flow: f5, source: 1, destination: 2, slots: 1, start: 1us }
  - { flow: f6, source: 2, destination: 0, slots: 2, start: 3us }
  - { flow: f7, source: 3, destination: 2, slots: 2, start: 3us }
  - { flow: f8, source: 3, destination: 0, slots: 2, start: 0us }
  - { flow: f9, source: 0, destinations: [3, 2, 1], slots: 1, start: 0us }
faults:
  - { at: 'sw[0]-sw[1]', down: 231cycles, up: 236cycles }
adapters: [{ at: 'sw[0]-sw[1]', delay: 2cycles }, { at: 'nic[0]', delay: 9cycles }]
""",
    "setup_idle.yaml": """
fabric: tdm
title: a few messages, long apart
topology: { kind: mesh, dims: [4, 4] }
switch: { slots: 4, serdes: 4cycles }
setup: { mode: in_network }
sources: { arrivals: poisson, interval: 900us, message: 256B, messages: 3 }
circuits:
  - { flow: a, source: 0, destination: 15 }
  - { flow: b, source: 3, destination: 12, start: 2ms }
faults: [{ at: 'sw[5]-sw[6]', down: 800us, up: 1ms }]
""",
    "nics_apart.yaml": """
fabric: packet
title: nodes with NICs at two switches
topology: { kind: torus, dims: [2, 4] }
qos: { levels: { data: { message: 512B } } }
endpoints: { nics: 2, combine: 2cycles }
programs:
  'node[0..3]':
    - { op: alltoall, name: keys, size: 3000B, group: [0, 1, 2, 3] }
    - { op: compute, name: work, time: 700ns }
    - { op: allreduce, name: sum, size: 5KiB, group: [0, 1, 2, 3] }
""",
    "nics.yaml": """
fabric: packet
title: two nodes that share a switch
topology: { kind: mesh, dims: [3], nodes_per_switch: 2 }
qos: { levels: { data: { message: 512B } } }
endpoints: { nics: 3 }
programs:
  'node[0]': [{ op: send, destination: 1, size: 1KiB }]
  'node[1]': [{ op: recv, source: 0, size: 1KiB }]
""",
    "tdm_adapters.yaml": """
fabric: tdm
title: links of different length
topology: { kind: mesh, dims: [3, 3] }
switch: { slots: 8, serdes: 4cycles }
setup: { mode: preset }
adapters: [{ at: 'sw[1]-sw[2]', delay: 300ns }, { at: 'sw[4]', delay: 7cycles }, { at: 'nic[8]', delay: 120ns }]
sources: { message: 2KiB, messages: 4 }
circuits:
  - { flow: far, source: 0, destination: 8, slots: 2 }
  - { flow: long, source: 0, destination: 2, slots: 2 }
  - { flow: back, source: 8, destination: 0 }
  - { flow: spread, source: 3, destinations: [2, 5, 8] }
""",
    "iq_faults_tree.yaml": """
topology: { kind: tree, arity: 3, levels: 3 }
routing: { algorithm: valiant, no_way: wait }
faults:
  - { at: 'sw[0].port4', down: 3000cycles }
  - { at: 'sw[13]', down: 3501cycles, up: 5004cycles }
  - { at: 'nic[20]', down: 4000cycles }
""" + FAULTY,
    "opa_programs.yaml": SWITCHES + PROGRAMS,
    **rank_programs.WRITTEN}
