#pragma once
// Builder of a phase of a node. Addresses count within the stripe that the node has for another one.

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/reduction.h"
#include "base/ids.h"

namespace weft::optweb {

// Phase of an instruction at a node: pieces of memory that go out and come in.

struct Piece {
  NodeId peer = 0;
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
  bool done = false;
};

/// A part of an instruction that a node executes at once.
struct Phase {
  std::vector<Piece> out;
  std::vector<Piece> in;
  bool reduces = false;  ///< what comes in, by rank, is combined into `bytes` at `address`
  Reduction reduction;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class PhaseBuilder {
 public:
  /// References must outlive the builder.
  PhaseBuilder(const OptwebConfig& config, const Neighbours& neighbours, const ProgramInstruction& in, NodeId n)
      : config_(config), neighbours_(neighbours), in_(in), n_(n) {}

  /// Data in the stripe of node `of` go to node `to`. Without bytes nothing happens.
  void out(NodeId to, NodeId of, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > 0) phase_.out.push_back({to, physical(of, address), bytes, false});
  }
  /// Data from node `from` go into the stripe of node `of`.
  void in(NodeId from, NodeId of, std::uint64_t address, std::uint64_t bytes) {
    if (bytes > 0) phase_.in.push_back({from, physical(of, address), bytes, false});
  }
  /// Data from all of `from` are combined, in the stripe of node `of`.
  void in_reduced(const std::vector<NodeId>& from, NodeId of, std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (const NodeId m : from) phase_.in.push_back({m, 0, bytes, false});
    phase_.reduces = true;
    phase_.reduction = {in_.combine, in_.element};
    phase_.address = physical(of, address);
    phase_.bytes = bytes;
  }
  /// Something without bytes, both ways.
  void meet(NodeId m) {
    phase_.out.push_back({m, 0, 0, false});
    phase_.in.push_back({m, 0, 0, false});
  }

  operator Phase() && { return std::move(phase_); }

 private:
  std::uint64_t physical(NodeId of, std::uint64_t address) const {
    return 2 * config_.interface_bytes * neighbours_.dmac(n_, of).value() + address;
  }

  const OptwebConfig& config_;
  const Neighbours& neighbours_;
  const ProgramInstruction& in_;
  NodeId n_;
  Phase phase_;
};

/// Phases one after the other.
inline std::vector<Phase> phases_of(std::vector<PhaseBuilder>& builders) {
  std::vector<Phase> out;
  for (PhaseBuilder& b : builders) out.push_back(std::move(b));
  return out;
}

}  // namespace weft::optweb
