#!/usr/bin/env python3
"""Blocks of users against an installed Weft: the examples own_scheduler and own_router, a block in each place of a network,
and what is said about modules that do not fit.

usage: check_own_rtl.py <source folder> <folder with the installation in prefix/ and both examples, built>
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

source, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])
weft = work / "prefix" / "bin" / "weft"
example = work / "own_scheduler"
failures = []


def expect(right, text):
    if not right:
        failures.append(text)


def call(program, *arguments, folder=example, status=0):
    """Standard output and standard error."""
    result = subprocess.run([str(program), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=900)
    if result.returncode != status:
        failures.append(f"{program} {' '.join(map(str, arguments))}: status {result.returncode} instead of {status}\n"
                        f"{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return result.stdout + result.stderr


def run(*arguments, folder=example, program=weft):
    report, _ = json.JSONDecoder().raw_decode(call(program, "run", *arguments, "--json", "--no-files", folder=folder))
    return report  # warnings stand behind it


def results(report):
    """Without the line and the tables that say which implementations ran."""
    ran = ("lockstep", "lockstep_coverage")
    return {"figures": {k: v for k, v in report["figures"].items() if k != "lockstep"},
            "tables": {k: v for k, v in report["tables"].items() if k not in ran}}


def compared(report, block):
    for row in report["tables"]["lockstep"]["rows"]:
        if row["block"] == block:
            return row["cycles_compared"] + row["requests_compared"]
    failures.append(f"no lockstep pairs of {block}: {report['tables']['lockstep']['rows']}")
    return 0


def instance(implementation, rtl):
    return f'qos.dtable.instances={{"sw[5].port1": {{implementation: {implementation}, rtl: {rtl}}}}}'


def check_example():
    plugin = ("--plugin", "build/libmy_dtable.so")
    text = (example / "network.yaml").read_text()
    (example / "models.yaml").write_text(re.sub(r"    instances:\n.*\n", "", text))
    model = run("models.yaml")
    linked = run("network.yaml", program=example / "build" / "own_scheduler")
    loaded = run("network.yaml", *plugin)
    expect(linked == loaded, "the program with the block and the plug-in give different reports")
    expect(compared(loaded, "dtable (my_dtable)") > 1000, "hardly anything was compared")
    covers = {row["property"]: row for row in loaded["tables"]["lockstep_coverage"]["rows"]}
    expect({name: row["reached"] for name, row in covers.items()} == {"c_goes_on": 1, "c_next_sl": 1, "c_saturates": 0},
           f"other cover properties: {covers}")
    expect("sw[5].port1: lockstep (my_dtable)" in loaded["implementation"], loaded["implementation"])
    alone = run("models.yaml", *plugin, "--set", "qos.dtable={implementation: rtl, rtl: my_dtable}")
    expect(results(model) == results(loaded), "lockstep changes the results")
    expect(results(model) == results(alone), "a network of my_dtable differs from one of models")

    call(weft, "run", "network.yaml", *plugin, "--waves", "w.fst", "--out", "out", "--overwrite")
    view = (example / "w.gtkw").read_text()
    expect("dtable_rtl.my_dtable.active_i[15:0]" in view, "the view has no pins of my_dtable:\n" + view)
    signals = call("fst2vcd", "w.fst")
    expect("$scope module my_dtable $end" in signals and " left_q " in signals, "the waveform has no registers of my_dtable")

    # One wrong bit: the same cycle with and without waves, in both programs; alone it is only other results.
    buggy = ("network.yaml", "--plugin", "build/libmy_dtable_buggy.so", "--set", instance("lockstep", "my_dtable_buggy"))
    said = call(weft, "run", *buggy, "--out", "bug", "--overwrite", status=1)
    found = re.search(r"lockstep difference in packet\.sw\[5\]\.out\[1\] at [0-9.]+ ?[a-z]*s \(cycle (\d+)\)\n"
                      r"  active SLs, with the credits of their head messages: SL \d: \d+.*\n  model after this step: .*\n"
                      r"  model grants .*\n  rtl grants .*", said)
    expect(found, "the planted bug is not reported:\n" + said)
    if found:
        again = call(weft, "run", *buggy, "--waves", "bug.fst", "--out", "bug", "--overwrite", status=1)
        expect(f"(cycle {found[1]})" in again, f"another cycle with waves than {found[1]}:\n{again}")
        end = [int(t) for t in re.findall(r"^#(\d+)$", call("fst2vcd", "bug.fst"), re.MULTILINE)][-1]
        expect(end == (int(found[1]) + 1) * 5120, f"the waveform ends at {end} ps, not after cycle {found[1]}")
    wrong = run(*buggy[:-1], instance("rtl", "my_dtable_buggy"))
    expect(results(wrong) != results(model), "the bug changes nothing")

    # A sweep hands the plug-in on to its runs, and runs them again when the plug-in has changed.
    (example / "loads.yaml").write_text("sweep: network.yaml\naxes: [ { key: traffic.0.load, name: load, values: [0.05, 0.1] } ]\n"
                                        "seeds: 1\nmetrics: { latency: { path: sections.run.latency_mean } }\n")
    sweep = ("sweep", "loads.yaml", "--out", "loads")
    expect("run now                      2" in call(weft, *sweep, *plugin), "the sweep has not run")
    expect("run now                      0" in call(weft, *sweep, *plugin), "the sweep has run again")
    more = ("--plugin", "build/libmy_dtable_buggy.so")
    expect("run now                      2" in call(weft, *sweep, *plugin, *more), "the sweep has not run with other plug-ins")

    # Names and files that are not there.
    said = call(weft, "check", "network.yaml", "--set", instance("lockstep", "my_dtabel"), *plugin, status=2)
    expect("no RTL block 'my_dtabel' is registered for the Deficit Table; did you mean 'my_dtable'?" in said, said)
    said = call(weft, "check", "network.yaml", status=2)
    expect(re.search(r"network\.yaml:\d+:\d+: error: no RTL block 'my_dtable'.*--plugin FILE loads one", said), said)
    said = call(weft, "check", "network.yaml", "--plugin", "nothere.so", status=2)
    expect("plug-in nothere.so: there is no such file" in said, said)
    said = call(weft, "check", "network.yaml", "--plugin", "network.yaml", status=2)
    expect("plug-in network.yaml: cannot be loaded" in said, said)
    # Built for another version: refused before anything of it runs.
    version = re.search(r"\d+\.\d+\.\d+", call(weft, "--version"))[0].encode()
    library = (example / "build" / "libmy_dtable.so").read_bytes()
    other = re.sub(rb"(?<![0-9.])" + re.escape(version) + rb"\0\0", b"9" + version[1:] + b"\0\0", library)
    expect(other != library, "the plug-in has no version")
    (example / "build" / "libother.so").write_bytes(other)
    said = call(weft, "check", "network.yaml", "--plugin", "build/libother.so", status=2)
    expect(f"plug-in build/libother.so: it was built for weft 9{version[1:].decode()}, this is weft {version.decode()}" in said, said)
    # Built against other headers of the same version.
    headers = (work / "prefix" / "include" / "weft" / "cosim" / "common" / "headers_hash.h").read_text()
    number = int(re.search(r"kHeaders = (0x[0-9a-f]+);", headers)[1], 16)
    other = library.replace(number.to_bytes(8, "little"), (number ^ 1).to_bytes(8, "little"))
    expect(other != library, "the plug-in has no number of its headers")
    (example / "build" / "libother.so").write_bytes(other)
    said = call(weft, "check", "network.yaml", "--plugin", "build/libother.so", status=2)
    expect(f"it was built against other headers of weft {version.decode()}; build it again" in said, said)
    said = call(weft, "check", "network.yaml", *plugin, "--set", instance("model", "my_dtable"))
    expect("qos.dtable.instances.sw[5].port1.rtl has no effect with implementation 'model'" in said, said)
    said = call(weft, "check", "network.yaml", *plugin, "--set", "qos.dtable.counter_bits=8", status=2)
    expect("counters of 8 bits; the compiled RTL has 17 bits" in said, said)
    call(weft, "check", "network.yaml", *plugin, *plugin)  # twice the same is once


def check_router():
    folder = work / "own_router"

    def in_place(implementation, rtl):
        return f'switch.iq.instances={{"sw[27]": {{router: {{implementation: {implementation}, rtl: {rtl}}}}}}}'

    plugin = ("--plugin", "build/libmy_router.so")
    text = (folder / "network.yaml").read_text()
    (folder / "models.yaml").write_text(re.sub(r"    instances:\n.*\n", "", text))
    model = run("models.yaml", folder=folder)
    linked = run("network.yaml", program=folder / "build" / "own_router", folder=folder)
    loaded = run("network.yaml", *plugin, folder=folder)
    expect(linked == loaded, "the program with the router and the plug-in give different reports")
    expect(compared(loaded, "iq_router (my_router)") > 1000, "hardly anything was compared of the router")
    expect("sw[27]: lockstep (my_router)" in loaded["implementation"], loaded["implementation"])
    expect(results(model) == results(loaded), "a router in lockstep changes the results")
    # Alone it tells of a packet on a link when that leaves its output stages, and holds its flits until then: only the
    # edges of the window and the flits in its buffers differ.
    alone = run("network.yaml", *plugin, "--set", in_place("rtl", "my_router"), folder=folder)
    for report in (model, alone):
        report["tables"].pop("links")
        report["tables"].pop("switches")
    expect(results(model) == results(alone), "my_router alone changes latencies")

    call(weft, "run", "network.yaml", *plugin, "--waves", "w.fst", "--out", "out", "--overwrite", folder=folder)
    view = (folder / "w.gtkw").read_text()
    expect("router[27].iq_router_rtl.my_router.flit_valid_o[4:0]" in view, "the view has no pins of my_router:\n" + view)
    signals = call("fst2vcd", "w.fst", folder=folder)
    expect("$scope module my_router $end" in signals and " sent_q " in signals, "the waveform has no registers of my_router")

    buggy = ("network.yaml", "--plugin", "build/libmy_router_buggy.so", "--set", in_place("lockstep", "my_router_buggy"))
    said = call(weft, "run", *buggy, "--out", "bug", "--overwrite", folder=folder, status=1)
    found = re.search(r"lockstep difference in packet\.router\[27\] at [0-9.]+ ?[a-z]*s \(cycle (\d+)\)\n  inputs:.*\n(    .*\n)*"
                      r"  model shows.*\n(    .*\n)*  rtl shows", said)
    expect(found, "the planted bug of the router is not reported:\n" + said)
    if found:
        again = call(weft, "run", *buggy, "--waves", "bug.fst", "--out", "bug", "--overwrite", folder=folder, status=1)
        expect(f"(cycle {found[1]})" in again, f"another cycle with waves than {found[1]}:\n{again}")
        end = [int(t) for t in re.findall(r"^#(\d+)$", call("fst2vcd", "bug.fst", folder=folder), re.MULTILINE)][-1]
        expect(end == (int(found[1]) + 1) * 5120, f"the waveform ends at {end} ps, not after cycle {found[1]}")
    wrong = run(*buggy[:-1], in_place("rtl", "my_router_buggy"), folder=folder)
    wrong["tables"].pop("links")
    expect(results(wrong) != results(model), "the bug of the router changes nothing")
    said = call(weft, "check", "network.yaml", *plugin, "--set", "switch.iq.vcs=4", folder=folder, status=2)
    expect(re.search(r"error: switch\.iq\.vcs: 4 VCs; the compiled RTL has 2", said), said)


PLACES = {
    "tdm": ("fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nsetup: { mode: central }\n"
            "switch:\n  slots: 8\n  instances:\n    'sw[4]': { data_path: { implementation: I, rtl: own_switch }, "
            "slot_lut: { implementation: I, rtl: late_lut } }\n"
            "host_interface: { instances: { 'node[3..5]': { implementation: I, rtl: own_host } } }\n"
            "circuits: [ { source: 3, destination: 5 }, { source: 1, destination: 7 } ]\nsources: { messages: 20 }\n",
            {"data_path (own_switch)", "slot_lut (late_lut)", "host_interface (own_host)"}),
    "setup": ("fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nswitch:\n  slots: 4\n  setup_unit: { implementation: I, rtl: own_setup }\n"
              "setup: { mode: in_network, backoff: 10cycles }\nsources: { messages: 20 }\n"
              "circuits: [ { source: 0, destinations: [2, 5] }, { source: 3, destination: 2, slots: 3 } ]\n",
              {"setup_unit (own_setup)"}),
    # Sizes that are not compiled: link.gap, the memory.
    "optweb": ("fabric: optweb\nnodes: 4\nlink: { gap: 3 }\nmemory: { capacity: 4GiB }\ninstances:\n  'node[1..2]':\n    sequencer: { implementation: I, rtl: own_sequencer }\n"
               "    stripe_address: { implementation: I, rtl: own_stripes }\n    link: { implementation: I, rtl: own_sync }\n"
               "    switch: { implementation: I, rtl: own_control }\n"
               "program:\n  - { op: barrier }\n  - { op: alltoall, size: 4KiB }\n",
               {"command_sequencer (own_sequencer)", "stripe_address (own_stripes)", "link_sync (own_sync)",
                "switch_control (own_control)"}),
    "packet": ("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\nqos:\n  levels: { a: { message: 64B }, b: { message: "
               "512B } }\n  scheduler: dtable\n  dtable:\n    table: [ { sl: a, weight: 3 }, { sl: b, weight: 9 } ]\n"
               "    instances: { 'sw[0..3]': { implementation: I, rtl: late_dtable } }\n"
               "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.4 } ]\nrun: { measure: 20us }\n",
               {"dtable (late_dtable)"}),
    # The same, switch.output_buffer.
    "egress_port": ("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\nqos:\n  levels: { a: { message: 64B, quantum: 3 }, b: { "
                    "message: 512B, quantum: 9 } }\n  scheduler: drr\n"
                    "switch: { output_buffer: 9KiB, input_buffer: 2KiB, egress: { implementation: I, rtl: own_egress } }\n"
                    "nic: { input_buffer: 2KiB }\n"
                    "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.4 } ]\nrun: { measure: 20us }\n",
                    {"egress_port (own_egress)"}),
    "drr": ("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\nqos:\n  levels: { a: { message: 64B, quantum: 3 }, b: { "
            "message: 512B, quantum: 9 } }\n  scheduler: drr\n  drr:\n    instances: { 'sw[0..3]': { implementation: I, rtl: "
            "late_drr }, 'nic[1]': { implementation: I, rtl: own_drr } }\n"
            "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.4 } ]\nrun: { measure: 20us }\n",
            {"drr (late_drr)", "drr (own_drr)"}),
    "ib_arbiter": ("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\nqos:\n  levels: { a: { message: 64B }, b: { message: "
                   "512B } }\n  scheduler: ib_arbiter\n  ib_arbiter:\n    high: [ { sl: a, weight: 3 } ]\n    low: [ { sl: b, "
                   "weight: 9 }, { sl: a, weight: 1 } ]\n    limit_of_high_priority: 0\n"
                   "    instances: { 'sw[0..3]': { implementation: I, rtl: own_arbiter } }\n"
                   "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.4 } ]\nrun: { measure: 20us }\n",
                   {"ib_arbiter (own_arbiter)"}),
}
# Blocks that answer a cycle later than Weft's.
LATE_DTABLE = """module late_dtable (
  input logic clk_i, input logic rst_ni, input logic cfg_we_i, input logic [5:0] cfg_index_i, input logic [3:0] cfg_sl_i,
  input logic [15:0] cfg_weight_i, input logic decide_i, input logic [15:0] active_i, input logic [255:0] size_i,
  output logic grant_o, output logic [3:0] grant_sl_o, output logic saturated_o);
  logic grant, saturated;
  logic [3:0] sl;
  dtable #(.NumSl(16), .NumEntries(64), .WeightW(16), .SizeW(16), .CountW(17)) core (
    .clk_i, .rst_ni, .cfg_we_i, .cfg_index_i, .cfg_sl_i, .cfg_weight_i, .decide_i, .active_i, .size_i,
    .grant_o(grant), .grant_sl_o(sl), .saturated_o(saturated));
  always_ff @(posedge clk_i) {grant_o, grant_sl_o, saturated_o} <= {grant, sl, saturated};
