"""Blocks of the RTL in FPGAs: frequency in an iCE40 by nextpnr-ice40, adaptive logic modules (ALMs) of Intel's devices by estimate."""
import json
import math
import pathlib
import re
import subprocess
import tempfile

from rtl_tools.mutants import blocks

FILES = blocks()
DEVICE, PACKAGE, SEED = "hx8k", "ct256", 1
STRATIX_10_MX_2100 = 702_720  # ALMs of the paper's device (Intel, Stratix 10 MX product table)

ARBITER_PARTS = ("round_robin", "onehot_index", "arbitration_table")
EGRESS_PARTS = (*ARBITER_PARTS, "dtable", "drr", "ib_arbiter", "delay_line", "vc_buffer", "shared_space", "flit_store")
ROUTER_PARTS = ("round_robin", "delay_line", "stage_timer", "vc_buffer", "iq_allocator", "hop_choice", "onehot_index",
                "iq_input_vc", "iq_switch")
SETUP_PARTS = ("setup_request", "slot_choice", "message_effect", "slot_drain", "circuit_records", "drain_queue", "release_table")
# (block, parts, parameters): sizes that fit into the device and are placed quickly, in the order of rtl/README.md.
SMALL = [
    ("slot_lut", ("onehot_index",), {"Rows": 10, "Slots": 32}),
    ("slot_table", (), {"Ports": 5, "Slots": 32}),
    ("tdm_switch", ("slot_table",), {"Ports": 3, "Slots": 8, "Width": 16}),
    ("host_interface", ("message_queue", "slot_table"), {"Circuits": 8, "Links": 1, "Slots": 8, "Width": 32}),
    ("setup_unit", SETUP_PARTS, {"Ports": 3, "Slots": 4, "Circuits": 2, "KeyW": 4, "WordW": 4, "InfoW": 2, "TimeW": 8}),
    ("dtable", ("onehot_index",), {"NumSl": 8, "NumEntries": 64, "WeightW": 8, "SizeW": 6, "CountW": 9}),
    ("drr", ("onehot_index",), {"NumSl": 16, "WeightW": 8, "SizeW": 6, "CountW": 9}),
    ("ib_arbiter", ARBITER_PARTS, {"NumSl": 8, "NumEntries": 32, "SizeW": 6}),
    ("egress_port", EGRESS_PARTS, {"NumSl": 4, "NumVl": 2, "NumEntries": 8, "WeightW": 4, "CountW": 7, "SizeW": 6,
                                   "Depth": 8, "NextDepth": 8, "Width": 8}),
    ("iq_router", ROUTER_PARTS, {"Ports": 3, "Vcs": 2, "Width": 8, "Buffer": 2}),
    ("link_sync", (), {"Width": 64, "Gap": 1}),
    ("stripe_address", (), {"Stripes": 16}),
    ("switch_control", (), {"Ports": 8}),
    ("command_sequencer", (), {"Depth": 16}),
]
# Blocks of an OPTWEB node of 800 Gb/s: 16 links of 50 Gb/s with 256 bits, 16 memory I/Os, and how many of each.
NODE = [
    ("link_sync", {"Width": 256, "Gap": 1}, 16),
    ("stripe_address", {"Stripes": 16}, 32),
    ("switch_control", {"Ports": 17}, 1),
    ("command_sequencer", {"Depth": 256}, 1),
]


def yosys(script):
    done = subprocess.run(["yosys", "-p", script], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"yosys failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout


def read(top, parts, parameters):
    files = " ".join(str(FILES[name]) for name in (*parts, top))
    chparam = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    return f"read_verilog -sv {files}; chparam {chparam} {top}; "


def cells(output):
    """{type: number} of the last statistics."""
    stat = output[output.rindex("Printing statistics"):]
    return {kind: int(number) for kind, number in re.findall(r"^ +([A-Z$_]\w+) +(\d+)$", stat, re.M)}


def harness(ports):
    """A module with registers before and behind the pins of a block: inputs from a shift register, outputs joined in
    steps of four that are registers as well. So every path of the block, and no longer one, lies between registers."""
    inputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "input" and name != "clk_i"]
    outputs = [(name, len(port["bits"])) for name, port in ports.items() if port["direction"] == "output"]
    wide, joined = sum(width for _, width in inputs), sum(width for _, width in outputs)
    text = ["module harness(input clk, input din, output dout);",
            f"  reg [{wide}:0] in_q; always @(posedge clk) in_q <= {{in_q[{wide - 1}:0], din}};",
            f"  wire [{joined - 1}:0] out; reg [{joined - 1}:0] join0_q; always @(posedge clk) join0_q <= out;",
            "  block block_i (.clk_i(clk)"]
    at = 0
    for name, width in inputs:
        text.append(f"    , .{name}(in_q[{at} +: {width}])")
        at += width
    at = 0
    for name, width in outputs:
        text.append(f"    , .{name}(out[{at} +: {width}])")
        at += width
    text.append("  );")
    step = 0
    while joined > 1:
        groups = [f"^join{step}_q[{at} +: {min(4, joined - at)}]" for at in range(0, joined, 4)]
        joined, step = len(groups), step + 1
        text.append(f"  reg [{joined - 1}:0] join{step}_q; always @(posedge clk) join{step}_q <= {{{', '.join(groups)}}};")
    text += [f"  assign dout = join{step}_q[0];", "endmodule"]
    return "\n".join(text)


