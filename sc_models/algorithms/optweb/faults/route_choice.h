#pragma once
// Routes of transfers by all paths while links are down (ours).
//
// Such a transfer goes by way of nodes of its group, a chunk each. When the first of its nodes comes to it, the nodes
// with a link down towards its source or destination are left out, for all nodes alike and until it is over: the hosts
// agree on it beforehand. With the direct link down source and destination keep no chunk themselves. What is left is a
// group register of its own; nodes that are left out pass by the instructions. A transfer that has no route left waits
// for its links, and so does one whose links fail later.
//
// Detours of collectives (`link.detour`, algorithms/optweb/relays/detours.h) are chosen in the same way, when the first
// node comes to the collective, for all pairs of its nodes that need their link: by way of the first node of the group
// whose links to both are up, and which is not the relay of another pair with one of them, since a link carries one
// stream at a time. A collective with a pair that has no such node waits.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/machine_program.h"
#include "algorithms/optweb/optweb_config.h"

namespace weft::optweb {

class RouteChoice {
 public:
  /// References must outlive it.
  RouteChoice(const OptwebConfig& config, const MachinePrograms& programs);

  RouteChoice(const RouteChoice&) = delete;
  RouteChoice& operator=(const RouteChoice&) = delete;

  /// Whether anything of these programs has a choice.
  static bool chooses(const MachinePrograms& programs);

  /// Group register table, which grows.
  const std::vector<std::vector<NodeId>>& groups() const { return groups_; }
  const DetourRegisters& detours() const { return registers_; }
  /// What node `node` executes as its instruction `number`, which it comes to at `time`, in picoseconds.
  MachineInstruction routed(const MachineInstruction& in, NodeId node, std::uint32_t number, std::int64_t time);
  /// Transfers with fewer routes than without failures, by program and instruction.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> chosen() const;
  /// Collectives in which nodes have gone round links, by program and instruction.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Detour>> detoured() const;

 private:
  MachineInstruction detour(const MachineInstruction& in, NodeId node, std::uint32_t number, std::int64_t time);

  const OptwebConfig& config_;
  const MachinePrograms& programs_;
  std::vector<std::vector<NodeId>> groups_;
  DetourRegisters registers_;
  GroupRegisters writer_{groups_, registers_};
  std::vector<std::vector<Outage>> outages_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> choice_;  // group, of every transfer that has begun
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Detour>> detours_;  // of every collective that has
};

/// The configuration with the routes that are left in each state of the links that failures lead to, up to 64 of them.
std::vector<OptwebConfig> with_failures(const OptwebConfig& config);

}  // namespace weft::optweb
