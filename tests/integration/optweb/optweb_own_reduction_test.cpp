// A design's own reduction unit in the place of that of an OPTWEB node: it sees the words of all streams, makes another
// type of them, and takes its own time.

#include <algorithm>
#include <cstring>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/optweb_network.h"
#include "fabrics/optweb/receiving_side.h"
#include "integration/optweb/own_boxes_of_tests.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_memories.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kOwnStripe = 2 * 64 * 1024;
constexpr Cycle kOwnStages = 3;  // of each level, beyond those of Weft's unit

/// Largest of int16 elements, two of which are in four bytes. Counts the words it has seen.
class LargestInt16 final : public ReductionUnit {
 public:
  LargestInt16(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint64_t& bytes)
      : ReductionUnit(name, parameters), bytes_(bytes) {}
  Cycle passed(Cycle at, std::size_t streams) const override {
    return ReductionUnit::passed(at, streams) + static_cast<Cycle>(optweb::tree_levels(streams)) * kOwnStages;
  }
  void combine(const ReducedWords& w) override {
    bytes_ += w.bytes * w.streams.size();
    optweb::reduce(larger_int16, w.streams, w.memory, w.address, w.bytes, w.stop);
  }

 private:
  std::uint64_t& bytes_;
};

struct LargestInt16Units final : OptwebModules {
  std::uint64_t bytes = 0;
  std::unique_ptr<ReductionUnitIf> reduction(const Site& site) override {
    return std::make_unique<LargestInt16>(site.name, site.parameters, bytes);
  }
};

/// Runs an allreduce of four nodes; the boundary of the last completion, and what is wrong.
std::pair<Cycle, std::string> reduce_int16(OptwebModules* modules, const std::uint64_t* bytes) {
  constexpr std::uint64_t kBytes = 9000;  // more than a word and less than a page, and no power of two
  Diagnostics diagnostics;
  const OptwebConfig config = parse_optweb_config(
      fmt::format("fabric: optweb\nnodes: 4\nseed: 7\nmemory: {{ interfaces: 8, capacity: 512KiB }}\nprogram:\n"
                  "  - {{ op: allreduce, size: {}B, send: 0B, receive: 64KiB }}\n",
                  kBytes),
      "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks, modules);
  std::vector<std::vector<std::int16_t>> data;
  for (NodeId n = 0; n < 4; ++n) {
    const Bytes memory = whole(network.node(n).memory().bytes());
    data.emplace_back(kBytes / 2);
    std::memcpy(data.back().data(), memory.data() + n * kOwnStripe, kBytes);
  }
  network.load_programs();
  sc_core::sc_start();
  network.check_conservation();
  const Cycle end = network.node(0).last_completed();
  for (NodeId n = 0; n < 4; ++n) {
    const Bytes memory = whole(network.node(n).memory().bytes());
    std::vector<std::int16_t> got(kBytes / 2);
    std::memcpy(got.data(), memory.data() + n * kOwnStripe + 64 * 1024, kBytes);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != std::max({data[0][i], data[1][i], data[2][i], data[3][i]})) {
        return {end, fmt::format("element {} of node {} is not the largest", i, n)};
      }
    }
  }
  if (bytes != nullptr && *bytes != 4 * 4 * kBytes) return {end, fmt::format("{} bytes were seen", *bytes)};
  return {end, ""};
}

// Its words are those of all nodes, its result is in all memories, and its stages are in the time: two levels. Weft's
// own unit makes int32 sums of the same bytes.
TEST(OptwebOwnReduction, SeesTheWordsAndTakesItsTime) {
  const auto run = [](bool own) {
    return in_child([own]() -> std::string {
      LargestInt16Units units;
      const auto [end, wrong] = reduce_int16(own ? &units : nullptr, own ? &units.bytes : nullptr);
      return fmt::format("{} {}", end, wrong);
    });
  };
  const ChildResult own = run(true);
  const ChildResult weft = run(false);
  ASSERT_TRUE(own.ok && weft.ok) << own.text << weft.text;
  const Cycle own_end = std::stoll(own.text);
  EXPECT_EQ(own.text, fmt::format("{} ", own_end));
  EXPECT_NE(weft.text.find("is not the largest"), std::string::npos) << weft.text;
  EXPECT_EQ(own_end - std::stoll(weft.text), 2 * kOwnStages);
}

}  // namespace
}  // namespace weft::test
