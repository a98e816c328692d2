// The schedule of jobs: against a brute-force oracle, a textbook example worked out by hand, and the rules every
// schedule keeps.

#include <algorithm>
#include <set>

#include "algorithms/jobs/node_policy.h"
#include "algorithms/jobs/policy.h"
#include "algorithms/slots/allocation.h"
#include "unit/jobs/random_jobs.h"

namespace weft::test {
namespace {

using jobs::Job;
using jobs::Schedule;
using ::testing::HasSubstr;

TEST(JobSchedule, EqualsTheOracle) {
  std::size_t backfilled = 0;
  std::size_t rejected = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const RandomCase c(seed);
    for (const char* policy : {"fcfs", "easy", "lff"}) {
      ASSERT_NO_FATAL_FAILURE(compare(c, policy, seed));
    }
    for (const OracleResult& r : schedule_oracle(c.network, "easy", c.jobs)) {
      backfilled += r.backfilled ? 1 : 0;
      rejected += r.rejected ? 1 : 0;
    }
  }
  // The cases are of the kind that matters.
  EXPECT_GT(backfilled, 400u);
  EXPECT_GT(rejected, 100u);
}

// Four nodes. A holds two of them until 10; B needs all four and is promised 10. C and E would still run then and must
// wait; D and F end at 10 and may go first.
const std::vector<Job> kTextbook{make_job("A", 0, 10, 2), make_job("B", 1, 5, 4),  make_job("C", 1, 10, 2),
                                 make_job("D", 2, 8, 1),  make_job("E", 3, 20, 1), make_job("F", 4, 6, 1)};

TEST(JobSchedule, TextbookExample) {
  const MeshNetwork network({4});
  using Starts = std::map<std::string, jobs::Time>;
  // Worked out by hand.
  EXPECT_EQ(starts(run_schedule(network, kTextbook, options_for("fcfs", 4))),
            (Starts{{"A", 0}, {"B", 10}, {"C", 15}, {"D", 15}, {"E", 15}, {"F", 23}}));
  PromiseRecorder promises;
  EXPECT_EQ(starts(run_schedule(network, kTextbook, options_for("easy", 4), &promises)),
            (Starts{{"A", 0}, {"B", 10}, {"C", 15}, {"D", 2}, {"E", 15}, {"F", 4}}));
  EXPECT_EQ(promises.promises, (Starts{{"B", 10}, {"C", 15}}));
}

// The same with room to spare: B needs 3 nodes, so at 10 one is left over, and the long job C of one node may use it;
// the equally long D may not.
TEST(JobSchedule, SpareNodesMayBeUsedByLongJobs) {
  const MeshNetwork network({4});
  const std::vector<Job> list{make_job("A", 0, 10, 2), make_job("B", 1, 5, 3), make_job("C", 1, 100, 1),
                              make_job("D", 1, 100, 1)};
  const auto got = starts(run_schedule(network, list, options_for("easy", 4)));
  EXPECT_EQ(got.at("C"), 1);
  EXPECT_EQ(got.at("B"), 10);
  EXPECT_EQ(got.at("D"), 15);
}

// Six nodes in a row, one slot per frame: a reservation is one of slots too.
TEST(JobSchedule, AReservationHoldsSlots) {
  const MeshNetwork network({6});
  const Job holder = make_job("H", 0, 10, 3, {{{0, 2}}});  // nodes 0 1 2
  const Job head = make_job("B", 1, 5, 4, {{{0, 3}}});     // waits for a fourth node: at 10
  // Nodes 3 4 5 until 52: B would find only three at 10.
  const Job long_wide = make_job("C", 2, 50, 3, {{{0, 2}}});
  // Nodes 3 4 until 53: B would be on 0 1 2 5, but its circuit needs the link 3 -> 4.
  const Job long_link = make_job("D", 3, 50, 2, {{{0, 1}}});
  // The same nodes without a circuit.
  const Job long_silent = make_job("E", 4, 50, 2);
  const auto got =
      starts(run_schedule(network, {holder, head, long_wide, long_link, long_silent}, options_for("easy", 1)));
  EXPECT_EQ(got.at("B"), 10);
  EXPECT_GT(got.at("C"), 10);
  EXPECT_GT(got.at("D"), 10) << "has nodes that B can spare but the slot that B needs";
  EXPECT_EQ(got.at("E"), 4);
}

TEST(JobSchedule, LargeFlowsFirst) {
  const MeshNetwork network({4});
  const std::vector<Job> list{make_job("first", 0, 10, 4), make_job("silent", 1, 100, 4),
                              make_job("pair", 1, 9, 4, {{{0, 1}}}),                   // 9
                              make_job("multicast", 1, 5, 4, {{{0, 1}, {0, 2}}}),      // 10
                              make_job("many_small", 1, 8, 4, {{{0, 1}}, {{1, 2}}})};  // 8
  const auto got = starts(run_schedule(network, list, options_for("lff", 4)));
  EXPECT_EQ(got.at("multicast"), 10);
  EXPECT_EQ(got.at("pair"), 15);
  EXPECT_EQ(got.at("many_small"), 24);
  EXPECT_EQ(got.at("silent"), 32);
}

TEST(JobSchedule, WhatCanNeverRunIsRejectedAtOnce) {
  const MeshNetwork network({4, 4});
  const std::vector<Job> list{
      make_job("fills", 0, 10, 16), make_job("too_large", 1, 5, 17),
      make_job("too_many_flows", 1, 5, 4, {{{1, 0}}, {{2, 0}}, {{3, 0}}}),  // three slots into node 0
      make_job("one_slot_twice", 1, 5, 4, {{{1, 0}, {2, 0}}}),              // one flow, two circuits into node 0
      make_job("fits", 1, 5, 4, {{{1, 0}}, {{2, 0}}})};
  for (const jobs::PolicyEntry& policy : jobs::policies()) {
    const Schedule got = run_schedule(network, list, options_for(policy.name, 2));
    ASSERT_EQ(got.rejected.size(), 3u);
    EXPECT_EQ(got.rejected[0].id, "too_large");
    EXPECT_THAT(got.rejected[0].reason, HasSubstr("asks for 17 nodes, the network (mesh 4x4) has 16"));
    EXPECT_THAT(
        got.rejected[1].reason,
        HasSubstr("in the empty network, on the nodes the policy gives it there, flow '2' finds no 1 of 2 slots free"));
    EXPECT_THAT(got.rejected[1].reason, HasSubstr("sw[1].port2 -> sw[0] has 0 free"));
    EXPECT_THAT(got.rejected[2].reason, HasSubstr("two circuits of flow '0' would share a slot on link"));
    EXPECT_EQ(starts(got).at("fits"), 10);
  }
}

// A ring of six in one slot fits on neighbours of a mesh, but not wherever the dice fall.
TEST(JobSchedule, AnotherDrawOfNodesMayFit) {
  const MeshNetwork network({4, 4});
  std::vector<Job> list;
  for (int j = 0; j < 30; ++j) {
    list.push_back(
        make_job(std::to_string(j), 10 * j, 5, 6, {{{0, 1}}, {{1, 2}}, {{2, 3}}, {{3, 4}}, {{4, 5}}, {{5, 0}}}));
  }
  jobs::ScheduleOptions options = options_for("fcfs", 1);
  options.node_policy = "random";
  const Schedule got = run_schedule(network, list, options);
  EXPECT_TRUE(got.rejected.empty()) << got.rejected.front().reason;
  ASSERT_EQ(got.jobs.size(), 30u);
  jobs::NodeSet all(16);
  all.set();
  const auto policy = jobs::node_policies().back().make(network.graph, options.seed);
  int later = 0;
  for (const jobs::ScheduledJob& job : got.jobs)
    later += job.nodes != policy->choose(all, list[std::stoul(job.id)]) ? 1 : 0;
  EXPECT_GT(later, 1) << "the first draw always fits: the test sees nothing";
  EXPECT_LT(later, 30);
  // Three flows into one node never fit in one slot, and the report says what was tried.
  const Schedule none = run_schedule(network, {make_job("never", 0, 5, 4, {{{1, 0}}, {{2, 0}}, {{3, 0}}})}, options);
  ASSERT_EQ(none.rejected.size(), 1u);
  EXPECT_THAT(none.rejected[0].reason, HasSubstr("64 draws of nodes failed; the last: flow '"));
}

TEST(JobSchedule, AnUnfitJobIsRejectedAndNoOther) {
  const MeshNetwork network({4, 4});
  std::vector<Job> list{make_job("a", 0, 5, 4), make_job("odd", 0, 5, 3), make_job("b", 1, 5, 4)};
  list[1].unfit = "three is no power of two";
  const Schedule got = run_schedule(network, list, options_for("easy", 1));
  ASSERT_EQ(got.rejected.size(), 1u);
  EXPECT_EQ(got.rejected[0].reason, "three is no power of two");
  EXPECT_EQ(got.jobs.size(), 2u);
}

// What may be said of every schedule, for all policies of jobs and nodes.
void check_rules(const MeshNetwork& network, const Schedule& schedule, std::uint32_t slots) {
  std::set<std::pair<NodeId, jobs::Time>> nodes;
  for (const jobs::ScheduledJob& job : schedule.jobs) {
    EXPECT_GE(job.start, job.submit);
    for (const NodeId n : job.nodes) {
      for (jobs::Time t = job.start; t < job.end; ++t) EXPECT_TRUE(nodes.emplace(n, t).second) << "two jobs on a node";
    }
  }
  std::set<std::tuple<LinkId, Slot, jobs::Time>> used;
  for (const jobs::TimedCircuit& c : schedule.circuits) {
    const jobs::ScheduledJob& job = schedule.jobs[c.job];
    EXPECT_NE(std::find(job.nodes.begin(), job.nodes.end(), c.tree.source), job.nodes.end());
    EXPECT_EQ(c.tree.edges.front().link, network.graph.injection_link(c.tree.source));
    for (const Slot s : c.slots) {
      EXPECT_LT(s, slots);
      for (const TreeEdge& e : c.tree.edges) {
        for (jobs::Time t = job.start; t < job.end; ++t) {
          EXPECT_TRUE(used.emplace(e.link, s, t).second) << "two circuits in a slot";
        }
      }
    }
  }
}

TEST(JobSchedule, NoNodeAndNoSlotHasTwoOwners) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const RandomCase c(seed);
    const MeshNetwork network = c.mesh();
    for (const jobs::PolicyEntry& policy : jobs::policies()) {
      for (const jobs::NodePolicyEntry& nodes : jobs::node_policies()) {
        for (const Allocator* allocator :
             {&slot_allocators().at("first_fit"), &slot_allocators().at("longest_first")}) {
          jobs::ScheduleOptions options = options_for(policy.name, c.slots(), nodes.name);
          options.allocator = allocator;
          options.slots_per_flow = c.slots() > 2 ? 2 : 1;
          options.seed = seed;
          const Schedule got = run_schedule(network, c.list(), options);
          EXPECT_EQ(got.jobs.size() + got.rejected.size(), c.jobs.size());
          check_rules(network, got, c.slots());
        }
      }
    }
  }
}

