// Hosts that share the memory interfaces with the DMACs, with cycles counted by hand.

#include <cmath>

#include "schema/document.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kHead =
    "fabric: optweb\nnodes: 2\nmode: timing\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n";
const std::string kTransfer = "  - { op: transfer, source: 0, destination: 1, size: 1MiB }\n";

OptwebOutcome good(const std::string& yaml, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_THAT(r.error + r.failure, IsEmpty());
  return r;
}
std::string host(const std::string& access) { return "host: [ { " + access + " } ]\n"; }
std::int64_t cycles(const nlohmann::json& ns) { return std::llround(ns.get<double>() / 5); }
std::int64_t took(const OptwebOutcome& r, std::size_t access, const char* from = "at") {
  const auto& row = r.report["tables"]["host"]["rows"][access];
  return cycles(row["over"]) - cycles(row[from]);
}

TEST(OptwebHosts, AloneTheyTakeTheLatencyAndACyclePerWord) {
  const OptwebOutcome r = good(kHead +
                               "host:\n  - { node: 0, op: read, size: 5000B, at: 1us }\n"
                               "  - { node: 1, op: write, size: 32B, at: 3us }\n"
                               "  - { node: 1, op: write, stripe: 3, address: 8B, size: 32B, at: 4us }\n");
  EXPECT_EQ(took(r, 0), 50 + 157 - 1);
  EXPECT_EQ(took(r, 1), 8);
  EXPECT_EQ(took(r, 2), 8 + 1);  // two words, of each a part
  const OptwebOutcome slow =
      good(kHead + host("node: 0, op: read, size: 3200B, at: 1us"), {"memory.rate=25.6Gb/s", "memory.read=33cycles"});
  EXPECT_EQ(took(slow, 0), 33 - 1 + 2 * 100);
}

// Accesses of a node wait for each other.
TEST(OptwebHosts, OneAfterTheOther) {
  const OptwebOutcome r = good(kHead +
                               "host:\n  - { node: 0, op: read, size: 320B, at: 20cycles }\n"
                               "  - { node: 0, op: read, size: 320B, at: 10cycles }\n");
  EXPECT_EQ(took(r, 1), 50 + 9);
  EXPECT_EQ(took(r, 0), 10 + 59 + 59 - 20);
}

// 225 words take 450 cycles when the stream has every other turn. It lets 225 words pass in them, not 225/256 of 450:
// what is left takes 450 - 256 cycles longer.
TEST(OptwebHosts, ASenderIsSlowedDown) {
  const std::int64_t base = good(kHead + kTransfer).cycles(2, "latency");
  EXPECT_EQ(base, 158 + (32769 * 256 + 224) / 225 - (3 * 256 + 224) / 225 + 4 - 16 + 14);
  for (const char* op : {"read", "write"}) {
    const OptwebOutcome r =
        good(kHead + kTransfer + host(std::string("node: 0, op: ") + op + ", stripe: 1, size: 7200B, at: 20us"));
    EXPECT_EQ(r.cycles(2, "latency"), base + 450 - 256) << op;
    EXPECT_EQ(took(r, 0, "opened"), 450 + (std::string(op) == "write" ? 6 : 0)) << op;
  }
  // n words of 32 B: n (2 - 256/225) cycles, up to a cycle for the last word.
  for (const std::int64_t n : {1, 10, 1000, 3333}) {
    const OptwebOutcome r =
        good(kHead + kTransfer + host("node: 0, op: read, stripe: 1, at: 20us, size: " + std::to_string(32 * n) + "B"));
    EXPECT_NEAR(static_cast<double>(r.cycles(2, "latency") - base), static_cast<double>(n) * (2 - 256 / 225.0), 1) << n;
    EXPECT_EQ(took(r, 0, "opened"), 2 * n);
  }
}

