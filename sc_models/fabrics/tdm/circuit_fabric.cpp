#include "fabrics/tdm/circuit_fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"

namespace weft {

void CircuitEnds::add(NodeId source, std::vector<NodeId> destinations, CircuitId circuit) {
  if (destinations.size() == 1) {
    to_one_.emplace(std::pair(source, destinations.front()), circuit);
    return;
  }
  std::sort(destinations.begin(), destinations.end());
  to_several_.emplace(std::pair(source, std::move(destinations)), circuit);
}

std::optional<CircuitId> CircuitEnds::find(NodeId from, const Transfer& transfer) const {
  const auto look_up = [](const auto& circuits, const auto& ends) {
    const auto found = circuits.find(ends);
    return found == circuits.end() ? std::nullopt : std::optional(found->second);
  };
  const std::optional<NodeId> to = only(transfer);
  return to ? look_up(to_one_, std::pair(from, *to)) : look_up(to_several_, std::pair(from, destinations_of(transfer)));
}

std::optional<NodeId> only(const Transfer& transfer) {
  if (transfer.group.empty()) return transfer.to;
  return transfer.group.size() == 1 ? std::optional(transfer.group.front()) : std::nullopt;
}

CircuitFabric::CircuitFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::size_t services)
    : domain_(domain),
      nodes_(nodes),
      word_bits_(word_bits),
      services_(services),
      sends_(*this, domain),
      memory_free_(nodes) {}

void CircuitFabric::send(NodeId from, const Transfer& transfer) {
  check_transfer(*this, from, transfer, services_);
  if (only(transfer) != from && !circuits(transfer).find(from, transfer)) {
    const std::vector<NodeId> to = destinations_of(transfer);
    throw RunError(fmt::format("there is no circuit from node {} to {} {}", from, to.size() == 1 ? "node" : "nodes",
                               fmt::join(to, ", ")));
  }
  sends_.send(from, transfer);
}

void CircuitFabric::enter(NodeId from, const Transfer& transfer) {
  const std::uint64_t units = words_of(DataSize{static_cast<std::int64_t>(transfer.bytes) * 8}, word_bits_);
  words_ += units;
  const Number number = open_.add(from, transfer, units, domain_.now());
  if (only(transfer) != from) {
    queue(*circuits(transfer).find(from, transfer), number);
    return;
  }
  Open& o = open_[number];
  const Cycle words = static_cast<Cycle>(units);
  const Cycle first = std::max(domain_.now(), memory_free_[from]);
  const Cycle last = memory_free_[from] = first + words;
  o.record.serialization = words - 1;
  ++to_itself_;
  open_.enter(o, first);
  domain_.schedule(last, Phase::settle, *this, number);
  tell_left(o, last);
}

void CircuitFabric::due(Cycle now, std::uint32_t number) {
  --to_itself_;
  arrive(number, open_[number].record.from, now);
}

void CircuitFabric::tell_left(Open& open, Cycle at) {
  if (!std::exchange(open.has_left, true) && wants(open.notify, Notify::left))
    sends_.client(open.client).left(open.tag, at);
}

void CircuitFabric::arrive(Number number, NodeId to, Cycle now) {
  Open& o = open_[number];
  last_arrival_ = now;
  open_.arrive(o, to, now);
  if (o.missing == o.away) open_.release(number);
  if (!wants(o.notify, Notify::arrived)) return;
  if (o.foreign) {
    sends_.client(o.client).arrived_from_afar({o.record.from, to, o.record.bytes, o.tag}, now + 1);
  } else {
    sends_.client(o.client).arrived(o.tag, to, now + 1);
  }
}

void CircuitFabric::lose(Open& open, NodeId to, Cycle now, std::string_view cause) {
  open_.lose(open, to, now);
  if (wants(open.notify, Notify::arrived)) sends_.client(open.client).lost(open.tag, to, now + 1, cause);
}

void CircuitFabric::take_back(Number number) {
  open_.withdraw(open_[number]);
  open_.release(number);
}

}  // namespace weft
