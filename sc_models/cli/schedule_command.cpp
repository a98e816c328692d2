// `weft schedule`: circuit-switched jobs from a workload file. `weft workload`: such files, generated or converted.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "algorithms/jobs/policy.h"
#include "algorithms/jobs/workload.h"
#include "algorithms/slots/allocation.h"
#include "base/diagnostics.h"
#include "base/output_folder.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/option_checks.h"
#include "cli/output.h"
#include "cli/report/run_record.h"
#include "cli/terminal.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "run/network_view.h"
#include "studies/schedule/schedule_replay.h"
#include "studies/schedule/schedule_study.h"
#include "workload/job_traffic.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

jobs::WorkloadFormat format_of(const std::string& name) {
  if (name == "workload") return jobs::WorkloadFormat::workload;
  if (name == "circuits") return jobs::WorkloadFormat::circuits;
  if (name == "swf") return jobs::WorkloadFormat::swf;
  return jobs::WorkloadFormat::automatic;
}

jobs::WorkloadOptions reading_of(const WorkloadReading& a, std::uint64_t seed) {
  jobs::WorkloadOptions out;
  out.format = format_of(a.format);
  out.circuits_run_time = a.run_time;
  out.processors_per_node = a.processors_per_node;
  out.pattern = make_job_pattern(a.pattern, {"--pattern " + a.pattern});
  out.seed = seed;
  return out;
}

/// Options that would do nothing with a file of this format are mistakes. `draws`: something besides the traces' random
/// communication takes the seed.
void check_effect(const WorkloadReading& a, jobs::WorkloadFormat format, bool draws) {
  using Format = jobs::WorkloadFormat;
  Diagnostics diagnostics;
  const auto only = [&](const char* option, Format of, const char* why) {
    if (format != of && a.given.contains(option)) diagnostics.error({option}, why);
  };
  only("--pattern", Format::swf, "has no effect: the lines of this workload name their pairs; it is for SWF traces");
  only("--procs-per-node", Format::swf, "has no effect: this workload counts nodes; it is for SWF traces");
  only("--run-time", Format::circuits,
       "has no effect: the jobs of this workload have run times; it is for circuits without times");
  if (!draws)
    only("--seed", Format::swf, "has no effect: the lines of this workload name their pairs, nothing is random");
  diagnostics.throw_if_errors();
}

/// The same for `weft workload`, before anything is read: options for the other of its two tasks.
void check_effect(const WorkloadArguments& a) {
  Diagnostics diagnostics;
  const auto refuse = [&](std::initializer_list<const char*> options, const char* why) {
    for (const char* option : options) {
      if (a.reading.given.contains(option)) diagnostics.error({option}, why);
    }
  };
  if (a.generate > 0) {
    refuse({"--format", "--procs-per-node", "--run-time"}, "has no effect: it is for a file to convert");
  } else {
    refuse({"--sizes", "--mean-interarrival", "--mean-run"}, "has no effect without --generate");
  }
  diagnostics.throw_if_errors();
}

/// The option's value if the list has an entry of that name, or if it is `also`.
template <class Entry>
std::string known_name(const std::vector<Entry>& list, const std::string& name, const std::string& option,
                       const std::string& also = {}) {
  std::vector<std::string> names;
  for (const Entry& e : list) names.emplace_back(e.name);
  if (!also.empty()) names.push_back(also);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  throw InputError({option + " " + name},
                   fmt::format("expected one of {}{}", fmt::join(names, ", "), did_you_mean(name, names)));
}

const jobs::NodePolicyEntry& find_node_policy(const std::string& name) {
  const auto& list = jobs::node_policies();
  return *std::find_if(list.begin(), list.end(), [&](const jobs::NodePolicyEntry& e) { return e.name == name; });
}

std::vector<std::string> policies_of(const std::string& name) {
  if (known_name(jobs::policies(), name, "--policy", "all") != "all") return {name};
  std::vector<std::string> out;
  for (const jobs::PolicyEntry& p : jobs::policies()) out.emplace_back(p.name);
  return out;
}

std::string cell(const Value& value) {
  if (const auto* d = std::get_if<double>(&value)) return fmt::format("{:.3f}", *d);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return "-";
}

