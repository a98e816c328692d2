// Benchmarks of simulating input-queued networks: Bernoulli sources, uniform destinations. Every figure is what one
// process on one core needs for sc_start(), sources and statistics included.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <systemc>

#include "base/diagnostics.h"
#include "fabrics/packet/iq/iq_network.h"
#include "forked.h"
#include "network/topology/topologies.h"
#include "support/iq_runs.h"

namespace weft::bench {
namespace {

struct Load {
  TopologyConfig topology;
  IqParameters parameters;
  double load = 0.3;  ///< flits per cycle and node
  std::uint32_t flits = 1;
  Cycle cycles = 20'000;
};

Sample simulate(const Load& load) {
  using Clock = std::chrono::steady_clock;
  const test::IqSystem system(load.topology);
  ClockDomain clock("clock", Duration{1'000});
  IqNetwork network("net", clock, system.graph, load.parameters, *system.routing);
  test::IqBernoulli::Options options;
  options.load = load.load;
  options.flits = load.flits;
  options.until = load.cycles;
  test::IqBernoulli sources(network, system.graph.nodes(), options);
  network.domain().capture_failures();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto start = Clock::now();
  sc_core::sc_start(network.domain().time_of(load.cycles) - sc_core::sc_time_stamp());
  Sample sample;
  sample.run_s = std::chrono::duration<double>(Clock::now() - start).count();
  if (network.domain().failure()) std::rethrow_exception(network.domain().failure());
  sample.word_hops = network.flit_hops();
  sample.switch_cycles = static_cast<std::uint64_t>(load.cycles) * system.graph.switches();
  return sample;
}

void measure(benchmark::State& state, const Load& load) {
  Sample s;
  for (auto _ : state) {
    s = in_child([&] { return simulate(load); });
    state.SetIterationTime(s.run_s);
  }
  const auto per_iteration_rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["flit_hops/s"] = benchmark::Counter(static_cast<double>(s.word_hops), per_iteration_rate);
  state.counters["switch_cycles/s"] = benchmark::Counter(static_cast<double>(s.switch_cycles), per_iteration_rate);
  state.counters["peak_MiB"] = static_cast<double>(s.peak_bytes) / 1048576.0;
}

IqParameters usual() {
  IqParameters p;
  p.vcs = 4;
  p.buffer = 8;
  return p;
}

Load mesh(std::uint32_t side, std::uint32_t flits, double load) {
  return {test::IqSystem::mesh({side, side}), usual(), load, flits};
}

Load tree(std::uint32_t flits, double load) { return {test::IqSystem::tree(4, 3), usual(), load, flits}; }

Load islip(Load load) {
  load.parameters.allocation = IqAllocation::islip;
  load.parameters.iterations = 2;
  return load;
}

// Arguments: flits per packet, load in hundredths of a flit per cycle and node.
void BM_Iq_Mesh8x8(benchmark::State& state) {
  measure(state, mesh(8, static_cast<std::uint32_t>(state.range(0)), static_cast<double>(state.range(1)) / 100));
}
BENCHMARK(BM_Iq_Mesh8x8)
    ->ArgNames({"flits", "load"})
    ->Args({1, 1})
    ->Args({1, 30})
    ->Args({32, 30})
    ->Args({1, 60})
    ->UseManualTime();

void BM_Iq_Tree64(benchmark::State& state) {
  measure(state, tree(static_cast<std::uint32_t>(state.range(0)), static_cast<double>(state.range(1)) / 100));
}
BENCHMARK(BM_Iq_Tree64)
    ->ArgNames({"flits", "load"})
    ->Args({1, 1})
    ->Args({1, 30})
    ->Args({32, 30})
    ->Args({1, 90})
    ->UseManualTime();

void BM_Iq_Mesh8x8_Islip(benchmark::State& state) { measure(state, islip(mesh(8, 1, 0.3))); }
BENCHMARK(BM_Iq_Mesh8x8_Islip)->UseManualTime();

void BM_Iq_Torus8x8(benchmark::State& state) { measure(state, {test::IqSystem::torus({8, 8}), usual(), 0.3, 1}); }
BENCHMARK(BM_Iq_Torus8x8)->UseManualTime();

void BM_Iq_Mesh32x32(benchmark::State& state) {
  Load load = mesh(32, 1, 0.1);
  load.cycles = 3'000;
  measure(state, load);
}
BENCHMARK(BM_Iq_Mesh32x32)->UseManualTime();

// The same share of what the links in the middle carry, for any size: what a flit-hop costs when routers fill no cache.
void BM_Iq_Mesh(benchmark::State& state) {
  const auto side = static_cast<std::uint32_t>(state.range(0));
  Load load = mesh(side, 1, 2.56 / side);
  load.cycles = std::max<Cycle>(600, 96'000 / side);
  measure(state, load);
}
BENCHMARK(BM_Iq_Mesh)->ArgName("side")->Arg(8)->Arg(32)->Arg(64)->Arg(128)->Arg(256)->UseManualTime();

}  // namespace
}  // namespace weft::bench
