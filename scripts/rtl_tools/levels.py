"""Levels at which a mutant can be noticed: pins, networks in lockstep, proofs; and the proof that it is none.

Each level judges a mutant as `killed`, `survived` or `undecided` (a prover without an answer), and names what has killed it.
"""
import os
import re
import signal
import subprocess

from rtl_tools import benches, mutants, proofs

SECONDS = 60  # of a core, for a case or a network: a mutant that takes longer is noticed by that
PROVER_SECONDS = 20  # of a core, for a step of a proof: after that it has no answer

# Cases of the router run all of their seeds, whatever the first ones have shown: few seeds come first.
SLOW, QUICK_SEEDS = "iq_router_", 3

# Blocks whose benches and networks judge a part; any other block is judged by its own.
AROUND = {
    "slot_table": ["slot_table", "tdm_switch"], "message_queue": ["host_interface"], "arbitration_table": ["ib_arbiter"], "onehot_index": ["ib_arbiter"],
    "round_robin": ["ib_arbiter", "iq_router"],
} | dict.fromkeys(["delay_line", "hop_choice", "iq_allocator", "iq_input_vc", "iq_switch", "stage_timer", "vc_buffer"],
                  ["iq_router"]) | dict.fromkeys(["flit_store", "shared_space"], ["egress_port"]) | dict.fromkeys(
    ["circuit_records", "drain_queue", "release_table", "setup_request", "slot_choice", "slot_drain", "message_effect"], ["setup_unit"])

# Blocks that stand in no network: each is one by itself.
ALONE = {"iq_mesh"}

# Networks whose blocks run beside their models: {block: [arguments of weft run]}.
_IQ = ["configs/packet/iq_router_rtl.yaml", "switch.iq.instances=null", "switch.iq.router.implementation=lockstep"]
_OPTWEB = ["configs/optweb/collectives_4.yaml", "measure.sizes=[64B, 64KiB]"]
NETWORKS = {
    "slot_lut": [["configs/tdm/setup_on_demand.yaml", "switch.instances=null", "switch.slot_lut.implementation=lockstep"]],
    "tdm_switch": [["configs/tdm/lockstep_4x4.yaml", "switch.instances=null", "switch.slot_lut=null", "run.measure=200us"],
                   ["configs/tdm/programs_circuits.yaml", "switch.data_path.implementation=lockstep"]],
    "setup_unit": [["configs/tdm/setup_unit_lockstep.yaml"],
                   ["configs/tdm/setup_unit_lockstep.yaml", "slots.slot_update=true", "circuits.2.changes=null"]],
    "host_interface": [["configs/tdm/host_interface_lockstep.yaml", "host_interface.instances={}"]],
    "dtable": [["configs/packet/waves.yaml", "run.measure=200us"]],
    "drr": [["configs/packet/schedulers_rtl.yaml", "qos.ib_arbiter=null", "qos.scheduler=drr",
             "qos.drr.implementation=lockstep", "qos.levels.control.quantum=4", "qos.levels.bulk.quantum=16", "run.measure=200us"]],
    "ib_arbiter": [["configs/packet/schedulers_rtl.yaml", "qos.ib_arbiter.instances=null",
                    "qos.ib_arbiter.implementation=lockstep", "run.measure=200us"]],
    "egress_port": [["configs/packet/egress_rtl.yaml", "switch.egress.instances=null", "run.measure=4us"],
                    ["configs/packet/egress_rtl.yaml", "switch.egress.instances=null", "run.measure=2us",
                     "qos.dtable=null", "qos.scheduler=ib_arbiter",
                     "qos.ib_arbiter.low=[{sl: bulk, weight: 64}, {sl: video, weight: 32}, {sl: control, weight: 3}]"]],
    "iq_router": [_IQ + ["run.measure=2us"],
                  _IQ + ["run.measure=500ns", "run.warm_up=100ns", "switch.iq.vcs=4", "switch.iq.allocator=islip"]],
    "link_sync": [_OPTWEB + ["link.implementation=lockstep"]],
    "stripe_address": [_OPTWEB + ["dmac.stripe_address=lockstep"]],
    "command_sequencer": [_OPTWEB + ["sequencer.implementation=lockstep"]],
    "switch_control": [_OPTWEB + ["switch.implementation=lockstep"],
                       ["configs/optweb/programs.yaml", "switch.implementation=lockstep"]],
}

# Blocks whose properties judge a part.
PROOFS = {block: [block] for block in proofs.BLOCKS if block not in proofs.LONG} | {
    "round_robin": ["arbitration_table"], "onehot_index": ["arbitration_table"]}

