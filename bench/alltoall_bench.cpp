// Benchmarks of making and searching all-to-all schedules; plain computation, without the SystemC kernel. With
// WEFT_COMPARE_SECONDS=10 in the environment also what the kinds of search reach in that much processor time
// (docs/alltoall_search.md): slots against the bound, for n = 4 to 8 and seeds 1 to 3.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/search/search.h"

namespace weft::bench {
namespace {

using alltoall::Grid;
using alltoall::SearchMoves;

void count_slots(benchmark::State& state, const alltoall::Schedule& schedule) {
  state.counters["slots"] = schedule.slots;
  state.counters["bound"] = static_cast<double>(alltoall::lower_bounds(schedule.grid).slots());
}

void groups(benchmark::State& state, bool torus) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const Grid grid{n, n, torus};
  std::uint32_t slots = 0;
  for (auto _ : state) benchmark::DoNotOptimize(slots = alltoall::make_groups(grid).schedule.slots);
  count_slots(state, {grid, slots, {}});
  state.counters["connections/s"] =
      benchmark::Counter(static_cast<double>(grid.connections()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(groups, mesh, false)
    ->Name("BM_AllToAllGroups/mesh")
    ->RangeMultiplier(2)
    ->Range(16, 64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(groups, torus, true)
    ->Name("BM_AllToAllGroups/torus")
    ->RangeMultiplier(2)
    ->Range(16, 64)
    ->Unit(benchmark::kMillisecond);

// A fixed number of moves from the systematic schedule; the same ones on every machine.
void search_moves(benchmark::State& state, SearchMoves moves) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const alltoall::Schedule start = alltoall::make_groups({n, n}).schedule;
  const std::atomic<bool> stop = false;
  alltoall::SearchOptions options;
  options.moves = moves;
  options.time_limit_s = 0;
  options.iterations = 50'000;
  alltoall::SearchResult result;
  std::uint64_t made = 0;
  for (auto _ : state) {
    result = alltoall::search(start, options, nullptr, stop);
    made += result.iterations;
  }
  count_slots(state, result.best);
  state.counters["moves/s"] = benchmark::Counter(static_cast<double>(made), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(search_moves, all, SearchMoves::all)
    ->Name("BM_AllToAllSearch/all")
    ->Arg(8)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_moves, repack, SearchMoves::repack)
    ->Name("BM_AllToAllSearch/repack")
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_moves, kempe, SearchMoves::kempe)
    ->Name("BM_AllToAllSearch/kempe")
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// What one kind of search reaches in some processor time, however busy the machine is.
void compare(benchmark::State& state, SearchMoves moves, double seconds) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  alltoall::SearchOptions options;
  options.moves = moves;
  options.seed = static_cast<std::uint64_t>(state.range(1));
  options.time_limit_s = 0;
  alltoall::SearchResult result;
  double used = 0;
  for (auto _ : state) {
    std::atomic<bool> stop = false;
    const double begin = processor_seconds();
    const auto watch = [&](const alltoall::Progress&) { stop = processor_seconds() - begin >= seconds; };
    result = alltoall::search(alltoall::make_groups({n, n}).schedule, options, watch, stop);
    used = processor_seconds() - begin;
  }
  count_slots(state, result.best);
  state.counters["processor_s"] = used;
  state.counters["moves"] = static_cast<double>(result.iterations);
}

[[maybe_unused]] const bool kCompared = [] {
  const char* const text = std::getenv("WEFT_COMPARE_SECONDS");
  const double seconds = text == nullptr ? 0 : std::strtod(text, nullptr);
  if (seconds <= 0) return false;
  for (const SearchMoves moves : alltoall::kAllSearchMoves) {
    const auto run = [moves, seconds](benchmark::State& state) { compare(state, moves, seconds); };
    benchmark::RegisterBenchmark(("BM_AllToAllCompare/" + to_string(moves)).c_str(), run)
        ->ArgsProduct({benchmark::CreateDenseRange(4, 8, 1), benchmark::CreateDenseRange(1, 3, 1)})
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace weft::bench
