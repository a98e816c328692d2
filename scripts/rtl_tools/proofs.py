"""Proofs of blocks of the RTL by yosys and yosys-abc: parameters of the blocks that have properties, runs of the prover."""
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RTL = ROOT / "rtl"

# block: (folder, plain sources it instantiates, parameters proven by default, added by --full, those of the mutants);
# +NAME defines a macro
BLOCKS = {
    "slot_lut": ("tdm", ["onehot_index.sv"],
                 ["Rows=1 Slots=2", "Rows=3 Slots=4", "Rows=10 Slots=32", "Rows=16 Slots=64"],
                 ["Rows=2 Slots=256", "Rows=32 Slots=32"],
                 "Rows=3 Slots=4"),
    "slot_table": ("tdm", [],
                   ["Ports=1 Slots=2", "Ports=3 Slots=5", "Ports=2 Slots=16", "Ports=5 Slots=32"],
                   ["Ports=8 Slots=64"],
                   "Ports=2 Slots=4"),
    "tdm_switch": ("tdm", ["slot_table.sv"],
                   ["Ports=1 Slots=2 Width=1", "Ports=2 Slots=4 Width=2", "Ports=3 Slots=4 Width=2",
                    "Ports=5 Slots=16 Width=8 +FORMAL_DATA_PATH"],
                   ["Ports=2 Slots=8 Width=4", "Ports=3 Slots=8 Width=2",
                    "Ports=5 Slots=32 Width=16 +FORMAL_DATA_PATH"],
                   "Ports=3 Slots=4 Width=2"),
    "message_queue": ("tdm", [],
                      ["Messages=1 SizeW=1", "Messages=2 SizeW=2", "Messages=3 SizeW=3", "Messages=4 SizeW=16"],
                      ["Messages=8 SizeW=32"],
                      "Messages=3 SizeW=2"),
    "drain_queue": ("tdm", [],
                    ["Depth=1 TimeW=2 DataW=1", "Depth=3 TimeW=3 DataW=2", "Depth=4 TimeW=8 DataW=4"],
                    ["Depth=8 TimeW=16 DataW=8"],
                    "Depth=3 TimeW=2 DataW=2"),
    "release_table": ("tdm", [],
                      ["Entries=1 Ports=2 Slots=2 TimeW=2 RecordW=1", "Entries=3 Ports=3 Slots=3 TimeW=3 RecordW=2",
                       "Entries=5 Ports=5 Slots=8 TimeW=16 RecordW=3"],
                      ["Entries=8 Ports=5 Slots=8 TimeW=16 RecordW=3"],
                      "Entries=2 Ports=3 Slots=2 TimeW=2 RecordW=1"),
    "circuit_records": ("tdm", [],
                        ["Ports=2 Slots=2 Circuits=1 KeyW=1 TimeW=8 WordW=1 InfoW=1",
                         "Ports=3 Slots=3 Circuits=3 KeyW=2 TimeW=8 WordW=3 InfoW=2",
                         "Ports=5 Slots=8 Circuits=4 KeyW=4 TimeW=16 WordW=8 InfoW=4"],
                        ["Ports=8 Slots=16 Circuits=8 KeyW=16 TimeW=32 WordW=32 InfoW=8"],
                        "Ports=3 Slots=2 Circuits=2 KeyW=1 TimeW=8 WordW=2 InfoW=1"),
    "message_effect": ("tdm", [], ["Ports=2", "Ports=3", "Ports=5", "Ports=8"], ["Ports=32"], "Ports=3"),
    "setup_request": ("tdm", ["slot_choice.sv"], ["Ports=2 Slots=2 TimeW=8", "Ports=3 Slots=2 TimeW=8"], [],
                      "Ports=2 Slots=2 TimeW=8"),
    "slot_drain": ("tdm", ["drain_queue.sv"],
                   ["Ports=2 Slots=2 Depth=1 KeyW=1 TimeW=8", "Ports=2 Slots=2 Depth=2 KeyW=1 TimeW=8"],
                   [],
                   "Ports=2 Slots=2 Depth=2 KeyW=1 TimeW=8"),
    "slot_choice": ("tdm", [], ["Slots=2", "Slots=3"], ["Slots=4"], "Slots=3"),
    "setup_unit": ("tdm", ["slot_choice.sv", "setup_request.sv", "message_effect.sv", "circuit_records.sv",
                           "release_table.sv", "drain_queue.sv", "slot_drain.sv"],
                   ["Ports=2 Slots=2 Circuits=1 KeyW=1 TimeW=8 WordW=1 InfoW=1"],
                   [],
                   "Ports=2 Slots=2 Circuits=1 KeyW=1 TimeW=8 WordW=1 InfoW=1"),
    # The number of circuits first: it must fit at each step.
    "host_interface": ("tdm", ["slot_table.sv", "message_queue.sv"],
                       ["Circuits=1 Links=1 Slots=2 Messages=1 SizeW=1 Width=1",
                        "Circuits=3 Links=2 Slots=3 Messages=2 SizeW=2 Width=2",
                        "Circuits=5 Links=1 Slots=8 Messages=2 SizeW=8 Width=4"],
                       ["Circuits=16 Links=2 Slots=16 Messages=2 SizeW=16 Width=16"],
                       "Circuits=3 Links=2 Slots=2 Messages=2 SizeW=2 Width=1"),
    "dtable": ("packet", ["onehot_index.sv"],
               ["NumSl=2 NumEntries=1 WeightW=1 SizeW=1 CountW=1",
                "NumSl=3 NumEntries=5 WeightW=3 SizeW=3 CountW=4",
                "NumSl=3 NumEntries=3 WeightW=2 SizeW=2 CountW=2 +FORMAL_ROUNDS",
                "NumSl=3 NumEntries=4 WeightW=2 SizeW=2 CountW=3 +FORMAL_ROUNDS",
                "NumSl=2 NumEntries=2 WeightW=1 SizeW=2 CountW=3 +FORMAL_WAIT",
                "NumSl=2 NumEntries=2 WeightW=1 SizeW=2 CountW=2 +FORMAL_WAIT",
                "NumSl=2 NumEntries=3 WeightW=1 SizeW=2 CountW=3 +FORMAL_WAIT",
                "NumSl=3 NumEntries=4 WeightW=2 SizeW=1 CountW=3 +FORMAL_WAIT",
                "NumSl=3 NumEntries=3 WeightW=1 SizeW=2 CountW=3 +FORMAL_WAIT"],
               ["NumSl=4 NumEntries=8 WeightW=4 SizeW=6 CountW=3"],
               "NumSl=3 NumEntries=3 WeightW=2 SizeW=2 CountW=2 +FORMAL_ROUNDS"),
    "drr": ("packet", ["onehot_index.sv"],
            ["NumSl=2 WeightW=1 SizeW=1 CountW=1", "NumSl=5 WeightW=3 SizeW=3 CountW=4",
             "NumSl=3 WeightW=2 SizeW=2 CountW=2"],
            ["NumSl=8 WeightW=4 SizeW=4 CountW=5"],
            "NumSl=3 WeightW=2 SizeW=2 CountW=2"),
    "arbitration_table": ("packet", ["round_robin.sv", "onehot_index.sv"],
                          ["NumSl=2 NumEntries=1 WeightW=1 SizeW=1", "NumSl=3 NumEntries=5 WeightW=3 SizeW=2",
                           "NumSl=5 NumEntries=8 WeightW=4 SizeW=6"],
                          ["NumSl=8 NumEntries=8 WeightW=8 SizeW=6"],
                          "NumSl=3 NumEntries=3 WeightW=2 SizeW=2"),
    "ib_arbiter": ("packet", ["round_robin.sv", "onehot_index.sv", "arbitration_table.sv"],
                   ["NumSl=2 NumEntries=1 SizeW=1", "NumSl=3 NumEntries=3 SizeW=6", "NumSl=2 NumEntries=2 SizeW=16"],
                   ["NumSl=8 NumEntries=8 SizeW=6"],
                   "NumSl=2 NumEntries=1 SizeW=7"),
    "shared_space": ("packet", [],
                     ["NumVl=1 CountW=3", "NumVl=2 CountW=2", "NumVl=3 CountW=2"],
                     ["NumVl=2 CountW=3"],
                     "NumVl=2 CountW=2"),
    "flit_store": ("packet", ["onehot_index.sv"],
                   ["NumVl=1 Depth=2 Width=1 Rate=1", "NumVl=2 Depth=3 Width=1 Rate=1", "NumVl=2 Depth=3 Width=1 Rate=2"],
                   ["NumVl=2 Depth=4 Width=1 Rate=2"],
                   "NumVl=2 Depth=3 Width=1 Rate=2"),
    "egress_port": ("packet", ["round_robin.sv", "onehot_index.sv", "delay_line.sv", "vc_buffer.sv", "shared_space.sv",
                               "flit_store.sv", "dtable.sv", "drr.sv", "arbitration_table.sv", "ib_arbiter.sv"],
                    ["Scheduler=1 NumSl=2 NumVl=1 NumEntries=1 WeightW=1 SizeW=1 CountW=1 Depth=2 NextDepth=2 Rate=1 Output=1 Width=1",
                     "Scheduler=1 NumSl=2 NumVl=1 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=3 NextDepth=3 Rate=1 Output=1 Width=1",
                     "Scheduler=1 NumSl=2 NumVl=1 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=2 NextDepth=2 Rate=2 Output=2 Width=1",
                     "Scheduler=1 NumSl=2 NumVl=2 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=2 NextDepth=2 Rate=1 Output=1 Width=1",
                     "Scheduler=0 NumSl=2 NumVl=1 NumEntries=1 WeightW=1 SizeW=1 CountW=2 Depth=2 NextDepth=2 Rate=1 Output=1 Width=1",
                     "Scheduler=2 NumSl=2 NumVl=1 NumEntries=1 WeightW=8 SizeW=1 CountW=2 Depth=2 NextDepth=2 Rate=1 Output=1 Width=1",
                     "Scheduler=1 NumSl=2 NumVl=2 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=2 NextDepth=2 Rate=2 Output=1 Width=1"],
                    [],
                    "Scheduler=1 NumSl=2 NumVl=2 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=2 NextDepth=2 Rate=1 Output=1 Width=1"),
    "vc_buffer": ("packet", [],
                  ["Width=1 Depth=1", "Width=2 Depth=2", "Width=2 Depth=3", "Width=8 Depth=8"],
                  ["Width=32 Depth=16"],
                  "Width=2 Depth=3"),
    "iq_allocator": ("packet", ["round_robin.sv"],
                     ["Requesters=1 Resources=1 Rounds=1", "Requesters=3 Resources=2 Rounds=1",
                      "Requesters=3 Resources=3 Rounds=2", "Requesters=2 Resources=4 Rounds=3"],
                     ["Requesters=5 Resources=5 Rounds=1", "Requesters=4 Resources=4 Rounds=4"],
                     "Requesters=3 Resources=3 Rounds=2"),
    "iq_switch": ("packet", ["round_robin.sv", "iq_allocator.sv"],
                  ["Ports=2 Vcs=1 Islip=0 Iterations=1", "Ports=3 Vcs=2 Islip=0 Iterations=1",
                   "Ports=3 Vcs=2 Islip=1 Iterations=2", "Ports=2 Vcs=3 Islip=1 Iterations=1"],
                  ["Ports=5 Vcs=2 Islip=0 Iterations=1", "Ports=4 Vcs=2 Islip=1 Iterations=1"],
                  "Ports=3 Vcs=2 Islip=1 Iterations=1"),
    "iq_router": ("packet", ["round_robin.sv", "delay_line.sv", "stage_timer.sv", "vc_buffer.sv", "iq_allocator.sv",
                             "hop_choice.sv", "onehot_index.sv", "iq_input_vc.sv", "iq_switch.sv"],
                  ["Ports=2 Vcs=1 Width=1 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0",
                   "Ports=2 Vcs=1 Width=1 Buffer=2 Routing=1 VcAllocation=1 SwitchAllocation=0 Crossbar=0",
                   "Ports=3 Vcs=1 Width=1 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0",
                   "Ports=2 Vcs=2 Width=1 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0",
                   "Ports=2 Vcs=2 Width=1 Buffer=2 Routing=1 VcAllocation=1 SwitchAllocation=0 Crossbar=0"],
                  [],
                  "Ports=2 Vcs=1 Width=1 Buffer=2 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0"),
    "link_sync": ("optweb", [],
                  ["Width=1 Gap=1", "Width=8 Gap=2 +FORMAL_LINK", "Width=256 Gap=1 +FORMAL_LINK"],
                  ["Width=256 Gap=15 +FORMAL_LINK"],
                  "Width=2 Gap=1 +FORMAL_LINK"),
    "stripe_address": ("optweb", [],
                       ["Stripes=1 Capacity=1 AddrW=2 IndexW=1", "Stripes=3 Capacity=5 AddrW=5 IndexW=3",
                        "Stripes=16 Capacity=268435456 AddrW=33 IndexW=6"],
                       [],
                       "Stripes=3 Capacity=5 AddrW=5 IndexW=3"),
    "switch_control": ("optweb", [],
                       ["Ports=2 WordW=1 StepW=1", "Ports=3 WordW=3 StepW=1", "Ports=3 WordW=2 StepW=2"],
                       ["Ports=8 WordW=32 StepW=1"],
                       "Ports=2 WordW=2 StepW=2"),
    "command_sequencer": ("optweb", [],
                          ["Depth=2 AddrW=1 NodeW=1 GroupW=1 FlagsW=1 TimeW=2 +FORMAL_LIVE",
                           "Depth=5 AddrW=3 NodeW=2 GroupW=2 FlagsW=2 TimeW=4 +FORMAL_LIVE"],
                          ["Depth=16 AddrW=33 NodeW=10 GroupW=8 FlagsW=8 TimeW=32"],
                          "Depth=3 AddrW=1 NodeW=1 GroupW=1 FlagsW=1 TimeW=3 +FORMAL_LIVE"),
}
SLOW = {"slot_choice", "setup_unit", "egress_port"}  # their proofs take too long for every test run
# No proofs of the generated mutants of these: they take too long.
LONG = {"iq_router", "iq_switch", "iq_allocator", "vc_buffer", "egress_port", "setup_unit"}
NO_LEMMAS = " +FORMAL_NO_LEMMAS"  # covers and mutants are judged by the properties of the pins alone

