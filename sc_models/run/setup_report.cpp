#include "run/setup_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "run/setup_faults_report.h"

namespace weft {
namespace {

std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

std::string slots_text(const SlotSet& slots) {
  std::vector<std::size_t> list;
  for (auto s = slots.find_first(); s != SlotSet::npos; s = slots.find_next(s)) list.push_back(s);
  return fmt::format("{}", fmt::join(list, " "));
}

// The switches of a line; of a tree the ways to its destinations, each from the switch where it leaves those before.
std::string route_text(const CircuitRoute& route) {
  std::string text;
  std::uint32_t last = kNoHop;
  for (std::uint32_t h = 0; h < route.hops.size(); last = h++) {
    const RouteHop& hop = route.hops[h];
    if (hop.parent != last) text += fmt::format(", {}", route.hops[hop.parent].sw);
    text += fmt::format("{}{}", text.empty() ? "" : " ", hop.sw);
  }
  return text;
}

// A number for one destination, a list for several.
Value destinations_value(const TimedFlow& flow) {
  if (flow.destinations.size() == 1) return std::int64_t{flow.destinations.front()};
  return fmt::format("{}", fmt::join(flow.destinations, " "));
}

class SetupFigures {
 public:
  SetupFigures(const FicPlatform& platform, const SetupNetwork& network, Cycle end)
      : network_(network),
        period_ns_(static_cast<double>(platform.config().fic_switch.period.ps) / 1000.0),
        end_(end),
        discarded_(network.plan().flows.size()) {
    for (const WordAccount& a : network.runs().ledger().accounts()) {
      Discarded& d = discarded_[a.flow];
      (a.fate == WordAccount::Fate::refused ? d.refused : d.lost) += a.discarded();
    }
  }

  void add(ReportData& report) {
    report.tables.push_back(flows());
    report.tables.push_back(circuits());
    Table ends = destinations();
    if (!ends.rows.empty()) report.tables.push_back(std::move(ends));
    Table slots = changes();
    if (!slots.rows.empty()) report.tables.push_back(std::move(slots));
    report.sections.push_back(summary());
    if (given_up_ > 0) {
      report.notes.push_back(fmt::format("{} of {} flows were given up after setup.tries refusals in a row", given_up_,
                                         network_.plan().flows.size()));
    }
    if (cut_off_ > 0 && report.complete) {
      report.notes.push_back(fmt::format("{} of {} flows could not go on: their source's switch is down", cut_off_,
                                         network_.plan().flows.size()));
    }
    add_change_note(report);
  }

