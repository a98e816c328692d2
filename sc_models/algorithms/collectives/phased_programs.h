#pragma once
// Programs whose messages go over circuits that change while they run. Time is cut into steps; each has circuits of its
// own, and a message belongs to one step. A node's steps never go back: what it has sent belongs to earlier steps than
// what it will send, or to the same.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/lowering.h"

namespace weft::collectives {

/// Behind all steps.
inline constexpr std::uint32_t kNoFurtherStep = ~std::uint32_t{0};

struct PhasedPrograms {
  static constexpr std::uint32_t kMessages = ~std::uint32_t{0};
  static constexpr std::uint32_t kNoStep = ~std::uint32_t{0};

  struct Instruction {
    std::uint32_t layer = kMessages;  ///< whose work it is; kMessages: it is lowered to messages (lowering.h)
    std::string algorithm;            ///< of a layer
  };
  /// A point in the programs at which all nodes run collectives over circuits.
  struct Layer {
    std::uint32_t work = 0;
    std::vector<std::uint32_t> steps;  ///< by NodeRound::step
  };
  std::vector<std::vector<Instruction>> instructions;  ///< [program][instruction]
  std::vector<Layer> layers;
  std::vector<std::vector<std::vector<NodeRound>>> works;  ///< [work][node]
  std::vector<std::uint32_t> between;  ///< [i]: step of the messages before layer i, the last of those behind all;
                                       ///< kNoStep: there are none
};

}  // namespace weft::collectives