# Arithmetic by parameters is constant, or narrow: the gates of a division of 32 bits take yosys most of a minute. What
# nothing drives has any value before, as in TO_AIGER.
NARROW = """setundef -undriven -anyseq
opt -full -nodffe -nosdff
wreduce
opt -full -nodffe -nosdff
"""
# The same of one of two copies: what nothing drives would be anything in each of them by itself.
NARROW_COPY = "opt -full\nopt_expr -fine\nwreduce\nopt -full\n"
TO_AIGER = """memory_map
async2sync
dffunmap
setundef -undriven -anyseq
opt_clean
techmap
opt -full -nodffe -nosdff
techmap
dffunmap
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit -no-startoffset {out}
"""
YOSYS = """read_verilog -sv {plain}
read_verilog -sv -formal -DFORMAL -DSYNTHESIS {defines} -I{dir} {dir}/{top}.sv
{chparam}
prep -flatten -top {top}
{narrow}delete -output
delete t:$cover
""" + TO_AIGER
# abc exits 0 whatever its verdict; only these sentences count. Reading: `fold` moves the assumptions into the outputs,
# `orpos` joins all assertions in one output.
READ = "read_aiger {aiger}; fold; orpos; "
STEP = re.compile(r"^Networks are equivalent\.", re.M)  # what `ind` says when the induction step holds
BASE = re.compile(r"^No output asserted in (\d+) frames", re.M)
PROVEN = re.compile(r"^Property proved\.", re.M)
REFUTED = re.compile(r"Output \d+ .*was asserted in frame (\d+)")
STEPS = (2, 3)  # induction lengths to try
BASE_FRAMES = 6


