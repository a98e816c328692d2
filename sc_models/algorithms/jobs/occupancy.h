#pragma once
// Nodes and slots of a network that jobs hold, and whether one more job fits. Slots are found and taken through the
// slot LUTs (algorithms/slots/slot_lut_bank.h) by the allocators of algorithms/slots/allocators.h: the lowest slot free
// on every link of all circuits of a flow, host links included, the same on every hop; in a bundle of links on any of
// them, the lowest that has the slot free.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/jobs/job.h"
#include "algorithms/jobs/node_policy.h"
#include "algorithms/slots/allocators.h"
#include "network/routing/routing.h"

namespace weft::jobs {

/// Resources of a running job.
struct Placement {
  std::vector<NodeId> nodes;  ///< logical node i is on nodes[i]
  std::vector<Flow> flows;    ///< on nodes of the network, in the order of job.flows
  std::vector<FlowSlots> slots;
};

/// Common part of all placements on one network.
struct PlacementRules {
  const Graph* graph = nullptr;
  const CircuitRouting* routing = nullptr;
  NodePolicy* node_policy = nullptr;
  std::uint32_t slots = 8;                  ///< S: slots per frame
  std::uint32_t slots_per_flow = 1;         ///< m
  const Allocator* allocator = &kFirstFit;  ///< first_fit or longest_first: order of the flows of one job
};

/// Resource that keeps a job from starting.
enum class Obstacle { none, nodes, slots };

class Occupancy {
 public:
  explicit Occupancy(const PlacementRules& rules);

  /// Finds nodes and slots for a job and takes them. Nothing, and `obstacle` says why, when there are none.
  std::optional<Placement> place(const Job& job, Obstacle& obstacle);
  /// Whether place() would succeed.
  bool fits(const Job& job);
  /// Obstacle of a job that place() has refused for its slots, now that others have started.
  Obstacle obstacle_now(const Job& job);
  /// Takes what another occupancy has found. Precondition: it is free here.
  void reserve(const Placement& placement);
  void release(const Placement& placement);

  std::uint32_t free_nodes() const { return free_count_; }
  /// Why the job that place() refused for its slots found none, for messages.
  const std::string& reason() const { return reason_; }

 private:
  bool make_flows(const Job& job, Placement& placement);
  bool allocate(const Job& job, Placement& placement);

  PlacementRules rules_;
  NodeSet free_;
  std::uint32_t free_count_;
  SlotLutBank luts_;
  std::string reason_;
};

}  // namespace weft::jobs
