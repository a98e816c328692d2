#include "run/tdm/setup_faults_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "network/places/port_ranges.h"
#include "observe/values.h"

namespace weft {
namespace {

std::string name_of(const Fault& f) {
  if (f.nic != kNoId) return fmt::format("nic[{}]", f.nic);
  std::string what = fmt::format("sw[{}]", f.a);
  if (f.port) what += fmt::format(".port{}", *f.port);
  if (f.b != kNoId) what += fmt::format("-sw[{}]", f.b);
  return what;
}

/// Words that one failure took, on circuits and behind requests.
struct Words {
  std::uint64_t on_links = 0;
  std::uint64_t in_switches = 0;
  std::uint64_t astray = 0;  // copies: one word can come to several wrong hosts
  std::uint64_t dropped = 0;
  std::uint64_t discarded = 0;
  Words& operator+=(const Words& w) {
    on_links += w.on_links;
    in_switches += w.in_switches;
    astray += w.astray;
    dropped += w.dropped;
    discarded += w.discarded;
    return *this;
  }
};

/// Effect of one failure on one flow.
struct Effect {
  FaultEffect log;
  Words words;
};

class FaultFigures {
 public:
  FaultFigures(const TdmPlatform& platform, const SetupNetwork& network, Cycle end)
      : platform_(platform), network_(network), times_(platform.config().tdm_switch.period), end_(end) {
    for (std::uint32_t f = 0; f < network.plan().flows.size(); ++f) {
      for (const FaultEffect& e : network.source(f).log().faults) effects_[{e.fault, f}].log = e;
    }
    for (const WordAccount& a : network.runs().ledger().accounts()) {
      for (const WordAccount::FaultLoss& t : a.fault_losses) {
        if (t.on_links + t.stopped == 0) continue;
        effects_[{t.fault, a.flow}].words += {t.on_links, t.stopped, 0, 0, t.on_links + t.stopped};
      }
      if (a.outcome != WordAccount::Outcome::lost) continue;
      const std::uint64_t elsewhere = a.elsewhere();
      const std::uint64_t copies = a.astray + a.astray_lost;  // may be more than words
      effects_[{a.fault, a.flow}].words +=
          {a.astray_lost, elsewhere > copies ? elsewhere - copies : 0, a.astray, a.dropped(), elsewhere};
    }
  }

  void add(ReportData& report) {
    Table flows = fault_flows();
    Table faults = planned_faults(platform_, network_.plan());
    add_sums(faults);
    report.tables.push_back(std::move(faults));
    report.tables.push_back(std::move(flows));
    if (too_late_ > 0) {
      report.notes.push_back(fmt::format("{} of {} failures came after everything had arrived: no effect", too_late_,
                                         network_.plan().faults.size()));
    }
  }

 private:
  /// Cycle in which the last flow was finished; -1: some never were.
  Cycle last_finished() const {
    Cycle last = 0;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const FlowLog& log = network_.source(f).log();
      if (log.finished < 0) return -1;
      last = std::max(last, log.finished);
    }
    return last;
  }

  struct Sum {
    std::uint64_t flows = 0;
    std::uint64_t circuits = 0;
    std::uint64_t requests = 0;
    std::uint64_t refused = 0;
    std::uint64_t held = 0;
    std::uint64_t resent = 0;
    Cycle longest_dark = 0;
    Words words;
  };

  Table fault_flows() {
    Table t;
    t.key = "fault_flows";
    t.title = "What each failure did to each flow";
    t.meaning =
        "One line per failure and flow of which it took a circuit, a request on its way or words, or which it delayed.";
    t.columns = {
        {"failure", "1", "line of the table of failures, from 0"},
        {"what", "", "what failed"},
        {"flow", "", "name"},
        {"circuits_torn_down", "1", "accepted circuits, additions and those being given back included"},
        {"requests_torn_down", "1", "requests that were not accepted yet"},
        {"requests_refused", "1", "requests refused as down because of it"},
        {"held_back", "1", "times its source could not ask, being cut off from its switch"},
        {"words_lost_on_links", "1",
         "words on the failed link, of refused requests and of other failures' circuits too"},
        {"words_lost_in_switches", "1", "words for which a switch had no way any more, or only the failed link"},
        {"words_astray", "1", "copies of words that came to another host, which discarded them"},
        {"words_dropped", "1", "words its destination had already, or that came behind a gap"},
        {"words_resent", "1", "words sent again because of it"},
        {"dark_time", "ns", "from the failure to the first word after it, or to the end of the run"}};
    for (const auto& [of, effect] : effects_) {
      const auto& [fault, f] = of;
      const auto& [e, w] = effect;
      const Cycle dark = e.dark + (e.dark_since < 0 ? 0 : end_ - e.dark_since);
      Sum& sum = sums_[fault];
      ++sum.flows;
      sum.circuits += e.circuits;
      sum.requests += e.requests;
      sum.refused += e.refused;
      sum.held += e.held;
      sum.resent += e.words_resent;
      sum.longest_dark = std::max(sum.longest_dark, dark);
      sum.words += w;
      t.rows.push_back({std::int64_t{fault}, name_of(network_.plan().faults[fault]), network_.plan().flows[f].name,
                        whole(e.circuits), whole(e.requests), whole(e.refused), whole(e.held), whole(w.on_links),
                        whole(w.in_switches), whole(w.astray), whole(w.dropped), whole(e.words_resent),
                        times_.ns(dark)});
    }
    return t;
  }

