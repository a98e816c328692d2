// Collectives on ideal networks of thousands of nodes against the closed forms of their algorithms: messages, and the
// time of so many rounds of one message each. Memory does not grow with the square of the nodes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "run/ideal/ideal_family.h"
#include "run/ideal/ideal_plan.h"
#include "support/child.h"
#include "support/patience.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kNodes = 4096;
constexpr int kRounds = 12;  // of doubling

std::string ideal_program(std::int64_t nodes, const std::string& instruction) {
  return "fabric: ideal\nideal: { nodes: " + std::to_string(nodes) +
         ", latency: 7cycles }\nlink: { rate: 64GB/s, flit: 64B }\n"  // a cycle is 1 ns
         "qos: { levels: { a: { message: 4KiB } } }\n"
         "endpoints: { send_overhead: 10cycles, receive_overhead: 3cycles }\nprogram: [ { " +
         instruction + " } ]\n";
}

struct Outcome {
  double time = 0;  // ns
  std::int64_t messages = 0, bytes = 0, measured = 0;
  std::int64_t grown = 0;  // KiB of memory
};

std::int64_t peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

Outcome run(const std::string& yaml) {
  const ChildResult child = in_child([&] {
    const std::int64_t before = peak_kib();
    Diagnostics diagnostics;
    const IdealConfig config = parse_ideal_config(yaml, "t.yaml", ".", {}, diagnostics);
    const RunResult result = IdealPlan(config).run({});
    if (!result.failure.empty()) throw std::runtime_error(result.failure);
    nlohmann::json report = nlohmann::json::parse(report_json(result.report));
    report["grown"] = peak_kib() - before;
    return report.dump();
  });
  EXPECT_TRUE(child.ok) << child.text;
  if (!child.ok) return {};
  const nlohmann::json report = nlohmann::json::parse(child.text);
  const auto figure = [&](const char* name) { return report.at("figures").at("run").at(name).at("value"); };
  const auto measured = report.at("tables").at("services").at("rows").at(0).at("messages").get<std::int64_t>();
  return {figure("time").get<double>(), figure("messages").get<std::int64_t>(), figure("bytes").get<std::int64_t>(),
          measured, report.at("grown").get<std::int64_t>()};
}

// Overhead, latency and flits of a message, the cycle until the program hears of it, and overhead again.
constexpr int one_message(int flits) { return 10 + 7 + flits - 1 + 1 + 3; }

struct Expected {
  const char* instruction;
  std::int64_t messages;
  std::int64_t bytes;
  int time;
};

TEST(IdealPrograms, CollectivesOf4096NodesAreTheClosedForms) {
  int halving = 0;  // 4 MiB: 1 KiB per node; each round but for its direction twice, combined on the first way
  for (int r = 1; r <= kRounds; ++r) {
    const int flits = (4 << 20 >> r) / 64;
    halving += 2 * one_message(flits) + flits;
  }
  const Expected all[] = {
      {"op: barrier", kNodes * kRounds, 0, kRounds * one_message(1)},
      {"op: broadcast, size: 64B", kNodes - 1, (kNodes - 1) * 64, kRounds * one_message(1)},
      {"op: broadcast, size: 64B, root: 4095", kNodes - 1, (kNodes - 1) * 64, kRounds * one_message(1)},
      {"op: reduce, size: 64B", kNodes - 1, (kNodes - 1) * 64, kRounds * (one_message(1) + 1)},
      {"op: allreduce, size: 1KiB", kNodes * kRounds, kNodes * kRounds * 1024, kRounds * (one_message(16) + 16)},
      {"op: allreduce, size: 4MiB", 2 * kNodes * kRounds, 2 * kNodes * (kNodes - 1) * 1024, halving},
  };
  for (const Expected& e : all) {
    const Outcome r = run(ideal_program(kNodes, e.instruction));
    EXPECT_EQ(r.messages, e.messages) << e.instruction;
    EXPECT_EQ(r.bytes, e.bytes) << e.instruction;
    EXPECT_EQ(r.measured, e.messages) << e.instruction << ": as the network has counted them";
    EXPECT_EQ(r.time, e.time) << e.instruction;
    EXPECT_TRUE(!kUsageCounts || r.grown < 256 << 10)
        << e.instruction << ": " << r.grown << ", 16 B per pair of nodes would be as much";
  }
}

