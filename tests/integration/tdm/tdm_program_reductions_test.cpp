// Reductions over circuits among any number of nodes: times against formulae worked out from the algorithm and
// docs/fic_collectives.md, random groups against the same programs as messages, RTL, groups of different sizes.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "schema/document.h"
#include "support/scratch.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

constexpr int kSlots = 8;  // S
constexpr int kSend = 16;  // overheads; more than S + 1, so that changes of circuits are over before a node is ready
constexpr int kReceive = 3;
constexpr int kWay = 2 * kSlots;  // of a word over one link: two switches

double run_cycles(const Outcome& r) { return r.figure("run", "time").get<double>() / 10; }

// A full mesh, so that the messages of a round share no link and each circuit has all slots. Words of 8 B.
std::string full_mesh(int nodes, const std::string& op, int words) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: full_mesh, switches: {} }}\nsetup: {{ mode: preset }}\n"
      "endpoints: {{ send_overhead: {}cycles, receive_overhead: {}cycles, combine: 1cycles, collectives: circuits }}\n"
      "switch: {{ slots: {}, lanes: 1, lane_payload: 64b }}\nprogram: [ {{ op: {}, size: {}B }} ]\n",
      nodes, kSend, kReceive, kSlots, op, words * 8);
}

void expect_all_slots(const Outcome& r) {
  for (const auto& line : r.table("circuits")) EXPECT_EQ(line["slots"], kSlots);
  EXPECT_EQ(r.table("collectives")[0]["carried_by"], "circuits");
  EXPECT_EQ(r.table("collectives")[0]["reason"], "each round combines what the one before brought");
}

// Among p + rest nodes, p = 2^k: n words are folded in, n/2 ... n/p are halved and combined, n/p ... n/2 come back, and
// n words go out. Who receives late in one round is late in the next, down to the nodes that were folded in:
//   2 k + 2 messages one after the other, of n, n (1 - 1/p), n (1 - 1/p) and n words,
//   and n + n (1 - 1/p) words to combine.
TEST(ProgramReductions, AllreduceAmongAnyNumberOfNodes) {
  constexpr int n = 4800;
  for (const auto& [nodes, p, k] : {std::tuple{3, 2, 1}, {5, 4, 2}, {6, 4, 2}, {7, 4, 2}, {12, 8, 3}}) {
    const Outcome r = run_yaml(full_mesh(nodes, "allreduce", n));
    ASSERT_EQ(r.error + r.failure, "") << nodes;
    expect_all_slots(r);
    EXPECT_EQ(r.table("instructions")[0]["algorithm"], "halving_doubling_circuits");
    const int part = n - n / p;
    EXPECT_NEAR(run_cycles(r), (2 * k + 2) * (kSend + kWay + kReceive) + (2 * n + 2 * part) + (n + part), 1e-6)
        << nodes;
  }
}

int frame_from(int cycle) { return (cycle + kSlots - 1) / kSlots * kSlots; }

// The same without a way back of the whole: n words folded in, n/2 ... n/p halved, combined and gathered.
TEST(ProgramReductions, LongReduceAmongAnyNumberOfNodes) {
  constexpr int n = 4800;
  for (const auto& [nodes, p, k] : {std::tuple{3, 2, 1}, {5, 4, 2}, {6, 4, 2}, {7, 4, 2}, {12, 8, 3}}) {
    const Outcome r = run_yaml(full_mesh(nodes, "reduce", n));
    ASSERT_EQ(r.error + r.failure, "") << nodes;
    expect_all_slots(r);
    EXPECT_EQ(r.table("instructions")[0]["algorithm"], "halving_gather_circuits");
    const int part = n - n / p;
    EXPECT_NEAR(run_cycles(r), (2 * k + 1) * (kSend + kWay + kReceive) + (n + 2 * part) + (n + part), 1e-6) << nodes;
    EXPECT_EQ(r.figure("run", "circuit_changes"), 2 * k);
  }
}

// n words go up a binomial tree, and are combined at every node on the way. The last message comes from a node that has
// been ready before, and leaves when the circuits have changed: in the first frame that begins two cycles after the end
// of the round before.
TEST(ProgramReductions, BriefReduceAmongAnyNumberOfNodes) {
  constexpr int n = 240;
  const auto taken = [](int arrival) { return arrival + 1 + kReceive + n; };
  const int first = kSend + n - 1 + kWay;  // arrival of the first round
  const auto go_on = [&](int arrival) { return taken(arrival) + first; };
  const auto changed = [](int arrival) { return frame_from(arrival + 2) + n - 1 + kWay; };
  const int three = taken(changed(first));                 // 1-0, 2-0
  const int five = taken(changed(go_on(first)));           // 3-2, 2-0, 4-0
  const int twelve = taken(changed(go_on(go_on(first))));  // 7-6, 6-4, 4-0, 8-0
  for (const auto& [nodes, time] : {std::pair{3, three}, {5, five}, {6, five}, {12, twelve}}) {
    const Outcome r = run_yaml(full_mesh(nodes, "reduce", n));
    ASSERT_EQ(r.error + r.failure, "") << nodes;
    expect_all_slots(r);
    EXPECT_EQ(r.table("instructions")[0]["algorithm"], "binomial_circuits");
    EXPECT_NEAR(run_cycles(r), time, 1e-6) << nodes;
    EXPECT_EQ(r.figure("run", "circuit_changes"), nodes == 3 ? 1 : nodes == 12 ? 3 : 2);
  }
}

