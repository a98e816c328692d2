#include "fabrics/packet/observe/loss_stats.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "observe/vocabulary.h"
#include "parallel/cut_links.h"

namespace weft {

Columns<LossStats::MessageCounts> LossStats::count_columns(bool stalled) {
  return {{{"generated", "1", "packets; a message that is not cut into packets is one"}, &MessageCounts::generated},
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
  forget_route(m);
  count(m, [](MessageCounts& f) { ++f.delivered; });
}

void LossStats::on_lose(const PacketMessage& m, LossCause cause, Cycle) {
  forget_route(m);
  count(m, [&](MessageCounts& f) { ++(cause.cut ? f.cut : f.no_route); });
  FaultCount& f = faults_[cause.fault];
  ++(cause.cut ? f.cut : f.no_route);
  (cause.cut ? f.cut_flits : f.no_route_flits) += m.flits;
}

void LossStats::on_reroute(const PacketMessage& m, std::uint32_t fault) {
  const Cycle now = domain_ == nullptr ? 0 : domain_->now();
  if (rerouted_.try_emplace(m.sequence, Reroute{m.sequence, fault, now}).second) ++faults_[fault].rerouted;
}

// Other ranks may have given it another route as well.
void LossStats::forget_route(const PacketMessage& m) {
  if (domain_ == nullptr) rerouted_.erase(m.sequence);
}

void LossStats::on_withdraw(const PacketMessage& m) {
  count(m, [](MessageCounts& f) { ++f.withdrawn; });
}

void LossStats::MessageCounts::add(const MessageCounts& o) {
  generated += o.generated;
  delivered += o.delivered;
  cut += o.cut;
  no_route += o.no_route;
  withdrawn += o.withdrawn;
}

void LossStats::FaultCount::add(const FaultCount& o) {
  cut += o.cut;
  cut_flits += o.cut_flits;
  no_route += o.no_route;
  no_route_flits += o.no_route_flits;
}

std::string LossStats::numbers() const {
  ByteBuffer bytes;
  ByteWriter out(bytes);
  for (const MessageCounts& l : levels_) out.put(l);
  for (const FaultCount& f : faults_) out.put(f);
  out.put(flows_.size());
  for (const auto& [flow, counts] : flows_) {
    out.put(std::get<0>(flow));
    out.put(std::get<1>(flow));
    out.put(std::get<2>(flow));
    out.put(counts);
  }
  for (const auto& [sequence, reroute] : rerouted_) out.put(reroute);
  return bytes.text();
}

void LossStats::collect(const std::vector<std::string>& states) {
  levels_.assign(levels_.size(), {});
  faults_.assign(faults_.size(), {});
  flows_.clear();
  rerouted_.clear();
  for (const std::string& state : states) {
    ByteReader in(std::as_bytes(std::span(state)));
    for (MessageCounts& l : levels_) l.add(in.get<MessageCounts>());
    for (FaultCount& f : faults_) f.add(in.get<FaultCount>());
    for (auto n = in.get<std::size_t>(); n > 0; --n) {
      const auto source = in.get<NodeId>();
      const auto destination = in.get<NodeId>();
      const auto level = in.get<ServiceLevel>();
      flows_[{source, destination, level}].add(in.get<MessageCounts>());
    }
    while (!in.empty()) {
      const auto r = in.get<Reroute>();
      const auto [first, is_new] = rerouted_.try_emplace(r.sequence, r);
      if (!is_new && r.at < first->second.at) first->second = r;
    }
  }
  for (const auto& [sequence, reroute] : rerouted_) ++faults_[reroute.fault].rerouted;
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
      {{"cut_messages", "1", "packets that were lost: on a wire when it failed"},
       [](const Row& r) { return r.count.cut; }},
      {{"cut_flits", "flits", "of these packets, whole ones"}, [](const Row& r) { return r.count.cut_flits; }},
      {{"no_way_messages", "1", "packets that were lost: without a route left"},
       [](const Row& r) { return r.count.no_route; }},
      {{"no_way_flits", "flits", "of these packets"}, [](const Row& r) { return r.count.no_route_flits; }},
      {{"rerouted", "1", "packets that were given another route because of it"},
       [](const Row& r) { return r.count.rerouted; }}};
  return make_table(
      {"faults", "Failures",
       "One line per failure of the configuration, with the packets of the whole run that it cost. A packet belongs "
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
  return make_table({"fates", "What became of the packets",
                     "Packets of the whole run by service level, where a message that is not cut is one: generated = "
                     "delivered + lost_cut + lost_no_way + withdrawn + stalled + in_flight."},
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
                     "Flows with packets that were lost, or stalled, because links failed, over the whole run; at "
                     "most 1,000 flows, those that suffered most first."},
                    columns, order);
}

}  // namespace weft
