// The FiC paper's Table 1 as allocations: how many slots the policies really use.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "algorithms/slots/allocation.h"
#include "network/patterns.h"
#include "support/places.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

const nlohmann::json& published() {
  static const nlohmann::json data = [] {
    std::ifstream file(test::source_dir() + "/tests/data/published_fic.json");
    return nlohmann::json::parse(file);
  }();
  return data;
}

std::vector<Flow> pattern_flows(const Graph& graph, const CircuitRouting& routing, const std::string& name) {
  RandomStream random(1, name);
  return test::flow_per_pair(graph, routing, make_pattern(name, graph, random, {}));
}

TEST(Table1Allocation, SearchReachesTheMinimumOfEveryDeterministicCell) {
  int cells = 0;
  for (const auto& row : published()["table1_min_slots"]) {
    const Graph graph = test::grid(row["dims"].get<std::vector<std::uint32_t>>());
    const auto routing = test::dimension_order(graph, row["order"].get<std::vector<std::uint32_t>>());
    for (const auto& [pattern, slots] : row["published"].items()) {
      if (pattern == "uniform" || pattern == "neighbor") continue;
      SCOPED_TRACE(graph.name() + " " + pattern);
      const std::vector<Flow> flows = pattern_flows(graph, *routing, pattern);
      AllocationOptions options;
      options.allocator = &slot_allocators().at("search");
      options.slots = slots.get<std::uint32_t>();
      options.search_iterations = 200'000;
      const Allocation allocation = allocate(graph, flows, options);  // throws when one slot more is needed
      EXPECT_EQ(allocation.slots_used, options.slots);
      EXPECT_NO_THROW(check_allocation(graph, flows, options, allocation));
      ++cells;
    }
  }
  EXPECT_EQ(cells, 42);
}

TEST(Table1Allocation, FirstFitOnPerfectShuffleNeedsMore) {
  int cells = 0;
  for (const auto& row : published()["table1_min_slots"]) {
    const auto& expected = published()["first_fit_by_source_perfect_shuffle"];
    const auto name = row["network"].get<std::string>();
    if (!expected.contains(name)) continue;
    const Graph graph = test::grid(row["dims"].get<std::vector<std::uint32_t>>());
    const auto routing = test::dimension_order(graph, row["order"].get<std::vector<std::uint32_t>>());
    const std::vector<Flow> flows = pattern_flows(graph, *routing, "perfect_shuffle");
    EXPECT_EQ(allocate_unbounded(graph, flows, {}).slots_used, expected[name].get<std::uint32_t>()) << name;
    ++cells;
  }
  EXPECT_EQ(cells, 6);
}

TEST(Table1Allocation, SearchIsNoWorseThanTheOthers) {
  const Graph graph = test::grid({16, 16});
  const auto routing = test::dimension_order(graph);
  for (const std::string& pattern : pattern_names()) {
    const std::vector<Flow> flows = pattern_flows(graph, *routing, pattern);
    const auto used = [&](const Allocator* allocator) {
      AllocationOptions options;
      options.allocator = allocator;
      options.search_iterations = 1000;
      return allocate_unbounded(graph, flows, options).slots_used;
    };
    for (const Allocator* other : {&slot_allocators().at("first_fit"), &slot_allocators().at("longest_first"),
                                   &slot_allocators().at("dsatur")}) {
      EXPECT_LE(used(&slot_allocators().at("search")), used(other)) << pattern;
    }
  }
}

}  // namespace
}  // namespace weft
