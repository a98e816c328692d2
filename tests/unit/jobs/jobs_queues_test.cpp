// Schedules of jobs with a queue per slot, and with changes of tables that take time.

#include <gtest/gtest.h>

#include "unit/jobs/random_jobs.h"

namespace weft::test {
namespace {

using jobs::Job;
using jobs::Schedule;

TEST(JobQueues, EqualsTheOracleWithReconfigurations) {
  std::size_t delayed = 0;
  std::size_t otherwise = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    RandomCase c(seed);
    for (const char* policy : {"fcfs", "easy", "lff"}) {
      const std::vector<OracleResult> plain = schedule_oracle(c.network, policy, c.jobs);
      RandomCase other = c;
      other.network.queue_per_slot = seed % 3 != 0;
      other.network.reconfiguration = seed % 4;
      ASSERT_NO_FATAL_FAILURE(compare(other, policy, seed));
      const std::vector<OracleResult> changed = schedule_oracle(other.network, policy, c.jobs);
      for (std::size_t j = 0; j < plain.size(); ++j) {
        delayed += changed[j].sends > changed[j].start + other.network.reconfiguration ? 1 : 0;
        otherwise += changed[j].start != plain[j].start ? 1 : 0;
      }
    }
  }
  EXPECT_GT(delayed, 150u) << "tables of earlier instants are hardly ever waited for";
  EXPECT_GT(otherwise, 4000u);
}

// Two jobs of one flow on six nodes; tables take 3. B starts at 1 and waits for the tables of A, which are there at 3.
// A ends at 13; C, without circuits, waits for nothing.
TEST(JobQueues, TablesAreWrittenOneAfterTheOther) {
  const MeshNetwork network({6});
  jobs::ScheduleOptions options = options_for("fcfs", 2);
  options.reconfiguration = 3;
  const Schedule got = run_schedule(network,
                                    {make_job("A", 0, 10, 2, {{{0, 1}}}), make_job("B", 1, 10, 2, {{{0, 1}}}),
                                     make_job("C", 1, 40, 1), make_job("D", 2, 5, 2, {{{0, 1}}})},
                                    options);
  ASSERT_EQ(got.jobs.size(), 4u);
  EXPECT_EQ(got.jobs[0].sends, 3);
  EXPECT_EQ(got.jobs[0].end, 13);
  EXPECT_EQ(got.jobs[1].start, 1);
  EXPECT_EQ(got.jobs[1].sends, 6);
  EXPECT_EQ(got.jobs[1].end, 16);
  EXPECT_EQ(got.jobs[2].id, "C");
  EXPECT_EQ(got.jobs[2].end, 41);
  // D gets the nodes of A in 13, when the circuits of A go, too: one set of tables, there at 16.
  EXPECT_EQ(got.jobs[3].start, 13);
  EXPECT_EQ(got.jobs[3].sends, 16);
}

// Nodes 0 1 2 run A. B needs four and holds up C in its own queue, but not D in the queue of slot 1.
TEST(JobQueues, AQueuePerSlotIsHeldUpByItself) {
  const MeshNetwork network({6});
  const std::vector<Job> list{make_job("A", 0, 10, 3), make_job("B", 1, 5, 4), make_job("D", 2, 20, 2, {{{0, 1}}}),
                              make_job("C", 3, 5, 1)};
  jobs::ScheduleOptions options = options_for("fcfs", 2);
  EXPECT_EQ(starts(run_schedule(network, list, options)),
            (std::map<std::string, jobs::Time>{{"A", 0}, {"B", 10}, {"D", 10}, {"C", 15}}));
  options.queues = jobs::JobQueues::per_slot;
  const Schedule got = run_schedule(network, list, options);
  EXPECT_EQ(starts(got), (std::map<std::string, jobs::Time>{{"A", 0}, {"B", 10}, {"D", 2}, {"C", 3}}));
  EXPECT_EQ(got.circuits.front().slots, std::vector<Slot>{1});
}

// From 1 on nodes 0 and 3 are the first free ones, and B on 1 2 has all slots of the link between them. When N has
// taken node 0, H fits on 3 4, although no job has ended.
TEST(JobQueues, AJobOfAnotherQueueLeavesOtherNodes) {
  const MeshNetwork network({8});
  const std::vector<Job> list{make_job("A", 0, 1, 1), make_job("B", 0, 100, 2, {{{0, 1}}}),
                              make_job("H", 2, 10, 2, {{{0, 1}}}), make_job("N", 5, 50, 1)};
  for (const char* policy : {"fcfs", "lff"}) {
    jobs::ScheduleOptions options = options_for(policy, 2);
    options.slots_per_flow = 2;
    options.queues = jobs::JobQueues::per_slot;
    EXPECT_EQ(starts(run_schedule(network, list, options)),
              (std::map<std::string, jobs::Time>{{"A", 0}, {"B", 0}, {"H", 5}, {"N", 5}}))
        << policy;
  }
}

}  // namespace
}  // namespace weft::test
