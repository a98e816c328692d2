#!/usr/bin/env python3
"""Checks the list "To add" of sc_models/README.md: a kind of network, a routing algorithm, a switch architecture, an egress
scheduler, a slot allocator or a policy is named by its own files and by the table it stands in, and by no other file of
sc_models.

usage: check_additions.py <project folder>       exit status 1 and one line per violation

The words come from the tables themselves. A file names a record by its constant (kScfqScheduler, dragonfly_topology) or by
its word: anywhere in the code, or as a whole string literal if the word has other meanings in longer ones, or not at all if it
is too common.
"""
import pathlib
import re
import sys


class Kind:
    def __init__(self, name, table, entry, record, literal=(), common=(), exceptions=(), folder=False):
        self.name = name  # as the README has it
        self.table = table  # source of the table
        self.entry = entry  # an entry of the table; group 1: its constant
        self.record = record  # its record, {} the constant; group 1: its word
        self.literal = set(literal)  # words that count as whole string literals only
        self.common = set(common)  # words that do not count, only the constants do
        self.exceptions = dict(exceptions)  # file -> words that it may name besides
        # Its own files are all of its folder, and of the one of the same name below run/packet. Identifiers and files with its
        # word count as its names, too (OpaSwitch).
        self.folder = folder


KINDS = [
    Kind("topology", "network/topology/topologies.cpp", r"&(\w+_topology)\(\)",
         r"\b{}\(\)\s*\{{\s*static const Topology record\{{\s*\.name = \"(\w+)\"",
         literal=["mesh", "torus"], common=["tree", "file"],
         exceptions={
             "network/graph.h": "dragonfly",  # its shape, which routing asks for
             "network/routing/minimal_vl_per_hop.cpp": "dragonfly",  # local - global - local
             "algorithms/optweb/neighbours.cpp": "full_mesh dragonfly",  # the links of OPTWEB
             "algorithms/optweb/optweb_config.h": "full_mesh dragonfly",
             "fabrics/optweb/keys/optweb_schema.cpp": "full_mesh dragonfly",
             "fabrics/optweb/keys/optweb_topology.cpp": "full_mesh dragonfly",
             "run/optweb/optweb_report.cpp": "full_mesh dragonfly",
             "run/network_view.cpp": "dragonfly",  # drawn by its groups
             "studies/cost/optweb_cost_report.cpp": "dragonfly",
             "studies/slots/table1.cpp": "mesh",  # networks of the FiC paper's Table 1
             "algorithms/collectives/algorithms.h": "torus",  # algorithms of collectives, named after it
             "algorithms/collectives/torus_rounds.cpp": "torus",
             "algorithms/alltoall/tdm_tables.cpp": "mesh torus",  # schedules of grids
             "algorithms/alltoall/schedule_file.cpp": "mesh torus",
             "studies/alltoall/alltoall_report.cpp": "torus",
             "studies/slots/slots_charts.cpp": "mesh",
             "workload/job_traffic.cpp": "mesh",  # a row of nodes
             "cli/dlt_options.cpp": "mesh torus",  # and hypercubes, which are none of these
             "cli/network_options.cpp": "mesh",  # the default
             "cli/templates/templates.cpp": "mesh torus dragonfly",  # kinds of 'weft new', which are no topologies
         }),
    Kind("routing algorithm", "network/routing/routing_algorithms.cpp", r"&(k[A-Z]\w+)",
         r"\bconstinit const RoutingAlgorithm {}\{{\s*\.name = \"(\w+)\"", common=["dimension_order", "shortest_path"],
         exceptions={
             "network/routing/routing_config.h": "dimension_order",  # the default
             "network/routing/minimal_routes.cpp": "dimension_order",  # of circuits
             "fabrics/tdm/plan/alltoall_circuits.cpp": "dimension_order",  # schedules of grids
             "network/routing/minimal_vl_per_hop.cpp": "shortest_path up_down",  # its routes, its advice
             # Default routings and advice of topologies.
             "network/topology/topology.h": "up_down",
             "network/topology/tree.cpp": "valiant nearest_common_ancestor",
             "network/topology/dragonfly.cpp": "minimal_vl_per_hop up_down",
             "fabrics/packet/keys/packet_schema.cpp": "up_down",  # meanings of keys
         }),
    Kind("switch architecture", "fabrics/packet/switch_architectures.cpp", r"&(k\w+Architecture)\b",
         r"\bconstinit const SwitchArchitecture {}\{{\s*\.name = \"(\w+)\"", literal=["ib"], folder=True,
         exceptions={
             "fabrics/packet/common/parameters.h": "ib",  # the default
             # Routers that move flits have a network, waves and limits of links of their own.
             "fabrics/packet/keys/packet_schema.cpp": "iq",
             "fabrics/packet/observe/iq_wave_view.h": "iq",
             "fabrics/packet/observe/iq_wave_view.cpp": "iq",
             "cosim/compiled/compiled_iq_router.cpp": "iq", "cosim/packet/iq_router_rtl.cpp": "iq",  # they exist in RTL
             "cosim/packet/iq_router_rtl.h": "iq",
             "cosim/packet/iq_rtl_driver.cpp": "iq",
             "cosim/packet/iq_rtl_driver.h": "iq",
             "cosim/packet/iq_rtl_lockstep.cpp": "iq",
             "cosim/packet/iq_rtl_routers.cpp": "iq",
             "cosim/packet/iq_rtl_routers.h": "iq",
             "cosim/packet/packet_rtl.h": "iq",
             "cosim/packet/verilated_iq_router.h": "iq",
             "run/packet/packet_network_types.cpp": "iq",  # the line of its network
         }),
    Kind("egress scheduler", "algorithms/qos/scheduler_factory.cpp", r"&(k\w+Scheduler)\b",
         r"\bconstinit const SchedulerType {}\{{\s*\.name = \"(\w+)\"", common=["dtable", "ib_arbiter", "round_robin"],
         exceptions={
             "algorithms/qos/scheduler_type.h": "dtable",  # the default
             "algorithms/qos/schedulers.h": "round_robin strict_priority drr scfq",  # their classes
             "fabrics/packet/keys/packet_config.h": "dtable",
             # Those that exist in RTL have sections of their own.
             "fabrics/packet/keys/packet_schema.h": "drr",
             "fabrics/packet/keys/packet_resolve.cpp": "drr",
             "fabrics/packet/keys/packet_resolve_scheduler.cpp": "dtable ib_arbiter drr",
             "cosim/compiled/compiled_drr.cpp": "drr",
             "cosim/packet/verilated_drr.h": "drr",
             "cosim/packet/packet_rtl.h": "drr",
             "cosim/packet/scheduler_kinds.cpp": "dtable ib_arbiter drr",
             "run/packet/narrow_counters.cpp": "dtable",
             "run/packet/packet_platform.cpp": "dtable",
             "run/packet/packet_schedulers.cpp": "dtable",
             "fabrics/packet/keys/packet_schema.cpp": "drr scfq strict_priority",  # meanings of the keys of levels
         }),
    Kind("slot allocator", "algorithms/slots/allocation.cpp", r"&(k[A-Z]\w+)",
         r"\bconstinit const Allocator {}\{{\s*\.name = \"(\w+)\"", common=["first_fit", "search"],
         exceptions={
             "algorithms/slots/allocation_options.h": "first_fit",  # the default
             "algorithms/jobs/occupancy.h": "first_fit",
             "algorithms/jobs/simulation.h": "first_fit",
             "studies/slots/pattern_slots.h": "first_fit",
             "fabrics/tdm/keys/tdm_config.h": "first_fit",
             "fabrics/tdm/keys/tdm_resolve.cpp": "first_fit",
             "fabrics/tdm/controller.cpp": "first_fit",  # a check of what it alone promises
         }),
    Kind("arrival process", "workload/arrivals.cpp", r"&(k\w+)",
         r"\bconstinit const ArrivalProcess {}\{{\s*\.name = \"(\w+)\"", common=["saturated", "periodic", "none"],
         exceptions={
             "fabrics/tdm/setup/flow_source.cpp": "saturated",
             "fabrics/tdm/setup/timed_flow.h": "saturated",  # the default, and the only one for which durations are
             "fabrics/tdm/keys/tdm_config.h": "saturated",
             "fabrics/tdm/keys/tdm_coming_and_going.cpp": "saturated",
             "run/tdm/alltoall_section.cpp": "saturated",
             "run/tdm/setup_plan.cpp": "saturated",
             "fabrics/tdm/keys/tdm_schema.cpp": "poisson", "fabrics/tdm/keys/tdm_phases.cpp": "poisson",  # their interval
         }),
    Kind("injection process", "workload/injection.cpp", r"&(k\w+)",
         r"\bconstinit const InjectionProcess {}\{{\s*\.name = \"(\w+)\"", common=["bursts", "on_off"],
         exceptions={"workload/traffic_schema.h": "bernoulli constant_rate"}),  # the default, meanings of keys
    Kind("scheduling policy", "algorithms/jobs/policy.cpp", r"^\s*(k[A-Z]\w+),$",
         r"\bconstinit const PolicyEntry {}\{{\s*\"(\w+)\"",
         exceptions={"algorithms/jobs/simulation.h": "fcfs", "cli/arguments.h": "fcfs"}),  # the default
    Kind("node policy", "algorithms/jobs/node_policy.cpp", r"^\s*(k[A-Z]\w+),$",
         r"\bconstinit const NodePolicyEntry {}\{{\s*\"(\w+)\"", common=["first_fit", "contiguous", "random"]),
]


