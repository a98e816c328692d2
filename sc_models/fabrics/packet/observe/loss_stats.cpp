#include "fabrics/packet/observe/loss_stats.h"

#include <algorithm>
#include <vector>

#include "observe/vocabulary.h"

namespace weft {

Columns<LossStats::MessageCounts> LossStats::count_columns(bool stalled) {
  return {{{"generated", "1", "messages"}, &MessageCounts::generated},
          {{"delivered", "1", "that arrived"}, &MessageCounts::delivered},
          {{"lost_cut", "1", "lost: on a wire when it failed"}, &MessageCounts::cut},
          {{"lost_no_way", "1", "lost: without a route left"}, &MessageCounts::no_route},
          {{"withdrawn", "1", "not lost: still in the application's queue when the sources stopped, and taken back"},
           &MessageCounts::withdrawn},
          {{"stalled", "1", "still waiting in the network when nothing could move"},
           [stalled](const MessageCounts& f) { return stalled ? f.left() : 0; }},
          {{"in_flight", "1", "under way when the run ended"},
           [stalled](const MessageCounts& f) { return stalled ? 0 : f.left(); }}};
}

void LossStats::on_generate(const PacketMessage& m) {
  count(m, [](MessageCounts& f) { ++f.generated; });
}

void LossStats::on_deliver(const PacketMessage& m, Cycle) {
  rerouted_.erase(m.sequence);
  count(m, [](MessageCounts& f) { ++f.delivered; });
}

void LossStats::on_lose(const PacketMessage& m, LossCause cause, Cycle) {
  rerouted_.erase(m.sequence);
  count(m, [&](MessageCounts& f) { ++(cause.cut ? f.cut : f.no_route); });
  FaultCount& f = faults_[cause.fault];
  ++(cause.cut ? f.cut : f.no_route);
  (cause.cut ? f.cut_flits : f.no_route_flits) += m.flits;
}

void LossStats::on_reroute(const PacketMessage& m, std::uint32_t fault) {
  if (rerouted_.insert(m.sequence).second) ++faults_[fault].rerouted;
}

void LossStats::on_withdraw(const PacketMessage& m) {
  count(m, [](MessageCounts& f) { ++f.withdrawn; });
}

std::uint64_t LossStats::suffering(bool stalled) const {
  return static_cast<std::uint64_t>(
      std::count_if(flows_.begin(), flows_.end(), [&](const auto& f) { return f.second.harm(stalled) > 0; }));
}

Table LossStats::faults() const {
  struct Row {
    std::size_t number;
    const FaultConfig& config;
    const FaultCount& count;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < faults_.size(); ++i) rows.push_back({i, config_.faults[i], faults_[i]});
  const auto ns = [this](Cycle c) { return static_cast<double>(c * config_.link.period.ps) / 1000.0; };
  const Columns<Row> columns{
      {{"fault", "", "number in the configuration"}, &Row::number},
      {{"at", "", "what fails"}, [](const Row& r) { return r.config.place.text; }},
      {{"down", "ns", "when it fails"}, [&](const Row& r) { return ns(r.config.down); }},
      {{"up", "ns", "when it is back; empty: never"},
       [&](const Row& r) { return r.config.up ? Value{ns(*r.config.up)} : Value{}; }},
      {{"cut_messages", "1", "lost: on a wire when it failed"}, [](const Row& r) { return r.count.cut; }},
      {{"cut_flits", "flits", "of these messages, whole ones"}, [](const Row& r) { return r.count.cut_flits; }},
      {{"no_way_messages", "1", "lost: without a route left"}, [](const Row& r) { return r.count.no_route; }},
      {{"no_way_flits", "flits", "of these messages"}, [](const Row& r) { return r.count.no_route_flits; }},
      {{"rerouted", "1", "messages that were given another route because of it"},
       [](const Row& r) { return r.count.rerouted; }}};
  return make_table(
      {"faults", "Failures",
       "One line per failure of the configuration, with the messages of the whole run that it cost. A message belongs "
       "to the failure that cut it, or else to the one on its usual route that left it without one."},
      columns, rows);
}

Table LossStats::levels(bool stalled) const {
  struct Row {
    const std::string& level;
    const MessageCounts& counts;
  };
  std::vector<Row> rows;
  for (std::size_t l = 0; l < levels_.size(); ++l) rows.push_back({config_.levels[l].name, levels_[l]});
  Columns<Row> columns{{vocabulary::kService, [](const Row& r) { return r.level; }}};
  columns += columns_of<Row>(count_columns(stalled), [](const Row& r) { return r.counts; });
  return make_table({"fates", "What became of the messages",
                     "Messages of the whole run by service level: generated = delivered + lost_cut + lost_no_way + "
                     "withdrawn + stalled + in_flight."},
                    columns, rows);
}

Table LossStats::flows(bool stalled) const {
  constexpr std::size_t kMost = 1000;
  using Entry = decltype(flows_)::const_iterator;
  std::vector<Entry> order;
  for (auto f = flows_.begin(); f != flows_.end(); ++f) {
    if (f->second.harm(stalled) > 0) order.push_back(f);
  }
  std::sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    const std::uint64_t harm_a = a->second.harm(stalled);
    const std::uint64_t harm_b = b->second.harm(stalled);
    return harm_a != harm_b ? harm_a > harm_b : a->first < b->first;
  });
  if (order.size() > kMost) order.resize(kMost);
  Columns<Entry> columns{
      {{"source", "", "NIC"}, [](const Entry& e) { return std::get<0>(e->first); }},
      {{"destination", "", "NIC"}, [](const Entry& e) { return std::get<1>(e->first); }},
      {vocabulary::kService, [this](const Entry& e) { return config_.levels[std::get<2>(e->first)].name; }}};
  columns += columns_of<Entry>(count_columns(stalled), [](const Entry& e) { return e->second; });
  return make_table({"fault_flows", "Flows that suffered",
                     "Flows with messages that were lost, or stalled, because links failed, over the whole run; at "
                     "most 1,000 flows, those that suffered most first."},
                    columns, order);
}

}  // namespace weft
