#include "fabrics/optweb/receiving_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

Cycle NotificationRegisters::arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) {
  incoming_[port].push_back(notification);
  return at + latency_;
}

void NotificationRegisters::registers(std::uint32_t port) {
  if (incoming_[port].empty()) throw RunError(fmt::format("internal: {}: no notification has come", name()));
  registered_[port].push_back(incoming_[port].take());
  ++total_[port];
}

void ReceiveBuffers::is_late(std::uint32_t port, Cycle last, Picoseconds ended, Cycle from) {
  if (queue_[port].empty()) return;  // internal order of a link: a delay follows its train
  Arrival& a = queue_[port].back();
  a.before.push_back({from, a.train.last, a.train.turns.size()});
  a.train.last = last;
  a.train.ended = ended;
}

Arrival& ReceiveBuffers::keep_turn(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last,
                                   Picoseconds ended) {
  if (queue_[port].empty()) throw RunError(fmt::format("internal: {}: no train has begun that could turn", name()));
  OptwebTrain& train = queue_[port].back().train;
  queue_[port].back().before.push_back({turn.at, train.last, train.turns.size()});
  train.turns.push_back(turn);
  train.first = first;
  train.last = last;
  train.ended = ended;
  return queue_[port].back();
}

std::uint64_t ReceiveBuffers::waiting(std::uint32_t port) const {
  std::uint64_t words = 0;
  for (const Arrival& a : queue_[port]) words += a.train.words;
  return words;
}

Arrival* ReceiveBuffers::coming(std::uint32_t port) {
  const auto it = std::find_if(queue_[port].begin(), queue_[port].end(), [](const Arrival& a) { return !a.arrived; });
  return it == queue_[port].end() ? nullptr : &*it;
}

void Crossbar::join(std::uint32_t input, std::uint32_t writer, bool combined) {
  if (writer_[input] || (inputs_[writer] > 0 && !combined)) {
    throw RunError(fmt::format("internal: {}: input {} is to be joined to writer {}, and one of them is joined", name(),
                               input, writer));
  }
  writer_[input] = writer;
  ++inputs_[writer];
}

void Crossbar::release(std::uint32_t input) {
  if (!writer_[input]) throw RunError(fmt::format("internal: {}: input {} is not joined", name(), input));
  --inputs_[*writer_[input]];
  writer_[input].reset();
}

}  // namespace weft