// A tree or an exchange takes as long as one of more nodes, up to the next power of two.
TEST(ProgramReductions, BriefOnes) {
  for (const int nodes : {3, 5, 6, 12}) {
    for (const char* op : {"reduce", "allreduce"}) {
      const Outcome r = run_yaml(full_mesh(nodes, op, 8));
      ASSERT_EQ(r.error + r.failure, "") << nodes;
      expect_all_slots(r);
      const Outcome none = run_yaml(full_mesh(nodes, op, 0));
      ASSERT_EQ(none.error + none.failure, "") << nodes;
      EXPECT_LT(run_cycles(none), run_cycles(r));
    }
  }
}

// Both groups of three fold a node in and send it the result; between, the long allreduce exchanges halves twice, the
// brief one everything once. So one goes through four phases, and the other through three of these.
TEST(ProgramReductions, GroupsOfDifferentSizes) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nsetup: { mode: preset }\n"
      "endpoints: { collectives: circuits }\nswitch: { slots: 8 }\nprogram:\n"
      "  - { op: allreduce, group: [0, 1, 2], size: 4000B }\n  - { op: allreduce, group: [3, 4, 5], size: 400B }\n"
      "  - { op: allreduce, group: [0, 1, 2, 3], size: 4000B }\n  - { op: broadcast, group: [4, 5], root: 4, size: "
      "400B }\n";
  const Outcome r = run_yaml(yaml);
  ASSERT_EQ(r.error + r.failure, "");
  const auto carried = r.table("collectives");
  ASSERT_EQ(carried.size(), 4U);
  for (const auto& line : carried) EXPECT_EQ(line["carried_by"], "circuits");
  EXPECT_EQ(carried[0]["phases"], 4);
  EXPECT_EQ(carried[1]["phases"], 3);
  EXPECT_GE(carried[2]["phases"], 4);
  EXPECT_EQ(carried[3]["phases"], 1);
  const Outcome messages = run_yaml(yaml, {"endpoints.collectives=messages", "switch.slots=20"});
  ASSERT_EQ(messages.error + messages.failure, "");
  for (std::size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(r.table("nodes")[n]["bytes_received"], messages.table("nodes")[n]["bytes_received"]) << n;
    EXPECT_EQ(r.table("nodes")[n]["bytes_sent"], messages.table("nodes")[n]["bytes_sent"]) << n;
  }
}

