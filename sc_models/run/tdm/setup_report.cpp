#include "run/tdm/setup_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "observe/services.h"
#include "observe/vocabulary.h"
#include "run/tdm/setup_tables.h"

namespace weft {
namespace {

class SetupFigures {
 public:
  SetupFigures(const TdmPlatform& platform, const SetupNetwork& network, Cycle end)
      : config_(platform.config()),
        nodes_(platform.graph().nodes()),
        network_(network),
        times_(config_.tdm_switch.period),
        end_(end) {}

  // Of flows whose sources are those of the plan.
  void add_run(ReportData& report) const {
    const ServiceFigures all = service();
    report.sections.push_back(run(all));
    report.tables.push_back(services_table("Services", "The circuits of all flows are one service.", {all}));
    report.tables.push_back(histogram_table({{all.service, network_.runs().times().all().histogram().values()}},
                                            config_.tdm_switch.period));
    if (Table hops = setup_hops(network_, config_.tdm_switch.period); !hops.rows.empty())
      report.tables.push_back(std::move(hops));
  }

  void add(ReportData& report) {
    const std::size_t flows = network_.plan().flows.size();
    std::size_t given_up = 0;
    std::size_t cut_off = 0;
    for (std::uint32_t f = 0; f < flows; ++f) {
      const FlowLog& log = network_.log(f);
      for (const CircuitLog& c : log.circuits) collect(c);
      given_up += log.given_up ? 1 : 0;
      cut_off += log.finished < 0 && !log.given_up ? 1 : 0;
    }
    report.sections.push_back(summary());
    if (given_up > 0) {
      report.notes.push_back(fmt::format("of {} flows {} given up after setup.tries refusals in a row", flows,
                                         given_up == 1 ? "one was" : fmt::format("{} were", given_up)));
    }
    if (cut_off > 0 && report.complete) {
      report.notes.push_back(
          fmt::format("{} of {} flows could not go on: all links of their source are down", cut_off, flows));
    }
    add_change_note(report);
  }

 private:
  // Changes of the number of slots that nothing came of: there was nothing left to send, or they ask for what is there.
  void add_change_note(ReportData& report) const {
    std::size_t all = 0;
    std::size_t late = 0;
    std::size_t same = 0;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      std::uint32_t wanted = flow.slots;
      for (const SlotChange& c : flow.changes) {
        const bool over = network_.log(f).finished >= 0 && c.at > network_.last_delivery(f);
        late += over ? 1 : 0;
        same += !over && c.slots == wanted ? 1 : 0;
        wanted = c.slots;
      }
      all += flow.changes.size();
    }
    if (late > 0) {
      report.notes.push_back(fmt::format(
          "{} of {} changes of slots came after everything of their flow had arrived: no effect", late, all));
    }
    if (same > 0) {
      report.notes.push_back(
          fmt::format("{} of {} changes of slots ask for as many as were wanted before: no effect", same, all));
    }
  }

  void collect(const CircuitLog& c) {
    ++circuits_;
    if (c.further) return;
    if (c.first_word >= 0) first_words_.push_back(c.first_word - c.requested);
    if (c.first_word >= 0) setups_.push_back(c.first_word - c.first_request);
    acceptances_.push_back(c.accepted - c.requested);
  }

  Value mean(const std::vector<Cycle>& v) const {
    if (v.empty()) return {};
    return static_cast<double>(std::accumulate(v.begin(), v.end(), Cycle{0})) * times_.ns(1) /
           static_cast<double>(v.size());
  }
  Value most(const std::vector<Cycle>& v) const {
    return v.empty() ? Value{} : times_.ns(*std::max_element(v.begin(), v.end()));
  }

  // Load and latency of all flows; their circuits are one service.
  ServiceFigures service() const {
    std::uint64_t offered = 0;
    std::uint64_t accepted = 0;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      offered += network_.words_offered(f);
      accepted += network_.received(f);
    }
    const auto load = [&](std::uint64_t words) {
      return ServiceLoad::of(words, config_.tdm_switch.word_bits(), end_, config_.tdm_switch.period, nodes_);
    };
    return {config_.phases.front().name, load(offered), load(accepted),
            network_.runs().times().all().figures(config_.tdm_switch.period)};
  }

  ReportSection run(const ServiceFigures& all) const {
    ReportSection s{"run", "Run", {}};
    s.figures = {{vocabulary::refined(vocabulary::kTime, "until nothing was left to do"), times_.ns(end_), true}};
    for (Figure& f : service_figures(all)) s.figures.push_back(std::move(f));
    return s;
  }