def ice40(top, parts, parameters):
    """(LUT4s, flip-flops, MHz) of a block; MHz is None if it does not fit with the registers around it."""
    source = read(top, parts, parameters)
    alone = cells(yosys(source + f"synth_ice40 -top {top}; stat"))
    luts = alone.get("SB_LUT4", 0)
    flops = sum(number for kind, number in alone.items() if kind.startswith("SB_DFF"))
    with tempfile.TemporaryDirectory() as work:
        ports, around, netlist = (pathlib.Path(work) / name for name in ("ports.json", "harness.v", "netlist.json"))
        yosys(source + f"hierarchy -top {top}; proc; flatten; rename -top block; write_json {ports}")
        around.write_text(harness(json.loads(ports.read_text())["modules"]["block"]["ports"]))
        yosys(source + f"hierarchy -top {top}; proc; flatten; rename -top block; read_verilog {around}; "
              f"synth_ice40 -top harness -json {netlist}")
        done = subprocess.run(["nextpnr-ice40", f"--{DEVICE}", "--package", PACKAGE, "--json", netlist, "--seed", str(SEED),
                               "--freq", "200", "--pcf-allow-unconstrained"], capture_output=True, text=True, check=False)
    found = re.findall(r"Max frequency for clock\s+'[^']*': ([\d.]+) MHz", done.stderr + done.stdout)
    if not found and "failed to place" not in done.stderr and "Unable to place" not in done.stderr \
            and "unable to place" not in done.stderr:
        raise RuntimeError(f"nextpnr-ice40 failed on {top}: {done.stderr.strip().splitlines()[-1]}")
    return luts, flops, float(found[-1]) if found else None


def alms(top, parts, parameters, memory_blocks=False):
    """(ALMs, ALUTs, flip-flops) by yosys' mapping to Intel's cells, packed without loss: an ALM
    holds a LUT of 6 inputs, or two smaller ones or two bits of arithmetic, and four flip-flops."""
    # Without memory blocks memories are flip-flops, as in the columns beside.
    memories = "-nolutram" if memory_blocks else "-nobram -nolutram"
    found = cells(yosys(read(top, parts, parameters) +
                        f"synth_intel_alm -family cyclonev {memories} -noiopad -noclkbuf -top {top}; stat"))
    six = found.get("MISTRAL_ALUT6", 0)
    small = sum(found.get(kind, 0) for kind in ("MISTRAL_ALUT2", "MISTRAL_ALUT3", "MISTRAL_ALUT4", "MISTRAL_ALUT5",
                                                "MISTRAL_ALUT_ARITH"))
    flops = found.get("MISTRAL_FF", 0)
    return max(six + math.ceil(small / 2), math.ceil(flops / 4)), six + small, flops


def shown(parameters):
    return ", ".join(f"`{name}` {value:,}" for name, value in parameters.items())


def print_tables():
    print("| block | parameters | LUT4 | flip-flops | MHz | ALMs |")
    print("|---|---|---|---|---|---|")
    for top, parts, parameters in SMALL:
        luts, flops, frequency = ice40(top, parts, parameters)
        speed = "does not fit" if frequency is None else f"{frequency:.0f}"
        print(f"| `{top}` | {shown(parameters)} | {luts:,} | {flops:,} | {speed} | "
              f"{alms(top, parts, parameters)[0]:,} |", flush=True)
    print()
    print("| block | parameters | per node | ALMs of one | ALMs | of the device |")
    print("|---|---|---|---|---|---|")
    total = 0
    for top, parameters, count in NODE:
        one = alms(top, (), parameters, True)[0]
        total += one * count
        print(f"| `{top}` | {shown(parameters)} | {count} | {one:,} | {one * count:,} | "
              f"{100 * one * count / STRATIX_10_MX_2100:.2f} % |", flush=True)
    print(f"| all | | | | {total:,} | {100 * total / STRATIX_10_MX_2100:.2f} % |")