// Many small ones cost what one of their size does: nothing is rounded at their ends.
TEST(OptwebHosts, ManyAreAsOne) {
  const std::int64_t base = good(kHead + kTransfer).cycles(2, "latency");
  std::string list = "host:\n";
  for (int i = 0; i < 75; ++i) {
    list += "  - { node: 0, op: read, stripe: 1, size: 96B, at: " + std::to_string(4000 + i * 60) + "cycles }\n";
  }
  EXPECT_EQ(good(kHead + kTransfer + list).cycles(2, "latency"), base + 450 - 256);
}

TEST(OptwebHosts, OtherInterfacesAndStripesAreFree) {
  const std::int64_t base = good(kHead + kTransfer).cycles(2, "latency");
  for (const char* where : {"node: 0, stripe: 1, address: 256MiB", "node: 0, stripe: 0", "node: 1, stripe: 1",
                            "node: 1, stripe: 0, address: 0B"}) {
    const OptwebOutcome r = good(kHead + kTransfer + host(std::string(where) + ", op: read, size: 32000B, at: 20us"));
    EXPECT_EQ(r.cycles(2, "latency"), base) << where;
    EXPECT_EQ(took(r, 0, "opened"), 1000) << where;
  }
}

// Before the stream begins and after it has ended the host has the interface for itself.
TEST(OptwebHosts, TheEdgesOfAStream) {
  const OptwebOutcome alone = good(kHead + kTransfer);
  const std::int64_t start = cycles(alone.cell(2, "start"));
  const std::int64_t base = alone.cycles(2, "latency");
  // The first word passes in cycle 78 of a rendezvous; ten words of the host before, at every cycle, ten beside it.
  const OptwebOutcome r =
      good(kHead + kTransfer +
           host("node: 0, op: write, stripe: 1, size: 640B, at: " + std::to_string(start + 67) + "cycles"));
  EXPECT_EQ(took(r, 0, "opened"), 10 + 2 * 10 + 6);
  EXPECT_NEAR(static_cast<double>(r.cycles(2, "latency") - base), 10 * (2 - 256 / 225.0), 1);
}

// The sender brings 45 Gb/s whatever the receiver does: the writer takes every other cycle, and 0.7578 n words wait in
// the buffer when n have passed; 512 and one have room.
TEST(OptwebHosts, AWriterThatIsSlowedDownOverflows) {
  const std::int64_t base = good(kHead + kTransfer).cycles(2, "latency");
  const auto with = [&](std::int64_t n) {
    return run_optweb_yaml(
        kHead + kTransfer +
        host("node: 1, op: read, stripe: 0, address: 300MiB, at: 20us, size: " + std::to_string(32 * n) + "B"));
  };
  const OptwebOutcome r = with(670);
  EXPECT_THAT(r.failure, IsEmpty());
  EXPECT_EQ(r.cycles(2, "latency"), base);  // made up for long before the end
  EXPECT_EQ(took(r, 0, "opened"), 2 * 670);
  EXPECT_THAT(with(690).failure,
              HasSubstr("node 1, transfer (t.yaml:7:5): the receive buffer of the link from node 0 overflows: its "
                        "1048576 bytes come faster than the memory interface takes them, which the host accesses at "
                        "the same time"));
}

// At the end of a stream there is no time to make up for it: of 225 words that come in the last 256 cycles, and of
// those before, as many wait as the host has taken turns.
TEST(OptwebHosts, TheLastWordsWaitForTheHost) {
  const OptwebOutcome alone = good(kHead + kTransfer);
  const std::int64_t base = alone.cycles(2, "latency");
  const std::int64_t counted = cycles(alone.cell(2, "start")) + base - 4 - 5 - 5;  // the last word has come
  const std::int64_t opened = counted - 512;
  const OptwebOutcome r =
      good(kHead + kTransfer +
           host("node: 1, op: read, stripe: 0, address: 300MiB, size: 19200B, at: " + std::to_string(opened - 49) +
                "cycles"));
  // 450 words come in 512 cycles, of which 256 are written; 194 remain and take 2 cycles each.
  EXPECT_NEAR(static_cast<double>(r.cycles(2, "latency") - base), 2 * 194, 2);
  // 600 words: at half of the rate up to there, and alone behind.
  EXPECT_NEAR(static_cast<double>(took(r, 0, "opened")), 512 + 388 + (600 - 450), 2);
}

