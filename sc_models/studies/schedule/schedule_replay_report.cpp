// The figures of a replayed schedule: predicted against simulated.

#include <fmt/format.h>

#include <algorithm>

#include "observe/columns.h"
#include "observe/values.h"
#include "observe/vocabulary.h"
#include "studies/schedule/schedule_replay.h"

namespace weft {
namespace {

/// Figures over circuits: of a job, or of the whole schedule.
struct Totals {
  std::uint64_t circuits = 0;
  std::uint64_t without_data = 0;  // no word left before the job's end
  std::uint64_t refused = 0;       // circuits refused at least once
  std::uint64_t elsewhere = 0;     // in other slots than planned
  std::uint64_t requests = 0;
  std::uint64_t refused_no_slots = 0;
  std::uint64_t refused_late = 0;
  Cycle delays = 0;
  Cycle longest_delay = -1;
  Cycle longest_clearing = -1;
  Cycle last_cleared = 0;
  double smallest_ratio = 0;
  double ratios = 0;

  void add(const ReplayedCircuit& c, std::uint32_t frame) {
    const double ratio = c.bandwidth_ratio(frame);
    smallest_ratio = circuits == 0 ? ratio : std::min(smallest_ratio, ratio);
    ratios += ratio;
    ++circuits;
    requests += c.requests;
    refused_no_slots += c.refused_no_slots;
    refused_late += c.refused_late;
    refused += c.refused_no_slots + c.refused_late > 0 ? 1 : 0;
    elsewhere += !c.used.empty() && c.used != c.planned ? 1 : 0;
    last_cleared = std::max(last_cleared, c.cleared);
    if (c.cleared >= 0) longest_clearing = std::max(longest_clearing, c.cleared - c.end);
    if (c.first_word < 0) {
      ++without_data;
      return;
    }
    delays += c.first_word - c.start;
    longest_delay = std::max(longest_delay, c.first_word - c.start);
  }
};

class ReplayFigures {
 public:
  ReplayFigures(const TdmPlatform& platform, const jobs::Schedule& schedule, const ReplayRequest& request,
                const std::vector<ReplayedCircuit>& circuits)
      : config_(platform.config()),
        schedule_(schedule),
        request_(request),
        circuits_(circuits),
        frame_(config_.tdm_switch.slots),
        period_ns_(static_cast<double>(config_.tdm_switch.period.ps) / 1000.0),
        link_rate_(static_cast<double>(config_.tdm_switch.word_bits()) / period_ns_) {}

  ReportSection section() const {
    Totals t;
    for (const ReplayedCircuit& c : circuits_) t.add(c, frame_);
    const std::uint64_t with_data = t.circuits - t.without_data;
    ReportSection s{"replay", "Replay on the network", {}};
    s.figures = {
        {{"time_unit", "ns", "simulated time of one unit of the workload"},
         static_cast<double>(request_.time_unit.ps) / 1000.0,
         true},
        {{"replay_slots", "", "planned: circuits ask for the slots of the schedule; chosen: the first switch chooses"},
         std::string(request_.planned_slots ? "planned" : "chosen"),
         false},
        {vocabulary::kCycle, period_ns_, false},
        {vocabulary::kLinkRate, link_rate_, false},
        {vocabulary::refined(vocabulary::kTime, "from the start of the first job until the last circuit was released"),
         ns(t.last_cleared), true},
        {{"replayed_circuits", "1", "circuits of the schedule that were replayed"}, whole(t.circuits), true},
        {{"circuits_without_data", "1", "circuits that were not accepted before their job ended"},
         whole(t.without_data),
         true},
        {{"requests", "1", "setup requests"}, whole(t.requests), false},
        {{"refused_no_slots", "1", "requests refused by a switch where the slots were not free"},
         whole(t.refused_no_slots),
         true},
        {{"refused_late", "1", "requests refused because a table could not be written before the first word"},
         whole(t.refused_late),
         true},
        {{"circuits_refused", "1", "circuits refused at least once"}, whole(t.refused), true},
        {{"circuits_elsewhere", "1", "circuits in other slots than those of the schedule"}, whole(t.elsewhere), true},
        {{"mean_setup_delay", "ns",
          "from the planned start of a circuit to its first word, mean over the circuits that sent one: those of "
          "circuits_without_data, which waited for the whole of their job, are left out"},
         with_data == 0 ? Value() : Value(ns(t.delays) / static_cast<double>(with_data)),
         true},
        {{"max_setup_delay", "ns", "the same, largest, over the same circuits"}, time(t.longest_delay), true},
        {{"max_clearing", "ns",
          "largest time from the end of a job until its source knew that the slots were released"},
         time(t.longest_clearing),
         false},
        {{"mean_bandwidth_ratio", "1",
          request_.reconfiguration
              ? "words received by the end of the job over those that the planned slots carry in its run time, mean "
                "over "
                "circuits; of a multicast those of the destination that received the fewest"
              : "words received over those the circuit's slots (those planned, if it was never accepted) carry from "
                "the "
                "job's start to its end, mean over circuits; of a multicast those of the destination that received the "
                "fewest"},
         t.ratios / static_cast<double>(t.circuits),
         true},
        {{"smallest_bandwidth_ratio", "1", "the same, smallest"}, t.smallest_ratio, true}};
    return s;
  }

  /// For circuits of which the mean delay knows nothing; empty: none.
  std::string silent_note() const {
    const auto silent =
        std::count_if(circuits_.begin(), circuits_.end(), [](const auto& c) { return c.first_word < 0; });
    if (silent == 0) return {};
    return fmt::format(
        "{} of {} circuits were never accepted while their job ran: they stand in no setup delay; in the "
        "bandwidth ratio count words that came to all destinations behind refused requests",
        silent, circuits_.size());
  }