 private:
  struct Discarded {
    std::uint64_t refused = 0;
    std::uint64_t lost = 0;
  };
  // Changes of the number of slots that nothing came of: there was nothing left to send, or they ask for what is there.
  void add_change_note(ReportData& report) const {
    std::size_t all = 0;
    std::size_t late = 0;
    std::size_t same = 0;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      std::uint32_t wanted = flow.slots;
      for (const SlotChange& c : flow.changes) {
        const bool over = network_.source(f).finished() && c.at > network_.last_delivery(f);
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

  Value ns(Cycle c) const { return static_cast<double>(c) * period_ns_; }
  Value time(Cycle c) const { return c < 0 ? Value{} : ns(c); }
  /// Until the end of the run for a flow that is still dark then.
  Cycle dark(const FlowLog& log) const { return log.dark + (log.dark_since < 0 ? 0 : end_ - log.dark_since); }
  Value span(Cycle from, Cycle to) const { return from < 0 || to < 0 ? Value{} : ns(to - from); }

  std::string state(std::uint32_t f) {
    const FlowLog& log = network_.source(f).log();
    if (log.finished >= 0) return "finished";
    if (log.given_up) {
      ++given_up_;
      return "given up";
    }
    ++cut_off_;
    return "unfinished";
  }

  Table flows() {
    Table t;
    t.key = "flows";
    t.title = "Flows";
    t.meaning =
        "One line per flow. words_sent = words_delivered + words_dropped + words_refused + words_lost, each counted "
        "where it happens, once nothing is under way. These four are sums over the destinations: with n of them their "
        "sum is n times words_sent; destinations has a line for each.";
    t.columns = {
        {"flow", "", "name"},
        {"source", "", "node"},
        {"destination", "", "node, or nodes of a multicast"},
        {"state", "", "finished; given up after too many refusals; unfinished: its switch is down, or the run ended"},
        {"requests", "1", "setup requests, those for more slots included"},
        {"refused_no_slots", "1", "requests refused by a switch that did not hold the slots free"},
        {"refused_down", "1", "requests refused because their route leads over something that is down"},
        {"refused_late", "1", "requests refused because a table could not be written before the first word"},
        {"circuits", "1", "requests accepted"},
        {"circuits_lost", "1", "circuits, additions included, or requests on their way, that a failure took"},
        {"words_delivered", "1", "words received, each once and in order"},
        {"words_sent", "1", "words sent, each time counted"},
        {"words_resent", "1", "words sent that had been sent before"},
        {"words_discarded", "1", "words that the network discarded: words_refused + words_lost"},
        {"words_refused", "1", "words that the network discarded behind refused requests"},
        {"words_lost", "1", "words that the network discarded on circuits which a failure took"},
        {"words_dropped", "1", "words the destination had already or that came behind a gap"},
        {"dark_time", "ns",
         "time from the failure of a circuit to the first word on the one that replaced it, to its acceptance if "
         "nothing "
         "was left to send, or to the end of the run, in all"},
        {"dark_at_end", "", "whether the flow was still dark at the end"},
        {"first_request", "ns", "time of the first request"},
        {"last_delivery", "ns", "time at which a message was last completed"},
        {"finished", "ns", "time at which everything had arrived and every slot was given back"}};
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      const FlowLog& log = network_.source(f).log();
      const std::uint64_t received = network_.received(f);
      const std::uint64_t dropped = network_.dropped(f);
      const Discarded& discarded = discarded_[f];
      received_ += received;
      dropped_ += dropped;
      t.rows.push_back({flow.name,
                        std::int64_t{flow.source},
                        destinations_value(flow),
                        state(f),
                        whole(log.requests),
                        whole(log.refusals[0]),
                        whole(log.refusals[1]),
                        whole(log.refusals[2]),
                        whole(log.circuits.size()),
                        whole(log.refusals[3]),
                        whole(received),
                        whole(log.words_sent),
                        whole(log.words_resent),
                        whole(discarded.refused + discarded.lost),
                        whole(discarded.refused),
                        whole(discarded.lost),
                        whole(dropped),
                        ns(dark(log)),
                        log.dark_since >= 0,
                        time(log.first_request),
                        time(network_.last_delivery(f)),
                        time(log.finished)});
    }
    return t;
  }

  // What came to each destination of the flows that have several.
  Table destinations() const {
    Table t;
    t.key = "destinations";
    t.title = "Destinations of multicasts";
    t.meaning =
        "One line per flow with several destinations and destination. words_sent of the flow = words_delivered + "
        "words_dropped + words_refused + words_lost.";
    t.columns = {{"flow", "", "name"},
                 {"destination", "", "node"},
                 {"words_delivered", "1", "words received, each once and in order"},
                 {"words_dropped", "1", "words it had already or that came behind a gap"},
                 {"words_refused", "1", "words behind refused requests that did not come to it"},
                 {"words_lost", "1", "words on circuits which a failure took that did not come to it"},
                 {"first_word", "ns", "time at which its first word arrived"},
                 {"last_delivery", "ns", "time at which it last completed a message"}};
    std::vector<std::vector<Discarded>> lost(network_.plan().flows.size());
    for (const WordAccount& a : network_.runs().ledger().accounts()) {
      std::vector<Discarded>& own = lost[a.flow];
      own.resize(a.ends.size());
      for (std::size_t d = 0; d < a.ends.size(); ++d) {
        (a.fate == WordAccount::Fate::refused ? own[d].refused : own[d].lost) += a.discarded(d);
      }
    }
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      if (flow.destinations.size() == 1) continue;
      lost[f].resize(flow.destinations.size());
      for (std::size_t d = 0; d < flow.destinations.size(); ++d) {
        const SetupHost& host = network_.destination(f, d);
        t.rows.push_back({flow.name, std::int64_t{flow.destinations[d]}, whole(host.received(f)),
                          whole(host.dropped(f)), whole(lost[f][d].refused), whole(lost[f][d].lost),
                          time(host.first_word(f)), time(host.last_delivery(f))});
      }
    }
    return t;
  }

