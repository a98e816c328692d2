#pragma once
// A schedule as a list of jobs and of the circuits they held, each with its route, slots, begin and end: what a network
// needs to replay it.

#include <string>
#include <vector>

#include "algorithms/jobs/simulation.h"

namespace weft::jobs {

struct ScheduledJob {
  std::string id;
  Time submit = 0;
  Time start = 0;
  Time sends = 0;  ///< from then on
  Time end = 0;
  bool backfilled = false;
  std::vector<NodeId> nodes;  ///< logical node i is on nodes[i]
};

/// A circuit over certain links of the bundles on its route, with the slots that it has on them.
struct CircuitLinks {
  CircuitTree tree;  ///< edges name these links
  std::vector<Slot> slots;
};
/// The parts of a circuit, tree `tree` of its flow: slots that have the same links together, by their first slot. In a
/// network without bundles it has one.
std::vector<CircuitLinks> circuit_parts(const CircuitTree& circuit, std::size_t tree, const FlowSlots& slots);

/// One source of one flow with all its destinations, from `start` to `end`; of a circuit with slots on several links of
/// a bundle each part by itself.
struct TimedCircuit {
  std::size_t job = 0;  ///< index in Schedule::jobs
  std::string flow;
  std::uint64_t first_pair = 0;  ///< of the flow
  CircuitTree tree;              ///< edges name the links of the circuit, no bundles
  std::vector<Slot> slots;       ///< the same on every link
};

struct RejectedJob {
  std::string id;
  Time submit = 0;
  std::uint32_t nodes = 0;
  std::string reason;
};

struct Schedule {
  std::vector<ScheduledJob> jobs;  ///< in the order in which they started
  std::vector<TimedCircuit> circuits;
  std::vector<RejectedJob> rejected;
};

/// Keeps the whole schedule; for workloads that fit into memory.
class ScheduleRecorder final : public ScheduleObserver {
 public:
  void on_reject(const Job& job, const std::string& reason) override;
  void on_start(const RunningJob& job) override;
  const Schedule& schedule() const { return schedule_; }

 private:
  Schedule schedule_;
};

}  // namespace weft::jobs
