#include "fabrics/tdm/shared_unit.h"

#include <algorithm>
#include <tuple>

#include "algorithms/slots/circuit_timing.h"

namespace weft {

std::uint32_t node_ports(const Graph& graph, SwitchId sw) {
  std::uint32_t links = 0;
  for (PortId p = 0; p < graph.ports(sw); ++p) links += graph.node_at(sw, p) != kNoId ? 1 : 0;
  return links;
}

std::vector<std::int64_t> slots_written(const Graph& graph, const std::vector<PhasePlan>& phases) {
  std::vector<std::int64_t> most(graph.switches());
  for (const PhasePlan& phase : phases) {
    std::vector<std::int64_t> slots(graph.switches());
    for (const CircuitPlan& c : phase.circuits) {
      for (const NodeId n : c.destinations) {
        slots[graph.attachment(n).sw] += static_cast<std::int64_t>(c.injection.size());
      }
    }
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) most[sw] = std::max(most[sw], slots[sw]);
  }
  return most;
}

SourceUnit unit_of_board(const TdmConfig& config, const Graph& graph, SwitchId sw, std::int64_t written) {
  const BoardConfig& board = config.board;
  return {config.tdm_switch.word_bits(),
          board.rate_of(board.source),
          config.tdm_switch.period,
          node_ports(graph, sw),
          {board.source == board.sink ? written : 0, config.tdm_switch.slots}};
}

void SharedUnit::ask(Client& client, NodeId node, std::uint32_t sender, std::int64_t words,
                     const std::vector<Slot>& slots) {
  if (requests_.empty()) domain_.schedule(domain_.now() + 1, Phase::prepare, *this, 0);
  requests_.push_back({&client, node, sender, words, &slots});
}

void SharedUnit::due(Cycle now, std::uint32_t) {
  std::sort(requests_.begin(), requests_.end(),
            [](const Request& a, const Request& b) { return std::tie(a.node, a.sender) < std::tie(b.node, b.sender); });
  std::vector<Request> all;
  all.swap(requests_);
  for (const Request& r : all) {
    const Cycle head =
        unit_.begin(now, r.words, SlotSequence(*r.slots, frame_), static_cast<std::int64_t>(r.slots->size()));
    r.client->made(now, r.sender, head);
  }
}

}  // namespace weft
