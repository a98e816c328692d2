// The same configuration and seed give the same bytes, whatever the order in which modules are served.

#include "support/child.h"
#include "support/random_network.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

constexpr const char* kRandom = R"(
fabric: tdm
topology: { kind: torus, dims: [4, 4] }
switch: { slots: 24, serdes: 4cycles }
slots: { allocator: search }
observe: { slot_trace: true }
pattern: uniform
sources: { arrivals: poisson, interval: 4us, message: 300B }
run: { warm_up: 5us, measure: 40us }
)";

TEST(Repeat, SameSeedSameBytes) {
  const Outcome a = run_yaml(kRandom, {"seed=7"});
  const Outcome b = run_yaml(kRandom, {"seed=7"});
  ASSERT_EQ(a.error + a.failure, "");
  EXPECT_TRUE(a.report == b.report);
  EXPECT_TRUE(a.slot_trace == b.slot_trace);
}

TEST(Repeat, AnotherSeedAnotherRun) {
  const Outcome a = run_yaml(kRandom, {"seed=7"});
  const Outcome b = run_yaml(kRandom, {"seed=8"});
  ASSERT_EQ(a.error + a.failure + b.error + b.failure, "");
  EXPECT_NE(a.table("circuits"), b.table("circuits"));
}

// A further flow leaves the random messages of the others as they are.
TEST(Repeat, StreamsOfCircuitsAreTheirOwn) {
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [4] }\nobserve: { slot_trace: true }\n"
      "sources: { arrivals: poisson, interval: 3us, message: 100B }\n"
      "circuits:\n  - { flow: a, source: 0, destination: 1 }\n";
  const Outcome few = run_yaml(yaml, {"setup.mode=preset"});
  const Outcome more = run_yaml(yaml + "  - { flow: b, source: 3, destination: 2 }\n", {"setup.mode=preset"});
  ASSERT_EQ(few.error + few.failure + more.error + more.failure, "");
  EXPECT_EQ(few.table("circuits")[0], more.table("circuits")[0]);
}

TEST(Repeat, OrderOfModulesDoesNotMatter) {
  const Outcome straight = run_yaml(kRandom);
  ASSERT_EQ(straight.error + straight.failure, "");
  for (const std::uint64_t order : {1, 2, 3}) {
    const Outcome shuffled = run_yaml(kRandom, {}, [&](TdmRunOptions& o) { o.shuffle_seed = order; });
    ASSERT_EQ(shuffled.error + shuffled.failure, "");
    EXPECT_TRUE(shuffled.report == straight.report) << order;
    EXPECT_TRUE(shuffled.slot_trace == straight.slot_trace) << order;
  }
  for (int i = 0; i < 12 * soak(); ++i) {
    const std::string yaml = random_network(static_cast<std::uint64_t>(70'000 + i));
    const Outcome a = run_yaml(yaml, {"observe.slot_trace=true"});
    const Outcome b = run_yaml(yaml, {"observe.slot_trace=true"}, [](TdmRunOptions& o) { o.shuffle_seed = 5; });
    ASSERT_EQ(a.error + a.failure + b.error + b.failure, "") << yaml;
    ASSERT_TRUE(a.report == b.report && a.slot_trace == b.slot_trace) << yaml;
  }
}

}  // namespace
}  // namespace weft::test
