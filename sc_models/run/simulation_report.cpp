#include "run/simulation_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "observe/profile/profile_report.h"
#include "observe/profile/throughput.h"
#include "observe/run_length.h"
#include "run/own_run.h"
#include "run/program_report.h"
#include "run/steady_report.h"
#include "run/waves/wave_window.h"
#include "workload/program_client.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

ReportSection traffic_section(const FinishedRun& s, const RunResult& result) {
  const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  const TransferCounts& counts = s.fabric.counts();
  const Window& window = s.stats.window();
  const std::vector<std::string> saturated = s.stats.saturated_services();
  ReportSection run{"run", "Run", service_figures(s.stats.all())};
  const std::vector<Figure> more{
      {{"saturated_levels", "", "levels whose source queues grow for as long as the sources go on"},
       saturated.empty() ? std::string("none") : fmt::format("{}", fmt::join(saturated, ", ")),
       true},
      half_width_figure(s.stats),
      {{"warm_up", "ns", "before the measurement window"}, s.ns(window.first), s.length != nullptr},
      {{"window", "ns", "length of the measurement window, as far as the run has come"}, s.ns(window.length()), true},
      {{"drain", "ns",
        "from the end of the window until the last measured message had arrived (sampled every 64 cycles), or "
        "the drain was over"},
       s.ns(std::max<Cycle>(0, s.measured_until - window.last)),
       false},
      {{"missing", "1", "measured messages that had neither arrived nor been lost when the drain was over"},
       count(s.stats.missing()),
       true},
      {{"generated", "1", "messages of the whole run"}, count(counts.generated), false},
      {{"delivered", "1", "messages of the whole run, those of the settling included"}, count(counts.delivered), false},
      {{"lost", "1", "messages of the whole run that were lost to links that failed"}, count(counts.lost), false},
      {{"withdrawn", "1",
        "messages that had not entered the network when the sources stopped, and were taken back: not lost, never "
        "sent"},
       count(counts.withdrawn),
       false},
      {{"stalled", "1", "messages still waiting in the network when nothing could move, because links are down"},
       count(s.stalled ? s.fabric.outstanding() : 0),
       false},
      {{"in_flight", "1",
        "messages under way when the run ended; generated = delivered + lost + withdrawn + stalled + in flight"},
       count(s.stalled ? 0 : s.fabric.outstanding()),
       false},
      {{"settling", "ns",
        "from the end of the drain until everything in the network had arrived (sampled every 64 "
        "cycles)"},
       s.ns(std::max<Cycle>(0, s.settled_at - s.measured_until)),
       false},
      {{"conserved", "", "every message arrived once, then all buffers were empty and all credits back"},
       std::string(s.settled_at >= 0 && result.failure.empty() ? "yes" : "not checked"),
       false}};
  run.figures.insert(run.figures.end(), more.begin(), more.end());
  for (Figure& f : s.built.run_figures()) run.figures.push_back(std::move(f));
  run.figures.push_back(
      {{"cycles", "1",
        "cycles of the whole run, those included in which credits and notifications return after the settling"},
       result.cycles,
       false});
  return run;
}

void add_notes(const FinishedRun& s, ReportData& report) {
  const Window& window = s.stats.window();
  if (!s.plan.workload().traffic.trace.empty() && s.sources->messages_of_trace() == 0) {
    report.notes.push_back("the trace has no messages");
  }
  if (s.sources->unsent_of_trace() > 0 && report.complete) {
    report.notes.push_back(
        fmt::format("{} of {} messages of the trace come after the end of the run ({} ns) and "
                    "were not sent",
                    s.sources->unsent_of_trace(), s.sources->messages_of_trace(), s.ns(s.measured_until)));
  }
  if (s.sources->messages_of_trace() > s.sources->unsent_of_trace() && s.stats.measured() == 0 && report.complete) {
    report.notes.push_back(fmt::format(
        "no message was sent in the window, from {} to {} ns, so none is measured; the trace has {} before "
        "it (run.warm_up)",
        s.ns(window.first), s.ns(window.last), s.sources->messages_of_trace() - s.sources->unsent_of_trace()));
  }
  if (s.stats.missing() > 0 && report.complete) {
    report.notes.push_back(fmt::format(
        "{} measured messages had not arrived at the end of the drain ({}); latencies of their levels are too low",
        s.stats.missing(), fmt::join(s.stats.missing_by_service(), ", ")));
  }
  if (!s.stats.saturated_services().empty()) {
    report.notes.push_back(fmt::format(
        "saturated{}: {}: source queues grow, and latencies grow with the length of the window",
        s.built.fault_begins_before(std::min<Cycle>(s.last, window.last)) ? ", or held up by links that are down" : "",
        growth_text(s.stats)));
  }
  if (report.complete) {
    for (std::string& note : steady_notes(s.plan.workload(), s.stats, s.length)) report.notes.push_back(std::move(note));
  }
}