def without_comments(text: str) -> str:
    """Code without comments; string literals stay."""
    pattern = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
    return re.sub(pattern, lambda m: m.group(0) if m.group(0).startswith('"') else " ", text, flags=re.S)


def violations(root: pathlib.Path):
    models = root / "sc_models"
    code = {str(p.relative_to(models)): without_comments(p.read_text()) for p in sorted(models.rglob("*"))
            if p.suffix in {".h", ".cpp"}}
    readme = (models / "README.md").read_text().split("To add\n")[-1]
    for kind in KINDS:
        if kind.table not in code:
            yield f"check_additions.py: there is no sc_models/{kind.table}"
            continue
        constants = re.findall(kind.entry, code[kind.table], flags=re.M)
        if len(constants) < 2:
            yield f"check_additions.py: no table of {kind.name}s found in sc_models/{kind.table}"
        if not re.search(rf"[-;] an? {kind.name}[: ]", readme):
            yield f"sc_models/README.md: 'To add' has no line for: {kind.name}"
        used = {}
        for constant in constants:
            homes = [(path, m.group(1)) for path, text in code.items() if constant in text
                     for m in re.finditer(kind.record.format(constant), text)]
            if len(homes) != 1:
                yield f"check_additions.py: {len(homes)} records for {constant}"
                continue
            home, word = homes[0]
            own = {home, home.replace(".cpp", ".h"), kind.table}
            named = rf"\b{constant}\b"
            if kind.folder:
                folder = home.rsplit("/", 1)[0] + "/"
                own |= {path for path in code if path.startswith((folder, f"run/packet/{word}/"))}
                if word not in kind.literal:
                    capital = word.capitalize()
                    named += rf"|(?<![A-Za-z])({word}|{word.upper()})(?![A-Za-z])|{capital}(?=[A-Z])|(?<![A-Za-z]){capital}\b"
            if word in kind.literal:
                named += rf'|"{word}"'
            elif word not in kind.common:
                named += rf"|\b{word}\b"
            named = re.compile(named)
            parts = {constant, word, word.upper(), word.capitalize()}  # to search for them first is much faster
            for path, text in code.items():
                if path in own or not any(part in text for part in parts) or not named.search(text):
                    continue
                used.setdefault(path, set()).add(word)
                if word not in kind.exceptions.get(path, "").split():
                    yield f"sc_models/{path}: names the {kind.name} '{word}', which only its own files and the table do"
        for path, words in kind.exceptions.items():
            for word in words.split():
                if word not in used.get(path, set()):
                    yield f"check_additions.py: sc_models/{path} does not name the {kind.name} '{word}' any more"


def main():
    found = list(violations(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else "additions: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