endmodule
"""
LATE_DRR = """module late_drr (
  input logic clk_i, input logic rst_ni, input logic cfg_we_i, input logic [2:0] cfg_sl_i, input logic [9:0] cfg_weight_i,
  input logic decide_i, input logic [7:0] active_i, input logic [79:0] size_i,
  output logic grant_o, output logic [2:0] grant_sl_o, output logic saturated_o);
  logic grant, saturated;
  logic [2:0] sl;
  drr #(.NumSl(8), .WeightW(10), .SizeW(10), .CountW(11)) core (
    .clk_i, .rst_ni, .cfg_we_i, .cfg_sl_i, .cfg_weight_i, .decide_i, .active_i, .size_i,
    .grant_o(grant), .grant_sl_o(sl), .saturated_o(saturated));
  always_ff @(posedge clk_i) {grant_o, grant_sl_o, saturated_o} <= {grant, sl, saturated};
endmodule
"""
LATE_LUT = """module late_lut (
  input logic clk_i, input logic rst_ni, input logic req_valid_i, input logic [1:0] req_op_i, input logic [3:0] req_row_i,
  input logic [7:0] req_slots_i, output logic rsp_valid_o, output logic rsp_ok_o, output logic [7:0] rsp_free_o,
  output logic [2:0] rsp_first_o);
  logic valid, ok;
  logic [7:0] free;
  logic [2:0] first;
  slot_lut #(.Rows(10), .Slots(8)) core (.clk_i, .rst_ni, .req_valid_i, .req_op_i, .req_row_i, .req_slots_i,
    .rsp_valid_o(valid), .rsp_ok_o(ok), .rsp_free_o(free), .rsp_first_o(first));
  always_ff @(posedge clk_i) {rsp_valid_o, rsp_ok_o, rsp_free_o, rsp_first_o} <= {valid, ok, free, first};
