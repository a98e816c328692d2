#include "run/optweb/optweb_failures_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_failures.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "parallel/gather.h"
#include "run/optweb/optweb_tables.h"

namespace weft {
namespace {

struct FailingLink {
  NodeId from = 0;
  NodeId to = 0;
  bool sender = false;          // knows all but what was delivered
  std::uint64_t offered = 0;    // words
  std::uint64_t delivered = 0;  // words
  std::uint64_t notifications = 0;
  LinkIp::Repeated errors{};
  LinkIp::Repeated outages{};
  LinkIp::Busy busy{};
  Picoseconds down = 0;
};

void add(LinkIp::Repeated& sum, const LinkIp::Repeated& more) {
  sum.times += more.times;
  sum.words += more.words;
  sum.notifications += more.notifications;
  sum.lost_words += more.lost_words;
  sum.lost_notifications += more.lost_notifications;
}

// Of links that begin here, and what others say of those that end here.
FailingLink sent_over(const OptwebNetwork& network, NodeId a, NodeId b, Picoseconds end) {
  const LinkIp& link = *network.node(a).distributed_switch().link(b);
  const NodeClock& clock = network.node(a).clock();
  const Cycle last = clock.at_or_after(end);
  auto repeated = link.repeated(last);
  FailingLink out{a, b, true, link.words_sent(), 0, link.notifications_sent(), repeated[std::nullopt]};
  for (const optweb::Outage& o : link.timeline()->outages()) add(out.outages, repeated[o.fault]);
  out.busy = link.busy(last);
  out.down = clock.span(link.timeline()->down_time(last));
  return out;
}

std::vector<FailingLink> failing_links(const OptwebNetwork& network, Picoseconds end) {
  std::vector<FailingLink> parts;
  for (NodeId a = 0; a < network.nodes(); ++a) {
    for (NodeId b = 0; b < network.nodes(); ++b) {
      if (network.timeline(a, b) == nullptr || (!network.has_node(a) && !network.has_node(b))) continue;
      FailingLink& l = parts.emplace_back(FailingLink{a, b});
      if (network.has_node(a)) l = sent_over(network, a, b, end);
      if (network.has_node(b)) l.delivered = network.node(b).distributed_switch().words_received(a);
    }
  }
  if (network.ranks() == nullptr) return parts;
  std::map<std::pair<NodeId, NodeId>, FailingLink> joined;  // what sender and receiver say
  for (const FailingLink& l : gather_rows(network.ranks(), std::move(parts))) {
    const auto [at, is_new] = joined.try_emplace({l.from, l.to}, l);
    if (is_new) continue;
    const std::uint64_t delivered = at->second.delivered + l.delivered;
    if (l.sender) at->second = l;
    at->second.delivered = delivered;
  }
  std::vector<FailingLink> out;
  for (const auto& [ends, link] : joined) out.push_back(link);
  return out;
}

// By failure, of all links.
std::vector<LinkIp::Repeated> repeated_by_fault(const OptwebConfig& config, const OptwebNetwork& network,
                                                Picoseconds end) {
  struct Part {
    std::size_t fault = 0;
    LinkIp::Repeated repeated;
  };
  std::vector<Part> parts(config.faults.size());
  for (std::uint32_t f = 0; f < parts.size(); ++f) parts[f].fault = f;
  for (NodeId a = 0; a < network.nodes(); ++a) {
    if (!network.has_node(a)) continue;
    const Cycle last = network.node(a).clock().at_or_after(end);
    for (NodeId b = 0; b < network.nodes(); ++b) {
      if (network.timeline(a, b) == nullptr) continue;
      const LinkIp& link = *network.node(a).distributed_switch().link(b);
      for (const auto& [fault, repeated] : link.repeated(last)) {
        if (fault) add(parts[*fault].repeated, repeated);
      }
    }
  }
  std::vector<LinkIp::Repeated> out(config.faults.size());
  for (const Part& p : gather_rows(network.ranks(), std::move(parts))) add(out[p.fault], p.repeated);
  return out;
}

Value share(const LinkIp::Busy& busy) {
  return busy.all <= 0 ? Value{} : Value{static_cast<double>(busy.moving) / static_cast<double>(busy.all)};
}

Table fault_table(const OptwebConfig& config, const std::vector<LinkIp::Repeated>& repeated) {
  struct Row {
    const FaultConfig& fault;
    std::size_t links;
    LinkIp::Repeated repeated;
  };
  std::vector<Row> rows;
  const Graph graph = optweb::network_graph(config.levels);
  for (std::uint32_t i = 0; i < config.faults.size(); ++i) {
    const FaultConfig& f = config.faults[i];
    rows.push_back({f, 2 * optweb::links_at(f.place, graph).size(), repeated[i]});
  }
  const auto time = [&](Cycle cycles) { return ns(cycles * config.period.ps); };
  const Columns<Row> columns{{{"fault", "", "as messages name it"}, [](const Row& r) { return r.fault.name; }},
                             {{"at", "", "what fails"}, [](const Row& r) { return r.fault.place.text; }},
                             {{"links", "1", "directed links of it"}, [](const Row& r) { return r.links; }},
                             {{"down", "ns", "when it fails"}, [&](const Row& r) { return time(r.fault.down); }},
                             {{"up", "ns", "when it is back; none: never"},
                              [&](const Row& r) { return r.fault.up ? Value{time(*r.fault.up)} : Value{}; }},
                             {{"repeated_words", "1", "words on the wire in that moment, sent once more"},
                              [](const Row& r) { return r.repeated.words; }},
                             {{"repeated_notifications", "1", "the same of notifications"},
                              [](const Row& r) { return r.repeated.notifications; }},
                             {{"lost_words", "1", "words on the wire of links that did not come back"},
                              [](const Row& r) { return r.repeated.lost_words; }},
                             {{"lost_notifications", "1", "the same of notifications"},
                              [](const Row& r) { return r.repeated.lost_notifications; }}};
  return make_table(
      {"faults", "Failures",
       "One line per failure. Of failures that overlap on a link, the first one has what was on the wire."},
      columns, rows);
}

Table repeat_table(const std::vector<FailingLink>& links) {
  using Row = FailingLink;
  std::vector<Row> rows;
  std::copy_if(links.begin(), links.end(), std::back_inserter(rows),
               [](const Row& l) { return l.offered > 0 || l.notifications > 0 || l.down > 0; });
  const Columns<Row> columns{
      {vocabulary::kLink, [](const Row& r) { return fmt::format("node[{}] -> node[{}]", r.from, r.to); }},
      {{"offered_words", "1", "words of transfers that have begun"}, &Row::offered},
      {{"delivered_words", "1", "counted by the receiver"}, &Row::delivered},
      {{"bad_frames", "1", "with bit errors, whatever they carried"}, [](const Row& r) { return r.errors.times; }},
      {{"error_words", "1", "sent once more behind bit errors"}, [](const Row& r) { return r.errors.words; }},
      {{"outage_words", "1", "sent once more behind failures"}, [](const Row& r) { return r.outages.words; }},
      {{"lost_words", "1", "lost for good on the wire"}, [](const Row& r) { return r.outages.lost_words; }},
      {{"down", "ns", "time of failures"}, [](const Row& r) { return ns(r.down); }},
      {{"goodput_share", "1", "of the time of its runs, the part in which it did not repeat and was not down"},
       [](const Row& r) { return share(r.busy); }}};
  return make_table({"link_repeats", "Links that fail or repeat",
                     "Every directed link that fails or makes bit errors and was used, or was down."},
                    columns, rows);
}

}  // namespace

void add_failures(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end, ReportData& report) {
  if (config.faults.empty() && !config.link.errors) return;
  const std::vector<FailingLink> links = failing_links(network, end);
  LinkIp::Repeated errors{};
  LinkIp::Repeated outages{};
  LinkIp::Busy busy{};
  std::uint64_t offered = 0;
  std::uint64_t delivered = 0;
  for (const FailingLink& l : links) {
    add(errors, l.errors);
    add(outages, l.outages);
    busy.all += l.busy.all;
    busy.moving += l.busy.moving;
    offered += l.offered;
    delivered += l.delivered;
  }
  const auto whole = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  ReportSection s{"faults", "Links that fail or make errors", {}};
  if (!config.faults.empty()) {
    const auto happened = std::count_if(config.faults.begin(), config.faults.end(),
                                        [&](const FaultConfig& f) { return f.down * config.period.ps <= end; });
    s.figures.push_back(
        {{"failures", "1", "of links and nodes, in the time of the run"}, std::int64_t{happened}, true});
    s.figures.push_back(
        {{"outage_words", "1", "words on the wire of failing links, sent once more"}, whole(outages.words), true});
    s.figures.push_back(
        {{"lost_words", "1", "words on the wire of links that did not come back"}, whole(outages.lost_words), true});
  }
  if (const optweb::RouteChoice* const routes = network.routes()) {
    s.figures.push_back({{"rerouted", "1", "transfers by all paths that went round links that were down"},
                         whole(routes->chosen().size()),
                         true});
    if (config.link.detour != OptwebDetour::none) {
      s.figures.push_back({{"detoured", "1", "collectives in which nodes went round links that were down"},
                           whole(routes->detoured().size()),
                           true});
    }
  }
  if (config.link.errors) {
    const optweb::LinkTiming timing = optweb::link_timing(config, network.parameters().link, 0);
    s.figures.push_back({{"frame_error_rate", "1", "probability that a frame is bad"}, timing.frame_errors, false});
    s.figures.push_back({{"bad_frames", "1", "with bit errors, whatever they carried"}, whole(errors.times), true});
    s.figures.push_back({{"error_words", "1", "words sent once more behind bit errors"}, whole(errors.words), true});
    s.figures.push_back(
        {{"undetected", "1", "bad frames that the check sum would have missed, expected"},
         std::ldexp(static_cast<double>(errors.times), -static_cast<int>(config.link.errors->check_bits)),
         false});
    s.figures.push_back({{"expected_goodput_share", "1", "go-back-n by its closed form, without adapters and failures"},
                         optweb::goodput_share(timing),
                         true});
  }
  s.figures.push_back({{"goodput_share", "1",
                        "of the time of all runs of words, the part in which links did not repeat "
                        "and were not down"},
                       share(busy),
                       true});
  s.figures.push_back(
      {{"offered_words", "1", "words of transfers that have begun, on these links"}, whole(offered), false});
  s.figures.push_back({{"delivered_words", "1", "of these, counted by their receivers"}, whole(delivered), false});
  s.figures.push_back({{"undelivered_words", "1",
                        "of transfers that were not over when the run ended; each is on its way, "
                        "or waits for a link"},
                       whole(offered - delivered),
                       offered != delivered});
  report.sections.push_back(std::move(s));
  if (!config.faults.empty()) report.tables.push_back(fault_table(config, repeated_by_fault(config, network, end)));
  report.tables.push_back(repeat_table(links));
}

void add_failure_notes(const OptwebConfig& config, std::optional<Picoseconds> end, ReportData& report) {
  if (config.faults.empty()) return;
  const auto last = end ? std::optional<Cycle>(*end / config.period.ps) : std::nullopt;
  std::vector<std::string> notes = fault_notes(config.faults, optweb::network_graph(config.levels), last);
  report.notes.insert(report.notes.end(), std::make_move_iterator(notes.begin()), std::make_move_iterator(notes.end()));
}

}  // namespace weft
