#include "run/tdm/setup_tables.h"

#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "observe/columns.h"

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

// Who a flow is.
Columns<TimedFlow> flow_columns() {
  return {{{"flow", "", "name"}, &TimedFlow::name},
          {{"source", "", "node"}, &TimedFlow::source},
          {{"destination", "", "node, or nodes of a multicast"},
           [](const TimedFlow& f) { return nodes_value(f.destinations); }}};
}

std::string outcome_text(const SlotChangeLog& c) {
  using Outcome = SlotChangeLog::Outcome;
  constexpr std::array<const char*, 3> kCauses{"no_slots", "down", "late"};
  switch (c.outcome) {
    case Outcome::added:
      return "added";
    case Outcome::given_back:
      return "given back";
    case Outcome::lost:
      return "lost";
    case Outcome::refused:
      return fmt::format("refused ({})", kCauses.at(static_cast<std::size_t>(c.cause)));
    case Outcome::pending:
      break;
  }
  return "pending";
}

class SetupTables {
 public:
  SetupTables(const SetupNetwork& network, const CycleTimes& times, Cycle end)
      : network_(network), times_(times), end_(end), discarded_(discarded_words(network)) {}

  Table flows() const {
    struct Row {
      const TimedFlow& flow;
      const FlowLog& log;
      std::uint64_t received;
      std::uint64_t dropped;
      DiscardedWords discarded;
      Cycle last_delivery;
      LatencyFigures latency;
    };
    std::vector<Row> rows;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      rows.push_back({network_.plan().flows[f],
                      network_.log(f),
                      network_.received(f),
                      network_.dropped(f),
                      {},
                      network_.last_delivery(f),
                      network_.runs().times().latency(f).figures(times_.period())});
      for (const DiscardedWords& d : discarded_[f]) rows.back().discarded += d;
    }
    const auto log = [](auto of) { return [of](const Row& r) { return as_value(std::invoke(of, r.log)); }; };
    const auto refused = [&](std::size_t cause) {
      return log([cause](const FlowLog& l) { return l.refusals[cause]; });
    };
    Columns<Row> columns = columns_of<Row>(flow_columns(), [](const Row& r) -> const TimedFlow& { return r.flow; });
    columns += Columns<Row>{
        {{"state", "", "finished; given up after too many refusals; unfinished: its switch is down, or the run ended"},
         log(state)},
        {{"requests", "1", "setup requests, those for more slots included"}, log(&FlowLog::requests)},
        {{"refused_no_slots", "1", "requests refused by a switch where the slots were not free"}, refused(0)},
        {{"refused_down", "1", "requests refused because their route leads over something that is down"}, refused(1)},
        {{"refused_late", "1", "requests refused because a table could not be written before the first word"},
         refused(2)},
        {{"circuits", "1", "requests accepted"}, log([](const FlowLog& l) { return l.circuits.size(); })},
        {{"circuits_lost", "1", "circuits, additions included, or requests on their way, that a failure took"},
         refused(3)},
        {{"words_delivered", "1", "words received, each once and in order"}, &Row::received},
        {{"words_sent", "1", "words sent, each time counted"}, log(&FlowLog::words_sent)},
        {{"words_resent", "1", "words sent that had been sent before"}, log(&FlowLog::words_resent)},
        {{"words_discarded", "1", "words that the network discarded: words_refused + words_lost"},
         [](const Row& r) { return r.discarded.refused + r.discarded.lost; }},
        {{"words_refused", "1", "words that the network discarded behind refused requests, and no failure took"},
         [](const Row& r) { return r.discarded.refused; }},
        {{"words_lost", "1",
          "words that failed links took, or that the network discarded on circuits which a failure took"},
         [](const Row& r) { return r.discarded.lost; }},
        {{"words_dropped", "1", "words the destination had already or that came behind a gap"}, &Row::dropped},
        {{"dark_time", "ns",
          "time from the failure of a circuit to the first word on the one that replaced it, to its acceptance if "
          "nothing was left to send, or to the end of the run, in all"},
         log([this](const FlowLog& l) { return times_.ns(dark_time(l, end_)); })},
        {{"dark_at_end", "", "whether the flow was still dark at the end"},
         log([](const FlowLog& l) { return l.dark_since >= 0; })},
        {{"first_request", "ns", "time of the first request"},
         log([this](const FlowLog& l) { return times_.time(l.first_request); })},
        {{"last_delivery", "ns", "time at which a message was last completed"},
         [this](const Row& r) { return times_.time(r.last_delivery); }},
        {{"finished", "ns", "time at which everything had arrived and every slot was released"},
         log([this](const FlowLog& l) { return times_.time(l.finished); })}};
    columns += columns_of<Row>(brief_latency_columns(), &Row::latency);
    return make_table(
        {"flows", "Flows",
         "One line per flow. words_sent = words_delivered + words_dropped + words_refused + words_lost, each counted "
         "where it happens, once nothing is under way. These four are sums over the destinations: with n of them their "
         "sum is n times words_sent; destinations has a line for each. So are the messages and their latencies."},
        columns, rows);
  }

  // What came to each destination of the flows that have several.
  Table destinations() const {
    struct Row {
      const TimedFlow& flow;
      NodeId node;
      ArrivedWords arrived;
      DiscardedWords discarded;
    };
    std::vector<Row> rows;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      const TimedFlow& flow = network_.plan().flows[f];
      if (flow.destinations.size() == 1) continue;
      for (std::size_t d = 0; d < flow.destinations.size(); ++d) {
        rows.push_back({flow, flow.destinations[d], network_.arrived(f, d), discarded_[f][d]});
      }
    }
    const Columns<Row> columns{
        {{"flow", "", "name"}, [](const Row& r) { return r.flow.name; }},
        {{"destination", "", "node"}, &Row::node},
        {{"words_delivered", "1", "words received, each once and in order"},
         [](const Row& r) { return r.arrived.received; }},
        {{"words_dropped", "1", "words it had already or that came behind a gap"},
         [](const Row& r) { return r.arrived.dropped; }},
        {{"words_refused", "1", "words behind refused requests that did not come to it, and no failure took"},
         [](const Row& r) { return r.discarded.refused; }},
        {{"words_lost", "1",
          "words for it that failed links took, or on circuits which a failure took that did not come to it"},
         [](const Row& r) { return r.discarded.lost; }},
        {{"first_word", "ns", "time at which its first word arrived"},
         [this](const Row& r) { return times_.time(r.arrived.first_word); }},
        {{"last_delivery", "ns", "time at which it last completed a message"},
         [this](const Row& r) { return times_.time(r.arrived.last_delivery); }}};
    return make_table({"destinations", "Destinations of multicasts",
                       "One line per flow with several destinations and destination. words_sent of the flow = "
                       "words_delivered + words_dropped + words_refused + words_lost."},
                      columns, rows);
  }

  Table circuits() const {
    struct Row {
      const TimedFlow& flow;
      const CircuitLog& log;
    };
    std::vector<Row> rows;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      for (const CircuitLog& c : network_.log(f).circuits) rows.push_back({network_.plan().flows[f], c});
    }
    const auto log = [](auto of) { return [of](const Row& r) { return as_value(std::invoke(of, r.log)); }; };
    const auto since_request = [this, &log](Cycle CircuitLog::*to) {
      return log([this, to](const CircuitLog& c) { return times_.span(c.requested, c.*to); });
    };
    const Columns<Row> columns{
        {{"flow", "", "name"}, [](const Row& r) { return r.flow.name; }},
        {{"request", "1", "number of its request within the flow"}, log(&CircuitLog::number)},
        {{"route", "", "switches; of a multicast the ways to its destinations, each from where it parts"},
         log([](const CircuitLog& c) { return route_text(*c.route); })},
        {{"slots", "", "slots, the same at all switches; some may have been released before the end"},
         log([](const CircuitLog& c) { return list_text(slot_list(c.slots)); })},
        {{"further", "", "whether they were added to a circuit that was there"}, log(&CircuitLog::further)},
        {{"tries", "1", "requests it needed, the accepted one included"}, log(&CircuitLog::tries)},
        {{"requested", "ns", "time of the accepted request"},
         log([this](const CircuitLog& c) { return times_.time(c.requested); })},
        {{"to_ack", "ns", "from the accepted request to the first switch's ACK"},
         since_request(&CircuitLog::acknowledged)},
        {{"to_first_word", "ns", "from the accepted request to the first word sent"},
         since_request(&CircuitLog::first_word)},
        {{"to_acceptance", "ns", "from the accepted request until the source knows that all switches have agreed"},
         since_request(&CircuitLog::accepted)},
        {{"setup_time", "ns", "from the first of its tries to its first word"},
         log([this](const CircuitLog& c) { return times_.span(c.first_request, c.first_word); })},
        {{"ended", "ns", "time at which the source gave it back, or heard that it was lost"},
         log([this](const CircuitLog& c) { return times_.time(c.ended); })},
        {{"lost", "", "whether a failure ended it"}, log(&CircuitLog::lost)},
        {{"failure", "1", "which one, by its line in the table of failures, from 0"},
         log([](const CircuitLog& c) { return c.fault == kNoFault ? Value{} : as_value(c.fault); })}};
    return make_table({"circuits", "Circuits", "One line per circuit that was accepted, in the order of flows."},
                      columns, rows);
  }

  Table changes() const {
    struct Row {
      const TimedFlow& flow;
      const SlotChangeLog& log;
    };
    std::vector<Row> rows;
    for (std::uint32_t f = 0; f < network_.plan().flows.size(); ++f) {
      for (const SlotChangeLog& c : network_.log(f).changes) rows.push_back({network_.plan().flows[f], c});
    }
    const Columns<Row> columns{
        {{"flow", "", "name"}, [](const Row& r) { return r.flow.name; }},
        {{"requested", "ns", "time at which the source requested more slots, or released some"},
         [this](const Row& r) { return times_.time(r.log.asked); }},
        {{"done", "ns", "time of the answer; a return takes effect at once at the source"},
         [this](const Row& r) { return times_.time(r.log.done); }},
        {{"slots_before", "1", "slots it sent on"}, [](const Row& r) { return r.log.before; }},
        {{"slots_wanted", "1", "slots it wanted"}, [](const Row& r) { return r.log.wanted; }},
        {{"slots_after", "1", "slots it sent on afterwards"}, [](const Row& r) { return r.log.after; }},
        {{"outcome", "", "added, given back, refused (cause), lost: a failure came first, pending"},
         [](const Row& r) { return outcome_text(r.log); }}};
    return make_table({"slot_changes", "Slots requested and released",
                       "One line per request for more slots and per partial return, while the circuit is there, in the "
                       "order of flows."},
                      columns, rows);
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
  struct Row {
    const TimedFlow& flow;
    const FlowSource::Routes& routes;
  };
  std::vector<Row> rows;
  for (std::size_t f = 0; f < plan.flows.size(); ++f) rows.push_back({plan.flows[f], plan.routes[f]});
  Columns<Row> columns = columns_of<Row>(flow_columns(), [](const Row& r) -> const TimedFlow& { return r.flow; });
  columns +=
      Columns<Row>{{{"slots", "1", "slots requested at the start"}, [](const Row& r) { return r.flow.slots; }},
                   {{"message_words", "1", "words of a message"}, [](const Row& r) { return r.flow.message_words; }},
                   {{"routes", "1", "routes it may try"}, [](const Row& r) { return r.routes.size(); }},
                   {{"first_route", "",
                     "switches of the first; of a multicast the ways to its destinations, each from where it parts"},
                    [](const Row& r) { return route_text(*r.routes.front()); }}};
  return make_table({"flows", "Flows", "One line per flow."}, columns, rows);
}

