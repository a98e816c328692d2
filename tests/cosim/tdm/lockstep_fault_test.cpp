// Lockstep catches faults of the RTL in the cycle they first show. The faulty copies are made by tests/CMakeLists.txt;
// when each fault shows first is worked out from the oracle.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vslot_lut_leaky.h"
#include "Vtdm_switch_late.h"
#include "Vtdm_switch_silent.h"
#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/verilated_slot_lut.h"
#include "cosim/tdm/verilated_tdm_switch.h"
#include "run/tdm/tdm_family.h"
#include "support/child.h"
#include "support/data_path_bench.h"
#include "support/faulty_blocks.h"
#include "support/oracle_check.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

template <class V>
std::unique_ptr<TdmSwitchRtl> faulty_switch(VerilatedContext& context, std::uint32_t, std::uint32_t,
                                            const std::string& name) {
  return std::make_unique<VerilatedTdmSwitch<V, 8, 64>>(context, name);
}

constexpr const char* kMesh = R"(
fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
switch: { slots: 8, serdes: 5cycles, instances: { 'sw[5]': { data_path: { implementation: lockstep } } } }
circuits:
  - { flow: through, source: 7, destination: 4, slots: 4 }   # leaves sw[5] by port 2 in slots 0 to 3
  - { flow: other, source: 0, destinations: [5, 15] }
sources: { arrivals: poisson, interval: 2us, message: 250B }
run: { measure: 20us }
)";

// First word that the oracle sends on the output and in the slot that the faulty RTL leaves silent.
oracle::Sent first_silenced(const std::string& yaml, SwitchId only) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const TdmConfig config = parse_tdm_config(yaml, "test.yaml", ".", {"switch.instances={}"}, diagnostics);
    const TdmPlatform platform(config);
    WordRecorder recorder(config.tdm_switch.slots);
    TdmRunOptions options;
    options.observers.push_back(&recorder);
    const TdmRunResult result = run_tdm(platform, options);
    for (const oracle::Sent& s : oracle_for(platform, recorder, result.cycles).sent) {
      if ((only == kNoId || s.sw == only) && s.port == 2 && s.cycle % config.tdm_switch.slots == 3) {
        return fmt::format("{} {} {} {}", s.cycle, s.sw, s.word.message, s.word.index);
      }
    }
    throw std::runtime_error("the fault never shows");
  });
  if (!child.ok) throw std::runtime_error(child.text);
  oracle::Sent s;
  std::istringstream(child.text) >> s.cycle >> s.sw >> s.word.message >> s.word.index;
  return s;
}

TEST(LockstepFault, SilentOutputIsCaughtInTheCycleItShows) {
  const oracle::Sent first = first_silenced(kMesh, 5);
  const Outcome run = run_yaml(kMesh, {}, {}, with_switch(faulty_switch<Vtdm_switch_silent>));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.sw[5].data_path at "));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {}, slot 3)", first.cycle)));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("out[2]: model sends word {} of message {} of circuit 0 (7 -> 4)",
                                                 first.word.index, first.word.message)));
  EXPECT_THAT(run.failure, HasSubstr("out[2]: rtl sends idle"));
  EXPECT_THAT(run.failure, HasSubstr("table entry: in[1] slot 3"));
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.json()["complete"], false);
  EXPECT_THAT(std::string(run.json()["incomplete_because"]), HasSubstr("lockstep difference"));
  EXPECT_EQ(run.cycles, first.cycle);
}

TEST(LockstepFault, SameFaultWithoutLockstepLosesWords) {
  const Outcome run = run_yaml(kMesh, {"switch.instances.sw[5].data_path.implementation=rtl"}, {},
                               with_switch(faulty_switch<Vtdm_switch_silent>));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("have not arrived"));
  EXPECT_THAT(run.failure, HasSubstr("of circuit 0 (7 -> 4)"));
  EXPECT_FALSE(run.complete);
}

TEST(LockstepFault, FirstOfAllSwitchesIsNamed) {
  const std::string yaml = kMesh;
  const oracle::Sent first = first_silenced(yaml, kNoId);
  const Outcome run = run_yaml(yaml, {"switch.instances={}", "switch.data_path.implementation=lockstep"}, {},
                               with_switch(faulty_switch<Vtdm_switch_silent>));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("tdm.sw[{}].data_path", first.sw)));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {}, slot 3)", first.cycle)));
}

