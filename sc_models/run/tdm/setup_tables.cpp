#include "run/tdm/setup_tables.h"

#include <array>

namespace weft {
namespace {

std::string state(const FlowLog& log) {
  if (log.finished >= 0) return "finished";
  return log.given_up ? "given up" : "unfinished";
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

// Begun with who a flow is, as its rows are.
Table flow_table(std::string meaning) {
  return {"flows",
          "Flows",
          std::move(meaning),
          {{"flow", "", "name"}, {"source", "", "node"}, {"destination", "", "node, or nodes of a multicast"}},
          {}};
}

std::vector<Value> flow_row(const TimedFlow& flow, std::vector<Value> rest) {
  std::vector<Value> row{flow.name, std::int64_t{flow.source}, nodes_value(flow.destinations)};
  row.insert(row.end(), rest.begin(), rest.end());
  return row;
}

class SetupTables {
 public:
  SetupTables(const SetupNetwork& network, const CycleTimes& times, Cycle end)
      : network_(network), times_(times), end_(end), discarded_(discarded_words(network)) {}

  Table flows() const {
    Table t = flow_table(
        "One line per flow. words_sent = words_delivered + words_dropped + words_refused + words_lost, each counted "
        "where it happens, once nothing is under way. These four are sums over the destinations: with n of them their "
        "sum is n times words_sent; destinations has a line for each.");
    const std::vector<Statistic> columns = {
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
        {"words_refused", "1", "words that the network discarded behind refused requests, and no failure took"},
        {"words_lost", "1",
         "words that failed links took, or that the network discarded on circuits which a failure took"},
        {"words_dropped", "1", "words the destination had already or that came behind a gap"},
        {"dark_time", "ns",
         "time from the failure of a circuit to the first word on the one that replaced it, to its acceptance if "
         "nothing was left to send, or to the end of the run, in all"},
        {"dark_at_end", "", "whether the flow was still dark at the end"},
        {"first_request", "ns", "time of the first request"},
        {"last_delivery", "ns", "time at which a message was last completed"},
        {"finished", "ns", "time at which everything had arrived and every slot was given back"}};
    t.columns.insert(t.columns.end(), columns.begin(), columns.end());
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      const FlowLog& log = network_.source(f).log();
      const std::uint64_t received = network_.received(f);
      const std::uint64_t dropped = network_.dropped(f);
      DiscardedWords discarded;
      for (const DiscardedWords& d : discarded_[f]) discarded += d;
      t.rows.push_back(flow_row(
          flow,
          {state(log), whole(log.requests), whole(log.refusals[0]), whole(log.refusals[1]), whole(log.refusals[2]),
           whole(log.circuits.size()), whole(log.refusals[3]), whole(received), whole(log.words_sent),
           whole(log.words_resent), whole(discarded.refused + discarded.lost), whole(discarded.refused),
           whole(discarded.lost), whole(dropped), times_.ns(dark_time(log, end_)), log.dark_since >= 0,
           times_.time(log.first_request), times_.time(network_.last_delivery(f)), times_.time(log.finished)}));
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
                 {"words_refused", "1", "words behind refused requests that did not come to it, and no failure took"},
                 {"words_lost", "1",
                  "words for it that failed links took, or on circuits which a failure took that did not come to it"},
                 {"first_word", "ns", "time at which its first word arrived"},
                 {"last_delivery", "ns", "time at which it last completed a message"}};
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      if (flow.destinations.size() == 1) continue;
      for (std::size_t d = 0; d < flow.destinations.size(); ++d) {
        const SetupHost& host = network_.destination(f, d);
        t.rows.push_back({flow.name, std::int64_t{flow.destinations[d]}, whole(host.received(f)),
                          whole(host.dropped(f)), whole(discarded_[f][d].refused), whole(discarded_[f][d].lost),
                          times_.time(host.first_word(f)), times_.time(host.last_delivery(f))});
      }
    }
    return t;
  }

  Table circuits() const {
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
                          list_text(slot_list(c.slots)), c.further, whole(c.tries), times_.time(c.requested),
                          times_.span(c.requested, c.acknowledged), times_.span(c.requested, c.first_word),
                          times_.span(c.requested, c.accepted), times_.span(c.first_request, c.first_word),
                          times_.time(c.ended), c.lost, c.fault == kNoFault ? Value{} : Value{std::int64_t{c.fault}}});
      }
    }
    return t;
  }

  Table changes() const {
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
        t.rows.push_back({network_.plan().flows[f].name, times_.time(c.asked), times_.time(c.done),
                          std::int64_t{c.before}, std::int64_t{c.wanted}, std::int64_t{c.after}, outcome});
      }
    }
    return t;
  }

 private:
  const SetupNetwork& network_;
  CycleTimes times_;
  Cycle end_;  // of the run
  std::vector<std::vector<DiscardedWords>> discarded_;
};

}  // namespace

std::vector<std::vector<DiscardedWords>> discarded_words(const SetupNetwork& network) {
  std::vector<std::vector<DiscardedWords>> all;
  for (const TimedFlow& f : network.plan().flows) all.emplace_back(f.destinations.size());
  for (const WordAccount& a : network.runs().ledger().accounts()) {
    for (std::size_t d = 0; d < a.ends.size(); ++d) all[a.flow][d] += {a.refused(d), a.lost(d)};
  }
  return all;
}

Table planned_flows(const SetupPlan& plan) {
  Table t = flow_table("One line per flow.");
  const std::vector<Statistic> columns = {
      {"slots", "1", "slots asked for at the start"},
      {"message_words", "1", "words of a message"},
      {"routes", "1", "routes it may try"},
      {"first_route", "",
       "switches of the first; of a multicast the ways to its destinations, each from where it parts"}};
  t.columns.insert(t.columns.end(), columns.begin(), columns.end());
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const TimedFlow& flow = plan.flows[f];
    t.rows.push_back(flow_row(flow, {std::int64_t{flow.slots}, std::int64_t{flow.message_words},
                                     whole(plan.routes[f].size()), route_text(*plan.routes[f].front())}));
  }
  return t;
}

void add_setup_tables(const SetupNetwork& network, const CycleTimes& times, Cycle end, ReportData& report) {
  const SetupTables tables(network, times, end);
  report.tables.push_back(tables.flows());
  report.tables.push_back(tables.circuits());
  for (Table t : {tables.destinations(), tables.changes()}) {
    if (!t.rows.empty()) report.tables.push_back(std::move(t));
  }
}

}  // namespace weft
