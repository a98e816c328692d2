#pragma once
// Messages between nodes, of whatever origin, as instructions of their command sequencers.
//
// A message is a send of its source and a recv of its destination, with relays at the nodes between where they have no
// link (algorithms/optweb/hops/routes.h); one to several nodes is a broadcast among them; one of a node to itself goes
// through its switch as a sendrecv. All of it lies at fixed places: what is sent at relative address 0, what is
// received at K, what rests on its way at 3K/2 and K/2 in turn. A message of 0 bytes has one, so that there is
// something to count **(ours)**.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/assembler.h"

namespace weft::optweb {

/// Entries of the group register table: the group of an instruction has 10 bits.
inline constexpr std::size_t kMostGroups = 1024;

/// Most bytes of a message: it may not reach into the next place.
inline std::uint64_t most_message_bytes(const OptwebConfig& config) {
  return config.levels.size() > 1 ? config.interface_bytes / 2 : config.interface_bytes;
}

class MessageAssembler {
 public:
  /// `config` must outlive it.
  explicit MessageAssembler(const OptwebConfig& config);

  /// Part of a node in a message.
  struct Part {
    NodeId node = 0;
    MachineInstruction instruction;
  };
  /// Its parts, those of a node in their order. `to`: ascending; several only in a full mesh. Throws RunError when the
  /// group register table is full. Precondition: `bytes` is at most most_message_bytes().
  std::vector<Part> parts(NodeId from, const std::vector<NodeId>& to, std::uint64_t bytes);

  /// Where the data lie at the source and at a destination: physical addresses.
  struct Places {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };
  Places places(NodeId from, NodeId to, bool broadcast) const;

  /// With the group register table, and no instructions.
  const MachinePrograms& programs() const { return assembler_.programs(); }

 private:
  const OptwebConfig& config_;
  Assembler assembler_;
  NodeList everyone_;
  ProgramInstruction in_;
};

}  // namespace weft::optweb