// Whatever their sizes would say.
TEST(IdealPrograms, CollectivesByChosenAlgorithms) {
  const auto by = [](const std::string& algorithms, const std::string& instruction) {
    const std::string head = "endpoints: { ";
    std::string yaml = ideal_program(16, instruction);
    return yaml.insert(yaml.find(head) + head.size(), "algorithms: { " + algorithms + " }, ");
  };
  EXPECT_EQ(run(by("allreduce: doubling", "op: allreduce, size: 4MiB")).time, 4 * (one_message(1 << 16) + (1 << 16)));
  EXPECT_EQ(run(by("allreduce: halving", "op: allreduce, size: 1KiB")).time, 8 * one_message(0) + 2 * 15 + 15);
  EXPECT_EQ(run(by("broadcast: binomial", "op: broadcast, size: 4MiB")).time, 4 * one_message(1 << 16));
  EXPECT_EQ(run(by("alltoall: bruck", "op: alltoall, size: 64KiB")).messages, 16 * 4);
  const std::string nodes = "ideal: { nodes: 16, ";
  std::string torus = by("allgather: torus", "op: allgather, size: 64KiB");
  torus.replace(torus.find(nodes), nodes.size(), "topology: { kind: torus, dims: [4, 4] }\nideal: { ");
  EXPECT_EQ(run(torus).messages, 16 * 4 * 6);  // 3 + 3 rounds over four links
  Diagnostics diagnostics;
  EXPECT_THROW(parse_ideal_config(by("alltoall: torus", "op: alltoall, size: 64KiB"), "t.yaml", ".", {}, diagnostics),
               InputError);
}

// A broadcast over a ring of 1,000 nodes, a million messages, of which each node knows a piece at a time.
TEST(IdealPrograms, RingOf1000Nodes) {
  constexpr std::int64_t kN = 1000;
  const Outcome r = run(ideal_program(kN, "op: broadcast, size: 64000B"));
  EXPECT_EQ(r.messages, kN - 1 + kN * (kN - 1));
  EXPECT_EQ(r.measured, r.messages);
  EXPECT_TRUE(!kUsageCounts || r.grown < 100 << 10) << r.grown;
}

TEST(IdealPrograms, MessagesThatNeedTooMuchMemoryAreRefused) {
  const ChildResult child = in_child([] {
    set_usable_memory(std::uint64_t{1} << 30);
    Diagnostics diagnostics;
    const auto said = [&](const char* instruction) -> std::string {
      const IdealConfig config = parse_ideal_config(ideal_program(kNodes, instruction), "t.yaml", ".", {}, diagnostics);
      try {
        IdealPlan plan(config);
      } catch (const InputError& e) {
        return e.what();
      }
      return "fits";
    };
    return said("op: alltoall, size: 4KiB") + "\n" + said("op: alltoall, size: 64B") + "\n" +
           said("op: alltoall, size: 1MiB");
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_THAT(child.text, HasSubstr("t.yaml:6:12: error: this alltoall has 16773120 messages under way at once, which "
                                    "would need about 6.2 GiB of memory, more than the 1.0 GiB that may be used"));
  EXPECT_THAT(child.text, testing::EndsWith("\nfits\nfits")) << "Bruck and pairwise exchange: one per node";
}

// Of two nodes, by their number; collectives have messages of their own, and sendrecv and transfer name both ends.
TEST(IdealPrograms, SendsWithoutAReceiveAndReceivesWithoutASendAreToldBefore) {
  const auto said = [](const std::string& programs) {
    Diagnostics diagnostics;
    parse_ideal_config(
        "fabric: ideal\nideal: { nodes: 4, latency: 20cycles }\nqos: { levels: { a: { message: 64B } } }\n" + programs,
        "t.yaml", ".", {}, diagnostics);
    std::string out;
    for (const Diagnostic& d : diagnostics.list()) out += d.text() + "\n";
    return out;
  };
  const std::string send = "    - { op: send, destination: 1, size: 1KiB }\n";
  const std::string receive = "    - { op: recv, source: 0, size: 1KiB }\n";
  const std::string barrier = "    - { op: barrier }\n";
  EXPECT_EQ(said("programs:\n  'node[0]':\n" + send + barrier + send + "  'node[1]':\n" + receive + receive + barrier +
                 "  'node[2..3]':\n" + barrier),
            "");
  EXPECT_EQ(said("programs:\n  'node[0]':\n" + send + send + "  'node[1]':\n" + receive +
                 "  'node[2]':\n    - { op: recv, source: 3, size: 1KiB }\n"),
            "t.yaml:7:7: warning: the programs do not match: node 0 sends 2 messages to node 1, which receives 1\n"
            "t.yaml:11:7: warning: the programs do not match: node 3 sends 0 messages to node 2, which receives 1\n");
  EXPECT_EQ(said("program:\n" + send + "    - { op: recv, source: 0, at: [1], size: 1KiB }\n"),
            "t.yaml:5:7: warning: the programs do not match: node 2 sends 1 message to node 1, which receives 0\n"
            "t.yaml:5:7: warning: the programs do not match: node 3 sends 1 message to node 1, which receives 0\n");
}

}  // namespace
}  // namespace weft::test