Table setup_hops(const SetupNetwork& network, Duration period) {
  std::map<std::uint32_t, LatencySums> sums;
  for (std::uint32_t f = 0; f < network.plan().flows.size(); ++f) {
    const CircuitRoute& route = *network.plan().routes[f].front();
    for (std::size_t d = 0; d < route.destinations.size(); ++d) {
      const LatencySums& latency = network.runs().times().latency(f, d);
      if (latency.messages() > 0) sums[route.links_to(d)] += latency;
    }
  }
  std::vector<HopLatency> lengths;
  for (const auto& [hops, latency] : sums) lengths.push_back({hops, latency.figures(period)});
  return hops_table(lengths);
}

std::optional<HopCounts> setup_hops(const SetupPlan& plan, std::uint32_t nodes) {
  constexpr std::uint32_t kMostNodes = 4096;  // 16 MiB
  if (nodes > kMostNodes) return std::nullopt;
  std::vector<std::uint8_t> hops(std::size_t{nodes} * nodes, HopCounts::kUnknown);
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const CircuitRoute& route = *plan.routes[f].front();
    for (std::size_t d = 0; d < route.destinations.size(); ++d) {
      std::uint8_t& length = hops[std::size_t{route.source} * nodes + route.destinations[d]];
      const std::uint32_t links = route.links_to(d);
      if (links > HopCounts::kMost || (length != HopCounts::kUnknown && length != links)) return std::nullopt;
      length = static_cast<std::uint8_t>(links);
    }
  }
  std::vector<std::uint32_t> place_of(nodes);
  std::iota(place_of.begin(), place_of.end(), 0);
  return HopCounts(std::move(place_of), std::move(hops), nodes);
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