  Table circuits() {
    Table t;
    t.key = "circuits";
    t.title = "Circuits";
    t.meaning = "One line per circuit that was accepted, in the order of flows.";
    t.columns = {
        {"flow", "", "name"},
        {"request", "1", "number of its request within the flow"},
        {"route", "", "switches; of a multicast the ways to its destinations, each from where it parts"},
        {"slots", "", "slots, the same at all switches; some may have been given back before the end"},
        {"further", "", "whether they were added to a circuit that was there"},
        {"tries", "1", "requests it took, the accepted one included"},
        {"requested", "ns", "time of the accepted request"},
        {"to_ack", "ns", "from the accepted request to the first switch's ACK"},
        {"to_first_word", "ns", "from the accepted request to the first word sent"},
        {"to_acceptance", "ns", "from the accepted request until the source knows that all switches have agreed"},
        {"setup_time", "ns", "from the first of its tries to its first word"},
        {"ended", "ns", "time at which the source gave it back, or heard that it was lost"},
        {"lost", "", "whether a failure ended it"},
        {"failure", "1", "which one, by its line in the table of failures, from 0"}};
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      for (const CircuitLog& c : network_.source(f).log().circuits) {
        t.rows.push_back({network_.plan().flows[f].name, std::int64_t{c.number}, route_text(*c.route),
                          slots_text(c.slots), c.further, whole(c.tries), time(c.requested),
                          span(c.requested, c.acknowledged), span(c.requested, c.first_word),
                          span(c.requested, c.accepted), span(c.first_request, c.first_word), time(c.ended), c.lost,
                          c.fault == kNoFault ? Value{} : Value{std::int64_t{c.fault}}});
        collect(c);
      }
    }
    return t;
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
    return static_cast<double>(std::accumulate(v.begin(), v.end(), Cycle{0})) * period_ns_ /
           static_cast<double>(v.size());
  }
  Value most(const std::vector<Cycle>& v) const {
    return v.empty() ? Value{} : ns(*std::max_element(v.begin(), v.end()));
  }

  Table changes() {
    using Outcome = SlotChangeLog::Outcome;
    constexpr std::array<const char*, 3> kCauses{"no_slots", "down", "late"};
    Table t;
    t.key = "slot_changes";
    t.title = "Slots asked for and given back";
    t.meaning =
        "One line per request for more slots and per partial return, while the circuit is there, in the order of "
        "flows.";
    t.columns = {{"flow", "", "name"},
                 {"asked", "ns", "time at which the source asked for more, or gave slots back"},
                 {"done", "ns", "time of the answer; a return takes effect at once at the source"},
                 {"slots_before", "1", "slots it sent on"},
                 {"slots_wanted", "1", "slots it wanted"},
                 {"slots_after", "1", "slots it sent on afterwards"},
                 {"outcome", "", "added, given back, refused (cause), lost: a failure came first, pending"}};
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      for (const SlotChangeLog& c : network_.source(f).log().changes) {
        std::string outcome = c.outcome == Outcome::added        ? "added"
                              : c.outcome == Outcome::given_back ? "given back"
                              : c.outcome == Outcome::lost       ? "lost"
                                                                 : "pending";
        if (c.outcome == Outcome::refused) {
          outcome = fmt::format("refused ({})", kCauses.at(static_cast<std::size_t>(c.cause)));
        }
        t.rows.push_back({network_.plan().flows[f].name, time(c.asked), time(c.done), std::int64_t{c.before},
                          std::int64_t{c.wanted}, std::int64_t{c.after}, outcome});
      }
    }
    return t;
  }