endmodule
"""
HEAD = "cmake_minimum_required(VERSION 3.25)\nproject(places LANGUAGES C CXX)\nfind_package(weft 0.2 REQUIRED CONFIG)\n" \
       "set(rtl ${weft_DIR}/../../../share/weft/rtl)\n"


def configure(folder, text, status=0):
    folder.mkdir(exist_ok=True)
    (folder / "CMakeLists.txt").write_text(HEAD + text)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if os.environ.get("WEFT_CCACHE") else []
    said = call("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={work / 'prefix'}", "-DCMAKE_BUILD_TYPE=Debug",
                *launcher, folder=folder, status=status)
    return re.sub(r"\s+", " ", said)  # cmake breaks lines


# A ring of routers with three ports: no compiled size.
RING = ("fabric: packet\ntopology: { kind: torus, dims: [4] }\nrouting: { ring: dateline }\nswitch:\n  architecture: iq\n"
        "  iq: { vcs: 2, buffer: 128B, router: { implementation: I } }\n"
        "qos: { levels: { a: { message: 256B } } }\ntraffic: [ { level: a, load: 0.2 } ]\nrun: { measure: 20us }\n")


def block_calls(folder, yaml, names):
    """The calls that make Weft's RTL in the sizes that a refused network needs, as the messages say them. `names`: of the
    blocks, by place."""
    (folder / "refused.yaml").write_text(re.sub(r", rtl: \w+", "", yaml).replace(": I,", ": rtl,").replace(": I ", ": rtl "))
    said = call(weft, "check", "refused.yaml", folder=folder, status=2)
    calls = ""
    for place, name in names.items():
        found = re.search(rf"weft_add_block\(\w+ (PLACE {place} PARAMETERS [^)]*)\) makes a block of this size", said)
        expect(found, f"no call of weft_add_block for {place}:\n{said}")
        calls += f"weft_add_block({name} {found[1]})\n"
    return calls


def check_ring(folder, plugins):
    reports = {}
    for implementation in ("model", "rtl", "lockstep"):
        own = implementation if implementation == "model" else implementation + ", rtl: own_router"
        (folder / "ring.yaml").write_text(RING.replace(": I ", f": {own} "))
        reports[implementation] = run("ring.yaml", *plugins, folder=folder)
    expect(compared(reports["lockstep"], "iq_router (own_router)") > 1000, "hardly anything was compared of own_router")
    expect(results(reports["lockstep"]) == results(reports["model"]), "own_router in lockstep changes the results")
    expect(results(reports["rtl"]) == results(reports["model"]), "own_router alone changes the results")


def check_places():
    folder = work / "places"
    folder.mkdir()
    (folder / "late_dtable.sv").write_text(LATE_DTABLE)
    (folder / "late_drr.sv").write_text(LATE_DRR)
    (folder / "late_lut.sv").write_text(LATE_LUT)
    calls = (block_calls(folder, RING, {"iq_router": "own_router"})
             + block_calls(folder, PLACES["egress_port"][0], {"egress_port": "own_egress"})
             + block_calls(folder, PLACES["optweb"][0], {"link_sync": "own_sync", "stripe_address": "own_stripes"}))
    configure(folder, calls + """
