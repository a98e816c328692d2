#include "fabrics/optweb/observe/optweb_stats.h"

#include <algorithm>
#include <utility>

namespace weft {

OptwebStats::OptwebStats(std::vector<std::vector<std::uint32_t>> row_of, std::size_t rows)
    : row_of_(std::move(row_of)), rows_(rows), nodes_(row_of_.size()) {
  if (nodes_.size() <= kMostPairNodes) pairs_.resize(nodes_.size() * nodes_.size());
  for (const auto& node : row_of_) {
    for (const std::uint32_t row : node) ++rows_[row].expected;
  }
}

// A sender completes an instruction when all its receivers have notified it: what they have counted by then is its own.
void OptwebStats::count_transfers(const OptwebExecution& e) {
  OptwebTransfers& kind = transfers_[e.rendezvous ? 1 : 0];
  std::vector<OptwebDelivery>& sent = nodes_[e.node].sent;
  for (const OptwebDelivery& d : sent) {
    kind.latency.add(d.first - e.started, d.counted - d.last, d.last - d.first);
    if (!pairs_.empty()) {
      pairs_[d.from * nodes_.size() + d.to].add(d.first - e.started, d.counted - d.last, d.last - d.first);
    }
    kind.words += d.words;
  }
  sent.clear();
}

void OptwebStats::on_execute(const OptwebExecution& e) {
  ++executed_;
  count_transfers(e);
  const std::optional<Picoseconds> begun = std::exchange(nodes_[e.node].begun, std::nullopt);
  if (e.number >= row_of_[e.node].size()) return;  // an instruction of the host
  const std::uint32_t index = row_of_[e.node][e.number];
  OptwebRow& row = rows_[index];
  NodeState& node = nodes_[e.node];
  node.completed = std::max(node.completed.value_or(0), e.completed);
  const bool first_part = node.row != index;
  const bool first_node = row.parts == 0;
  if (first_part) {
    node.row = index;
    node.bytes = 0;
    row.first_started = first_node ? e.started : std::min(row.first_started, e.started);
    row.started = std::max(row.started, e.started);
    ++row.nodes;
    if (e.sent) row.sent = std::max(row.sent.value_or(0), *e.sent);
  }
  ++row.parts;
  node.bytes += e.bytes_in + e.bytes_out;
  row.busiest = std::max(row.busiest, node.bytes);
  row.bytes += e.bytes_out;
  if (begun) row.begun = std::min(row.begun.value_or(*begun), *begun);
  if (e.received) row.received = std::max(row.received.value_or(0), *e.received);
  row.unfenced += e.unfenced ? 1 : 0;
  row.rendezvous = row.rendezvous || e.rendezvous;
  row.completed = std::max(row.completed, e.completed);
  row.first_completed = first_node ? e.completed : std::min(row.first_completed, e.completed);
}

std::vector<PairLatency> OptwebStats::pairs() const {
  std::vector<PairLatency> out;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    if (pairs_[p].messages() == 0) continue;
    out.push_back({p / nodes_.size(), p % nodes_.size(), pairs_[p].figures(Duration{1})});
  }
  return out;
}

std::optional<NodeId> OptwebStats::slowest() const {
  std::optional<NodeId> out;
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].completed && (!out || *nodes_[n].completed > *nodes_[*out].completed)) out = n;
  }
  return out;
}

void OptwebStats::on_deliver(const OptwebDelivery& d) {
  ++deliveries_;
  bytes_ += d.bytes;
  buffered_ += d.buffered ? 1 : 0;
  if (!here_ || here_(d.from)) nodes_[d.from].sent.push_back(d);
  std::optional<Picoseconds>& begun = nodes_[d.to].begun;
  begun = std::min(begun.value_or(d.first), d.first);
}

}  // namespace weft
