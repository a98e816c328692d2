// Benchmarks of counting and allocating slots; plain computation, without the SystemC kernel.

#include <benchmark/benchmark.h>

#include <memory>
#include <systemc>

#include "algorithms/slots/allocation.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "studies/slots/pattern_slots.h"
#include "studies/slots/table1.h"

namespace weft::bench {
namespace {

struct Mesh64 {
  Graph graph;
  std::unique_ptr<CircuitRouting> routing;
  Mesh64() : graph(build_topology(table1_networks()[4].topology)), routing(make_routing({}, graph)) {}
};

// Circuits of the pattern, and their slots.
void allocate_mesh64(benchmark::State& state, const std::string& pattern, const Allocator* allocator) {
  const Mesh64 mesh;
  AllocationOptions options;
  options.allocator = allocator;
  options.search_iterations = 200'000;
  for (auto _ : state) {
    const std::vector<Flow> flows = pattern_flows(mesh.graph, *mesh.routing, pattern, 1, {});
    benchmark::DoNotOptimize(allocate_unbounded(mesh.graph, flows, options).slots_used);
  }
}
BENCHMARK_CAPTURE(allocate_mesh64, uniform_first_fit, "uniform", &slot_allocators().at("first_fit"))
    ->Name("BM_SlotsMesh64/uniform/first_fit")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allocate_mesh64, uniform_dsatur, "uniform", &slot_allocators().at("dsatur"))
    ->Name("BM_SlotsMesh64/uniform/dsatur")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allocate_mesh64, uniform_search, "uniform", &slot_allocators().at("search"))
    ->Name("BM_SlotsMesh64/uniform/search")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(allocate_mesh64, shuffle_search, "perfect_shuffle", &slot_allocators().at("search"))
    ->Name("BM_SlotsMesh64/perfect_shuffle/search")
    ->Unit(benchmark::kMillisecond);

// Into a frame of 64 slots, as a run does it: through the slot LUTs of the switches.
void BM_SlotsMesh64_Luts(benchmark::State& state) {
  const Mesh64 mesh;
  const std::vector<Flow> flows = pattern_flows(mesh.graph, *mesh.routing, "uniform", 1, {});
  AllocationOptions options;
  options.slots = 64;
  for (auto _ : state) benchmark::DoNotOptimize(allocate(mesh.graph, flows, options).slots_used);
}
BENCHMARK(BM_SlotsMesh64_Luts)->Unit(benchmark::kMillisecond);

void BM_MinimumSlotsMesh64(benchmark::State& state) {
  const Mesh64 mesh;
  for (auto _ : state) {
    benchmark::DoNotOptimize(minimum_slots_by_seed(mesh.graph, *mesh.routing, "uniform", 1, 10, {}));
  }
  state.SetItemsProcessed(state.iterations() * 10);
}
BENCHMARK(BM_MinimumSlotsMesh64)->Unit(benchmark::kMillisecond);

// `weft slots --table1` without its files.
void BM_Table1(benchmark::State& state) {
  Table1Options options;
  options.allocators = slot_allocators().list();
  for (auto _ : state) benchmark::DoNotOptimize(make_table1(options));
}
BENCHMARK(BM_Table1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::bench
