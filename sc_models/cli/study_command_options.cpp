// Options of the commands for studies, which run no network by themselves.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "algorithms/alltoall/search/search.h"
#include "algorithms/dlt/dlt_config.h"
#include "algorithms/jobs/node_policy.h"
#include "algorithms/jobs/policy.h"
#include "algorithms/slots/allocation.h"
#include "cli/command_options.h"
#include "cli/option_checks.h"
#include "cli/option_parts.h"
#include "cli/study_options.h"
#include "network/patterns.h"
#include "network/topology/topologies.h"
#include "studies/dlt/dlt_schema.h"
#include "workload/job_traffic.h"

namespace weft::cli {
namespace {

/// Allocators that serve one flow after the other, so that jobs can come one by one.
std::vector<std::string> serving_allocators() {
  std::vector<std::string> out;
  for (const Allocator* a : slot_allocators()) {
    if (a->color == nullptr) out.emplace_back(a->name);
  }
  return out;
}

void add_network(CLI::App& c, NetworkArguments& a) {
  suggest(c.add_option("--topology", a.topology,
                       fmt::format("{} (default: mesh)", fmt::join(names_of(topologies()), ", "))),
          names_of(topologies()));
  for (const SharedTopologyKey& shared : topology_keys()) {
    if (shared.key.packets_only) continue;
    c.add_option(option_of(shared.key.name), a.keys[shared.key.name],
                 fmt::format("{}: {}", fmt::join(names_of(shared.kinds), ", "), shared.key.meaning));
  }
  c.add_option("--order", a.order, "mesh, torus: dimensions in the order of the routes, as z,x,y (default: x first)");
}

void add_reading(CLI::App& c, WorkloadReading& a, const char* pattern_meaning) {
  const auto note = [&a](const char* option) { return [&a, option](const std::string&) { a.given.insert(option); }; };
  choose(c.add_option("--format", a.format, "auto (default), workload, circuits (no times) or swf"),
         {"auto", "workload", "circuits", "swf"})
      ->each(note("--format"));
  suggest(c.add_option("--pattern", a.pattern, pattern_meaning), job_pattern_names())
      ->each(note("--pattern"))
      ->capture_default_str();
  c.add_option("--procs-per-node", a.processors_per_node, "swf: processors on a node")
      ->check(whole_number("--procs-per-node", 1, 1'000'000))
      ->each(note("--procs-per-node"))
      ->capture_default_str();
  c.add_option("--run-time", a.run_time, "circuits: run time of every job")
      ->check(whole_number("--run-time", 1, 1'000'000'000'000))
      ->each(note("--run-time"))
      ->capture_default_str();
}

}  // namespace

void add_dlt(CLI::App& c, DltArguments& a) {
  c.add_option("config", a.config, "configuration file (YAML, fabric: dlt), or give the options below");
  suggest(c.add_option("--topology", a.topology, "mesh, torus or hypercube"), dlt_topology_words());
  c.add_option("--dims", a.dims, "nodes per dimension, as 5,5; of a hypercube its number of dimensions");
  suggest(c.add_option("--inject", a.inject,
                       "corner (default), edge, centre, a node, or coordinates as 2,3 (may be repeated)"),
          {"corner", "edge", "centre"})
      ->allow_extra_args(false);
  c.add_option("--sigma", a.sigma, "time of a link for the load over the time of a node, between 0 and 1");
  suggest(c.add_option("--switching", a.switching,
                       "cut_through (default), modified_store_and_forward or store_and_forward"),
          words_of<DltSwitching>());
  suggest(c.add_option("--routes", a.routes,
                       "routes of the simulation: fewest_nodes (default), least_load, dimension_order"),
          words_of<DltRoutes>());
  suggest(c.add_option("--run", a.run,
                       fmt::format("send the shares over a simulated network: a configuration file, or {}",
                                   fmt::join(dlt_network_words(), ", "))),
          dlt_network_words())
      ->type_name("FABRIC");
  c.add_option("--load", a.load, "--run: size of the load (default: 1MiB)");
  c.add_option("--rounds", a.rounds, "--run: messages in which each node gets its share (default: 1)");
  c.add_option("--results", a.results, "--run: size of the results over that of the load (default: 0, none)");
  add_set_and_json(c, a.set, "sigma=0.2", a.json);
  add_out(c, a.out, "folder for the results (default: out/<configuration>, or out/dlt)");
  examples(c, {"weft dlt configs/dlt/mesh_5x5.yaml", "weft dlt --topology mesh --dims 5,5 --inject corner --sigma 0.3",
               "weft dlt configs/dlt/mesh_5x5.yaml --run tdm --rounds 4 --results 0.1"});
}

void add_slots(CLI::App& c, SlotsArguments& a) {
  add_network(c, a.network);
  suggest(
      c.add_option("--pattern", a.pattern, "who sends to whom: uniform, bit_reversal, tornado, ... (docs/slots.md)"),
      pattern_names());
  c.add_flag("--table1", a.table1, "all patterns and networks of the FiC paper's Table 1 instead");
  suggest(c.add_option("--allocator", a.allocator,
                       fmt::format("all (default), or a list of {}", fmt::join(names_of(slot_allocators()), ", "))),
          with({"all"}, names_of(slot_allocators())));
  c.add_option("--seed", a.seed, "seed of random patterns and of search (default: 1)");
  c.add_option("--seeds", a.seeds, "draws of a random pattern (default: 1, with --table1 200)");
  c.add_option("--search-iterations", a.search_iterations, "search: number of moves tried (default: 200000)");
  add_out(c, a.out, "folder for the results (default: out/slots or out/table1)");
  add_json(c, a.json);
  examples(c, {"weft slots --topology mesh --dims 64,64 --pattern tornado",
               "weft slots --topology torus --dims 8,8 --pattern bit_reversal --allocator all", "weft slots --table1"});
}

namespace {

void add_grid(CLI::App& c, AllToAllArguments& a) {
  c.add_option("--n", a.n, "an n x n grid, 2 to 64");
  c.add_option("--dims", a.dims, "columns and rows, as 8x6 or 8x1");
  c.add_flag("--torus", a.torus, "with links around the edges; routes go the shorter way");
  suggest(c.add_option("--order", a.order, "order of routing: xy (default) or yx"), {"xy", "yx"});
  add_json(c, a.json);
}

}  // namespace

void add_alltoall_verify(CLI::App& c, AllToAllArguments& a) {
  c.add_option("file", a.file, "schedule (CSV)")->required();
  add_grid(c, a);
  examples(c, {"weft alltoall verify out/alltoall_8x8/schedule.csv", "weft alltoall verify schedule.csv --dims 8x6"});
}

void add_alltoall(CLI::App& c, AllToAllArguments& a) {
  add_grid(c, a);
  suggest(c.add_option("--method", a.method, "groups (default), search or exact"), {"groups", "search", "exact"});
  suggest(c.add_option("--search-moves", a.search_moves,
                       "one kind of search alone: all (default), symmetric, recombine, tabu, kempe or repack"),
          words_of<alltoall::SearchMoves>());
  c.add_option("--slot-time", a.slot_time, "length of a slot, for times (default: 10ns, a cycle of FiC)");
  c.add_option("--wavelengths", a.wavelengths, "wavelengths per plane to spread the slots over");
  c.add_option("--planes", a.planes, "planes (waveguides side by side) to spread the slots over");
  c.add_option("--time-slots", a.time_slots, "limit on time slots, met with the fewest channels");
  c.add_option("--seed", a.seed, "of the search and of the assignment to channels (default: 1)");
  c.add_option("--time-limit", a.time_limit, "search, exact: seconds (default: 60)");
  add_out(c, a.out, "folder for the results (default: out/alltoall_<columns>x<rows>)");
  examples(c,
           {"weft alltoall --n 8 --wavelengths 8", "weft alltoall --dims 8x6 --torus --method search --time-limit 30",
            "weft alltoall verify out/alltoall_8x8/schedule.csv"});
}

void add_schedule(CLI::App& c, ScheduleArguments& a) {
  c.add_option("workload", a.workload, "workload file, SWF trace or list of circuits")->required();
  add_network(c, a.network);
  c.add_option("--slots", a.slots, "slots per frame")->check(whole_number("--slots", 1, 65535))->capture_default_str();
  suggest(c.add_option("--policy", a.policy,
                       fmt::format("{}, or all for a comparison", fmt::join(names_of(jobs::policies()), ", "))),
          with({"all"}, names_of(jobs::policies())))
      ->capture_default_str();
  suggest(
      c.add_option("--nodes-policy", a.nodes_policy,
                   fmt::format("which free nodes a job gets: {}", fmt::join(names_of(jobs::node_policies()), ", "))),
      names_of(jobs::node_policies()))
      ->capture_default_str();
  choose(
      c.add_option("--allocator", a.allocator,
                   fmt::format("which flow of a job gets its slots first: {}", fmt::join(serving_allocators(), ", "))),
      serving_allocators())
      ->capture_default_str();
  c.add_option("--slots-per-flow", a.slots_per_flow, "slots each flow asks for")
      ->check(whole_number("--slots-per-flow", 1, 65535))
      ->capture_default_str();
  choose(c.add_option("--queues", a.queues, "queues of waiting jobs: one, or one per slot (per_slot)"),
         {"one", "per_slot"})
      ->capture_default_str();
  c.add_option("--reconfiguration", a.reconfiguration,
               "time from a change of circuits until they are in place, in the unit of the workload")
      ->check(whole_number("--reconfiguration", 0, 1'000'000'000'000))
      ->capture_default_str();
  c.add_option("--seed", a.seed, "seed of random nodes, random communication and --run")
      ->check(whole_number("--seed", 0, std::numeric_limits<std::int64_t>::max()))
      ->each([&a](const std::string&) { a.reading.given.insert("--seed"); })
      ->capture_default_str();
  c.add_option("--slowdown-bound", a.slowdown_bound, "run time that shorter jobs count as in the bounded slowdown")
      ->check(whole_number("--slowdown-bound", 1, 1'000'000'000'000))
      ->capture_default_str();
  choose(c.add_option("--detail", a.detail,
                      "on, off or auto (for at most 2000 jobs): log, tables at each instant, Gantt charts"),
         {"auto", "on", "off"});
  add_reading(c, a.reading, "swf: communication of the jobs, as ring, none, all_to_all, uniform, mixed");
  CLI::Option* run = c.add_flag("--run", a.run, "replay the schedule on the SystemC network and compare (one policy)");
  c.add_option("--time-unit", a.time_unit, "run: simulated time of one unit of the workload")
      ->needs(run)
      ->capture_default_str();
  choose(c.add_option("--replay-slots", a.replay_slots,
                      "run: planned (circuits ask for the slots of the schedule) or chosen (by the first switch)"),
         {"planned", "chosen"})
      ->needs(run)
      ->capture_default_str();
  c.add_option("--set", a.set, "run: a key of switch or setup: --set setup.processing=4cycles (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->needs(run);
  add_out(c, a.out, "folder for the results (default: out/<workload>)");
  add_json(c, a.json);
  examples(c, {"weft schedule configs/workloads/poisson_4x4.txt --topology mesh --dims 4,4 --slots 8 --policy all",
               "weft schedule configs/workloads/sample.swf --dims 8,8 --run"});
}

void add_workload(CLI::App& c, WorkloadArguments& a) {
  c.add_option("file", a.file, "file to convert: SWF trace or list of circuits");
  c.add_option("--generate", a.generate, "number of random jobs")->check(whole_number("--generate", 1, 10'000'000));
  const auto note = [&a](const char* option) {
    return [&a, option](const std::string&) { a.reading.given.insert(option); };
  };
  c.add_option("--seed", a.seed, "of generated jobs and of random communication")
      ->check(whole_number("--seed", 0, std::numeric_limits<std::int64_t>::max()))
      ->each(note("--seed"))
      ->capture_default_str();
  c.add_option("--sizes", a.sizes, "nodes of a job, each as likely as the others")
      ->delimiter(',')
      ->check(whole_number("--sizes", 1, 1'000'000))
      ->each(note("--sizes"))
      ->capture_default_str();
  c.add_option("--mean-interarrival", a.mean_interarrival, "mean time between submissions")
      ->check(number("--mean-interarrival", 0.001, 1e9))
      ->each(note("--mean-interarrival"))
      ->capture_default_str();
  c.add_option("--mean-run", a.mean_run, "mean run time")
      ->check(number("--mean-run", 0.001, 1e9))
      ->each(note("--mean-run"))
      ->capture_default_str();
  add_reading(c, a.reading, "communication of generated jobs, and of jobs of an SWF trace");
  add_out(c, a.out, "file (default: standard output)")->needs("--out");
  examples(c, {"weft workload --generate 100 --seed 3 --out jobs.txt",
               "weft workload configs/workloads/sample.swf --procs-per-node 4 --out jobs.txt"});
}

void add_dtable(CLI::App& c, DtableArguments& a) {
  c.add_option("requirements", a.requirements, "requirements file (YAML)")->required();
  add_set_and_json(c, a.set, "max_weight=255", a.json);
  add_out(c, a.out, "folder for the results (default: out/<requirements>)");
  choose(c.add_option("--method", a.method, "how weights are chosen: optimal (default) or paper"),
         {"optimal", "paper"});
  examples(c, {"weft dtable configs/packet/table4.yaml", "weft dtable configs/packet/table4.yaml --method paper"});
}

void add_optweb_cost(CLI::App& c, OptwebCostArguments& a) {
  c.add_option("prices", a.file, "prices (YAML; default: those of the paper)");
  add_set_and_json(c, a.set, "fibre=60", a.json);
  add_out(c, a.out, "folder for the results (default: out/optweb_cost)");
  examples(c, {"weft optweb cost", "weft optweb cost configs/optweb/cost.yaml --set fibre=60"});
}

}  // namespace weft::cli
