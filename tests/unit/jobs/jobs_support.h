#pragma once
// Jobs, networks and schedules for the tests of job scheduling.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/jobs/timed_circuits.h"
#include "network/routing/routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {

struct MeshNetwork {
  explicit MeshNetwork(const std::vector<std::uint32_t>& dims, std::uint32_t trunk = 1)
      : graph(build(dims, trunk)), routing(make_routing({}, graph)) {}
  static Graph build(const std::vector<std::uint32_t>& dims, std::uint32_t trunk) {
    Graph graph = build_topology(topology_config("mesh", {{"dims", dims}, {"trunk", trunk}}));
    graph.join_parallel_links();
    return graph;
  }
  Graph graph;
  std::unique_ptr<CircuitRouting> routing;
};

inline jobs::Job make_job(const std::string& id, jobs::Time submit, jobs::Time run, std::uint32_t nodes,
                          const std::vector<std::vector<jobs::LogicalPair>>& flows = {}) {
  jobs::Job job{id, submit, run, nodes, {}, 0};
  for (const auto& pairs : flows) job.flows.push_back({std::to_string(job.flows.size()), pairs, 0});
  return job;
}

/// What was promised, besides the schedule.
class PromiseRecorder final : public jobs::ScheduleObserver {
 public:
  void on_reserve(const jobs::Job& job, jobs::Time, jobs::Time time) override { promises[job.id] = time; }
  std::map<std::string, jobs::Time> promises;
};

inline jobs::Schedule run_schedule(const MeshNetwork& network, std::vector<jobs::Job> list,
                                   const jobs::ScheduleOptions& options, PromiseRecorder* promises = nullptr) {
  jobs::JobList source(std::move(list));
  jobs::ScheduleRecorder recorder;
  std::vector<jobs::ScheduleObserver*> observers{&recorder};
  if (promises != nullptr) observers.push_back(promises);
  EXPECT_TRUE(jobs::simulate(network.graph, *network.routing, source, options, observers));
  return recorder.schedule();
}

inline jobs::ScheduleOptions options_for(const std::string& policy, std::uint32_t slots,
                                         const std::string& node_policy = "first_fit") {
  jobs::ScheduleOptions options;
  options.policy = policy;
  options.slots = slots;
  options.node_policy = node_policy;
  return options;
}

}  // namespace weft::test