// The reduction waits for the words of node 2, whose host has half of the interface they are read from: those of the
// others fill the buffers of all nodes.
TEST(OptwebHosts, AHostThatStarvesAReductionIsNamed) {
  const auto with = [](int bytes) {
    return run_optweb_yaml(
        "fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n"
        "  - { op: allreduce, size: 1MiB }\n" +
        host("node: 2, op: read, stripe: 2, at: 20us, size: " + std::to_string(bytes) + "B"));
  };
  EXPECT_THAT(with(64000).failure,
              HasSubstr("overflows: its 1048576 bytes wait for those of node 2, which come later than the buffer holds "
                        "out, as the host of node 2 accesses the memory interface they are read from; let it use "
                        "another interface, or wait"));
  EXPECT_THAT(with(3200).failure, IsEmpty());
  // From the first word on, and the words of the node itself.
  EXPECT_THAT(run_optweb_yaml("fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: allreduce, size: 1MiB }\n" +
                              host("node: 1, op: write, stripe: 1, address: 20MiB, size: 1MiB"))
                  .failure,
              HasSubstr("wait for those of node 1, which come later than the buffer holds out, as the host of node 1 "
                        "accesses"));
}

// HBM2 interrupts a reader as well, where there is no host.
TEST(OptwebHosts, HbmThatStarvesAReductionIsNamed) {
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 4\nmode: timing\nmemory: { model: hbm2 }\nswitch: { eager_buffer: 64B }\n"
      "program: [ { op: allreduce, size: 32KiB } ]\n");
  EXPECT_THAT(r.failure, ::testing::ContainsRegex(
                             "wait for those of node [0-3], which come later than the buffer holds out, as the HBM2 "
                             "of node [0-3] \\(memory.hbm2\\) does not keep up the pace; a larger "
                             "switch.eager_buffer than 64B holds out longer"));
}

TEST(OptwebHosts, AccessesAfterTheProgramsAreNoted) {
  const auto notes = [](const std::string& at) {
    const OptwebOutcome r = good(kHead + kTransfer +
                                 "host:\n  - { node: 0, op: read, size: 320B, at: 1us }\n"
                                 "  - { node: 1, op: read, size: 320B, at: " +
                                 at + " }\n");
    EXPECT_LT(r.figure("run", "time"), 200'000);
    return r.report["notes"].get<std::vector<std::string>>();
  };
  EXPECT_EQ(notes("10us"), std::vector<std::string>{});
  // 50 cycles and nine words more.
  EXPECT_EQ(notes("500us"), std::vector<std::string>{"1 of 2 accesses of hosts were over after the programs, the last "
                                                     "one after 500295 ns; the time of the run is that of the "
                                                     "programs"});
}

// R#, W# and the host: a third each. 0 sends n words less than half of the rate would be, at two cycles each.
TEST(OptwebHosts, ThreeShareAnInterface) {
  const std::string program = kHead + "  - { op: sendrecv, between: [0, 1], size: 1MiB, receive: 64MiB }\n";
  const std::int64_t base = good(program).cycles(2, "latency");
  const OptwebOutcome r = good(program + host("node: 0, op: read, stripe: 1, size: 19200B, at: 40us"));
  EXPECT_EQ(took(r, 0, "opened"), 3 * 600);
  EXPECT_EQ(r.cycles(2, "latency"), base + 600);
}

// The memory holds what the host has written beside what the program has moved; every operation, own parts included.
TEST(OptwebHosts, DataAreRight) {
  for (const char* op : {"allgather", "alltoall", "broadcast", "allreduce", "gather"}) {
    const std::string yaml =
        "fabric: optweb\nnodes: 4\nverify: data\nprogram:\n  - { op: barrier }\n  - { op: " + std::string(op) +
        ", size: 256KiB }\n  - { op: " + op + ", size: 256KiB, send: 1MiB, receive: 300MiB }\n" +
        "host:\n  - { node: 1, op: write, stripe: 1, address: 20MiB, size: 3000B, at: 1us }\n"
        "  - { node: 1, op: write, stripe: 0, address: 280MiB, size: 20000B, at: 20us }\n"
        "  - { node: 2, op: read, stripe: 2, size: 20000B, at: 10us }\n"
        "  - { node: 3, op: write, stripe: 3, address: 30MiB, size: 9999B, at: 50us }\n"
        "  - { node: 3, op: read, stripe: 0, size: 512MiB, address: 511MiB, at: 200us }\n";
    const OptwebOutcome r = good(yaml);
    EXPECT_TRUE(r.report["figures"]["run"]["verified"]["value"].get<bool>()) << op;
    EXPECT_EQ(good(yaml, {"mode=timing", "verify=none"}).report["tables"], r.report["tables"]) << op;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      EXPECT_EQ(run_optweb_yaml(yaml, {}, [&](OptwebRunOptions& o) { o.shuffle_seed = seed; }).text, r.text) << op;
    }
    EXPECT_THAT(run_optweb_yaml(yaml, {"clocks.phase=random", "clocks.tolerance_ppm=1000"}).failure, IsEmpty()) << op;
  }
}