weft_add_block(own_switch PLACE data_path PARAMETERS Ports=5 Slots=8)
weft_add_block(late_lut PLACE slot_lut TOP late_lut SOURCES late_lut.sv ${rtl}/tdm/slot_lut.sv
               ${rtl}/common/onehot_index.sv SIZES Rows=10 Slots=8 LATENCY 1)
weft_add_block(own_host PLACE host_interface PARAMETERS Links=1 Slots=8 Circuits=8 Messages=1)
weft_add_block(own_setup PLACE setup_unit PARAMETERS Ports=5 Slots=4 Circuits=20)
weft_add_block(late_dtable PLACE dtable TOP late_dtable SOURCES late_dtable.sv ${rtl}/packet/dtable.sv
               ${rtl}/common/onehot_index.sv SIZES NumSl=16 NumEntries=64 WeightW=16 SizeW=16 CountW=17 LATENCY 1)
weft_add_block(late_drr PLACE drr TOP late_drr SOURCES late_drr.sv ${rtl}/packet/drr.sv
               ${rtl}/common/onehot_index.sv SIZES NumSl=8 WeightW=10 SizeW=10 CountW=11 LATENCY 1)
weft_add_block(own_drr PLACE drr PARAMETERS NumSl=2 WeightW=4 SizeW=4 CountW=5)
weft_add_block(own_arbiter PLACE ib_arbiter PARAMETERS NumSl=4 NumEntries=5 SizeW=7)
weft_add_block(own_control PLACE switch_control PARAMETERS Ports=6)
weft_add_block(own_sequencer PLACE command_sequencer TOP command_sequencer SOURCES ${rtl}/optweb/command_sequencer.sv
               PARAMETERS Depth=256 AddrW=40 NodeW=10 GroupW=10 FlagsW=8 TimeW=32 NO_TRACE)