/// The comparison with the policies side by side, for the terminal; figures only.
std::string comparison(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0 && table.columns[c].unit.empty()) continue;
    std::string name = table.columns[c].key;
    std::replace(name.begin(), name.end(), '_', ' ');
    out += fmt::format("  {:<28}", name);
    for (const auto& row : table.rows) out += fmt::format(" {:>12}", cell(row[c]));
    out += "\n";
  }
  return out;
}

void print_results(const ReportData& report, const std::filesystem::path& folder,
                   const std::vector<SchedulePicture>& pictures, bool compared, bool details) {
  say("{}\n{}", report.title, summary_text(report));
  if (compared) say("\n{}", comparison(report.tables.front()));
  say("\nresults in {}/\n", folder.string());
  say("  {:<28} open in a browser\n", "report.html");
  say("  {:<28} for programs: policies, utilization{}\n", "report.json, *.csv", details ? ", jobs" : "");
  if (details) {
    say("  {:<28} every event, one JSON object per line\n", "schedule_log_<policy>.jsonl");
    say("  {:<28} at each instant: jobs, path and slot of each pair, routing tables\n", "schedule_tables_<policy>.txt");
  }
  for (const SchedulePicture& p : pictures) say("  {:<28} {}\n", p.name + ".svg", p.meaning);
}

/// Additions of `--run` to a schedule.
class Replay {
 public:
  /// Checks the options before anything runs.
  Replay(const ScheduleArguments& arguments, const NetworkConfig& network)
      : request_(request_of(arguments)),
        config_(replay_config(network.topology, network.routing, arguments.slots, arguments.seed, request_)),
        platform_(config_) {}

  /// Throws InputError for a schedule that cannot be replayed.
  void check(const jobs::Schedule& schedule) const { ScheduleReplay(platform_, schedule, request_); }

  /// Adds its figures to the report.
  TdmRunResult run(const jobs::Schedule& schedule, bool quiet, ReportData& report) {
    ScheduleReplay replay(platform_, schedule, request_);
    TdmRunOptions options;
    options.interrupted = interrupted;
    ProgressBar bar("replaying");
    if (!quiet) options.progress = [&](double done) { bar.show(done); };
    TdmRunResult result = replay.run(options);
    replay.add_figures(result, report);
    return result;
  }

 private:
  static ReplayRequest request_of(const ScheduleArguments& arguments) {
    ReplayRequest request;
    const Location where{"--time-unit " + arguments.time_unit};
    const Parsed<Duration> unit = parse_duration(arguments.time_unit);
    if (!unit.value) throw InputError(where, unit.error);
    if (unit.value->ps < 1) throw InputError(where, "expected more than 0");
    request.time_unit = *unit.value;
    request.planned_slots = arguments.replay_slots == "planned";
    request.reconfiguration = arguments.reconfiguration > 0;
    request.set = arguments.set;
    if (arguments.policy == "all") {
      throw InputError({"--policy all"}, "--run replays the schedule of one policy");
    }
    if (arguments.detail == "off") {
      throw InputError({"--detail off"}, "--run needs the whole schedule: expected on or auto");
    }
    return request;
  }

  ReplayRequest request_;
  TdmConfig config_;
  TdmPlatform platform_;
};

}  // namespace