# Sizes at which a mutant that nothing notices is compared with its block: {block: (other blocks inside, parameters)}.
SIZES = {
    "slot_lut": (["onehot_index"], ["Rows=1 Slots=2", "Rows=3 Slots=5"]),
    "slot_table": ([], ["Ports=1 Slots=2", "Ports=2 Slots=3"]),
    "tdm_switch": (["slot_table"], ["Ports=1 Slots=2 Width=1", "Ports=3 Slots=2 Width=2"]),
    "circuit_records": ([], ["Ports=2 Slots=2 Circuits=1 KeyW=1 TimeW=8 WordW=1 InfoW=1",
                             "Ports=3 Slots=2 Circuits=2 KeyW=1 TimeW=8 WordW=1 InfoW=1"]),
    "drain_queue": ([], ["Depth=1 TimeW=2 DataW=1", "Depth=3 TimeW=2 DataW=1"]),
    "release_table": ([], ["Entries=1 Ports=2 Slots=2 TimeW=2 RecordW=1", "Entries=2 Ports=3 Slots=2 TimeW=2 RecordW=1"]),
    "slot_choice": ([], ["Slots=2", "Slots=3"]),
    "setup_request": (["slot_choice"], ["Ports=2 Slots=2 TimeW=8", "Ports=3 Slots=3 TimeW=8"]),
    "slot_drain": (["drain_queue"], ["Ports=2 Slots=2 Depth=1 KeyW=1 TimeW=8", "Ports=3 Slots=2 Depth=2 KeyW=1 TimeW=8"]),
    "message_effect": ([], ["Ports=2", "Ports=5"]),
    "setup_unit": (["setup_request", "slot_choice", "message_effect", "slot_drain", "circuit_records", "drain_queue",
                    "release_table"],
                   ["Ports=2 Slots=2 Circuits=1 KeyW=1 TimeW=8 WordW=1 InfoW=1"]),
    "message_queue": ([], ["Messages=1 SizeW=1", "Messages=3 SizeW=2"]),
    "host_interface": (["message_queue", "slot_table"], ["Circuits=1 Links=1 Slots=2 Messages=1 SizeW=1 Width=1",
                                                         "Circuits=3 Links=2 Slots=2 Messages=2 SizeW=2 Width=1"]),
    "dtable": (["onehot_index"], ["NumSl=2 NumEntries=1 WeightW=1 SizeW=1 CountW=1",
                                  "NumSl=3 NumEntries=3 WeightW=2 SizeW=2 CountW=2",
                                  "NumSl=3 NumEntries=3 WeightW=2 SizeW=2 CountW=3"]),
    "drr": (["onehot_index"], ["NumSl=2 WeightW=1 SizeW=1 CountW=1", "NumSl=3 WeightW=2 SizeW=2 CountW=2",
                               "NumSl=3 WeightW=2 SizeW=2 CountW=3"]),
    "arbitration_table": (["round_robin", "onehot_index"], ["NumSl=2 NumEntries=1 WeightW=1 SizeW=1",
                                                           "NumSl=3 NumEntries=3 WeightW=2 SizeW=2",
                                                           "NumSl=3 NumEntries=3 WeightW=2 SizeW=3"]),
    "ib_arbiter": (["round_robin", "onehot_index", "arbitration_table"], ["NumSl=3 NumEntries=2 SizeW=2"]),
    "shared_space": ([], ["NumVl=1 CountW=2", "NumVl=3 CountW=2"]),
    "flit_store": (["onehot_index"], ["NumVl=1 Depth=2 Width=1 Rate=1", "NumVl=2 Depth=3 Width=1 Rate=2"]),
    "egress_port": (["round_robin", "onehot_index", "arbitration_table", "dtable", "drr", "ib_arbiter", "delay_line",
                     "vc_buffer", "shared_space", "flit_store"],
                    ["NumSl=2 NumVl=2 NumEntries=2 WeightW=1 SizeW=1 CountW=2 Depth=2 NextDepth=2 Width=1",
                     "Scheduler=1 NumSl=2 NumVl=2 NumEntries=1 WeightW=1 SizeW=1 CountW=2 Depth=2 NextDepth=2 Width=1"]),
    "link_sync": ([], ["Width=2 Gap=1", "Width=2 Gap=3"]),
    "stripe_address": ([], ["Stripes=1 Capacity=1 AddrW=2 IndexW=1", "Stripes=3 Capacity=5 AddrW=5 IndexW=3"]),
    "switch_control": ([], ["Ports=2 WordW=1 StepW=1", "Ports=3 WordW=2 StepW=2"]),
    "command_sequencer": ([], ["Depth=2 AddrW=1 NodeW=1 GroupW=1 FlagsW=1 TimeW=2",
                               "Depth=3 AddrW=1 NodeW=1 GroupW=1 FlagsW=1 TimeW=3"]),
    "delay_line": ([], ["Width=2 Cycles=0", "Width=2 Cycles=3"]),
    "stage_timer": ([], ["Cycles=0", "Cycles=1", "Cycles=2", "Cycles=5"]),
    "vc_buffer": ([], ["Width=2 Depth=1", "Width=2 Depth=2", "Width=1 Depth=3"]),
    "round_robin": ([], ["Requests=1", "Requests=2", "Requests=5"]),
    "onehot_index": ([], ["Bits=1", "Bits=2", "Bits=5"]),
    "hop_choice": (["round_robin"], ["Ports=2 Vcs=1 Trunk=1 Islip=0", "Ports=3 Vcs=2 Trunk=2 Islip=0",
                                     "Ports=3 Vcs=2 Trunk=2 Islip=1"]),
    "iq_allocator": (["round_robin"], ["Requesters=1 Resources=1 Rounds=1", "Requesters=3 Resources=2 Rounds=2"]),
    "iq_input_vc": (["round_robin", "onehot_index", "vc_buffer", "stage_timer", "hop_choice"],
                    ["Ports=2 Vcs=2 Trunk=1 Width=1 Buffer=2 Routing=1 VcAllocation=2 Islip=0",
                     "Ports=2 Vcs=1 Trunk=1 Width=1 Buffer=2 Routing=0 VcAllocation=0 Islip=1"]),
    "iq_switch": (["round_robin", "iq_allocator"], ["Ports=2 Vcs=2 Islip=0 Iterations=1", "Ports=2 Vcs=2 Islip=1 Iterations=2"]),
    "iq_router": (["round_robin", "onehot_index", "vc_buffer", "stage_timer", "hop_choice", "iq_input_vc", "iq_allocator",
                   "iq_switch", "delay_line"],
                  ["Ports=2 Vcs=1 Width=1 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0",
                   "Ports=2 Vcs=2 Width=1 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0 WhenEmpty=1"]),
    "iq_mesh": (["round_robin", "onehot_index", "vc_buffer", "stage_timer", "hop_choice", "iq_input_vc", "iq_allocator",
                 "iq_switch", "delay_line", "iq_router"],
                ["Columns=2 Rows=2 Vcs=1 Width=2 Buffer=1 Routing=0 VcAllocation=0 SwitchAllocation=0 Crossbar=0"]),
}