class Job:
    """One run of the prover on a private copy of a block's folder, with the common parts; `edit` changes the copy before."""

    def __init__(self, kind, top, parameters, name="", edit=None):
        self.kind, self.top, self.parameters, self.name, self.edit = kind, top, parameters, name, edit

    def run(self, timeout):
        began = time.monotonic()
        try:
            verdict = self._prove(timeout)
        except RuntimeError as error:
            verdict = f"error: {error}"
        return verdict, time.monotonic() - began

    def _prove(self, timeout):
        source, plain = ROOT / "formal", []
        if self.top in BLOCKS:
            folder, plain, *_ = BLOCKS[self.top]
            source = RTL / folder
        with tempfile.TemporaryDirectory(prefix="weft_formal_") as scratch:
            work = pathlib.Path(scratch) / "rtl"
            shutil.copytree(source, work)
            shutil.copytree(RTL / "common", work, dirs_exist_ok=True)
            if self.edit:
                self.edit(work)
            script = YOSYS.format(
                plain=" ".join(str(work / file) for file in plain), dir=work, top=self.top, out=f"{scratch}/proof.aig",
                defines=" ".join(f"-D{item[1:]}" for item in self.parameters.split() if item[0] == "+"),
                narrow=NARROW, chparam="".join("chparam -set {} {} {}\n".format(*item.split("="), self.top)
                                for item in self.parameters.split() if item[0] != "+"))
            if not plain:
                script = script.split("\n", 1)[1]
            return decide(script, work, f"{scratch}/proof.aig", timeout)