  ReportSection summary() const {
    std::uint64_t requests = 0;
    std::uint64_t sent = 0;
    std::uint64_t resent = 0;
    std::array<std::uint64_t, kTearCauses> refusals{};
    Cycle longest_dark = 0;
    std::uint64_t received = 0;
    std::uint64_t dropped = 0;
    DiscardedWords discarded;
    for (const auto& ends : discarded_words(network_)) {
      for (const DiscardedWords& d : ends) discarded += d;
    }
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const FlowLog& log = network_.log(f);
      requests += log.requests;
      sent += log.words_sent;
      resent += log.words_resent;
      received += network_.received(f);
      dropped += network_.dropped(f);
      for (std::size_t i = 0; i < kTearCauses; ++i) refusals[i] += log.refusals[i];
      longest_dark = std::max(longest_dark, dark_time(log, end_));
    }
    ReportSection s{"setup", "Circuit setup", {}};
    s.figures = {
        {{"flows", "1", "flows"}, whole(network_.plan().flows.size()), true},
        {{"requests", "1", "setup requests"}, whole(requests), true},
        {{"refused", "1", "requests refused, whatever the cause"},
         whole(refusals[0] + refusals[1] + refusals[2]),
         true},
        {{"refused_no_slots", "1", "for want of slots"}, whole(refusals[0]), false},
        {{"refused_down", "1", "because something on the route was down"}, whole(refusals[1]), false},
        {{"refused_late", "1", "because a table could not be written in time"}, whole(refusals[2]), false},
        {{"circuits", "1", "requests accepted"}, whole(circuits_), true},
        {{"circuits_lost", "1", "circuits and requests on their way that failures took"}, whole(refusals[3]), true},
        {{"words_delivered", "1", "words received, each once and in order, by each destination"},
         whole(received),
         true},
        {{"words_sent", "1", "words sent, each time counted"}, whole(sent), false},
        {{"words_resent", "1", "words sent that had been sent before"}, whole(resent), true},
        {{"words_discarded", "1", "words the network discarded"}, whole(discarded.refused + discarded.lost), true},
        {{"words_refused", "1", "of them behind refused requests, and no failure took them"},
         whole(discarded.refused),
         false},
        {{"words_lost", "1", "of them by failed links, or on circuits that a failure took"},
         whole(discarded.lost),
         false},
        {{"words_dropped", "1", "words dropped by their destination: there already, or behind a gap"},
         whole(dropped),
         false},
        {{"mean_to_first_word", "ns", "from an accepted request to its first word, mean"}, mean(first_words_), true},
        {{"max_to_first_word", "ns", "the same, largest"}, most(first_words_), false},
        {{"mean_to_acceptance", "ns", "from an accepted request to its acceptance, mean"}, mean(acceptances_), true},
        {{"max_to_acceptance", "ns", "the same, largest"}, most(acceptances_), false},
        {{"mean_setup_time", "ns", "from the first of a circuit's tries to its first word, mean"},
         mean(setups_),
         false},
        {{"max_setup_time", "ns", "the same, largest"}, most(setups_), true},
        {{"max_dark_time", "ns", "longest time a flow was without a circuit after failures, in all"},
         times_.ns(longest_dark),
         true}};
    return s;
  }

  const TdmConfig& config_;
  std::uint32_t nodes_;
  const SetupNetwork& network_;
  CycleTimes times_;
  Cycle end_;  // of the run
  std::uint64_t circuits_ = 0;
  std::vector<Cycle> first_words_;
  std::vector<Cycle> setups_;
  std::vector<Cycle> acceptances_;
};

}  // namespace

void add_setup_figures(const TdmPlatform& platform, const SetupNetwork& network, ReportData& report) {
  const Cycle end = report.complete ? network.last_event() : network.domain().now();
  SetupFigures(platform, network, end).add_run(report);
  add_setup_results(platform, network, end, report);
}

void add_setup_results(const TdmPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report) {
  const CycleTimes times(platform.config().tdm_switch.period);
  SetupFigures(platform, network, end).add(report);
  add_setup_tables(network, times, end, report);
  if (!network.plan().faults.empty()) add_fault_figures(platform, network, end, report);
  add_fault_notes(platform, report);
}

void add_setup_plan(const TdmPlatform& platform, const SetupPlan& plan, ReportData& report) {
  ReportSection s{"setup", "Circuit setup", {}};
  const MinimumSlots minimum = minimum_slots(platform.graph(), platform.phases().front().flows);
  s.figures = {{{"flows", "1", "flows"}, whole(plan.flows.size()), true},
               {{"failures", "1", "failures of links and switches"}, whole(plan.faults.size()), true},
               {{"frame_slots", "1", "S: slots per frame"}, std::int64_t{platform.config().tdm_switch.slots}, true},
               {{"minimum_slots", "1",
                 "slots needed on the fullest link, or by one circuit over bundles of links, if all circuits were "
                 "there at once, on their first routes"},
                std::int64_t{minimum.slots},
                true}};
  report.sections.push_back(std::move(s));
  report.tables.push_back(planned_flows(plan));
  if (!plan.faults.empty()) report.tables.push_back(planned_faults(platform, plan));
  add_fault_notes(platform, report);
}

}  // namespace weft