  Section summary() const {
    std::uint64_t requests = 0;
    std::uint64_t sent = 0;
    std::uint64_t resent = 0;
    std::array<std::uint64_t, kTearCauses> refusals{};
    Cycle longest_dark = 0;
    Discarded discarded;
    for (const Discarded& d : discarded_) {
      discarded.refused += d.refused;
      discarded.lost += d.lost;
    }
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const FlowLog& log = network_.source(f).log();
      requests += log.requests;
      sent += log.words_sent;
      resent += log.words_resent;
      for (std::size_t i = 0; i < kTearCauses; ++i) refusals[i] += log.refusals[i];
      longest_dark = std::max(longest_dark, dark(log));
    }
    Section s{"setup", "Circuit setup", {}};
    s.figures = {
        {{"simulated_time", "ns", "time until nothing was left to do"}, ns(end_), true},
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
         whole(received_),
         true},
        {{"words_sent", "1", "words sent, each time counted"}, whole(sent), false},
        {{"words_resent", "1", "words sent that had been sent before"}, whole(resent), true},
        {{"words_discarded", "1", "words the network discarded"}, whole(discarded.refused + discarded.lost), true},
        {{"words_refused", "1", "of them behind refused requests"}, whole(discarded.refused), false},
        {{"words_lost", "1", "of them on circuits that a failure took"}, whole(discarded.lost), false},
        {{"words_dropped", "1", "words dropped by their destination: there already, or behind a gap"},
         whole(dropped_),
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
         ns(longest_dark),
         true}};
    return s;
  }

  const SetupNetwork& network_;
  double period_ns_;
  Cycle end_;  // of the run
  std::size_t given_up_ = 0;
  std::size_t cut_off_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t dropped_ = 0;
  std::vector<Discarded> discarded_;  // per flow
  std::uint64_t circuits_ = 0;
  std::vector<Cycle> first_words_;
  std::vector<Cycle> setups_;
  std::vector<Cycle> acceptances_;
};

}  // namespace

void add_setup_figures(const FicPlatform& platform, const SetupNetwork& network, ReportData& report) {
  const Cycle end = report.complete ? network.last_event() : network.domain().now();
  SetupFigures(platform, network, end).add(report);
  if (!network.plan().faults.empty()) add_fault_figures(platform, network, end, report);
  add_fault_notes(platform, report);
}

void add_setup_plan(const FicPlatform& platform, const SetupPlan& plan, ReportData& report) {
  Section s{"setup", "Circuit setup", {}};
  const MinimumSlots minimum = minimum_slots(platform.graph(), platform.phases().front().flows);
  s.figures = {{{"flows", "1", "flows"}, whole(plan.flows.size()), true},
               {{"failures", "1", "failures of links and switches"}, whole(plan.faults.size()), true},
               {{"frame_slots", "1", "S: slots per frame"}, std::int64_t{platform.config().fic_switch.slots}, true},
               {{"minimum_slots", "1",
                 "slots needed on the fullest link if all circuits were there at once, on their first routes"},
                std::int64_t{minimum.slots},
                true}};
  report.sections.push_back(std::move(s));
  Table t;
  t.key = "flows";
  t.title = "Flows";
  t.meaning = "One line per flow.";
  t.columns = {{"flow", "", "name"},
               {"source", "", "node"},
               {"destination", "", "node, or nodes of a multicast"},
               {"slots", "1", "slots asked for at the start"},
               {"message_words", "1", "words of a message"},
               {"routes", "1", "routes it may try"},
               {"first_route", "",
                "switches of the first; of a multicast the ways to its destinations, each from where it parts"}};
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const TimedFlow& flow = plan.flows[f];
    t.rows.push_back({flow.name, std::int64_t{flow.source}, destinations_value(flow), std::int64_t{flow.slots},
                      std::int64_t{flow.message_words}, whole(plan.routes[f].size()),
                      route_text(*plan.routes[f].front())});
  }
  report.tables.push_back(std::move(t));
  if (!plan.faults.empty()) report.tables.push_back(planned_faults(platform, plan));
  add_fault_notes(platform, report);
}

}  // namespace weft
