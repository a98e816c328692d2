// The model's data path, alone and in rings and tangles of a few, against the register files of the oracle: arbitrary
// tables, tables that change in the middle of trains, trains that are cut from outside.

#include "fabrics/tdm/model_data_path.h"
#include "support/child.h"
#include "support/data_path_bench.h"

namespace weft::test {
namespace {

std::unique_ptr<DataPath> make_model(const BlockSite& site, DataPathClient& client) {
  return std::make_unique<ModelDataPath>(client, site.ports, site.slots);
}

class ModelDataPathBench : public ::testing::TestWithParam<int> {};

TEST_P(ModelDataPathBench, SendsWhatTheRegistersHold) {
  const auto paths = static_cast<std::size_t>(GetParam());
  std::size_t words = 0;
  std::size_t changes = 0;
  const int cases = 250 * soak();
  for (int i = 0; i < cases; ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 1'000'000 + i);
    RandomStream random(seed, "size");
    const auto ports = static_cast<PortId>(2 + random.below(4));
    const auto slots = static_cast<std::uint32_t>(2 + random.below(8));
    const BenchCase bench = random_bench_case(seed, paths, ports, slots);
    const BenchWords wanted = run_bench_oracle(bench);
    BenchWords sent;
    ASSERT_NO_THROW(sent = run_bench(bench, make_model, nullptr, seed)) << "seed " << seed;
    ASSERT_EQ(compare_bench(sent, wanted), "") << "seed " << seed << ", " << ports << " ports, " << slots << " slots";
    words += wanted.size();
    changes += bench.changes.size();
  }
  EXPECT_GT(words, static_cast<std::size_t>(cases) * 200);
  EXPECT_GT(changes, static_cast<std::size_t>(cases) * 5);
}

INSTANTIATE_TEST_SUITE_P(Paths, ModelDataPathBench, ::testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace weft::test
