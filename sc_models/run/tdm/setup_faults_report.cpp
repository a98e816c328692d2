// Part of the report on circuits that come and go that is about failures.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "network/places.h"
#include "observe/columns.h"
#include "observe/values.h"
#include "run/tdm/setup_report.h"

namespace weft {
namespace {

std::string name_of(const Fault& f) {
  if (f.nic != kNoId) return fmt::format("nic[{}]", f.nic);
  std::string what = fmt::format("sw[{}]", f.a);
  if (f.port) what += fmt::format(".port{}", *f.port);
  if (f.b != kNoId) what += fmt::format("-sw[{}]", f.b);
  return what;
}

Columns<Fault> fault_columns(const CycleTimes& times) {
  return {{{"at", "", "the switch, the port of it, the node, or the two switches whose links fail"}, name_of},
          {{"down", "ns", "time of the failure"}, [times](const Fault& f) { return times.time(f.at); }},
          {{"up", "ns", "time of the repair; usable again once the circuits that crossed it are cleared away"},
           [times](const Fault& f) { return times.time(f.recover); }}};
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
      : network_(network), times_(platform.config().tdm_switch.period), end_(end) {
    for (std::uint32_t f = 0; f < network.plan().flows.size(); ++f) {
      for (const FaultEffect& e : network.log(f).faults) effects_[{e.fault, f}].log = e;
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
    Table flows = fault_flows();  // has the sums of each failure made
    report.tables.push_back(faults());
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
      const FlowLog& log = network_.log(f);
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
    struct Row {
      std::uint32_t fault;
      const Fault& what;
      const TimedFlow& flow;
      const FaultEffect& log;
      const Words& words;
      Cycle dark;
    };
    std::vector<Row> rows;
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
      rows.push_back({fault, network_.plan().faults[fault], network_.plan().flows[f], e, w, dark});
    }
    const Columns<Row> columns{
        {{"failure", "1", "line of the table of failures, from 0"}, &Row::fault},
        {{"what", "", "what failed"}, [](const Row& r) { return name_of(r.what); }},
        {{"flow", "", "name"}, [](const Row& r) { return r.flow.name; }},
        {{"circuits_torn_down", "1", "accepted circuits, additions and those being released included"},
         [](const Row& r) { return r.log.circuits; }},
        {{"requests_torn_down", "1", "requests that were not accepted yet"},
         [](const Row& r) { return r.log.requests; }},
        {{"requests_refused", "1", "requests refused as down because of it"},
         [](const Row& r) { return r.log.refused; }},
        {{"held_back", "1", "times its source could not ask, being cut off from its switch"},
         [](const Row& r) { return r.log.held; }},
        {{"words_lost_on_links", "1",
          "words on the failed link, of refused requests and of other failures' circuits too"},
         [](const Row& r) { return r.words.on_links; }},
        {{"words_lost_in_switches", "1", "words for which a switch had no route left, or only the failed link"},
         [](const Row& r) { return r.words.in_switches; }},
        {{"words_misdelivered", "1", "copies of words that reached another host, which discarded them"},
         [](const Row& r) { return r.words.astray; }},
        {{"words_dropped", "1", "words its destination had already, or that came behind a gap"},
         [](const Row& r) { return r.words.dropped; }},
        {{"words_resent", "1", "words sent again because of it"}, [](const Row& r) { return r.log.words_resent; }},
        {{"dark_time", "ns", "from the failure to the first word after it, or to the end of the run"},
         [this](const Row& r) { return times_.ns(r.dark); }}};
    return make_table({"fault_flows", "What each failure did to each flow",
                       "One line per failure and flow of which it took a circuit, a request on its way or words, or "
                       "which it delayed."},
                      columns, rows);
  }

  /// The failures, and what each did to all flows together.
  Table faults() {
    struct Row {
      const Fault& fault;
      const Sum& sum;
      bool late;
      std::string effect() const {
        if (late) return "too late";
        if (sum.circuits + sum.requests > 0) return "circuits";
        if (sum.words.discarded > 0) return "words";
        if (sum.refused > 0) return "refused";
        return sum.held > 0 ? "delayed" : "none";
      }
    };
    const Cycle last = last_finished();
    std::vector<Row> rows;
    for (std::uint32_t i = 0; i < network_.plan().faults.size(); ++i) {
      const Fault& fault = network_.plan().faults[i];
      rows.push_back({fault, sums_[i], last >= 0 && fault.at > last});
      too_late_ += rows.back().late ? 1 : 0;
    }
    const auto sum = [](auto of) { return [of](const Row& r) { return std::invoke(of, r.sum); }; };
    Columns<Row> columns = columns_of<Row>(fault_columns(times_), [](const Row& r) -> const Fault& { return r.fault; });
    columns += Columns<Row>{
        {{"effect", "",
          "circuits: it took some, or requests on their way; words: it took only words, behind refused requests or of "
          "circuits that another failure took; refused: only requests that came later were; delayed: it only held "
          "sources back; none: it affected nothing; too late: everything had arrived before"},
         &Row::effect},
        {{"flows", "1", "flows of which it took a circuit, a request on its way or words, or which it delayed"},
         sum(&Sum::flows)},
        {{"circuits_torn_down", "1", "accepted circuits, additions and those being released included"},
         sum(&Sum::circuits)},
        {{"requests_torn_down", "1", "requests that were not accepted yet"}, sum(&Sum::requests)},
        {{"requests_refused", "1",
          "requests refused as down while it held the link: of several failures of a link the first in force holds it"},
         sum(&Sum::refused)},
        {{"held_back", "1", "times a source could not ask, being cut off from its switch"}, sum(&Sum::held)},
        {{"words_lost", "1", "words the network discarded: on links, in switches, at other hosts"},
         sum([](const Sum& s) { return s.words.discarded; })},
        {{"words_dropped", "1", "words their destinations had already, or that came behind a gap"},
         sum([](const Sum& s) { return s.words.dropped; })},
        {{"words_resent", "1", "words sent again because of it"}, sum(&Sum::resent)},
        {{"max_dark_time", "ns", "longest time a flow was without a circuit"},
         sum([this](const Sum& s) { return times_.ns(s.longest_dark); })}};
    return make_table({"faults", "Failures",
                       "One line per failure of the configuration; what it did to each flow is in fault_flows."},
                      columns, rows);
  }

  const SetupNetwork& network_;
  CycleTimes times_;
  Cycle end_;                                                          // of the run
  std::map<std::pair<std::uint32_t, std::uint32_t>, Effect> effects_;  // by failure and flow
  std::map<std::uint32_t, Sum> sums_;                                  // by failure
  std::size_t too_late_ = 0;
};

}  // namespace

Table planned_faults(const TdmPlatform& platform, const SetupPlan& plan) {
  return make_table({"faults", "Failures", "One line per failure of the configuration."},
                    fault_columns(CycleTimes(platform.config().tdm_switch.period)), plan.faults);
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