// Tables exchanged one slot late: seen by single data paths with words under way, in the first slot 0 of a new table in
// which the old table would send something else.
TEST(LockstepFault, LateTableChangeIsCaughtInTheCycleItShows) {
  const ChildResult child = in_child([] {
    const auto context = make_rtl_context();
    ClockDomain domain("clock", Duration{10'000});
    LockstepCounts counts;
    int caught = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      BenchCase bench = random_bench_case(seed, 1, 4, 6);
      for (auto& link : bench.links[0]) link.reset();
      BenchCase late = bench;
      for (BenchChange& c : late.changes) ++c.boundary;
      const BenchWords right = run_bench_oracle(bench);
      const BenchWords wrong = run_bench_oracle(late);
      const auto [a, b] = std::mismatch(right.begin(), right.end(), wrong.begin(), wrong.end());
      if (a == right.end() && b == wrong.end()) continue;
      Cycle first = bench.horizon;
      if (a != right.end()) first = std::min(first, std::get<0>(a->first));
      if (b != wrong.end()) first = std::min(first, std::get<0>(b->first));
      std::string failure = "none";
      try {
        run_bench(
            bench,
            [&](const BlockSite& site, DataPathClient& client) -> std::unique_ptr<DataPath> {
              auto core = faulty_switch<Vtdm_switch_late>(*context, site.ports, site.slots, site.path);
              return std::make_unique<LockstepDataPath>(site, client, std::move(core),
                                                        counts.add_pair("data_path", *core));
            },
            &domain, seed);
      } catch (const RunError& e) {
        failure = e.what();
      }
      if (failure.find(fmt::format("path[0].data_path at {} (cycle {}, slot 0)", to_string(Duration{first * 10'000}),
                                   first)) == std::string::npos) {
        throw std::runtime_error(fmt::format("seed {}: cycle {} expected, got: {}", seed, first, failure));
      }
      ++caught;
    }
    return std::to_string(caught);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_GT(std::stoi(child.text), 10);
}

// Released slots do not become free again: the first query of the second phase, after its three releases, sees it.
TEST(LockstepFault, LeakySlotLutIsCaughtByTheRequestThatShowsIt) {
  constexpr const char* kPair = R"(
fabric: tdm
topology: { kind: mesh, dims: [2] }
switch: { slots: 8, slot_lut: { implementation: lockstep } }
setup: { mode: central, processing: 7cycles }
phases:
  - { name: one, circuits: [ { source: 0, destination: 1 } ], sources: { messages: 3 } }
  - { name: two, circuits: [ { source: 0, destination: 1 } ], sources: { messages: 3 } }
)";
  const Outcome good = run_yaml(kPair);
  ASSERT_EQ(good.error + good.failure, "");
  const double data_end_ns = good.table("phases")[0]["data_end"];
  const Cycle query = static_cast<Cycle>(data_end_ns) / 10 + 1 + 3 * 7;  // releases: injection, link, ejection
  const Outcome run =
      run_yaml(kPair, {}, {},
               with_slot_lut([](VerilatedContext& context, std::uint32_t, std::uint32_t, const std::string& name) {
                 return std::make_unique<VerilatedSlotLut<Vslot_lut_leaky, 16, 64>>(context, name);
               }));
  ASSERT_EQ(run.error, "");
  EXPECT_THAT(run.failure, HasSubstr("lockstep difference in tdm.sw[0].slot_lut at "));
  EXPECT_THAT(run.failure, HasSubstr(fmt::format("(cycle {}, slot {})", query, query % 8)));
  EXPECT_THAT(run.failure, HasSubstr("request: query row 3 slots {0 1 2 3 4 5 6 7}"));
  EXPECT_THAT(run.failure, HasSubstr("model answers ok=1 free={0 1 2 3 4 5 6 7} first=0"));
  EXPECT_THAT(run.failure, HasSubstr("rtl answers ok=1 free={1 2 3 4 5 6 7} first=1"));
  EXPECT_FALSE(run.complete);
}

}  // namespace
}  // namespace weft::test
