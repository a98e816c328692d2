// Benchmarks of simulating packet networks. Every figure is what one process on one core needs, statistics and order
// checks included; times are those from the first message to the report. Building is measured apart.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "forked.h"
#include "run/packet/packet_family.h"
#include "run/packet/packet_plan.h"
#include "schema/document.h"

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

// When the first message is generated.
class Beginning final : public PacketObserver {
 public:
  void on_generate(const PacketMessage& /*message*/) override {
    if (!at) at = Clock::now();
  }
  std::optional<Clock::time_point> at;
};

Sample simulate(const PacketConfig& config) {
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const auto start = Clock::now();
  const PacketPlatform platform(config);
  Sample sample;
  PacketRunOptions options;
  Beginning beginning;
  options.observers = {&beginning};
  const PacketRunResult result = run_packet(platform, options);
  sample.elaborate_s = seconds(beginning.at.value() - start);
  sample.run_s = seconds(Clock::now() - beginning.at.value());
  if (!result.failure.empty()) throw RunError(result.failure);
  sample.flit_hops = result.flit_hops;
  sample.message_hops = result.message_hops;
  return sample;
}

void measure(benchmark::State& state, const PacketConfig& config) {
  Sample s;
  for (auto _ : state) {
    s = in_child([&] { return simulate(config); });
    state.SetIterationTime(s.run_s);
  }
  const auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["flit_hops/s"] = benchmark::Counter(static_cast<double>(s.flit_hops), rate);
  state.counters["ns_per_message_hop"] =
      benchmark::Counter(static_cast<double>(s.message_hops) * 1e-9, rate | benchmark::Counter::kInvert);
  state.counters["peak_MiB"] = static_cast<double>(s.peak_bytes) / 1048576.0;
}

PacketConfig parse(const std::string& yaml) {
  Diagnostics diagnostics;
  return parse_packet_config(yaml, "bench", ".", {}, diagnostics);
}

// One level, Bernoulli sources to uniform destinations at 0.3 flits/cycle/NIC.
PacketConfig one_level(const std::string& topology, std::int64_t flits, int window_us) {
  return parse(
      fmt::format("fabric: packet\ntopology: {{ {} }}\nqos: {{ levels: {{ data: {{ message: {}B }} }} }}\n"
                  "traffic: [{{ level: data, load: 0.3 }}]\nrun: {{ warm_up: 1us, measure: {}us, drain: 20us }}\n",
                  topology, 64 * flits, window_us));
}

void BM_PacketTree64(benchmark::State& state) {
  measure(state, one_level("kind: tree, arity: 4, levels: 3", state.range(0), state.range(0) == 1 ? 200 : 2000));
}
BENCHMARK(BM_PacketTree64)->ArgName("flits")->Arg(1)->Arg(32)->UseManualTime();

void BM_PacketMesh64(benchmark::State& state) {
  measure(state, one_level("kind: mesh, dims: [8, 8]", state.range(0), state.range(0) == 1 ? 200 : 2000));
}
BENCHMARK(BM_PacketMesh64)->ArgName("flits")->Arg(1)->Arg(32)->UseManualTime();

// The seven levels of the paper at 0.7 flits/cycle/NIC.
PacketConfig paper(const char* network, const char* architecture, int warm_up_us, int window_us) {
  Diagnostics diagnostics;
  const Overrides set{fmt::format("switch.architecture={}", architecture), fmt::format("run.warm_up={}us", warm_up_us),
                      fmt::format("run.measure={}us", window_us), "run.drain=0us"};
  const std::string file = fmt::format("{}/configs/packet/paper_{}.yaml", WEFT_SOURCE_DIR, network);
  return load_packet_config(file, set, diagnostics);
}

void BM_PaperTree64(benchmark::State& state) { measure(state, paper("tree_4ary3", "ib", 50, 500)); }
BENCHMARK(BM_PaperTree64)->UseManualTime();

// 150 us of 2,048 NICs.
void BM_PaperTorus2048(benchmark::State& state) {
  measure(state, paper("torus_8x8x8", state.range(0) == 0 ? "ib" : "opa", 50, 100));
}
BENCHMARK(BM_PaperTorus2048)->ArgName("opa")->Arg(0)->Arg(1)->Unit(benchmark::kSecond)->UseManualTime();

// Its routes, checks and modules.
void BM_BuildTorus2048(benchmark::State& state) {
  const PacketConfig config = paper("torus_8x8x8", "ib", 0, 1);
  for (auto _ : state) state.SetIterationTime(in_child([&] { return simulate(config); }).elaborate_s);
}
BENCHMARK(BM_BuildTorus2048)->UseManualTime();

// 2,048 NICs that are nearly idle: a message of each NIC every 100,000 cycles, for 10 ms.
void BM_IdleTorus2048(benchmark::State& state) {
  measure(state, parse("fabric: packet\ntopology: { kind: torus, dims: [8, 8, 8], nodes_per_switch: 4, trunk: 4 }\n"
                       "qos: { levels: { data: { message: 64B } } }\ntraffic: [{ level: data, load: 0.00001 }]\n"
                       "run: { warm_up: 1us, measure: 10ms, drain: 0us }\n"));
}
BENCHMARK(BM_IdleTorus2048)->UseManualTime();

}  // namespace
}  // namespace weft::bench
