// Adapters on chosen links of OPTWEB networks: what they add to notifications and words, against sums of the table in
// docs/optweb.md and networks whose links are all longer.

#include <fmt/format.h>

#include "support/optweb_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

const std::string kFourNodes = "fabric: optweb\nnodes: 4\nmode: timing\n";

OptwebOutcome run_longer(const std::string& yaml, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_EQ(r.error + r.failure, "");
  return r;
}

std::string adapter_at(const std::string& place, int cycles) {
  return fmt::format("adapters=[{{ at: '{}', delay: {}cycles }}]", place, cycles);
}

// 138 cycles without one (OptwebTiming.TransfersHaveLatencyAndLoad).
TEST(OptwebAdapters, AnEagerTransferIsLaterByTheDelay) {
  const std::string one = kFourNodes + "program: [ { op: transfer, source: 0, destination: 1, size: 64B } ]\n";
  const auto latency = [&](const std::string& adapters) {
    return run_longer(one, {adapters}).report["tables"]["services"]["rows"][0]["latency_mean"].get<double>() / 5;
  };
  for (const int delay : {1, 7, 1000}) {
    EXPECT_EQ(latency(adapter_at("sw[0]-sw[1]", delay)), 138 + delay);
    EXPECT_EQ(latency(adapter_at("sw[1]-sw[0]", delay)), 138 + delay) << "either direction";
    EXPECT_EQ(latency(adapter_at("sw[1]", delay)), 138 + delay) << "all links of a node";
    EXPECT_EQ(latency(adapter_at("sw[2..3]", delay)), 138) << "other links";
  }
  EXPECT_EQ(latency("adapters=[{ at: 'sw[0]-sw[1]', delay: 3cycles }, { at: 'sw[0]', delay: 20ns }]"), 138 + 3 + 4);
}

// A barrier waits for the notification of every other node; a rendezvous crosses the link three times until the source
// knows that all has arrived: ready, words, received.
TEST(OptwebAdapters, ProgramsWaitForTheLongestLink) {
  const auto time = [](const std::string& program, const std::string& adapters) {
    return run_longer(kFourNodes + "program: [ " + program + " ]\n", {adapters}).figure("run", "time") / 5;
  };
  const std::string large = "{ op: transfer, source: 2, destination: 1, size: 64KiB }";
  for (const int delay : {1, 60}) {
    EXPECT_EQ(time("{ op: barrier }", adapter_at("sw[1]-sw[2]", delay)) - time("{ op: barrier }", "adapters=[]"),
              delay);
    EXPECT_EQ(time(large, adapter_at("sw[1]-sw[2]", delay)) - time(large, "adapters=[]"), 3 * delay);
    EXPECT_EQ(time(large, adapter_at("sw[1]-sw[3]", delay)), time(large, "adapters=[]"));
  }
}

// Longer links between all nodes, once by adapters and once by the fibre: a metre is a cycle of 5 ns.
TEST(OptwebAdapters, OnEveryLinkAreLongerLinks) {
  const std::string all =
      "fabric: optweb\nnodes: 4\nverify: data\nprogram:\n  - { op: barrier }\n  - { op: alltoall, size: 3KiB }\n"
      "  - { op: allreduce, size: 5KiB }\n  - { op: broadcast, root: 2, size: 40KiB }\n  - { op: gather, size: 64KiB "
      "}\n";
  for (const char* clocks : {"clocks.phase=aligned", "clocks.phase=random"}) {
    const OptwebOutcome adapters =
        run_longer(all, {clocks, "wiring.length=1", "adapters=[{ at: 'sw[0..3]', delay: 15cycles }]"});
    const OptwebOutcome longer = run_longer(all, {clocks, "wiring.length=16"});
    for (const char* table : {"services", "instructions", "links", "nodes"}) {
      EXPECT_EQ(adapters.report["tables"][table], longer.report["tables"][table]) << clocks << " " << table;
    }
    EXPECT_EQ(adapters.figure("network", "adapters"), 12);
    EXPECT_EQ(adapters.report["tables"]["adapters"]["rows"][0]["links"], 12);
    EXPECT_GT(adapters.figure("run", "time"), run_longer(all, {clocks}).figure("run", "time"));
  }
}

