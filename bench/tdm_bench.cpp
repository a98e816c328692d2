// Benchmarks of simulating FiC networks. Every figure is what one process on one core needs; times are those of
// sc_start() unless the name says elaboration.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <systemc>

#include "fabrics/tdm/observe/circuit_stats.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/tdm_network.h"
#include "fabrics/tdm/traffic/stream_supply.h"
#include "forked.h"
#include "run/tdm/tdm_family.h"
#include "run/tdm/tdm_waves.h"

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

enum class View { none, waves, slot_trace };

// Counts hops of trains, one per message on circuits with one slot.
class HopCounter final : public TdmObserver {
 public:
  bool wants_hops() const override { return true; }
  void on_hop(SwitchId, PortId, const Train&) override { ++hops; }
  std::uint64_t hops = 0;
};

Sample simulate(const std::string& yaml, View view) {
  Diagnostics diagnostics;
  const TdmConfig config = parse_tdm_config(yaml, "bench", ".", {}, diagnostics);
  const TdmPlatform platform(config);
  TdmBlocks blocks(config, builtin_blocks<TdmRtlBlocks>());
  StreamSupply supply(config, platform.phases());
  Sample sample;
  const auto elaborate = Clock::now();
  ClockDomain domain("clock", config.tdm_switch.period);
  TdmNetwork network("tdm", domain, config, platform.graph(), platform.phases(), blocks, supply);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration ends here; cycle 0 is served as well
  sample.elaborate_s = seconds_since(elaborate);

  CircuitStats circuits(config, platform.phases(), {supply.words(), supply.words()});
  TdmLinkStats links(platform.graph(), platform.phases(), config.tdm_switch.slots);
  HopCounter hops;
  network.add_observer(supply);
  network.add_observer(circuits);
  network.add_observer(links);
  network.add_observer(hops);
  const std::string scratch = (std::filesystem::temp_directory_path() / "weft-bench").string();
  std::unique_ptr<TdmWaves> waves;
  std::unique_ptr<SlotTrace> trace;
  if (view == View::waves)
    waves = std::make_unique<TdmWaves>(scratch + ".fst", platform, Part{}, network, blocks, supply.words().front());
  if (view == View::slot_trace) trace = std::make_unique<SlotTrace>(scratch + ".csv", platform, network);

  const auto run = Clock::now();
  sc_core::sc_start();
  if (waves) waves->close(network.domain().now());
  if (trace) trace->close();
  sample.run_s = seconds_since(run);
  if (!network.controller().finished()) throw RunError("the run did not get to its end");
  sample.word_hops = links.word_hops();
  sample.message_hops = hops.hops;
  sample.switch_cycles = static_cast<std::uint64_t>(network.domain().now()) * platform.graph().switches();
  for (const char* name : {".fst", ".gtkw", ".csv"}) std::filesystem::remove(scratch + name);
  return sample;
}

void measure(benchmark::State& state, const std::string& yaml, View view = View::none, bool elaboration = false) {
  Sample s;
  for (auto _ : state) {
    s = in_child([&] { return simulate(yaml, view); });
    state.SetIterationTime(elaboration ? s.elaborate_s : s.run_s);
  }
  if (elaboration) {
    state.counters["peak_MiB"] = static_cast<double>(s.peak_bytes) / 1048576.0;
    return;
  }
  const auto per_iteration_rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["word_hops/s"] = benchmark::Counter(static_cast<double>(s.word_hops), per_iteration_rate);
  state.counters["ns_per_message_hop"] =
      benchmark::Counter(static_cast<double>(s.message_hops) * 1e-9, per_iteration_rate | benchmark::Counter::kInvert);
  state.counters["switch_cycles/s"] = benchmark::Counter(static_cast<double>(s.switch_cycles), per_iteration_rate);
  state.counters["peak_MiB"] = static_cast<double>(s.peak_bytes) / 1048576.0;
}

std::string tornado(int side, int words, const std::string& more) {
  return fmt::format(
      "fabric: tdm\ntopology: {{ kind: mesh, dims: [{0}, {0}] }}\nswitch: {{ slots: 32, lane_payload: 2b }}\n"
      "slots: {{ allocator: search }}\nsetup: {{ mode: preset }}\npattern: tornado\n"
      "sources: {{ arrivals: saturated, message: {1}B{2} }}\n",
      side, words, more);  // words of 8 bits: the message size in bytes is its length in words
}

void BM_MessageLevel_Mesh64(benchmark::State& state) {
  measure(state, tornado(64, static_cast<int>(state.range(0)), ", messages: 8"));
}
BENCHMARK(BM_MessageLevel_Mesh64)->ArgName("words")->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->UseManualTime();

// The same 64 circuits in a corner of networks of growing size: idle switches must cost nothing.
void BM_IdleSwitches(benchmark::State& state) {
  const auto side = static_cast<int>(state.range(0));
  std::string circuits = "circuits:\n";
  for (int i = 0; i < 64; ++i) {
    const int source = i % 8 + side * (i / 8);
    const int destination = (i + 3) % 8 + side * ((i / 8 + 5) % 8);
    circuits += fmt::format("  - {{ source: {}, destination: {} }}\n", source, destination);
  }
  measure(state, fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [{0}, {0}] }}\nswitch: {{ slots: 32 }}\n"
                             "setup: {{ mode: preset }}\n{1}sources: {{ arrivals: saturated, messages: 5000 }}\n",
                             side, circuits));
}
BENCHMARK(BM_IdleSwitches)->ArgName("side")->Arg(8)->Arg(16)->Arg(32)->Arg(64)->UseManualTime();

void BM_Elaborate(benchmark::State& state) {
  measure(state, tornado(static_cast<int>(state.range(0)), 100, ", messages: 1"), View::none, true);
}
BENCHMARK(BM_Elaborate)->ArgName("side")->Arg(16)->Arg(64)->UseManualTime();

void BM_WordLevel_Waves(benchmark::State& state) { measure(state, tornado(16, 500, ", messages: 8"), View::waves); }
BENCHMARK(BM_WordLevel_Waves)->UseManualTime();

void BM_WordLevel_SlotTrace(benchmark::State& state) {
  measure(state, tornado(16, 500, ", messages: 40"), View::slot_trace);
}
BENCHMARK(BM_WordLevel_SlotTrace)->UseManualTime();

void implementation(benchmark::State& state, const std::string& which) {
  measure(state, fmt::format("fabric: tdm\ntopology: {{ kind: mesh, dims: [4, 4] }}\n"
                             "switch: {{ slots: 8, slot_lut: {{ implementation: {0} }}, "
                             "data_path: {{ implementation: {0} }} }}\n"
                             "setup: {{ mode: preset }}\npattern: tornado\n"
                             "sources: {{ arrivals: saturated, messages: 100 }}\n",
                             which));
}
void BM_Mesh4x4_Model(benchmark::State& state) { implementation(state, "model"); }
void BM_Mesh4x4_Rtl(benchmark::State& state) { implementation(state, "rtl"); }
void BM_Mesh4x4_Lockstep(benchmark::State& state) { implementation(state, "lockstep"); }
BENCHMARK(BM_Mesh4x4_Model)->UseManualTime();
BENCHMARK(BM_Mesh4x4_Rtl)->UseManualTime();
BENCHMARK(BM_Mesh4x4_Lockstep)->UseManualTime();

}  // namespace
}  // namespace weft::bench
