#pragma once
// Random workloads of jobs, and their schedules against the brute-force oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference/schedule_oracle.h"
#include "unit/jobs/jobs_support.h"

namespace weft::test {

/// A workload that keeps a small network busy; crowded in nodes for some seeds, in slots for others.
struct RandomCase {
  OracleNetwork network;
  std::vector<OracleJob> jobs;

  explicit RandomCase(std::uint32_t seed) : random_(seed) {
    network = {pick(1, 4), pick(2, 4), pick(1, 4)};
    const int count = pick(2, 24);
    const int crowd = pick(1, 6);
    std::int64_t submit = pick(0, 3);
    for (int i = 0; i < count; ++i) {
      OracleJob job;
      job.submit = submit;
      submit += pick(0, crowd);
      job.run = pick(0, 4) == 0 ? pick(10, 40) : pick(1, 9);
      job.nodes = pick(1, network.width * network.height + (pick(0, 9) == 0 ? 1 : 0));
      if (pick(0, 1) == 0) job.nodes = std::min(job.nodes, 4);
      add_flows(job);
      jobs.push_back(job);
    }
  }

  std::vector<jobs::Job> list() const {
    std::vector<jobs::Job> out;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      std::vector<std::vector<jobs::LogicalPair>> flows;
      for (const auto& flow : jobs[j].flows) flows.emplace_back(flow.begin(), flow.end());
      out.push_back(
          make_job(std::to_string(j), jobs[j].submit, jobs[j].run, static_cast<std::uint32_t>(jobs[j].nodes), flows));
    }
    return out;
  }
  MeshNetwork mesh() const {
    return MeshNetwork({static_cast<std::uint32_t>(network.width), static_cast<std::uint32_t>(network.height)},
                       static_cast<std::uint32_t>(network.trunk));
  }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(network.slots); }

 private:
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

  void add_flows(OracleJob& job) {
    if (job.nodes < 2) return;
    const int flows = pick(0, 4);
    for (int f = 0; f < flows; ++f) {
      std::set<std::pair<int, int>> pairs;
      const int source = pick(0, job.nodes - 1);
      const int size = pick(0, 2) == 0 ? pick(1, 4) : 1;
      for (int p = 0; p < size; ++p) {
        const int from = pick(0, 5) == 0 ? pick(0, job.nodes - 1) : source;  // now and then several sources
        const int to = pick(0, job.nodes - 1);
        if (from != to) pairs.emplace(from, to);
      }
      if (!pairs.empty()) job.flows.emplace_back(pairs.begin(), pairs.end());
    }
  }

  std::mt19937 random_;
};

inline void compare(const RandomCase& c, const std::string& policy, std::uint32_t seed) {
  const std::vector<OracleResult> expected = schedule_oracle(c.network, policy, c.jobs);
  PromiseRecorder promises;
  jobs::ScheduleOptions options = options_for(policy, c.slots());
  options.reconfiguration = c.network.reconfiguration;
  options.queues = c.network.queue_per_slot ? jobs::JobQueues::per_slot : jobs::JobQueues::one;
  const jobs::Schedule got = run_schedule(c.mesh(), c.list(), options, &promises);
  std::size_t rejected = 0;
  for (const OracleResult& r : expected) rejected += r.rejected ? 1 : 0;
  ASSERT_EQ(got.rejected.size(), rejected) << policy << " seed " << seed;
  ASSERT_EQ(got.jobs.size(), expected.size() - rejected) << policy << " seed " << seed;
  std::vector<std::vector<int>> slots(expected.size());
  for (const jobs::TimedCircuit& circuit : got.circuits) {
    const auto j = std::stoul(got.jobs[circuit.job].id);
    const auto flow = std::stoul(circuit.flow);
    slots[j].resize(std::max(slots[j].size(), flow + 1), -1);
    slots[j][flow] = circuit.slots.front();
  }
  for (const jobs::ScheduledJob& job : got.jobs) {
    const auto j = std::stoul(job.id);
    const OracleResult& want = expected[j];
    ASSERT_EQ(job.start, want.start) << policy << " seed " << seed << " job " << j;
    ASSERT_EQ(job.sends, want.sends) << policy << " seed " << seed << " job " << j;
    ASSERT_EQ(job.end, want.sends + c.jobs[j].run) << policy << " seed " << seed << " job " << j;
    ASSERT_EQ(std::vector<int>(job.nodes.begin(), job.nodes.end()), want.nodes) << policy << " seed " << seed;
    ASSERT_EQ(slots[j], want.slots) << policy << " seed " << seed << " job " << j;
    ASSERT_EQ(job.backfilled, want.backfilled) << policy << " seed " << seed << " job " << j;
    const auto promise = promises.promises.find(job.id);
    ASSERT_EQ(promise != promises.promises.end(), want.promised.has_value()) << policy << " seed " << seed;
    if (want.promised) {
      ASSERT_EQ(promise->second, *want.promised) << policy << " seed " << seed;
      ASSERT_LE(job.start, *want.promised) << policy << " seed " << seed;
    }
  }
}

inline std::map<std::string, jobs::Time> starts(const jobs::Schedule& schedule) {
  std::map<std::string, jobs::Time> out;
  for (const jobs::ScheduledJob& job : schedule.jobs) out[job.id] = job.start;
  return out;
}

}  // namespace weft::test