  void add_sums(Table& t) {
    t.meaning = "One line per failure of the configuration; what it did to each flow is in fault_flows.";
    const std::vector<Statistic> more = {
        {"effect", "",
         "circuits: it took some, or requests on their way; words: it took only words, behind refused requests or of "
         "circuits that another failure took; refused: only requests that came later were; delayed: it only held "
         "sources back; none: it was in nobody's way; too late: everything had arrived before"},
        {"flows", "1", "flows of which it took a circuit, a request on its way or words, or which it delayed"},
        {"circuits_torn_down", "1", "accepted circuits, additions and those being given back included"},
        {"requests_torn_down", "1", "requests that were not accepted yet"},
        {"requests_refused", "1",
         "requests refused as down while it held the link: of several failures of a link the first in force holds it"},
        {"held_back", "1", "times a source could not ask, being cut off from its switch"},
        {"words_lost", "1", "words the network discarded: on links, in switches, at other hosts"},
        {"words_dropped", "1", "words their destinations had already, or that came behind a gap"},
        {"words_resent", "1", "words sent again because of it"},
        {"max_dark_time", "ns", "longest time a flow was without a circuit"}};
    t.columns.insert(t.columns.end(), more.begin(), more.end());
    const Cycle last = last_finished();
    for (std::uint32_t i = 0; i < t.rows.size(); ++i) {
      const Sum& s = sums_[i];
      const bool late = last >= 0 && network_.plan().faults[i].at > last;
      too_late_ += late ? 1 : 0;
      const std::string effect = late                          ? "too late"
                                 : s.circuits + s.requests > 0 ? "circuits"
                                 : s.words.discarded > 0       ? "words"
                                 : s.refused > 0               ? "refused"
                                 : s.held > 0                  ? "delayed"
                                                               : "none";
      for (Value v : {Value{effect}, Value{whole(s.flows)}, Value{whole(s.circuits)}, Value{whole(s.requests)},
                      Value{whole(s.refused)}, Value{whole(s.held)}, Value{whole(s.words.discarded)},
                      Value{whole(s.words.dropped)}, Value{whole(s.resent)}, Value{times_.ns(s.longest_dark)}}) {
        t.rows[i].push_back(std::move(v));
      }
    }
  }

  const TdmPlatform& platform_;
  const SetupNetwork& network_;
  CycleTimes times_;
  Cycle end_;                                                          // of the run
  std::map<std::pair<std::uint32_t, std::uint32_t>, Effect> effects_;  // by failure and flow
  std::map<std::uint32_t, Sum> sums_;                                  // by failure
  std::size_t too_late_ = 0;
};

}  // namespace

Table planned_faults(const TdmPlatform& platform, const SetupPlan& plan) {
  const CycleTimes times(platform.config().tdm_switch.period);
  Table t;
  t.key = "faults";
  t.title = "Failures";
  t.meaning = "One line per failure of the configuration.";
  t.columns = {{"at", "", "the switch, the port of it, the node, or the two switches whose links fail"},
               {"down", "ns", "time of the failure"},
               {"up", "ns", "time of the repair; usable again once the circuits that crossed it are cleared away"}};
  for (const Fault& f : plan.faults) t.rows.push_back({name_of(f), times.time(f.at), times.time(f.recover)});
  return t;
}

// A run lasts until its last failure, so none comes after the end.
void add_fault_notes(const TdmPlatform& platform, ReportData& report) {
  const auto notes = fault_notes(platform.config().faults, platform.graph(), std::nullopt);
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

void add_fault_figures(const TdmPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report) {
  FaultFigures(platform, network, end).add(report);
}

}  // namespace weft