  Table circuits() const {
    using Row = ReplayedCircuit;
    const Columns<Row> columns{
        {{"job", "", "job id"}, [this](const Row& c) { return schedule_.jobs[c.job].id; }},
        {{"flow", "", "flow id"}, &Row::flow},
        {{"source", "", "node"}, &Row::source},
        {{"destination", "", "node, or nodes of a multicast"},
         [](const Row& c) { return nodes_value(c.destinations); }},
        {{"planned_slots", "", "slots of the schedule"}, [](const Row& c) { return list_text(c.planned); }},
        {{"used_slots", "", "slots of the circuit in the network"}, [](const Row& c) { return list_text(c.used); }},
        {{"predicted_start", "ns", "start of the job in the schedule"}, [this](const Row& c) { return ns(c.start); }},
        {{"first_word", "ns", "time at which the first word left"},
         [this](const Row& c) { return time(c.first_word); }},
        {{"setup_delay", "ns", "first_word minus predicted_start"},
         [this](const Row& c) { return c.first_word < 0 ? Value() : Value(ns(c.first_word - c.start)); }},
        {{"predicted_end", "ns", "end of the job in the schedule; the source stops"},
         [this](const Row& c) { return ns(c.end); }},
        {{"cleared", "ns", "time at which the source knew that the slots were released"},
         [this](const Row& c) { return time(c.cleared); }},
        {{"requests", "1", "setup requests"}, &Row::requests},
        {{"refused_no_slots", "1", "requests refused by a switch where the slots were not free"},
         &Row::refused_no_slots},
        {{"refused_late", "1", "requests refused because a table could not be written before the first word"},
         &Row::refused_late},
        {{"words", "1", "words received; of a multicast by the destination that received the fewest"}, &Row::words},
        {{"predicted_bandwidth", "Gb/s", "payload the planned slots carry"},
         [this](const Row& c) { return link_rate_ * static_cast<double>(c.planned.size()) / frame_; }},
        {{"bandwidth", "Gb/s", "payload received over the job's run time"},
         [this](const Row& c) { return link_rate_ * static_cast<double>(c.words) / static_cast<double>(c.run()); }},
        {{"bandwidth_ratio", "1",
          request_.reconfiguration ? "words over those that planned_slots carry in the run time of the job"
                                   : "words over those that used_slots (planned_slots, if none) carry from "
                                     "predicted_start to predicted_end"},
         [this](const Row& c) { return c.bandwidth_ratio(frame_); }}};
    return make_table({"replay", "Replayed circuits",
                       "One line per circuit of the schedule. Times count from the start of the first job."},
                      columns, circuits_);
  }

  Table jobs_table() const {
    struct Row {
      const std::string& job;
      Cycle start;
      Totals totals;
      bool started() const { return totals.without_data == 0; }
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < circuits_.size();) {
      const ReplayedCircuit& first = circuits_[i];
      Row& row = rows.emplace_back(Row{schedule_.jobs[first.job].id, first.start, Totals{}});
      for (; i < circuits_.size() && circuits_[i].job == first.job; ++i) row.totals.add(circuits_[i], frame_);
    }
    const auto if_started = [this](auto cycles) {
      return [this, cycles](const Row& r) { return r.started() ? Value(ns(cycles(r))) : Value(); };
    };
    const Columns<Row> columns{
        {{"job", "", "job id"}, [](const Row& r) { return r.job; }},
        {{"circuits", "1", "circuits"}, [](const Row& r) { return r.totals.circuits; }},
        {{"predicted_start", "ns", "start in the schedule"}, [this](const Row& r) { return ns(r.start); }},
        {{"simulated_start", "ns", "time at which the last of its circuits began to send"},
         if_started([](const Row& r) { return r.start + r.totals.longest_delay; })},
        {{"delay", "ns", "simulated_start minus predicted_start"},
         if_started([](const Row& r) { return r.totals.longest_delay; })},
        {{"refused", "1", "requests refused, whatever the cause"},
         [](const Row& r) { return r.totals.refused_no_slots + r.totals.refused_late; }},
        {{"smallest_bandwidth_ratio", "1", "of its circuits"}, [](const Row& r) { return r.totals.smallest_ratio; }}};
    return make_table(
        {"replay_jobs", "Replayed jobs",
         "One line per job with circuits, in the order in which they started. A job has started in the network when "
         "the first words of all its circuits have left."},
        columns, rows);
  }

 private:
  double ns(Cycle c) const { return static_cast<double>(c) * period_ns_; }
  Value time(Cycle c) const { return c < 0 ? Value() : Value(ns(c)); }

  const TdmConfig& config_;
  const jobs::Schedule& schedule_;
  const ReplayRequest& request_;
  const std::vector<ReplayedCircuit>& circuits_;
  std::uint32_t frame_;
  double period_ns_;
  double link_rate_;  // Gb/s
};

}  // namespace

void ScheduleReplay::add_figures(const TdmRunResult& result, ReportData& report) const {
  report.implementation = result.report.implementation;
  if (!result.report.complete) {
    report.complete = false;
    report.incomplete_why = "replay: " + result.report.incomplete_why;
    return;
  }
  const ReplayFigures figures(platform_, schedule_, request_, circuits_);
  report.sections.push_back(figures.section());
  if (std::string note = figures.silent_note(); !note.empty()) report.notes.push_back(std::move(note));
  report.tables.push_back(figures.jobs_table());
  report.tables.push_back(figures.circuits());
}

}  // namespace weft