void add_traffic(const FinishedRun& s, const RunResult& result, ReportData& report) {
  report.sections.push_back(traffic_section(s, result));
  if (s.length) report.sections.push_back(steady_section(s.plan.workload(), s.stats, *s.length));
  report.tables = {s.stats.services(), s.stats.histogram()};
}

void add_programs(const FinishedRun& s, const RunResult& result, ReportData& report) {
  ServiceFigures messages = s.stats.service(s.plan.workload().programs.sl);
  messages.offered = std::nullopt;  // they send when they may
  const Cycle began = std::max<Cycle>(0, s.programs->began_at());
  const ProgramRun run{s.plan.workload().programs.programs,
                       s.programs->executor(),
                       s.fabric.tick(),
                       began,
                       std::max(began, result.cycles),
                       messages};
  report.sections.push_back(program_section(s.plan));
  report.sections.push_back(program_run(run));
  for (Figure& f : s.built.run_figures()) report.sections.back().figures.push_back(std::move(f));
  report.tables = {
      services_table("Messages of the programs", "Messages between nodes, on one service level.", {messages}),
      s.stats.histogram()};
  for (Table& t : program_tables(run)) report.tables.push_back(std::move(t));
  add_program_chart(run, report);
  s.throughput->add_to(report);
}

}  // namespace

TransferStatsOptions stats_options(const FabricPlan& plan, const Fabric& fabric) {
  const Workload& w = plan.workload();
  TransferStatsOptions out;
  bool ordered = !w.has_programs();
  for (std::size_t s = 0; s < w.traffic.services.size(); ++s) {
    const ServiceConfig& c = w.traffic.services[s];
    out.services.push_back({c.name, c.traffic_class, c.message});
    ordered = ordered && fabric.of(static_cast<ServiceId>(s)).ordered;
  }
  out.tick = fabric.tick();
  out.cycle = plan.cycle();
  out.flit_bits = plan.flit_bits();
  out.nodes = fabric.nodes();
  out.confidence = w.run.confidence;
  out.in_order = ordered;
  return out;
}

TransferStatsOptions with_routes(TransferStatsOptions options, const BuiltFabric& built) {
  options.hops = built.hops();
  options.pairs = !built.tells_pairs();
  return options;
}

void fill_report(const FinishedRun& s, RunResult& result) {
  ReportData& report = result.report = s.plan.header();
  set_outcome(result, fmt::format("in cycle {}", result.cycles), report);
  if (s.programs != nullptr) {
    add_programs(s, result, report);
  } else {
    add_traffic(s, result, report);
  }
  s.built.add_results({result.cycles, report.complete, s.stalled, s.stats.window(), &s.fabric}, report);
  if (Table hops = s.stats.hops(); !hops.rows.empty()) report.tables.push_back(std::move(hops));
  if (Table pairs = s.stats.pairs(); !pairs.rows.empty()) report.tables.push_back(std::move(pairs));
  if (s.profile != nullptr) add_profile(*s.profile, report);
  if (s.programs != nullptr) add_busiest_link(report, result.cycles - std::max<Cycle>(0, s.programs->began_at()));
  if (s.sources != nullptr) add_notes(s, report);
  if (const WaveWindow* window = s.built.wave_window()) window->add_note(s.last, report.notes);
}

ReportSection program_section(const FabricPlan& plan) {
  const ProgramsConfig& p = plan.workload().programs;
  return program_section(p.programs, {p.nodes, p.send_overhead, p.receive_overhead, plan.workload().traffic.period},
                         plan.program_links());
}

}  // namespace weft