TEST(JobSchedule, FirstComeFirstServedKeepsTheOrder) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const RandomCase c(seed);
    const Schedule got = run_schedule(c.mesh(), c.list(), options_for("fcfs", c.slots(), "contiguous"));
    for (std::size_t i = 1; i < got.jobs.size(); ++i) {
      EXPECT_LT(std::stoi(got.jobs[i - 1].id), std::stoi(got.jobs[i].id));
    }
  }
}

TEST(JobSchedule, Repeats) {
  const RandomCase c(7);
  for (const char* nodes : {"random", "contiguous"}) {
    jobs::ScheduleOptions options = options_for("easy", c.slots(), nodes);
    options.seed = 5;
    const Schedule a = run_schedule(c.mesh(), c.list(), options);
    const Schedule b = run_schedule(c.mesh(), c.list(), options);
    ASSERT_EQ(a.jobs.size(), b.jobs.size());
    for (std::size_t i = 0; i < a.jobs.size(); ++i) {
      EXPECT_EQ(a.jobs[i].id, b.jobs[i].id);
      EXPECT_EQ(a.jobs[i].start, b.jobs[i].start);
      EXPECT_EQ(a.jobs[i].nodes, b.jobs[i].nodes);
    }
  }
}

TEST(JobSchedule, RefusesWhatItCannotDo) {
  const MeshNetwork network({2});
  const auto expect_error = [&](const jobs::ScheduleOptions& options, const std::string& text) {
    jobs::JobList source({});
    try {
      jobs::simulate(network.graph, *network.routing, source, options, {});
      ADD_FAILURE() << "no error with " << text;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(text));
    }
  };
  expect_error(options_for("eazy", 4), "unknown policy 'eazy'; did you mean 'easy'?");
  expect_error(options_for("easy", 4, "contigous"), "unknown node policy 'contigous'; did you mean 'contiguous'?");
  expect_error(options_for("easy", 0), "a frame has 1 to 65535 slots, not 0");
  jobs::ScheduleOptions colours = options_for("easy", 4);
  colours.allocator = &slot_allocators().at("dsatur");
  expect_error(colours, "allocator dsatur colours all flows at once");
}

}  // namespace
}  // namespace weft::test