weft_add_plugin(my_blocks BLOCKS own_switch late_lut own_host own_setup late_dtable late_drr own_drr own_egress own_arbiter
                own_sync own_stripes own_control own_sequencer own_router)
""")
    call("cmake", "--build", "build", "-j", "2", "--target", "my_blocks_plugin", folder=folder)
    plugins = ["--plugin", "build/libmy_blocks.so"]
    for name, (yaml, blocks) in PLACES.items():
        reports = {}
        for implementation in ("model", "rtl", "lockstep"):
            (folder / "net.yaml").write_text(yaml.replace(": I,", f": {implementation},"))
            reports[implementation] = run("net.yaml", *plugins, folder=folder)
        for implementation in ("rtl", "lockstep"):
            expect(results(reports[implementation]) == results(reports["model"]), f"{name}: {implementation} differs from model")
        for block in blocks:
            expect(compared(reports["lockstep"], block) > 0, f"{name}: nothing was compared of {block}")
    check_ring(folder, plugins)
    # What a block of the user does not take is told where the file says it.
    for name, key, says in (
            ("drr", "qos.levels.b.quantum=16", r"qos\.levels\.b\.quantum: quantum 16; the compiled RTL takes at most 15"),
            ("ib_arbiter", "qos.ib_arbiter.low=[" + ", ".join(6 * ["{sl: b, weight: 1}"]) + "]",
             r"qos\.ib_arbiter\.low: a table of 6 entries; the compiled RTL has 5")):
        (folder / "net.yaml").write_text(PLACES[name][0].replace(": I,", ": lockstep,"))
        said = call(weft, "check", "net.yaml", *plugins, "--set", key, folder=folder, status=2)
        expect(re.search(rf"--set {re.escape(key)}: error: {says}", said), said)


def check_misfits():
    folder = work / "misfits"
    folder.mkdir()
    text = (example / "my_dtable.sv").read_text()
    (folder / "my_dtable.sv").write_text(text)
    (folder / "stops.sv").write_text(text.replace("      decisions_q <= decisions_q + 1;\n",
                                                  "      decisions_q <= decisions_q + 1;\n      if (decisions_q == 300) $stop;\n"))
    (folder / "narrow.sv").write_text(re.sub(r"(parameter int unsigned SizeW +=) 16", r"\1 8", text))
    (folder / "renamed.sv").write_text(text.replace("saturated_o", "full_o").replace(
        "  input  logic                   decide_i,", "  input  logic                   decide_i,\n  input  logic extra_i,").replace(
        "assign grant_o     = rst_ni &&", "assign grant_o     = rst_ni && !extra_i &&"))
    sizes = "NumSl=16 NumEntries=64 WeightW=16 SizeW=16 CountW=17"
    block = "weft_add_block({0} PLACE dtable TOP my_dtable SOURCES {1}.sv {2})\n"
    configure(folder, block.format("stops", "stops", "PARAMETERS " + sizes)
              + block.format("no_module", "my_dtable", "PARAMETERS " + sizes).replace("TOP my_dtable", "TOP nothere")
              + block.format("narrow", "narrow", "PARAMETERS NumSl=16 NumEntries=64 WeightW=16 CountW=17 SIZES SizeW=16")
              + block.format("unknown", "my_dtable", f"PARAMETERS {sizes} Levels=16")
              + block.format("renamed", "renamed", "PARAMETERS " + sizes))

    def build(target, status=2):
        return call("cmake", "--build", "build", "--target", target, folder=folder, status=status)

    said = build("no_module_verilated")
    expect("nothere" in said and "Error" in said, "a missing module:\n" + said)
    said = build("narrow_verilated")
    expect("module my_dtable cannot stand in a place 'dtable'" in said and "size_i: has 128 bits, not 256" in said, said)
    said = build("unknown_verilated")
    expect("Levels" in said, "an unknown parameter:\n" + said)
    said = build("renamed_verilated")
    for words in ("saturated_o: missing, output of 1 bits", "extra_i: input that nobody drives"):
        expect(words in said, f"should say '{words}':\n{said}")
    build("stops_plugin", status=0)
    said = call(weft, "run", example / "network.yaml", "--plugin", "build/libstops.so", "--set", instance("rtl", "stops"), "--out", "stops", "--overwrite",
                folder=folder, status=1)
    expect(re.search(r"the RTL of packet\.sw\[5\]\.out\[1\] has stopped at .*\(cycle \d+\)\n.*stops\.sv:\d+: \$stop", said), said)

    for arguments, words in (
            ("PLACE dtabel TOP my_dtable SOURCES my_dtable.sv", "there is no place 'dtabel'; there is command_sequencer"),
            ("PLACE dtable TOP my_dtable SOURCES my_dtable.sv PARAMETERS NumSl=16",
             "a place 'dtable' needs NumEntries: PARAMETERS NumEntries=..., or SIZES if the module has no such parameter"),
            (f"PLACE dtable TOP my_dtable SOURCES none.sv PARAMETERS {sizes}", "there is no file"),
            (f"PLACE dtable SOURCES my_dtable.sv PARAMETERS {sizes}", "TOP is missing"),
            (f"PLACE dtable TOP my_dtable PARAMETERS {sizes}", "SOURCES is missing"),
            (f"PLACE dtable PARAMETERS NumEntries=64 WeightW=16 SizeW=16 CountW=17 SIZES NumSl=16", "Weft's own has them"),
            ("PLACE link_sync TOP link_sync SOURCES my_dtable.sv PARAMETERS Gap=1 LATENCY 1", "answers in its cycle"),
            (f"PLACE dtable TOP my_dtable SOURCES my_dtable.sv PARAMETERS {sizes} LATENCY x", "LATENCY 'x' is no number of cycles"),
            ("PLACE dtable TOP my_dtable SOURCES my_dtable.sv PARAMETERS NumSl=many", "'NumSl=many' is no NAME=NUMBER")):
        said = configure(folder, f"weft_add_block(bad {arguments})\n", status=1)
        expect(words in said, f"weft_add_block(bad {arguments}) should say '{words}':\n{said}")
    for arguments, words in (("BLOCKS nothere", "weft_add_block() has made no block 'nothere' here"),
                             ("", "expected SOURCES or BLOCKS"), ("SOURCES a.cpp BLOCKS b", "expected SOURCES or BLOCKS")):
        said = configure(folder, f"weft_add_plugin(bad {arguments})\n", status=1)
        expect(f"weft_add_plugin(bad): {words}" in said, said)


def check_vhdl():
    if shutil.which("ghdl") is None:
        print("no ghdl: own_vhdl was not looked at")
        return
    folder = work / "own_vhdl"
    shutil.copytree(source / "examples" / "own_vhdl", folder)
    call("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={work / 'prefix'}", folder=folder)
    call("cmake", "--build", "build", folder=folder)
    report = run("network.yaml", "--plugin", "build/libvhdl_stripes.so", folder=folder)
    expect(compared(report, "stripe_address (vhdl_stripes)") > 10, "hardly anything was compared with VHDL")
    text = (folder / "vhdl_stripes.vhd").read_text()
    (folder / "vhdl_stripes.vhd").write_text(text.replace("(29 => '1'", "(30 => '1'").replace("sll 29", "sll 30"))
    call("cmake", "--build", "build", folder=folder)
    said = call(weft, "run", "network.yaml", "--plugin", "build/libvhdl_stripes.so", "--out", "out", folder=folder, status=1)
    expect("lockstep difference in optweb.node[2].m_dmac.stripe_address at " in said, "stripes of twice the size:\n" + said)


for check in (check_example, check_router, check_places, check_misfits, check_vhdl):
    try:
        check()
    except (KeyError, ValueError) as error:  # of a call that has failed
        failures.append(f"{check.__name__}: {error!r}")
if failures:
    sys.exit("\n\n".join(failures))
print("own_scheduler, own_router, thirteen places, misfits, own_vhdl: all as expected")
