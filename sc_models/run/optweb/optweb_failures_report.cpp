#include "run/optweb/optweb_failures_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_failures.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "run/optweb/optweb_tables.h"

namespace weft {
namespace {

struct FailingLink {
  NodeId from = 0;
  NodeId to = 0;
  const LinkIp* link = nullptr;
  Cycle end = 0;  // of the run
  std::uint64_t delivered = 0;
};

void add(LinkIp::Repeated& sum, const LinkIp::Repeated& more) {
  sum.times += more.times;
  sum.words += more.words;
  sum.notifications += more.notifications;
  sum.lost_words += more.lost_words;
  sum.lost_notifications += more.lost_notifications;
}

std::vector<FailingLink> failing_links(const OptwebNetwork& network, Picoseconds end) {
  std::vector<FailingLink> out;
  for (NodeId a = 0; a < network.nodes(); ++a) {
    for (NodeId b = 0; b < network.nodes(); ++b) {
      if (network.timeline(a, b) == nullptr) continue;
      out.push_back({a, b, network.node(a).distributed_switch().link(b), network.node(a).clock().at_or_after(end),
                     network.node(b).distributed_switch().words_received(a)});
    }
  }
  return out;
}

Value share(const LinkIp::Busy& busy) {
  return busy.all <= 0 ? Value{} : Value{static_cast<double>(busy.moving) / static_cast<double>(busy.all)};
}

Table fault_table(const OptwebConfig& config, const std::vector<FailingLink>& links) {
  struct Row {
    const FaultConfig& fault;
    std::size_t links;
    LinkIp::Repeated repeated;
  };
  std::vector<Row> rows;
  const Graph graph = optweb::network_graph(config.nodes, config.groups);
  for (std::uint32_t i = 0; i < config.faults.size(); ++i) {
    const FaultConfig& f = config.faults[i];
    Row& row = rows.emplace_back(Row{f, 2 * optweb::links_at(f.place, graph).size(), {}});
    for (const FailingLink& l : links) add(row.repeated, l.link->repeated(i, l.end));
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

Table repeat_table(const std::vector<FailingLink>& links, const OptwebNetwork& network) {
  struct Row {
    const FailingLink& link;
    LinkIp::Repeated errors;
    LinkIp::Repeated outages;
    LinkIp::Busy busy;
    Picoseconds down;
  };
  std::vector<Row> rows;
  for (const FailingLink& l : links) {
    LinkIp::Repeated outages;
    for (const optweb::Outage& o : l.link->timeline()->outages()) add(outages, l.link->repeated(o.fault, l.end));
    const Picoseconds down = network.node(l.from).clock().span(l.link->timeline()->down_time(l.end));
    if (l.link->words_sent() == 0 && l.link->notifications_sent() == 0 && down == 0) continue;
    rows.push_back({l, l.link->repeated(std::nullopt, l.end), outages, l.link->busy(l.end), down});
  }
  const Columns<Row> columns{
      {vocabulary::kLink, [](const Row& r) { return fmt::format("node[{}] -> node[{}]", r.link.from, r.link.to); }},
      {{"offered_words", "1", "words of transfers that have begun"},
       [](const Row& r) { return r.link.link->words_sent(); }},
      {{"delivered_words", "1", "counted by the receiver"}, [](const Row& r) { return r.link.delivered; }},
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
  LinkIp::Repeated errors;
  LinkIp::Repeated outages;
  LinkIp::Busy busy;
  std::uint64_t offered = 0;
  std::uint64_t delivered = 0;
  for (const FailingLink& l : links) {
    add(errors, l.link->repeated(std::nullopt, l.end));
    for (const optweb::Outage& o : l.link->timeline()->outages()) add(outages, l.link->repeated(o.fault, l.end));
    const LinkIp::Busy more = l.link->busy(l.end);
    busy.all += more.all;
    busy.moving += more.moving;
    offered += l.link->words_sent();
    delivered += l.delivered;
  }
  const auto whole = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  ReportSection s{"faults", "Links that fail or make errors", {}};
  if (!config.faults.empty()) {
    s.figures.push_back({{"failures", "1", "of links and nodes"}, whole(config.faults.size()), true});
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
  if (!config.faults.empty()) report.tables.push_back(fault_table(config, links));
  report.tables.push_back(repeat_table(links, network));
}

void add_failure_notes(const OptwebConfig& config, ReportData& report) {
  if (config.faults.empty()) return;
  std::vector<std::string> notes =
      fault_notes(config.faults, optweb::network_graph(config.nodes, config.groups), std::nullopt);
  report.notes.insert(report.notes.end(), std::make_move_iterator(notes.begin()), std::make_move_iterator(notes.end()));
}

}  // namespace weft
