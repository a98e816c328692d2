// The message-level network against the slot-by-slot oracle: every word on every link in the same cycle.

#include "base/random.h"
#include "support/child.h"
#include "support/oracle_check.h"
#include "support/random_network.h"

namespace weft::test {
namespace {

class OracleTest : public ::testing::TestWithParam<int> {};

TEST_P(OracleTest, EveryWordInTheSameCycle) {
  const int cases = 40 * soak();
  std::size_t words = 0;
  for (int i = 0; i < cases; ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam()) * 1'000'000 + static_cast<std::uint64_t>(i);
    const std::string yaml = random_network(seed);
    const ChildResult result = in_child([&] {
      std::size_t compared = 0;
      TdmRunOptions options;
      if (seed % 2 == 1) options.shuffle_seed = seed;
      const std::string difference = differs_from_oracle(yaml, options, compared);
      if (!difference.empty()) throw std::runtime_error(difference);
      return std::to_string(compared);
    });
    ASSERT_TRUE(result.ok) << "seed " << seed << ": " << result.text << "\n" << yaml;
    words += std::stoul(result.text);
  }
  EXPECT_GT(words, static_cast<std::size_t>(cases) * 100) << "the cases have hardly any traffic";
}

INSTANTIATE_TEST_SUITE_P(Shard, OracleTest, ::testing::Range(0, 4));

// One word, written out by hand from the paper's rules: S = 4, two switches, latency 2, slot 1 on every hop. In the
// register of sw[0] in cycle 1, sent in cycle 5, written at sw[1] in cycle 7, sent in cycle 9, at the host in cycle 10.
TEST(Oracle, OneWordByHand) {
  Graph graph("pair");
  graph.add_switch(2);
  graph.add_switch(2);
  graph.connect({0, 1}, {1, 1});
  graph.attach_node({0, 0});
  graph.attach_node({1, 0});
  oracle::Network network{&graph, 4, 1, 1, {{0, {SlotTable(2, 4), SlotTable(2, 4)}}}};
  network.tables[0].tables[0].at(1, 1) = {0, 1};
  network.tables[0].tables[1].at(0, 1) = {1, 1};
  const oracle::Result result = oracle::simulate(network, {{7, 0, {1}, 0, {{0, 1}}}}, 40);
  const std::vector<oracle::Sent> sent{{5, 0, 1, {7, 0, 0}}, {9, 1, 0, {7, 0, 0}}};
  EXPECT_EQ(result.sent, sent);
  const std::vector<oracle::Received> received{{10, 1, {7, 0, 0}}};
  EXPECT_EQ(result.received, received);
}

}  // namespace
}  // namespace weft::test
