// Model and RTL of FiC switches side by side in random networks and under random trains, with words of random bits and
// in sizes that are no powers of two; what was compared is printed for scripts/soak. Resets while a block runs are the
// pin-level benches' (tb/tdm): in a network a block is reset once.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "Vslot_lut_odd.h"
#include "Vtdm_switch_odd.h"
#include "base/diagnostics.h"
#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/tdm_rtl.h"
#include "cosim/tdm/verilated_slot_lut.h"
#include "cosim/tdm/verilated_tdm_switch.h"
#include "support/child.h"
#include "support/data_path_bench.h"
#include "support/faulty_blocks.h"
#include "support/mixed_words.h"
#include "support/random_network.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

constexpr PortId kOddPorts = 11;
constexpr std::uint32_t kOddSlots = 37;

// The odd size where it is large enough.
std::unique_ptr<TdmSwitchRtl> make_switch(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                          const std::string& name) {
  if (ports > kOddPorts || slots > kOddSlots) return make_tdm_switch_rtl(context, ports, slots, name);
  return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_odd, kOddPorts, kOddSlots>>(context, name);
}

std::unique_ptr<SlotLutRtl> make_lut(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                     const std::string& name) {
  if (ports > kOddPorts || slots > kOddSlots) return make_slot_lut_rtl(context, ports, slots, name);
  return std::make_unique<VerilatedSlotLut<Vslot_lut_odd, 2 * kOddPorts, kOddSlots>>(context, name);
}

// Read by scripts/soak.
void print_compared(std::uint64_t cycles, std::uint64_t requests) {
  std::cout << fmt::format("compared: {} cycles, {} requests\n", cycles, requests);
}

TEST(LockstepSoak, RandomNetworks) {
  std::uint64_t cycles = 0;
  std::uint64_t requests = 0;
  for (int i = 0; i < 10 * soak(); ++i) {
    const auto seed = static_cast<std::uint64_t>(170'000 + i);
    const std::string yaml = random_network(seed, {3, false});
    const Outcome model = run_yaml(yaml);
    ASSERT_EQ(model.error + model.failure, "") << yaml;
    TdmRtlBlocks blocks = with_switch([seed](VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                             const std::string& name) -> std::unique_ptr<TdmSwitchRtl> {
      return std::make_unique<MixedWords>(make_switch(context, ports, slots, name), seed << 20);
    });
    blocks.slot_lut.builtin.make = make_lut;
    const Outcome both = run_yaml(
        yaml, {"switch.data_path.implementation=lockstep", "switch.slot_lut.implementation=lockstep"}, {}, blocks);
    ASSERT_EQ(both.error + both.failure, "") << yaml;
    ASSERT_TRUE(both.neutral_report() == model.neutral_report()) << yaml;
    cycles += both.figure("lockstep", "cycles_compared").get<std::uint64_t>();
    requests += both.figure("lockstep", "requests_compared").get<std::uint64_t>();
  }
  print_compared(cycles, requests);
  EXPECT_GT(cycles, 1000U);
  EXPECT_GT(requests, 100U);
}

// One to three data paths under random trains, with gaps in which nothing arrives.
TEST(LockstepSoak, RandomTrains) {
  const ChildResult child = in_child([] {
    const auto context = make_rtl_context();
    ClockDomain domain("clock", Duration{10'000});
    SeenBits seen;
    LockstepCounts counts;
    for (std::uint64_t seed = 0; seed < 60 * static_cast<std::uint64_t>(soak()); ++seed) {
      const PortId ports = 1 + seed % kOddPorts;
      const auto slots = static_cast<std::uint32_t>(2 + (seed * 7) % (kOddSlots - 1));
      const BenchCase bench = random_bench_case(300'000 + seed, 1 + seed % 3, ports, slots);
      const auto make = [&](const BlockSite& site, DataPathClient& client) -> std::unique_ptr<DataPath> {
        auto core = std::make_unique<MixedWords>(make_switch(*context, site.ports, site.slots, site.path), seed, &seen);
        return std::make_unique<LockstepDataPath>(site, client, std::move(core), counts.add_pair("data_path", *core));
      };
      const std::string difference = compare_bench(run_bench(bench, make, &domain, seed), run_bench_oracle(bench));
      if (!difference.empty()) throw std::runtime_error(fmt::format("seed {}: {}", seed, difference));
    }
    if (~(seen.zeros & seen.ones) != 0) throw std::runtime_error("some bits of the words have never changed");
    return std::to_string(counts.by_block().at("data_path").cycles);
  });
  ASSERT_TRUE(child.ok) << child.text;
  print_compared(std::stoull(child.text), 0);
  EXPECT_GT(std::stoull(child.text), 1000U);
}

// The bench above can fail: a switch in which one of the upper bits of the words on one input is always 1.
class StuckBit final : public SwitchAround {
 public:
  using SwitchAround::SwitchAround;
  void set_input(PortId in, const TdmInput& input) override {
    TdmInput turned = input;
    if (in == 1) turned.word |= std::uint64_t{1} << 61;
    core().set_input(in, turned);
  }
};

TEST(LockstepSoak, SeesAnUpperBitThatSticks) {
  const ChildResult child = in_child([] {
    const auto context = make_rtl_context();
    ClockDomain domain("clock", Duration{10'000});
    LockstepCounts counts;
    int caught = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const BenchCase bench = random_bench_case(310'000 + seed, 1, 5, 9);
      const auto make = [&](const BlockSite& site, DataPathClient& client) -> std::unique_ptr<DataPath> {
        auto stuck = std::make_unique<StuckBit>(make_switch(*context, site.ports, site.slots, site.path));
        auto core = std::make_unique<MixedWords>(std::move(stuck), seed);
        return std::make_unique<LockstepDataPath>(site, client, std::move(core), counts.add_pair("data_path", *core));
      };
      try {
        run_bench(bench, make, &domain, seed);
      } catch (const RunError& e) {
        caught += std::string(e.what()).find("lockstep difference") != std::string::npos ? 1 : 0;
      }
    }
    return std::to_string(caught);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_GE(std::stoi(child.text), 9);
}

}  // namespace
}  // namespace weft::test