int schedule(const ScheduleArguments& arguments) {
  const RunRecord record;
  Diagnostics diagnostics;
  const NetworkConfig network = read_network(arguments.network, diagnostics);
  diagnostics.throw_if_errors();
  Graph graph = build_topology(network.topology);
  graph.join_parallel_links();
  const auto routing = make_routing(network.routing, graph);
  ScheduleRequest request;
  request.workload = arguments.workload;
  request.reading = reading_of(arguments.reading, arguments.seed);
  request.reading.most_nodes = graph.nodes();
  request.pattern = arguments.reading.pattern;
  request.options.node_policy = known_name(jobs::node_policies(), arguments.nodes_policy, "--nodes-policy");
  request.options.allocator = &slot_allocators().at(arguments.allocator);
  request.options.slots = arguments.slots;
  request.options.slots_per_flow = arguments.slots_per_flow;
  request.options.queues = arguments.queues == "per_slot" ? jobs::JobQueues::per_slot : jobs::JobQueues::one;
  request.options.reconfiguration = arguments.reconfiguration;
  request.options.seed = arguments.seed;
  request.policies = policies_of(arguments.policy);
  request.slowdown_bound = arguments.slowdown_bound;
  if (arguments.detail != "auto" || arguments.run) request.details = arguments.detail != "off";
  std::optional<Replay> replay;
  if (arguments.run) replay.emplace(arguments, network);
  jobs::Workload opened = jobs::open_workload(request.workload, request.reading);  // before anything old goes
  const bool draws = arguments.run || find_node_policy(arguments.nodes_policy).draws_from_seed;
  check_effect(arguments.reading, opened.format, draws);
  const std::string name = plain_name(arguments.workload);
  request.folder = folder_of(arguments.out, name);
  check_folder(arguments.out, name, {kRunRecord});
  catch_interrupts();
  request.options.interrupted = interrupted;
  if (replay) {  // what cannot be replayed leaves nothing behind: it is scheduled once without files
    ScheduleRequest trial = request;
    trial.files = false;
    const ScheduleStudy study = run_schedules(graph, *routing, trial, std::move(opened));
    if (study.complete) replay->check(*study.results.front().schedule);
    opened = jobs::open_workload(request.workload, request.reading);
  }
  const auto folder = fresh_folder(arguments.out, name, {kRunRecord});
  const ScheduleStudy study = [&] {
    ProgressBar bar("scheduling");
    if (!arguments.json) request.progress = [&](double done) { bar.show(done); };
    return run_schedules(graph, *routing, request, std::move(opened));
  }();
  ReportData report = schedule_report(graph, request, study);
  page_of(report).network = network_view(graph);
  report.configuration = arguments.options;
  std::string failure;
  if (replay && study.complete) {
    failure = replay->run(*study.results.front().schedule, arguments.json, report).failure;
  }
  const std::vector<SchedulePicture> pictures = schedule_pictures(graph, request, study);
  for (const SchedulePicture& p : pictures) draw_chart(request.folder, p.name, p.chart);
  add_charts(report, pictures);
  write_report(request.folder, report, {{kRunRecord, record.json(request.folder, {})}});
  if (arguments.json) {
    say("{}", report_json(report));
  } else {
    print_results(report, request.folder, pictures, study.results.size() > 1,
                  study.results.front().schedule.has_value());
  }
  if (!failure.empty()) {
    say(stderr, "error: {}\n", failure);
    return kRunFailed;
  }
  if (report.complete) return kDone;
  say(stderr, "interrupted: the report is partial\n");
  return kInterrupted;
}

int workload(const WorkloadArguments& arguments) {
  std::string text;
  check_file(arguments.out);
  if (arguments.generate > 0 && !arguments.file.empty()) {
    throw InputError({"command line"}, "either a file to convert or --generate");
  }
  if (arguments.generate == 0 && arguments.file.empty()) {
    throw InputError({"command line"}, "expected a file to convert, or --generate");
  }
  check_effect(arguments);
  if (arguments.generate > 0) {
    jobs::GeneratorOptions options;
    options.jobs = arguments.generate;
    options.seed = arguments.seed;
    options.sizes = arguments.sizes;
    options.mean_interarrival = arguments.mean_interarrival;
    options.mean_run = arguments.mean_run;
    options.pattern = make_job_pattern(arguments.reading.pattern, {"--pattern " + arguments.reading.pattern});
    std::vector<jobs::Job> list;
    try {
      list = jobs::generate_jobs(options);
    } catch (const InputError& e) {
      throw InputError({"--pattern " + arguments.reading.pattern}, e.list().front().message);
    }
    jobs::JobList source(std::move(list));
    text = fmt::format(
               "# {} jobs, Poisson arrivals with a mean distance of {}, exponential run times of mean {}, seed {},\n"
               "# sizes {}, communication: {}\n",
               options.jobs, options.mean_interarrival, options.mean_run, options.seed, fmt::join(options.sizes, " "),
               arguments.reading.pattern) +
           jobs::workload_text(source);
  } else {
    const jobs::Workload read = jobs::open_workload(arguments.file, reading_of(arguments.reading, arguments.seed));
    check_effect(arguments.reading, read.format, false);
    for (const std::string& note : read.notes) say(stderr, "note: {}\n", note);
    text = jobs::workload_text(*read.source);
  }
  if (arguments.out.path.empty()) {
    say("{}", text);
  } else {
    write_file(arguments.out.path, text);
  }
  return kDone;
}

}  // namespace weft::cli
