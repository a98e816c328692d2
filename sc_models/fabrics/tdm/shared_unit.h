#pragma once
// Unit of a board - user logic, or memory - whose rate all nodes of the board share, and what they write with what they
// read (fic_board.shared).
//
// Writes come first, since a circuit cannot be stalled: the slots of the circuits that end at the board, in the phase
// with most of them, take their share of the rate for the whole run. What is left makes the words of the messages that
// its nodes send, one message after the other (source_unit.h). With R bits/s, w bits per word, frames of S cycles of
// T s, and m slots of them that end here,
//
//   p = S w / (S R T - m w)     cycles per word
//
// Messages that are there in cycle t are begun from t + 1 on, those of one cycle in the order of nodes and circuits.

#include <cstdint>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/source_unit.h"
#include "kernel/clock_domain.h"
#include "network/graph.h"

namespace weft {

/// Links between a switch and all its nodes.
std::uint32_t node_ports(const Graph& graph, SwitchId sw);

/// Slots per frame that end at the nodes of each switch, in the phase with most of them.
std::vector<std::int64_t> slots_written(const Graph& graph, const std::vector<PhasePlan>& phases);

/// What the nodes of switch `sw` share to make their words, `written` slots of each frame taken off if the board writes
/// to the same unit. It is never waited for if it is as fast as their links.
SourceUnit unit_of_board(const TdmConfig& config, const Graph& graph, SwitchId sw, std::int64_t written);

class SharedUnit : public Agent {
 public:
  class Client {
   public:
    virtual ~Client() = default;
    /// The message of that sender may stand at the head of its queue from cycle `head` on.
    virtual void made(Cycle now, std::uint32_t sender, Cycle head) = 0;
  };
  SharedUnit(ClockDomain& domain, const SourceUnit& unit, std::uint32_t frame)
      : domain_(domain), unit_(unit), frame_(frame) {}

  /// A message of `words`, there in this cycle, for the slots of a circuit.
  void ask(Client& client, NodeId node, std::uint32_t sender, std::int64_t words, const std::vector<Slot>& slots);
  void due(Cycle now, std::uint32_t token) override;

 private:
  struct Request {
    Client* client;
    NodeId node;
    std::uint32_t sender;
    std::int64_t words;
    const std::vector<Slot>* slots;
  };
  ClockDomain& domain_;
  SourceUnit unit_;
  std::uint32_t frame_;
  std::vector<Request> requests_;  // of this cycle
};

}  // namespace weft