# What the blocks around a part exclude, in the words of its text; assertions in the RTL check it, except during resets
# (hop_choice: a_count, a_won; iq_input_vc: a_head_first; vc_buffer: a_room, and a_ready of iq_input_vc).
RULES = {
    "hop_choice": ("!request_i || ((count_i != '0) && (32'(count_i) <= Trunk) && (32'(first_i) + 32'(count_i) <= Ports))",
                   "(won_i & (won_i - 1'b1)) == '0", "(won_i & ~candidate) == '0"),
    "iq_input_vc": ("!valid || owned_q || head_o",),
    "vc_buffer": ("!pop_i || valid_o", "!push_i || (count_q < CountW'(Depth))"),
}
# Outputs that the block around looks at in some cycles only: the line of the text that makes them, and the same for those
# cycles. A round robin without a request grants nothing, from whatever position.
LOOKED_AT = {"hop_choice": ("assign from_o = from;", "assign from_o = (request_o != '0) ? from : '0;")}
EQUIVALENCE_SECONDS = 600


def run(command, number, seeds=None):
    """(whether it noticed the mutant of this number, why); seeds: instead of the everyday ones."""
    environment = dict(os.environ, WEFT_RTL_MUTANT=str(number), SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    for name in ("WEFT_SOAK", "WEFT_PIN_SEED", "WEFT_PIN_WAVES", "WEFT_PIN_COVERAGE"):
        environment.pop(name, None)
    if seeds:
        environment["WEFT_SOAK"] = str(seeds)
    done = subprocess.run(["prlimit", f"--cpu={SECONDS}", *command], cwd=mutants.ROOT, env=environment, capture_output=True,
                          text=True, check=False, errors="replace")
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return True, "time"
    if done.returncode == 0:
        return False, ""
    said = done.stdout + done.stderr
    if re.search(r"Assertion failed|\bassertion\b", said):
        return True, "assertion"
    if re.search(r"did not converge", said):
        return True, "no settling"
    if done.returncode == 2 or "[  FAILED  ]" not in said and "lockstep difference" not in said:
        return True, f"status {done.returncode}"
    return True, "difference"


class Pins:
    name = "pin"

    def __init__(self, build):
        self.commands = {case: [program, f"--gtest_filter={case}"]
                         for program in benches.programs(build).values() if program.exists() for case in benches.cases(program)}

    def runs(self, block):
        return [(case, command) for top in AROUND.get(block, [block]) for case, command in self.commands.items()
                if case.startswith(f"{top}_")]

    def judge(self, mutant):
        runs = self.runs(mutant.block)
        quick = [(case, command, QUICK_SEEDS) for case, command in runs if case.startswith(SLOW)]
        for case, command, seeds in quick + [(case, command, None) for case, command in runs]:
            noticed, why = run(command, mutant.number, seeds)
            if noticed:
                return "killed", f"{case} ({why})"
        return "survived", ""


class Lockstep:
    name = "lockstep"

    def __init__(self, build):
        self.weft = build / "weft"

    def runs(self, block):
        result = []
        for top in AROUND.get(block, [block]):
            for network in NETWORKS.get(top, []):
                settings = [word for setting in network[1:] for word in ("--set", setting)]
                result.append((network[0], [self.weft, "run", network[0], *settings, "--json", "--no-files"]))
        return result

    def judge(self, mutant):
        for network, command in self.runs(mutant.block):
            noticed, why = run(command, mutant.number)
            if noticed:
                return "killed", f"{network} ({why})"
        return "survived", ""


def benches_of(block):
    """Programs of the benches that judge a block."""
    files = mutants.blocks()
    return ["iq_pin_tests" if name.startswith("iq_") else f"{files[name].parent.name}_pin_tests"
            for name in AROUND.get(block, [block])]


def edit_of(mutant):
    def edit(work):
        target = work / f"{mutant.block}.sv"
        target.write_text(mutants.apply(target.read_text(), mutant))
    return edit


class Proofs:
    name = "formal"

    def runs(self, block):
        return [(top, parameters + proofs.NO_LEMMAS) for top in PROOFS.get(block, [])
                for parameters in dict.fromkeys([proofs.BLOCKS[top][4], *proofs.BLOCKS[top][2][:2]])]

    def judge(self, mutant):
        undecided = ""
        for top, parameters in self.runs(mutant.block):
            verdict, _ = proofs.Job("mutant", top, parameters, "", edit_of(mutant)).run(PROVER_SECONDS)
            size = parameters.removesuffix(proofs.NO_LEMMAS)
            if verdict.startswith("refuted"):
                return "killed", f"{top} {size} ({verdict})"
            if not verdict.startswith("proven"):
                undecided = undecided or f"{top} {size} ({verdict})"
        return ("undecided", undecided) if undecided else ("survived", "")


class Equivalence:
    """Not a level: whether a mutant is one. `killed` says that its outputs differ, for some inputs that are allowed; the reason
    of `survived` is "by its rules" when they differ for others."""
    name = "equivalence"

    def runs(self, block):
        return SIZES.get(block, ([], []))[1]

    def judge(self, mutant):
        verdict = self.compare(mutant, ())
        if verdict[0] != "killed" or mutant.block not in RULES:
            return verdict
        verdict = self.compare(mutant, RULES[mutant.block])
        return ("survived", "by its rules") if verdict[0] == "survived" else verdict

    def compare(self, mutant, rules):
        files = mutants.blocks()
        parts = [files[part] for part in SIZES[mutant.block][0]]
        text = files[mutant.block].read_text()
        texts = [text, mutants.apply(text, mutant)]
        if rules and mutant.block in LOOKED_AT:
            texts = [each.replace(*LOOKED_AT[mutant.block]) for each in texts]
        for parameters in self.runs(mutant.block):
            try:
                verdict = proofs.same_at_pins(mutant.block, parts, parameters, *texts, EQUIVALENCE_SECONDS, rules)
            except RuntimeError as error:
                verdict = f"error: {error}"
            if verdict.startswith("refuted"):
                return "killed", f"{parameters} ({verdict})"
            if not verdict.startswith("proven"):
                return "undecided", f"{parameters} ({verdict})"
        return "survived", ""
