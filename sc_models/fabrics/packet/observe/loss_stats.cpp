#include "fabrics/packet/observe/loss_stats.h"

#include <algorithm>
#include <vector>

#include "observe/values.h"

namespace weft {
namespace {

// What becomes of messages, as columns: generated is the sum of the others.
const std::vector<Statistic> kMessageCounts = {
    {"generated", "1", "messages"},
    {"delivered", "1", "that arrived"},
    {"lost_cut", "1", "lost: on a wire when it failed"},
    {"lost_no_way", "1", "lost: without a way left"},
    {"withdrawn", "1", "not lost: still in the application's queue when the sources stopped, and taken back"},
    {"stalled", "1", "still waiting in the network when nothing moved any more"},
    {"in_flight", "1", "under way when the run ended"}};

}  // namespace

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
  Table t;
  t.key = "faults";
  t.title = "Failures";
  t.meaning =
      "One line per failure of the configuration, with the messages of the whole run that it cost. A message belongs "
      "to "
      "the failure that cut it, or else to the one on its usual way that left it without a way.";
  t.columns = {{"fault", "", "number in the configuration"},
               {"at", "", "what fails"},
               {"down", "ns", "when it fails"},
               {"up", "ns", "when it is back; empty: never"},
               {"cut_messages", "1", "lost: on a wire when it failed"},
               {"cut_flits", "flits", "of these messages, whole ones"},
               {"no_way_messages", "1", "lost: without a way left"},
               {"no_way_flits", "flits", "of these messages"},
               {"rerouted", "1", "messages that were given another way because of it"}};
  const auto ns = [&](Cycle c) { return static_cast<double>(c * config_.link.period.ps) / 1000.0; };
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const FaultConfig& c = config_.faults[i];
    const FaultCount& f = faults_[i];
    t.rows.push_back({whole(i), c.place.text, ns(c.down), c.up ? Value{ns(*c.up)} : Value{}, whole(f.cut),
                      whole(f.cut_flits), whole(f.no_route), whole(f.no_route_flits), whole(f.rerouted)});
  }
  return t;
}

Table LossStats::levels(bool stalled) const {
  Table t;
  t.key = "fates";
  t.title = "What became of the messages";
  t.meaning =
      "Messages of the whole run by service level: generated = delivered + lost_cut + lost_no_way + withdrawn + "
      "stalled + "
      "in_flight.";
  t.columns = {{"level", "", "service level (SL)"}};
  t.columns.insert(t.columns.end(), kMessageCounts.begin(), kMessageCounts.end());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const MessageCounts& f = levels_[l];
    t.rows.push_back({config_.levels[l].name, whole(f.generated), whole(f.delivered), whole(f.cut), whole(f.no_route),
                      whole(f.withdrawn), whole(stalled ? f.left() : 0), whole(stalled ? 0 : f.left())});
  }
  return t;
}

Table LossStats::flows(bool stalled) const {
  constexpr std::size_t kMost = 1000;
  Table t;
  t.key = "fault_flows";
  t.title = "Flows that suffered";
  t.meaning =
      "Flows with messages that were lost, or stalled, because links failed, over the whole run; at most 1,000 flows, "
      "those that suffered most first.";
  t.columns = {{"source", "", "NIC"}, {"destination", "", "NIC"}, {"level", "", "service level (SL)"}};
  t.columns.insert(t.columns.end(), kMessageCounts.begin(), kMessageCounts.end());
  std::vector<decltype(flows_)::const_iterator> order;
  for (auto f = flows_.begin(); f != flows_.end(); ++f) {
    if (f->second.harm(stalled) > 0) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto& a, const auto& b) { return a->second.harm(stalled) > b->second.harm(stalled); });
  if (order.size() > kMost) order.resize(kMost);
  for (const auto& entry : order) {
    const auto& [source, destination, level] = entry->first;
    const MessageCounts& f = entry->second;
    t.rows.push_back({std::int64_t{source}, std::int64_t{destination}, config_.levels[level].name, whole(f.generated),
                      whole(f.delivered), whole(f.cut), whole(f.no_route), whole(f.withdrawn),
                      whole(stalled ? f.left() : 0), whole(stalled ? 0 : f.left())});
  }
  return t;
}

}  // namespace weft
