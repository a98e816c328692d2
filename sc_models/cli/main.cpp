// CLI11 is expensive to compile, so only this file includes it.

#include "cli/main.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <systemc>

#include "algorithms/jobs/node_policy.h"
#include "algorithms/jobs/policy.h"
#include "algorithms/slots/allocation.h"
#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/option_checks.h"
#include "cli/terminal.h"
#include "network/topology/topologies.h"

namespace {

using weft::cli::number;
using weft::cli::one_of;
using weft::cli::whole_number;

constexpr const char* kFooter =
    "exit status: 0 done, 1 the run itself failed, 2 bad input, 130 interrupted\n"
    "examples:\n"
    "  weft run configs/tdm/mesh_4x4.yaml --waves out/waves.fst\n"
    "  weft run configs/tdm/mesh_4x4.yaml --set switch.slots=16 --set pattern=tornado\n"
    "  weft check configs/tdm/mesh_4x4.yaml\n"
    "  weft dtable configs/packet/table4.yaml\n"
    "  weft sweep configs/tdm/sweep_load.yaml --jobs 2\n"
    "  weft slots --topology mesh --dims 64,64 --pattern tornado\n"
    "  weft slots --table1\n"
    "  weft optweb cost\n"
    "  weft dlt --topology mesh --dims 5,5 --inject corner --sigma 0.3\n"
    "  weft alltoall --n 8 --wavelengths 8\n"
    "  weft schedule configs/workloads/poisson_4x4.txt --topology mesh --dims 4,4 --slots 8 --policy all\n"
    "  weft describe link.rate";

std::string not_empty(const std::string& text) { return text.empty() ? "expected a name, got nothing" : ""; }

CLI::Option* add_out(CLI::App& command, weft::cli::OutArguments& out, const char* meaning) {
  command.add_option("--out", out.path, meaning)->check(not_empty);
  return command.add_flag("--overwrite", out.overwrite, "replace files there that Weft has not written");
}

void add_set_and_json(CLI::App& command, std::vector<std::string>& set, const std::string& example, bool& json) {
  command.add_option("--set", set, "override a key: --set " + example + " (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_flag("--json", json, "machine-readable result on standard output and nothing else there");
}

void add_config(CLI::App& command, weft::cli::RunArguments& a) {
  command.add_option("config", a.config, "configuration file (YAML)")->required();
  add_set_and_json(command, a.set, "switch.slots=16", a.json);
  command.add_option("--seed", a.seed, "override the seed")->type_name("NUMBER");
}

void add_sweep(CLI::App& command, weft::cli::SweepArguments& a) {
  command.add_option("file", a.file, "sweep file (YAML)")->required();
  command.add_option("--set", a.set, "override a key of the sweep file: --set seeds=3 (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_out(command, a.out, "folder for the results (default: out/<sweep file>)");
  command.add_option("--jobs", a.jobs, "runs at a time (default: one per core)")
      ->check(whole_number("--jobs", 1, 1024));
  command.add_flag("--quick", a.quick, "fewer points and seeds, as the section 'quick' of the file says");
  CLI::Option* only =
      command.add_flag("--export-only", a.export_only, "run nothing, write the outputs from what is stored");
  command.add_flag("--fresh", a.fresh, "forget stored results and run everything again")->excludes(only);
  command.add_flag("--json", a.json, "machine-readable result on standard output and nothing else there");
}

void add_dlt(CLI::App& c, weft::cli::DltArguments& a) {
  c.add_option("config", a.config, "configuration file (YAML, fabric: dlt), or give the options below");
  c.add_option("--topology", a.topology, "mesh, torus or hypercube");
  c.add_option("--dims", a.dims, "nodes per dimension, as 5,5; of a hypercube its number of dimensions");
  c.add_option("--inject", a.inject, "corner (default), edge, centre, a node, or coordinates as 2,3 (may be repeated)")
      ->allow_extra_args(false);
  c.add_option("--sigma", a.sigma, "time of a link for the load over the time of a node, between 0 and 1");
  c.add_option("--switching", a.switching, "cut_through (default), modified_store_and_forward or store_and_forward");
  c.add_option("--routes", a.routes, "routes of the simulation: fewest_nodes (default), least_load, dimension_order");
  add_set_and_json(c, a.set, "sigma=0.2", a.json);
  add_out(c, a.out, "folder for the results (default: out/<configuration>, or out/dlt)");
}

template <class Entry>
std::string name_of(const Entry& entry) {
  return std::string(entry.name);
}
template <class Record>
std::string name_of(const Record* record) {
  return std::string(record->name);
}

/// Names of the entries of a table.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> out;
  for (const auto& entry : list) out.push_back(name_of(entry));
  return out;
}

/// Allocators that serve one flow after the other, so that jobs can come one by one.
std::vector<std::string> serving_allocators() {
  std::vector<std::string> out;
  for (const weft::Allocator* a : weft::slot_allocators()) {
    if (a->color == nullptr) out.emplace_back(a->name);
  }
  return out;
}

void add_network(CLI::App& c, weft::cli::NetworkArguments& a) {
  c.add_option("--topology", a.topology,
               fmt::format("{} (default: mesh)", fmt::join(names_of(weft::topologies()), ", ")));
  for (const weft::SharedTopologyKey& shared : weft::topology_keys()) {
    if (shared.key.packets_only) continue;
    c.add_option(weft::cli::option_of(shared.key.name), a.keys[shared.key.name],
                 fmt::format("{}: {}", fmt::join(names_of(shared.kinds), ", "), shared.key.meaning));
  }
  c.add_option("--order", a.order, "mesh, torus: dimensions in the order of the routes, as z,x,y (default: x first)");
}

void add_slots(CLI::App& c, weft::cli::SlotsArguments& a) {
  add_network(c, a.network);
  c.add_option("--pattern", a.pattern, "who sends to whom: uniform, bit_reversal, tornado, ... (docs/slots.md)");
  c.add_flag("--table1", a.table1, "all patterns and networks of the FiC paper's Table 1 instead");
  c.add_option("--allocator", a.allocator,
               fmt::format("all (default), or a list of {}", fmt::join(names_of(weft::slot_allocators()), ", ")));
  c.add_option("--seed", a.seed, "seed of random patterns and of search (default: 1)");
  c.add_option("--seeds", a.seeds, "draws of a random pattern (default: 1, with --table1 200)");
  c.add_option("--search-iterations", a.search_iterations, "search: number of moves tried (default: 200000)");
  add_out(c, a.out, "folder for the results (default: out/slots or out/table1)");
  c.add_flag("--json", a.json, "machine-readable result on standard output and nothing else there");
}

void add_grid(CLI::App& c, weft::cli::AllToAllArguments& a) {
  c.add_option("--n", a.n, "an n x n grid, 2 to 64");
  c.add_option("--dims", a.dims, "columns and rows, as 8x6 or 8x1");
  c.add_flag("--torus", a.torus, "with links around the edges; routes go the shorter way");
  c.add_option("--order", a.order, "order of routing: xy (default) or yx");
  c.add_flag("--json", a.json, "machine-readable result on standard output and nothing else there");
}

void add_alltoall(CLI::App& c, weft::cli::AllToAllArguments& a) {
  add_grid(c, a);
  c.add_option("--method", a.method, "groups (default), search or exact");
  c.add_option("--search-moves", a.search_moves,
               "one kind of search alone: all (default), symmetric, recombine, tabu, kempe or repack");
  c.add_option("--slot-time", a.slot_time, "length of a slot, for times (default: 10ns, a cycle of FiC)");
  c.add_option("--wavelengths", a.wavelengths, "wavelengths per plane to spread the slots over");
  c.add_option("--planes", a.planes, "planes (waveguides side by side) to spread the slots over");
  c.add_option("--time-slots", a.time_slots, "at most so many time slots, with as few channels as will do");
  c.add_option("--seed", a.seed, "of the search and of the assignment to channels (default: 1)");
  c.add_option("--time-limit", a.time_limit, "search, exact: seconds (default: 60)");
  add_out(c, a.out, "folder for the results (default: out/alltoall_<columns>x<rows>)");
}

void add_reading(CLI::App& c, weft::cli::WorkloadReading& a, const char* pattern_meaning) {
  const auto note = [&a](const char* option) { return [&a, option](const std::string&) { a.given.insert(option); }; };
  c.add_option("--format", a.format, "auto (default), workload, circuits (no times) or swf")
      ->check(one_of("--format", {"auto", "workload", "circuits", "swf"}))
      ->each(note("--format"));
  c.add_option("--pattern", a.pattern, pattern_meaning)->each(note("--pattern"))->capture_default_str();
  c.add_option("--procs-per-node", a.processors_per_node, "swf: processors on a node")
      ->check(whole_number("--procs-per-node", 1, 1'000'000))
      ->each(note("--procs-per-node"))
      ->capture_default_str();
  c.add_option("--run-time", a.run_time, "circuits: run time of every job")
      ->check(whole_number("--run-time", 1, 1'000'000'000'000))
      ->each(note("--run-time"))
      ->capture_default_str();
}

void add_schedule(CLI::App& c, weft::cli::ScheduleArguments& a) {
  c.add_option("workload", a.workload, "workload file, SWF trace or list of circuits")->required();
  add_network(c, a.network);
  c.add_option("--slots", a.slots, "slots per frame")->check(whole_number("--slots", 1, 65535))->capture_default_str();
  c.add_option("--policy", a.policy,
               fmt::format("{}, or all for a comparison", fmt::join(names_of(weft::jobs::policies()), ", ")))
      ->capture_default_str();
  c.add_option("--nodes-policy", a.nodes_policy,
               fmt::format("which free nodes a job gets: {}", fmt::join(names_of(weft::jobs::node_policies()), ", ")))
      ->capture_default_str();
  c.add_option("--allocator", a.allocator,
               fmt::format("which flow of a job gets its slots first: {}", fmt::join(serving_allocators(), ", ")))
      ->check(one_of("--allocator", serving_allocators()))
      ->capture_default_str();
  c.add_option("--slots-per-flow", a.slots_per_flow, "slots each flow asks for")
      ->check(whole_number("--slots-per-flow", 1, 65535))
      ->capture_default_str();
  c.add_option("--seed", a.seed, "seed of random nodes and random communication")
      ->check(whole_number("--seed", 0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  c.add_option("--slowdown-bound", a.slowdown_bound, "run time that shorter jobs count as in the bounded slowdown")
      ->check(whole_number("--slowdown-bound", 1, 1'000'000'000'000))
      ->capture_default_str();
  c.add_option("--detail", a.detail,
               "on, off or auto (for at most 2000 jobs): log, tables at each instant, Gantt charts")
      ->check(one_of("--detail", {"auto", "on", "off"}));
  add_reading(c, a.reading, "swf: communication of the jobs, as ring, none, all_to_all, uniform, mixed");
  CLI::Option* run = c.add_flag("--run", a.run, "replay the schedule on the SystemC network and compare (one policy)");
  c.add_option("--time-unit", a.time_unit, "run: simulated time of one unit of the workload")
      ->needs(run)
      ->capture_default_str();
  c.add_option("--replay-slots", a.replay_slots,
               "run: planned (circuits ask for the slots of the schedule) or chosen (by the first switch)")
      ->check(one_of("--replay-slots", {"planned", "chosen"}))
      ->needs(run)
      ->capture_default_str();
  c.add_option("--set", a.set, "run: a key of switch or setup: --set setup.processing=4cycles (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->needs(run);
  add_out(c, a.out, "folder for the results (default: out/<workload>)");
  c.add_flag("--json", a.json, "machine-readable result on standard output and nothing else there");
}

void add_workload(CLI::App& c, weft::cli::WorkloadArguments& a) {
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
}

// What is wrong with the name of the command; empty when there is a command or no name.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (!app.get_subcommands().empty()) return "";
  const std::string_view takes_value[] = {"--max-input", "--max-memory"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (std::find(std::begin(takes_value), std::end(takes_value), word) != std::end(takes_value)) {
      ++i;
    } else if (!word.starts_with("-")) {
      std::vector<std::string> commands;
      for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
      return fmt::format("unknown command '{}'{} (weft --help lists the commands)", word,
                         weft::did_you_mean(word, commands));
    }
  }
  return "";
}

}  // namespace

// The kernel's banner goes to standard error where it disturbs nobody's output, but nobody wants it either.
[[gnu::constructor]] static void no_banner() { setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0); }

namespace weft::cli {

int main(int argc, char** argv, const Registry& registry) {
  CLI::App app{"Weft: cycle-accurate interconnect models with RTL in the loop", "weft"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("weft {}", weft::kVersion));
  app.footer(kFooter);
  app.fallthrough();  // options of the program may stand behind the command
  std::string max_input;
  app.add_option("--max-input", max_input, "largest file that is read (default: 512MiB)")
      ->envname(kMaxInputVariable)
      ->type_name("SIZE");
  std::string max_memory;
  app.add_option("--max-memory", max_memory, "memory that may be used (default: that of the machine, 2GiB for a check)")
      ->envname(kMaxMemoryVariable)
      ->type_name("SIZE");
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("error: {}\nRun with --help for more information.\n", weft::printable_lines(e.what()));
  });

  RunArguments run_arguments;
  CLI::App* run_command = app.add_subcommand("run", "run a configuration and write its report");
  add_config(*run_command, run_arguments);
  add_out(*run_command, run_arguments.out, "folder for the results (default: out/<configuration>)");
  CLI::Option* waves =
      run_command
          ->add_option("--waves", run_arguments.waves,
                       "write a waveform (FILE.fst) with model and RTL signals; its folder is made if need be")
          ->check(not_empty);
  run_command->add_flag("--no-files", run_arguments.no_files, "write no files; with --json the report alone is printed")
      ->needs("--json")
      ->excludes(waves)
      ->excludes("--out")
      ->excludes("--overwrite");

  RunArguments check_arguments;
  CLI::App* check_command = app.add_subcommand("check", "check a configuration without running it");
  add_config(*check_command, check_arguments);
  check_command->add_option("--max-time", check_arguments.max_time, "seconds of processor time that the check may take")
      ->check(number("--max-time", 0.1, 1e9))
      ->type_name("SECONDS")
      ->capture_default_str();
  add_out(*check_command, check_arguments.out, "folder for predictions and slot tables (default: none written)")
      ->needs("--out");

  DtableArguments dtable_arguments;
  CLI::App* dtable_command =
      app.add_subcommand("dtable", "configure an arbitration table from bandwidth shares and distances");
  dtable_command->add_option("requirements", dtable_arguments.requirements, "requirements file (YAML)")->required();
  add_set_and_json(*dtable_command, dtable_arguments.set, "max_weight=255", dtable_arguments.json);
  add_out(*dtable_command, dtable_arguments.out, "folder for the results (default: out/<requirements>)");
  dtable_command->add_option("--method", dtable_arguments.method, "how weights are chosen: optimal (default) or paper")
      ->check(one_of("--method", {"optimal", "paper"}));

  SweepArguments sweep_arguments;
  CLI::App* sweep_command = app.add_subcommand("sweep", "run a configuration at many points, with several seeds");
  add_sweep(*sweep_command, sweep_arguments);

  DltArguments dlt_arguments;
  CLI::App* dlt_command = app.add_subcommand("dlt", "divisible load: shares, finish times and speedup on a network");
  add_dlt(*dlt_command, dlt_arguments);

  SlotsArguments slots_arguments;
  CLI::App* slots_command = app.add_subcommand("slots", "slot counts and slot tables for a pattern on a network");
  add_slots(*slots_command, slots_arguments);
  AllToAllArguments alltoall_arguments;
  AllToAllArguments verify_arguments;
  CLI::App* alltoall_command =
      app.add_subcommand("alltoall", "all-to-all schedule of a grid: slots, wavelengths, planes");
  add_alltoall(*alltoall_command, alltoall_arguments);
  CLI::App* verify_command = alltoall_command->add_subcommand(
      "verify", "check a schedule; its grid is read from schedule.json beside it unless options tell");
  verify_command->add_option("file", verify_arguments.file, "schedule (CSV)")->required();
  add_grid(*verify_command, verify_arguments);
  ScheduleArguments schedule_arguments;
  CLI::App* schedule_command = app.add_subcommand("schedule", "circuit-switched jobs from a workload file");
  add_schedule(*schedule_command, schedule_arguments);

  WorkloadArguments workload_arguments;
  CLI::App* workload_command = app.add_subcommand("workload", "write a workload file: generated, or converted");
  add_workload(*workload_command, workload_arguments);

  CLI::App* optweb_command = app.add_subcommand("optweb", "the OPTWEB fully connected optical network");
  optweb_command->require_subcommand(1);
  OptwebCostArguments cost_arguments;
  CLI::App* cost_command = optweb_command->add_subcommand("cost", "cost per Gb/s, fibres, sizes of dragonflies");
  cost_command->add_option("prices", cost_arguments.file, "prices (YAML; default: those of the paper)");
  add_set_and_json(*cost_command, cost_arguments.set, "fibre=60", cost_arguments.json);
  add_out(*cost_command, cost_arguments.out, "folder for the results (default: out/optweb_cost)");

  bool describe_json = false;
  CLI::App* describe_command =
      app.add_subcommand("describe", "every configuration key with type, unit, default, range");
  std::string describe_key;
  CLI::Option* only_key =
      describe_command
          ->add_option("key", describe_key, "one key or section, with all its places: link.rate, rate, setup")
          ->check(not_empty);
  std::string describe_schema;
  std::string describe_folder;
  CLI::Option* as_pages =
      describe_command
          ->add_option("--pages", describe_folder, "pages in Markdown, written into a folder (configs/README.md)")
          ->check(not_empty)
          ->type_name("FOLDER");
  CLI::Option* as_json = describe_command->add_flag("--json", describe_json, "as JSON")->excludes(as_pages);
  only_key->excludes(as_pages)->excludes(as_json);
  describe_command
      ->add_option("--json-schema", describe_schema,
                   "JSON Schema for editors: of any file, or of one kind (docs/editors.md)")
      ->expected(0, 1)
      ->default_str("any")
      ->check(one_of("--json-schema", [&] { return weft::schema_kinds(registry); }))
      ->type_name("KIND")
      ->excludes(as_pages)
      ->excludes(as_json)
      ->excludes(only_key);

  bool version_json = false;
  CLI::App* version_command = app.add_subcommand("version", "version of the program");
  bool version_verbose = false;
  version_command->add_flag("--json", version_json, "as JSON");
  version_command->add_flag("--verbose", version_verbose, "with the compiler and the packages it was built with");

  const bool json = std::any_of(argv + 1, argv + argc, [](const char* a) { return std::string_view(a) == "--json"; });
  bool help = false;
  const int parsed = guarded(json, [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      const std::string unknown = e.get_exit_code() == 0 ? "" : unknown_command(app, argc, argv);
      if (!unknown.empty()) throw InputError({"command line"}, unknown);
      help = app.exit(e) == 0;
      if (help) return kDone;
      if (json) print_usage_error(e.what());
      return kBadInput;
    }
    return kDone;
  });
  if (help || parsed != kDone) return parsed;
  const int limited = guarded(json, [&] {
    set_limits(max_input, max_memory);
    tell_memory_needs([](const std::string& text) { say(stderr, "note: {}\n", text); });
    return kDone;
  });
  if (limited != kDone) return limited;
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  const auto command = [&] {
    if (*run_command) return guarded(run_arguments.json, [&] { return run(run_arguments, registry); });
    if (*check_command) return guarded(check_arguments.json, [&] { return check(check_arguments, registry); });
    if (*dtable_command) return guarded(dtable_arguments.json, [&] { return dtable(dtable_arguments); });
    if (*sweep_command) return guarded(sweep_arguments.json, [&] { return sweep(sweep_arguments); });
    if (*dlt_command) return guarded(dlt_arguments.json, [&] { return dlt(dlt_arguments, registry); });
    if (*slots_command) return guarded(slots_arguments.json, [&] { return slots(slots_arguments); });
    if (*verify_command) return guarded(verify_arguments.json, [&] { return alltoall_verify(verify_arguments); });
    if (*alltoall_command) return guarded(alltoall_arguments.json, [&] { return alltoall(alltoall_arguments); });
    if (*schedule_command) return guarded(schedule_arguments.json, [&] { return schedule(schedule_arguments); });
    if (*workload_command) return guarded(false, [&] { return workload(workload_arguments); });
    if (*cost_command) return guarded(cost_arguments.json, [&] { return optweb_cost(cost_arguments); });
    if (*describe_command) {
      return guarded(describe_json, [&] {
        if (!describe_folder.empty()) return describe_into(registry, describe_folder);
        return describe_key.empty() ? describe(registry, describe_json, describe_schema)
                                    : describe_one(registry, describe_key);
      });
    }
    return guarded(version_json, [&] { return version(version_json, version_verbose); });
  };
  const int status = command();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fputs("error: standard output could not be written\n", stderr);
    return kRunFailed;
  }
  return status;
}

}  // namespace weft::cli