// Three slots are too few for the last exchange of eight nodes on a ring of eleven. Everything arrives: three nodes
// fold in and get back everything, eight send 7/8 of it twice. Of the reduce three fold in, eight send 7/8 of it, the
// root gets the part of node 0, for which it takes part in the gather: 4 parts, 2 double ones, one of half the data.
TEST(ProgramReductions, ARoundThatDoesNotFitIsCut) {
  const Outcome r = run_yaml(
      "fabric: tdm\ntopology: { kind: torus, dims: [11] }\nsetup: { mode: preset }\nswitch: { slots: 3 }\n"
      "endpoints: { collectives: circuits }\n"
      "program: [ { op: allreduce, size: 4000B }, { op: reduce, root: 3, size: 4000B } ]\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.table("phases")[3]["phase"], "4_allreduce_1of2");
  std::int64_t received = 0;
  for (const auto& node : r.table("nodes")) received += node["bytes_received"].get<std::int64_t>();
  EXPECT_EQ(received, 2 * 3 * 4000 + 2 * 8 * 3500 + (3 * 4000 + 8 * 3500 + 500 + 12 * 500));
}

class RandomGroups {
 public:
  explicit RandomGroups(std::uint64_t seed) : random_(seed) {}

  // Reductions of all nodes in groups of two or more, computations, and all again.
  std::string program(int nodes) {
    std::string out = "program:\n";
    for (int layer = 0; layer < 4; ++layer) {
      std::vector<int> all(static_cast<std::size_t>(nodes));
      std::iota(all.begin(), all.end(), 0);
      std::shuffle(all.begin(), all.end(), random_);
      while (!all.empty()) {
        const int left = static_cast<int>(all.size());
        const int size = left < 4 || below(3) == 0 ? left : 2 + below(left - 3);
        std::vector<int> group(all.end() - size, all.end());
        all.resize(all.size() - static_cast<std::size_t>(size));
        std::sort(group.begin(), group.end());
        out += instruction(group);
      }
      if (below(3) == 0)
        out += fmt::format("  - {{ op: compute, at: [{}], time: {}cycles }}\n", below(nodes), below(2000));
    }
    return out;
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }

  std::string instruction(const std::vector<int>& group) {
    const int bytes = 4 * (below(2) == 0 ? below(150) : below(2250));
    const int root = group[static_cast<std::size_t>(below(static_cast<int>(group.size())))];
    const std::string members = fmt::format("group: [{}], size: {}B", fmt::join(group, ", "), bytes);
    switch (below(5)) {
      case 0:
        return fmt::format("  - repeat: 3\n    program: [ {{ op: allreduce, {} }} ]\n", members);
      case 1:
        return fmt::format("  - {{ op: reduce_scatter, {} }}\n", members);
      case 2:
        return fmt::format("  - {{ op: allreduce, {} }}\n", members);
      default:
        return fmt::format("  - {{ op: reduce, root: {}, {} }}\n", root, members);
    }
  }

  std::mt19937_64 random_;
};

struct Net {
  const char* topology;
  int nodes;
};

// The messages are the same, however they are carried.
TEST(ProgramReductions, RandomGroupsCarryWhatTheirMessagesCarry) {
  const Net nets[] = {{"kind: mesh, dims: [3, 2]", 6},
                      {"kind: torus, dims: [5]", 5},
                      {"kind: torus, dims: [4, 3]", 12},
                      {"kind: mesh, dims: [3, 3]", 9},
                      {"kind: full_mesh, switches: 7", 7}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Net& net = nets[seed % std::size(nets)];
    const std::string yaml = fmt::format(
        "fabric: tdm\ntopology: {{ {} }}\nsetup: {{ mode: preset }}\nswitch: {{ slots: 12 }}\n"
        "endpoints: {{ collectives: circuits }}\n{}",
        net.topology, RandomGroups(seed).program(net.nodes));
    const Outcome messages = run_yaml(yaml, {"endpoints.collectives=messages", "switch.slots=64"});
    ASSERT_EQ(messages.error + messages.failure, "") << yaml;
    for (const std::string mode : {"preset", "central", "in_network"}) {
      const Outcome r = run_yaml(yaml, {"setup.mode=" + mode});
      ASSERT_EQ(r.error + r.failure, "") << mode << "\n" << yaml;
      std::size_t over_circuits = 0;
      for (const auto& line : r.table("collectives")) over_circuits += line["carried_by"] == "circuits" ? 1 : 0;
      if (mode == "in_network") {
        EXPECT_EQ(over_circuits, r.table("collectives").size()) << yaml;
      }
      EXPECT_GT(over_circuits, 0U);
      for (std::size_t n = 0; n < static_cast<std::size_t>(net.nodes); ++n) {
        for (const char* what : {"bytes_sent", "bytes_received", "messages_sent", "messages_received"}) {
          ASSERT_EQ(r.table("nodes")[n][what], messages.table("nodes")[n][what]) << mode << ", node " << n << "\n"
                                                                                 << yaml;
        }
      }
    }
  }
}

const std::string kFiveAndThree =
    "fabric: tdm\ntopology: { kind: mesh, dims: [4, 2] }\nswitch: { slots: 6, serdes: 3cycles }\nseed: 5\n"
    "endpoints: { collectives: circuits }\nsetup: { mode: preset }\nprogram:\n"
    "  - { op: allreduce, group: [0, 1, 4, 5, 6], size: 2100B }\n  - { op: reduce, group: [2, 3, 7], root: 3, size: "
    "900B }\n"
    "  - repeat: 2\n    program: [ { op: allreduce, group: [0, 1, 2, 3, 4, 5, 6], size: 300B } ]\n"
    "  - { op: reduce, root: 5, size: 700B, group: [1, 2, 3, 4, 5, 6] }\n";

TEST(ProgramReductions, TheSameWithTheRtl) {
  const Outcome model = run_yaml(kFiveAndThree, {"observe.slot_trace=true"});
  ASSERT_EQ(model.error + model.failure, "");
  for (const std::string which : {"rtl", "lockstep"}) {
    const Outcome other = run_yaml(kFiveAndThree, {"observe.slot_trace=true", "switch.slot_lut.implementation=" + which,
                                                   "switch.data_path.implementation=" + which});
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << which;
    EXPECT_TRUE(other.slot_trace == model.slot_trace) << which;
  }
}

TEST(ProgramReductions, TheOrderOfModulesDoesNotMatter) {
  for (const std::string mode : {"preset", "in_network"}) {
    const Outcome plain = run_yaml(kFiveAndThree, {"setup.mode=" + mode});
    ASSERT_EQ(plain.error + plain.failure, "");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto shuffle = [&](TdmRunOptions& o) { o.shuffle_seed = seed; };
      EXPECT_TRUE(run_yaml(kFiveAndThree, {"setup.mode=" + mode}, shuffle).report == plain.report) << seed;
    }
  }
}

}  // namespace
}  // namespace weft::test
