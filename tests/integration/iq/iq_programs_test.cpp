// Programs on networks of input-queued routers: the closed form of docs/iq_router.md, sends that wait for credits, and
// every byte accounted for, on meshes and on tori with datelines and with bubbles (IB and OPA).

#include <gtest/gtest.h>

#include "support/packet_runs.h"

namespace weft::test {
namespace {

constexpr double kCycle = 5.12;  // ns: 64 B at 12.5 GB/s

std::string iq_program(const std::string& network, const std::string& rest, const std::string& parameters = "{}") {
  return "fabric: packet\nswitch: { architecture: iq, iq: " + parameters + " }\n" + network +
         "endpoints: { send_overhead: 10cycles, receive_overhead: 3cycles }\n" + rest;
}
const std::string kMesh = "topology: { kind: mesh, dims: [4, 4] }\nqos: { levels: { a: { message: 2KiB } } }\n";

// One packet of 20 flits over seven routers: 5 cycles each, link 1, then the flits.
TEST(IqPrograms, ATransferIsTheClosedForm) {
  const PacketOutcome r =
      run_packet_yaml(iq_program(kMesh, "program: [ { op: transfer, source: 0, destination: 15, size: 1280B } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  constexpr int kFlits = 20;
  constexpr int kFlight = 5 * 7 + 1 + kFlits - 1;
  EXPECT_NEAR(r.figure("time"), (10 + kFlight + 1 + 3) * kCycle, 1e-9);
  EXPECT_NEAR(r.figure("latency_mean"), kFlight * kCycle, 1e-9);
  EXPECT_EQ(r.figure("packets"), 1);
  EXPECT_NEAR(r.cell("nodes", 0, "time").get<double>(), (10 + kFlits) * kCycle, 1e-9) << "the last flit has left";
  EXPECT_NEAR(r.cell("nodes", 15, "time").get<double>(), r.figure("time"), 1e-9);
}

// Buffers of two flits do not cover the loop of five cycles: after every two flits the packet waits for three. Its
// source waits for longer, since at each of the six routers behind the first its flits wait for the head, which is
// routed and allocated a VC there in two cycles; the send is over with the last flit and not before.
TEST(IqPrograms, ASendIsOverWhenItsLastFlitHasLeft) {
  const PacketOutcome r = run_packet_yaml(iq_program(
      kMesh, "program: [ { op: transfer, source: 0, destination: 15, size: 1280B } ]\n", "{ buffer: 128B }"));
  ASSERT_EQ(r.error + r.failure, "");
  constexpr int kLast = 20 - 1;
  constexpr int kWaits = kLast / 2 * (5 - 2);
  EXPECT_NEAR(r.figure("time"), (10 + 5 * 7 + 1 + kLast + kWaits + 1 + 3) * kCycle, 1e-9);
  EXPECT_NEAR(r.cell("nodes", 0, "time").get<double>(), (10 + kLast + kWaits + 6 * 2 + 1) * kCycle, 1e-9);
}

// To the neighbour and back: no link carries two messages, whatever the number of nodes.
TEST(IqPrograms, ShiftOnARing) {
  const PacketOutcome r = run_packet_yaml(iq_program(
      "topology: { kind: torus, dims: [6] }\nrouting: { ring: dateline }\nqos: { levels: { a: { message: 2KiB } } }\n",
      "program:\n  - repeat: 5\n    program: [ { op: sendrecv, shift: 1, size: 2KiB } ]\n"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_NEAR(r.figure("time"), 5 * (10 + 5 * 2 + 1 + 32 - 1 + 1 + 3) * kCycle, 1e-9);
}

struct ProgramCase {
  const char* name;
  const char* network;
};
// 16 nodes each.
const ProgramCase kNetworks[] = {
    {"mesh", "switch: { architecture: iq }\ntopology: { kind: mesh, dims: [4, 4] }\n"},
    {"mesh_islip",
     "switch: { architecture: iq, iq: { vcs: 4, allocator: islip, iterations: 2, buffer: 192B } }\n"
     "topology: { kind: mesh, dims: [4, 4] }\n"},
    {"torus_dateline",
     "switch: { architecture: iq }\ntopology: { kind: torus, dims: [4, 4] }\n"
     "routing: { ring: dateline }\n"},
    {"tree", "switch: { architecture: iq }\ntopology: { kind: tree, arity: 4, levels: 2 }\n"},
    {"torus_bubble_ib", "topology: { kind: torus, dims: [4, 4] }\nrouting: { ring: bubble }\n"},
    {"torus_bubble_opa",
     "switch: { architecture: opa }\ntopology: { kind: torus, dims: [4, 4] }\n"
     "routing: { ring: bubble }\n"},
    {"ring_bubble", "topology: { kind: torus, dims: [16] }\nrouting: { ring: bubble }\n"},
};

class Collectives : public testing::TestWithParam<ProgramCase> {
 protected:
  static PacketOutcome run(const std::string& program, const std::function<void(PacketRunOptions&)>& prepare = {}) {
    return run_packet_yaml(std::string("fabric: packet\n") + GetParam().network +
                               "qos: { levels: { a: { message: 1KiB } } }\n"
                               "endpoints: { send_overhead: 10cycles, receive_overhead: 3cycles }\n" +
                               program,
                           {}, prepare);
  }
};

struct Expected {
  const char* instruction;
  std::int64_t messages;
  std::int64_t bytes;
};

// Messages and bytes by the definitions of the algorithms (docs/applications.md): 16 nodes, so 4 steps of doubling.
TEST_P(Collectives, EveryByteIsAccountedFor) {
  constexpr std::int64_t kN = 16;
  const std::vector<Expected> all = {
      {"op: barrier", kN * 4, 0},
      {"op: broadcast, size: 700B", kN - 1, (kN - 1) * 700},
      {"op: broadcast, size: 64000B", kN - 1 + kN * 4, 4 * 32000 + kN * 15 * 4000},
      {"op: scatter, size: 100B, root: 3", kN - 1, 4 * 800},
      {"op: gather, size: 100B, root: 5", kN - 1, 4 * 800},
      {"op: allgather, size: 300B", kN * 4, kN * 15 * 300},
      {"op: allgather, size: 40000B", kN * 15, kN * 15 * 40000},
      {"op: alltoall, size: 200B", kN * 4, kN * 4 * 8 * 200},
      {"op: alltoall, size: 3000B", kN * 15, kN * 15 * 3000},
      {"op: alltoall, size: 40000B", kN * 15, kN * 15 * 40000},
      {"op: reduce, size: 400B", kN - 1, (kN - 1) * 400},
      {"op: allreduce, size: 400B", kN * 4, kN * 4 * 400},
      {"op: allreduce, size: 6400B", kN * 8, 2 * kN * 15 * 400},
      {"op: reduce_scatter, size: 400B", kN * 4, kN * 15 * 400},
      {"op: sendrecv, shift: 5, size: 999B", kN, kN * 999},
      {"op: transfer, source: 3, destination: 12, size: 12345B", 1, 12345},
  };
  std::string program = "program:\n";
  for (const Expected& e : all) program += std::string("  - { ") + e.instruction + " }\n";
  const PacketOutcome r = run(program);
  ASSERT_EQ(r.error + r.failure, "");
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(r.cell("instructions", i, "messages"), all[i].messages) << all[i].instruction;
    EXPECT_EQ(r.cell("instructions", i, "bytes"), all[i].bytes) << all[i].instruction;
    messages += all[i].messages;
    bytes += all[i].bytes;
  }
  EXPECT_EQ(r.figure("messages"), messages);
  EXPECT_EQ(r.figure("bytes"), bytes);
  EXPECT_EQ(r.cell("services", 0, "messages"), messages) << "as the network has counted them";
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (std::size_t n = 0; n < 16; ++n) {
    sent += r.cell("nodes", n, "bytes_sent").get<std::int64_t>();
    received += r.cell("nodes", n, "bytes_received").get<std::int64_t>();
  }
  EXPECT_EQ(sent, bytes);
  EXPECT_EQ(received, bytes);
}

TEST_P(Collectives, TheOrderOfModulesDoesNotMatter) {
  const std::string program =
      "program: [ { op: alltoall, size: 1500B }, { op: broadcast, size: 20000B }, { op: barrier } ]\n";
  const PacketOutcome plain = run(program);
  ASSERT_EQ(plain.error + plain.failure, "");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    EXPECT_EQ(run(program, [&](PacketRunOptions& o) { o.shuffle_seed = seed; }).text, plain.text) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Collectives, testing::ValuesIn(kNetworks),
                         [](const testing::TestParamInfo<ProgramCase>& p) { return p.param.name; });

// 1,024 nodes: a message per node and step of doubling, a message per node but the root in a tree.
TEST(IqPrograms, ThousandNodes) {
  constexpr std::int64_t kN = 1024;
  for (const char* network : {"switch: { architecture: iq }\ntopology: { kind: mesh, dims: [32, 32] }\n",
                              "topology: { kind: torus, dims: [32, 32] }\nrouting: { ring: bubble }\n"}) {
    const PacketOutcome r =
        run_packet_yaml(std::string("fabric: packet\n") + network + "qos: { levels: { a: { message: 1KiB } } }\n" +
                        "program: [ { op: barrier }, { op: broadcast, size: 64B }, { op: allreduce, size: 64B } ]\n");
    ASSERT_EQ(r.error + r.failure, "") << network;
    EXPECT_EQ(r.cell("instructions", 0, "messages"), kN * 10);
    EXPECT_EQ(r.cell("instructions", 1, "messages"), kN - 1);
    EXPECT_EQ(r.cell("instructions", 2, "messages"), kN * 10);
    EXPECT_EQ(r.figure("bytes"), (kN - 1) * 64 + kN * 10 * 64);
    EXPECT_EQ(r.cell("services", 0, "messages"), kN * 21 - 1);
    EXPECT_EQ(r.lines("nodes"), 1024U);
  }
}

// Packets of many sizes on a ring with buffers of one and two of the largest, which small ones take as well.
TEST(PacketPrograms, BubblesHoldForPacketsOfManySizes) {
  const std::string ring =
      "fabric: packet\ntopology: { kind: torus, dims: [8] }\nrouting: { ring: bubble }\n"
      "switch: { input_buffer: 256B, output_buffer: 512B }\nnic: { buffer: 256B, input_buffer: 256B }\n"
      "qos: { levels: { a: { message: 256B } }, lane_space: [ { lane: 0, minimum: 256B } ] }\n"
      "endpoints: { send_overhead: 0ns, receive_overhead: 0ns }\nprogram:\n";
  std::string program;
  for (const char* size : {"300B", "320B", "500B", "700B", "1000B", "3100B"}) {
    program += std::string("  - { op: alltoall, size: ") + size + " }\n  - { op: barrier }\n";
  }
  const PacketOutcome r = run_packet_yaml(ring + program);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("bytes"), 8 * 7 * (300 + 320 + 500 + 700 + 1000 + 3100));
}

}  // namespace
}  // namespace weft::test