def decide(script, work, aiger, timeout, first=""):
    """Verdict on the assertions of the AIGER file that this script of yosys writes. `first`: commands of abc before all others."""
    (work / "proof.ys").write_text(script)
    run_tool(["yosys", "-q", str(work / "proof.ys")], timeout)
    read = READ.format(aiger=aiger) + first

    def ask(command):
        return run_tool(["yosys-abc", "-c", read + command], timeout)

    base = ask(f"bmc3 -F {BASE_FRAMES}")
    if hit := REFUTED.search(base):
        return f"refuted in cycle {hit[1]}"
    if (held := BASE.search(base)) and int(held[1]) == BASE_FRAMES:
        for length in STEPS:
            if STEP.search(ask(f"ind -F {length}")):
                return f"proven ({length}-induction)"
    answer = ask("pdr")
    if PROVEN.search(answer):
        return "proven (PDR)"
    if hit := REFUTED.search(answer):
        return f"refuted in cycle {hit[1]}"
    return "no verdict"


def same_at_pins(block, parts, parameters, old, new, timeout, rules=()):
    """Verdict on whether a block with one text has the outputs of that with another, cycle by cycle, whatever its inputs,
    from registers and memories that are all 0; as long as the block keeps `rules`, expressions of its text."""
    with tempfile.TemporaryDirectory(prefix="weft_equivalence_") as scratch:
        work = pathlib.Path(scratch)
        kept = "".join(f"  always_comb assume ({rule});\n" for rule in rules)
        old = re.sub(r"\bendmodule\b", lambda _: kept + "endmodule", old)
        script = "".join(f"read_verilog -sv -defer {part}\n" for part in parts) + "design -save parts\n"
        for name, text in (("old", old), ("new", new)):
            (work / f"{name}.sv").write_text(text)
            script += f"design -load parts\nread_verilog -sv -defer {work / name}.sv\n"
            script += "".join("chparam -set {} {} {}\n".format(*item.split("="), block) for item in parameters.split())
            script += f"prep -flatten -top {block}\n{NARROW_COPY}rename {block} {name}\ndesign -stash {name}\n"
        script += "design -reset\n" + "".join(f"design -copy-from {name} {name}\n" for name in ("old", "new"))
        script += "miter -equiv -make_assert -flatten old new both\nhierarchy -top both\nflatten\n"
        script += "delete -output\nmemory_map\nsetundef -zero -init\n"
        aiger = f"{scratch}/proof.aig"
        # Registers that are equal in both are joined, so that little is left to prove.
        return decide(script + TO_AIGER.format(out=aiger), work, aiger, timeout, "scorr; ")


def run_tool(command, timeout):
    """Output of a command, which may take so many seconds of a core: on a machine that has more to do the verdict is the same."""
    done = subprocess.run(["prlimit", f"--cpu={timeout}", *command], capture_output=True, text=True, check=False)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise RuntimeError(f"{command[0]} took more than {timeout} s")
    if done.returncode != 0:
        last = (done.stderr + done.stdout).strip().splitlines()[-1:] or ["no message"]
        raise RuntimeError(f"{command[0]}: {last[0]}")
    return done.stdout + done.stderr
