#include "fabrics/tdm/host_interface.h"

#include <algorithm>

#include "algorithms/slots/circuit_timing.h"

namespace weft {

Cycle free_after(const HostMessage& message, Cycle now, std::uint32_t slots) {
  const SlotSequence sequence(message.slots->slots, slots);
  return sequence.cycle(sequence.first_at_or_after(now) + message.words - 1) + 1;
}

HostTables make_host_tables(const Graph& graph, const PhasePlan& phase, NodeId node, std::uint32_t slots) {
  HostTables tables(graph.node_links(), slots);
  for (const CircuitPlan& circuit : phase.circuits) {
    if (circuit.source == node) {
      for (std::size_t k = 0; k < circuit.injection.size(); ++k) {
        tables.out[tables.at(circuit.node_links[k], circuit.injection[k])] = circuit.id;
      }
    }
    const CircuitTree& tree = phase.flows[circuit.flow].trees[circuit.tree];
    for (std::size_t d = 0; d < circuit.destinations.size(); ++d) {
      if (circuit.destinations[d] != node) continue;
      const std::uint32_t ejection = tree.ejection_edge[d];
      const FlowSlots& own = phase.allocation.flows[circuit.flow];
      const std::vector<Slot>& lanes = own.lanes(circuit.tree, ejection);
      for (std::size_t k = 0; k < lanes.size(); ++k) {
        const LinkId link = own.link(circuit.tree, ejection, k, tree.edges[ejection].link);
        tables.in[tables.at(graph.link_of_node(graph.other_way(link)), lanes[k])] = circuit.id;
      }
    }
  }
  return tables;
}

void ModelHostInterface::begin(Cycle now, const HostMessage& message) {
  const std::vector<Slot>& slots = message.slots->slots;
  const SlotSequence sequence(slots, frame_);
  const std::int64_t first = sequence.first_at_or_after(now);
  const auto lanes = static_cast<std::uint32_t>(slots.size());
  Train t;
  t.message = message.message;
  t.stride = lanes;
  for (std::uint32_t lane = 0; lane < std::min(lanes, message.words); ++lane) {
    t.first_word = lane;
    t.words = (message.words - lane + lanes - 1) / lanes;
    t.start = sequence.cycle(first + lane);
    t.slot = static_cast<Slot>(t.start % frame_);
    // Its lane on the injection link: words take the slots of the circuit in turn.
    client_.depart(now, message.sender, message.slots->links[static_cast<std::size_t>((first + lane) % lanes)], t);
  }
  client_.left(message.sender, sequence.cycle(first + message.words - 1) + 1);
}

void ModelHostInterface::arrive(Cycle, PortId, const Train& train) {
  std::uint32_t index = 0;
  if (free_arrivals_.empty()) {
    index = static_cast<std::uint32_t>(arrivals_.size());
    arrivals_.emplace_back();
  } else {
    index = free_arrivals_.back();
    free_arrivals_.pop_back();
  }
  arrivals_[index] = {train, true};
  client_.wake(train.last(frame_), Phase::settle, index);
}

void ModelHostInterface::arrive_cut(PortId, const TrainCut& cut) {
  for (Arrival& a : arrivals_) {
    if (a.pending && cut.names(a.train)) a.train.words = std::min(a.train.words, cut.words);
  }
}

void ModelHostInterface::due(Cycle now, std::uint32_t token) {
  Arrival& a = arrivals_[token];
  a.pending = false;
  free_arrivals_.push_back(token);
  complete(now, Train{a.train});
}

// All words of one arriving train are here.
void ModelHostInterface::complete(Cycle now, const Train& train) {
  const std::uint32_t words = messages_[train.message].words;
  if (train.words == words) {
    client_.received(now, train.message, train.start);
    return;
  }
  auto it = std::find_if(assemblies_.begin(), assemblies_.end(),
                         [&](const Assembly& a) { return a.message == train.message; });
  if (it == assemblies_.end()) {
    assemblies_.push_back({train.message, 0, train.start});
    it = assemblies_.end() - 1;
  }
  it->words += train.words;
  it->first_arrival = std::min(it->first_arrival, train.start);
  if (it->words < words) return;
  const Assembly done = *it;
  *it = assemblies_.back();
  assemblies_.pop_back();
  client_.received(now, done.message, done.first_arrival);
}

}  // namespace weft
