// The figures and tables of `weft schedule`.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "observe/columns.h"
#include "observe/values.h"
#include "studies/schedule/schedule_study.h"

namespace weft {
namespace {

const char* format_name(jobs::WorkloadFormat format) {
  switch (format) {
    case jobs::WorkloadFormat::swf:
      return "Standard Workload Format";
    case jobs::WorkloadFormat::circuits:
      return "circuits without times";
    default:
      return "workload lines";
  }
}

ReportSection workload_section(const Graph& graph, const ScheduleRequest& request, const ScheduleStudy& study) {
  ReportSection s{"workload", "Workload and network", {}};
  s.figures = {
      {{"network", "", "network the jobs run on"}, graph.name(), true},
      {{"nodes", "1", "nodes of the network"}, whole(graph.nodes()), false},
      {{"frame_slots", "1", "slots per frame"}, whole(request.options.slots), true},
      {{"slots_per_flow", "1", "slots each flow asks for on every link"}, whole(request.options.slots_per_flow), false},
      {{"node_policy", "", "how nodes are chosen"}, request.options.node_policy, true},
      {{"slot_allocator", "", "order in which the flows of a job get the lowest free slots"},
       std::string(request.options.allocator->name),
       false},
      {{"format", "", "format of the workload"}, std::string(format_name(study.format)), false},
      {{"jobs", "1", "jobs of the workload"}, whole(study.jobs), true},
  };
  if (request.options.queues == jobs::JobQueues::per_slot) {
    s.figures.push_back({{"queues", "", "queues of waiting jobs"}, std::string("one per slot"), true});
  }
  if (request.options.reconfiguration > 0) {
    s.figures.push_back({{"reconfiguration", "time", "from a change of circuits until the tables are there"},
                         request.options.reconfiguration,
                         true});
  }
  if (study.format == jobs::WorkloadFormat::swf) {
    s.figures.push_back(
        {{"pattern", "", "communication given to each job, since the trace names none"}, request.pattern, true});
  }
  return s;
}

/// All figures of one policy; each is a line of its section and a column of the comparison.
std::vector<Figure> policy_figures(const Graph& graph, const PolicyResult& result, jobs::Time bound) {
  const ScheduleStats& s = *result.stats;
  const auto busiest = s.busiest_link();
  std::vector<Figure> figures{
      {{"jobs_run", "1", "jobs that have run"}, whole(s.started), true},
      {{"jobs_rejected", "1",
        "jobs that cannot run: too many nodes, no slots even in the empty network, or a pattern that does not fit"},
       whole(s.rejected),
       true},
      {{"jobs_backfilled", "1", "jobs started before one submitted earlier that held the reservation"},
       whole(s.backfilled),
       true},
      {{"makespan", "time", "from the first submission to the last end"}, s.makespan, true},
      {{"mean_wait", "time", "waiting time (start minus submission), mean over the jobs run"},
       maybe(s.waits.mean()),
       true},
      {{"median_wait", "time", "waiting time, median (nearest rank)"}, maybe(s.waits.percentile(50)), false},
      {{"p90_wait", "time", "waiting time that 90 % of the jobs do not exceed"}, maybe(s.waits.percentile(90)), false},
      {{"p99_wait", "time", "waiting time that 99 % of the jobs do not exceed"}, maybe(s.waits.percentile(99)), false},
      {{"max_wait", "time", "longest waiting time"}, maybe(s.waits.max()), false},
      {{"mean_slowdown", "1", "(end - submission) / run, mean over the jobs run"}, maybe(s.slowdowns.mean()), false},
      {{"median_slowdown", "1", "slowdown, median"}, maybe(s.slowdowns.percentile(50)), false},
      {{"p90_slowdown", "1", "slowdown, 90th percentile"}, maybe(s.slowdowns.percentile(90)), false},
      {{"mean_bounded_slowdown", "1",
        fmt::format("max(1, (end - submission) / max(run, {})), mean over the jobs run", bound)},
       maybe(s.bounded_slowdowns.mean()),
       true},
      {{"median_bounded_slowdown", "1", "bounded slowdown, median"}, maybe(s.bounded_slowdowns.percentile(50)), false},
      {{"p90_bounded_slowdown", "1", "bounded slowdown, 90th percentile"},
       maybe(s.bounded_slowdowns.percentile(90)),
       false},
      {{"node_utilization", "1",
        "share of the nodes that run jobs, averaged from the first submission to the last end"},
       s.node_utilization(),
       true},
      {{"slot_utilization", "1", "share of the slots in use, over all links, averaged over the same time"},
       s.slot_utilization(),
       true},
      {{"busiest_link", "", "link whose slots were in use for the longest time"},
       busiest.link == kNoId ? Value() : Value(graph.link_name(busiest.link)),
       false},
      {{"busiest_link_utilization", "1", "share of its slots in use, averaged over the makespan"},
       busiest.utilization,
       false},
      {{"blocked_by_nodes", "time", "time in which the job whose turn it was lacked nodes"}, s.blocked_by_nodes, false},
      {{"blocked_by_slots", "time", "time in which it had nodes but no slots"}, s.blocked_by_slots, true},
      {{"longest_queue", "1", "most jobs waiting at the end of an instant"}, whole(s.longest_queue), false},
      {{"reservations", "1", "jobs that were promised a start"}, whole(s.reservations), false},
      {{"circuits", "1", "circuits set up"}, whole(s.circuits), false},
      {{"pairs", "1", "pairs of nodes served by them"}, whole(s.pairs), false},
      {{"reconfigurations", "1", "instants at which circuits came or went"}, whole(s.reconfigurations), false},
  };
  if (s.reconfiguration == 0) return figures;
  figures.push_back(
      {{"reconfiguration_time", "time", "in which tables were written: reconfigurations times their time"},
       static_cast<jobs::Time>(s.reconfigurations) * s.reconfiguration,
       true});
  figures.push_back({{"mean_setup", "time", "from the start of a job with circuits until it sends, mean"},
                     maybe(s.setups.mean()),
                     true});
  figures.push_back({{"max_setup", "time", "the same, longest"}, maybe(s.setups.max()), false});
  return figures;
}

Table comparison_table(const Graph& graph, const ScheduleRequest& request, const ScheduleStudy& study) {
  Table t{"policies",
          "Policies compared",
          "Times are in the unit of the workload.",
          {{"policy", "", "scheduling policy"}},
          {}};
  for (const PolicyResult& r : study.results) {
    std::vector<Value> row{r.policy};
    for (Figure& f : policy_figures(graph, r, request.slowdown_bound)) {
      if (t.rows.empty()) t.columns.push_back(f.statistic);
      row.push_back(std::move(f.value));
    }
    t.rows.push_back(std::move(row));
  }
  return t;
}

Table utilization_table(const ScheduleStudy& study) {
  struct Row {
    const std::string& policy;
    jobs::Time from;
    jobs::Time to;
    TimeProfile::Levels levels;
  };
  std::vector<Row> rows;
  for (const PolicyResult& r : study.results) {
    const TimeProfile& p = r.stats->profile;
    jobs::Time from = p.begin();
    for (const TimeProfile::Levels& l : p.averages()) {
      const jobs::Time to = std::min(from + p.period(), p.end());
      rows.push_back({r.policy, from, to, l});
      from = to;
    }
  }
  const Columns<Row> columns{
      {{"policy", "", "scheduling policy"}, [](const Row& r) { return r.policy; }},
      {{"from", "time", "begin of the period"}, &Row::from},
      {{"to", "time", "end of the period"}, &Row::to},
      {{"nodes", "1", "nodes that run jobs"}, [](const Row& r) { return r.levels.nodes; }},
      {{"slots", "1", "slots in use, over all links"}, [](const Row& r) { return r.levels.slots; }},
      {{"waiting", "1", "jobs that wait"}, [](const Row& r) { return r.levels.waiting; }}};
  return make_table({"utilization", "Utilization over time", "Averages over periods of equal length."}, columns, rows);
}

Table job_table(const ScheduleRequest& request, const ScheduleStudy& study) {
  struct Row {
    const std::string& policy;
    const jobs::ScheduledJob& job;
  };
  std::vector<Row> rows;
  for (const PolicyResult& r : study.results) {
    for (const jobs::ScheduledJob& j : r.schedule->jobs) rows.push_back({r.policy, j});
  }
  Columns<Row> columns{
      {{"policy", "", "scheduling policy"}, [](const Row& r) { return r.policy; }},
      {{"job", "", "job id"}, [](const Row& r) { return r.job.id; }},
      {{"submit", "time", "submission"}, [](const Row& r) { return r.job.submit; }},
      {{"start", "time", "start"}, [](const Row& r) { return r.job.start; }},
      {{"end", "time", "end"}, [](const Row& r) { return r.job.end; }},
      {{"wait", "time", "start minus submission"}, [](const Row& r) { return r.job.start - r.job.submit; }},
      {{"backfilled", "", "started before a job submitted earlier that held the reservation"},
       [](const Row& r) { return r.job.backfilled; }},
      {{"nodes", "", "nodes, in the order of the job's logical nodes"},
       [](const Row& r) { return fmt::format("{}", fmt::join(r.job.nodes, " ")); }}};
  if (request.options.reconfiguration > 0) {
    columns += Columns<Row>{
        {{"sends", "time", "from then on: its circuits are in place"}, [](const Row& r) { return r.job.sends; }}};
  }
  return make_table({"jobs", "Jobs", "In the order in which they started."}, columns, rows);
}

Table rejected_table(const ScheduleStudy& study) {
  using Row = jobs::RejectedJob;
  const Columns<Row> columns{{{"job", "", "job id"}, &Row::id},
                             {{"submit", "time", "submission"}, &Row::submit},
                             {{"nodes", "1", "nodes asked for"}, &Row::nodes},
                             {{"reason", "", "why"}, &Row::reason}};
  return make_table({"rejected", "Jobs that cannot run", "They are the same under every policy."}, columns,
                    study.results.front().schedule->rejected);
}

}  // namespace

ReportData schedule_report(const Graph& graph, const ScheduleRequest& request, const ScheduleStudy& study) {
  ReportData r;
  r.title = fmt::format("{} on {}", request.workload, graph.name());
  r.config_file = request.workload;
  r.seed = request.options.seed;
  r.implementation = "model";
  r.complete = study.complete;
  if (!study.complete) r.incomplete_why = "interrupted";
  r.notes = study.notes;
  const ScheduleStats& first = *study.results.front().stats;
  r.notes.insert(r.notes.end(), first.first_rejections.begin(), first.first_rejections.end());
  if (first.rejected > first.first_rejections.size()) {
    r.notes.push_back(fmt::format("{} more jobs cannot run", first.rejected - first.first_rejections.size()));
  }
  if (!first.waits.exact()) {
    r.notes.emplace_back("medians and percentiles of so many jobs are exact to a thousandth");
  }
  r.sections.push_back(workload_section(graph, request, study));
  for (const PolicyResult& result : study.results) {
    ReportSection s{result.policy, fmt::format("{} ({})", result.policy, result.title), {}};
    s.figures = policy_figures(graph, result, request.slowdown_bound);
    for (Figure& f : s.figures) f.in_summary = f.in_summary && study.results.size() == 1;
    r.sections.push_back(std::move(s));
  }
  r.tables.push_back(comparison_table(graph, request, study));
  r.tables.push_back(utilization_table(study));
  if (study.results.front().schedule && study.complete) {
    r.tables.push_back(job_table(request, study));
    r.tables.push_back(rejected_table(study));
  }
  return r;
}

}  // namespace weft