// Alone, a message arrives when zero_load_latency() says. Its instructions are posted over the longest link.
TEST(OptwebAdapters, MessagesComeWhenTheClosedFormSays) {
  const ScratchFolder folder;
  const std::string file = folder.write("t.csv", "time_ns,source,destination,level\n1000,2,1,a\n");
  const auto latency = [&](int bytes, const std::string& adapters) {
    const OptwebOutcome r = run_longer(
        fmt::format(
            "fabric: optweb\nnodes: 4\nverify: data\nqos: {{ levels: {{ a: {{ message: {}B }} }} }}\ntrace: {}\n"
            "run: {{ warm_up: 0ns, measure: 1ms, drain: 10ms }}\n",
            bytes, file),
        {adapters});
    EXPECT_EQ(r.figure("run", "delivered"), 1);
    return r.figure("run", "latency_mean") / 5;
  };
  for (const int bytes : {64, 40'000}) {
    const double alone = latency(bytes, "adapters=[]");
    const int crossings = bytes > 16384 ? 2 : 1;  // the receiver is ready; the words
    for (const int delay : {1, 33}) {
      EXPECT_EQ(latency(bytes, adapter_at("sw[1]-sw[2]", delay)), alone + delay * (1 + crossings)) << bytes;
      EXPECT_EQ(latency(bytes, adapter_at("sw[1]-sw[3]", delay)), alone + delay) << bytes;
    }
  }
}

// Two hops with adapters on one of them, clocks of their own, messages at random: every byte is that of its source.
TEST(OptwebAdapters, DataAreRight) {
  const std::string dragonfly =
      "fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\nverify: data\nclocks: { phase: random }\n"
      "adapters: [ { at: 'sw[0]-sw[4]', delay: 31cycles }, { at: 'sw[5]', delay: 170ns }, "
      "{ at: 'sw[9].port1', delay: 2cycles } ]\n";
  const OptwebOutcome traffic = run_longer(dragonfly +
                                           "qos: { levels: { short: { message: 64B }, long: { message: 40KiB } } }\n"
                                           "traffic: [ { level: short, load: 0.002 }, { level: long, load: 0.01 } ]\n"
                                           "run: { warm_up: 0ns, measure: 1ms, drain: 2ms }\n");
  EXPECT_GT(traffic.figure("run", "verified_bytes"), 500'000);
  run_longer(dragonfly +
             "program: [ { op: alltoall, size: 3KiB }, { op: barrier }, { op: allgather, size: 20KiB } ]\n");
}

// Words of a reduction wait in 16 KiB for those of the longest link, which come two delays later: the receiver is
// ready; the words. That holds out for 512 words, 582 cycles.
TEST(OptwebAdapters, AReductionWaitsAsLongAsItsBuffersHoldOut) {
  const std::string reduce = "fabric: optweb\nnodes: 4\nmode: timing\nprogram: [ { op: reduce, size: 64KiB } ]\n";
  EXPECT_EQ(run_optweb_yaml(reduce, {adapter_at("sw[0]-sw[1]", 200)}).failure, "");
  EXPECT_THAT(run_optweb_yaml(reduce, {adapter_at("sw[0]-sw[1]", 400)}).failure,
              HasSubstr("wait for those of node 1, which come later than the buffer holds out; a larger "
                        "switch.eager_buffer than 16KiB holds out longer"));
}

TEST(OptwebAdapters, PlacesAreLinksOfTheNetwork) {
  const auto error = [](const std::string& place, const std::string& more = {}) {
    return run_optweb_yaml(kFourNodes + more + "program: [ { op: barrier } ]\n", {adapter_at(place, 1)}).error;
  };
  EXPECT_EQ(error("sw[0]-sw[3]"), "");
  EXPECT_THAT(error("sw[0]-sw[4]"), HasSubstr("adapters.0.at: "));
  EXPECT_THAT(error("sw[4]"), HasSubstr("adapters.0.at: there is no sw[4], the last is sw[3]"));
  EXPECT_THAT(error("nic[1]"), HasSubstr("adapters.0.at: the nodes of this network have no NICs"));
  EXPECT_THAT(error("sw[1].port0"), HasSubstr("adapters.0.at: there is no link to another node"));
  EXPECT_THAT(error("node[1]"), HasSubstr("adapters.0.at: "));
}

}  // namespace
}  // namespace weft::test
