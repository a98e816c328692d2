#pragma once
// Programs of nodes as layers of collectives: points of a program at which all nodes take part in a collective, of all
// nodes or of disjoint groups, so that the circuits of the network can change there. A layer's collectives go over
// circuits of their own; all other messages, between two layers, over circuits between the pairs of nodes that send.
//
// Layers are found by going through all programs at once. Every node stands at its next collective that can go over
// circuits. If the collectives whose nodes all stand at them hold every node that still sends, they are a layer.
// Otherwise these collectives run as messages, and their nodes go on.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/collectives/program.h"

namespace weft::collectives {

struct CircuitLayers {
  static constexpr std::uint32_t kMessages = ~std::uint32_t{0};
  /// Part of an instruction of a program in the layers.
  struct Place {
    std::uint32_t layer = kMessages;
    std::string refusal;  ///< why a collective runs as messages; empty otherwise
  };
  std::vector<std::vector<Place>> places;                      ///< [program][instruction]
  std::vector<std::vector<const ProgramInstruction*>> layers;  ///< their collectives, by first node
  std::vector<std::vector<PairMessages>> between;              ///< [i]: messages before layer i; the last behind all
};

/// `programs` must outlive the result.
CircuitLayers circuit_layers(const std::vector<NodeProgram>& programs, std::uint32_t nodes);

}  // namespace weft::collectives
