// The Verilated data path, alone and beside the model, against the register files of the oracle: arbitrary tables that
// change in the middle of trains. The same cases as for the model (integration/tdm/model_data_path_test.cpp), driven
// through the same interface.

#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/tdm_rtl.h"
#include "support/child.h"
#include "support/data_path_bench.h"

namespace weft::test {
namespace {

struct Size {
  std::size_t paths;
  PortId ports;
  std::uint32_t slots;
  int cases;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.paths << " paths of " << size.ports << " ports and " << size.slots << " slots";
}

template <class Path>
std::string run_cases(const Size& size, std::uint64_t first_seed) {
  const auto context = make_rtl_context();
  ClockDomain domain("clock", Duration{10'000});
  std::size_t words = 0;
  LockstepCounts counts;
  for (int i = 0; i < size.cases * soak(); ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    const BenchCase bench = random_bench_case(seed, size.paths, size.ports, size.slots);
    const auto make = [&](const BlockSite& site, DataPathClient& client) -> std::unique_ptr<DataPath> {
      auto core = make_tdm_switch_rtl(*context, site.ports, site.slots, site.path + ".data_path_rtl");
      if constexpr (std::is_same_v<Path, LockstepDataPath>) {
        return std::make_unique<Path>(site, client, std::move(core), counts.add_pair("data_path", *core));
      } else {
        return std::make_unique<Path>(site, client, std::move(core));
      }
    };
    const BenchWords wanted = run_bench_oracle(bench);
    words += wanted.size();
    std::string difference;
    try {
      difference = compare_bench(run_bench(bench, make, &domain, seed), wanted);
    } catch (const std::exception& e) {
      difference = e.what();
    }
    if (!difference.empty()) throw std::runtime_error(fmt::format("seed {}: {}", seed, difference));
  }
  if (words == 0) throw std::runtime_error("nothing was sent");
  return std::to_string(words);
}

class RtlDataPathBench : public ::testing::TestWithParam<Size> {};

TEST_P(RtlDataPathBench, RtlSendsWhatTheRegistersHold) {
  const ChildResult result = in_child([] { return run_cases<RtlDataPath>(GetParam(), 10'000); });
  EXPECT_TRUE(result.ok) << result.text;
}

TEST_P(RtlDataPathBench, LockstepAgreesAndSendsWhatTheRegistersHold) {
  const ChildResult result = in_child([] { return run_cases<LockstepDataPath>(GetParam(), 20'000); });
  EXPECT_TRUE(result.ok) << result.text;
}

// The last two need the large RTL: more than 8 ports, more than 64 slots.
INSTANTIATE_TEST_SUITE_P(Sizes, RtlDataPathBench,
                         ::testing::Values(Size{1, 5, 8, 25}, Size{2, 3, 4, 25}, Size{3, 8, 3, 10}, Size{1, 2, 64, 3},
                                           Size{1, 12, 5, 1}, Size{1, 3, 70, 1}),
                         [](const auto& sizes) {
                           return fmt::format("{}paths_{}x{}", sizes.param.paths, sizes.param.ports, sizes.param.slots);
                         });

}  // namespace
}  // namespace weft::test