// An interrupt that comes while bytes are compared ends that; nothing is said to be verified.
TEST(OptwebHosts, InterruptsEndTheComparison) {
  const std::string yaml =
      "fabric: optweb\nnodes: 4\nprogram:\n  - { op: allreduce, size: 256KiB }\n  - { op: alltoall, size: 64KiB }\n"
      "host:\n  - { node: 1, op: write, stripe: 1, address: 20MiB, size: 1MiB, at: 1ms }\n";
  const auto run = [&](const char* verify, int after) {
    int asked = 0;
    return run_optweb_yaml(
        yaml, {std::string("verify=") + verify},
        [&](OptwebRunOptions& o) { o.interrupted = [&] { return ++asked > after; }; },
        [&] { return std::to_string(asked); });
  };
  constexpr int kNever = 1 << 30;
  const OptwebOutcome all = run("data", kNever);
  ASSERT_THAT(all.error + all.failure, IsEmpty());
  const int of_run = std::stoi(run("none", kNever).noted);
  const int of_all = std::stoi(all.noted);
  // 4 KiB of the host each, 16 KiB of the reduction on every node, each memory.
  ASSERT_GT(of_all, of_run + 256 + 4 * 16 + 4);
  for (const int after : {of_run, of_run + 1, of_run + 260, of_run + 300, of_all - 4, of_all - 1}) {
    const OptwebOutcome r = run("data", after);
    EXPECT_THAT(r.error + r.failure, IsEmpty());
    EXPECT_EQ(std::stoi(r.noted), after + 1);
    EXPECT_EQ(r.report["complete"], false);
    EXPECT_EQ(r.report["incomplete_because"], "interrupted before all bytes were compared");
    EXPECT_EQ(r.report["figures"]["run"]["verified"]["value"], false);
  }
}

TEST(OptwebHosts, WritesMayNotRaceWithTheProgram) {
  const std::string yaml = "fabric: optweb\nnodes: 2\nprogram:\n" + kTransfer + "host:\n  - { node: 0, op: write, ";
  EXPECT_THAT(
      run_optweb_yaml(yaml + "stripe: 1, address: 1MB, size: 1MiB }\n").error,
      HasSubstr(
          "t.yaml:6:5: error: host.0: writes 1048576 bytes from relative address 0xf4240 of stripe 1 "
          "on to the memory of node 0, where 'transfer' (t.yaml:4:5) sends or receives (1048576 bytes from relative "
          "address 0x0 of stripe 1 on)"));
  EXPECT_THAT(run_optweb_yaml(yaml + "stripe: 1, address: 1MiB, size: 1MiB }\n").error, IsEmpty());
}

}  // namespace
}  // namespace weft::test
