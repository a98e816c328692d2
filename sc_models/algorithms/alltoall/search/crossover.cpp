#include "algorithms/alltoall/search/orbit_tabu.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace weft::alltoall {
namespace {

std::uint32_t possible_slot(const OrbitColoring& problem, std::uint32_t v, RandomStream& random) {
  std::uint32_t chosen = 0, choices = 0;
  for (std::uint32_t s = 0; s < problem.slots; ++s) {
    if (!problem.impossible[std::size_t{v} * problem.slots + s] && random.below(++choices) == 0) chosen = s;
  }
  return chosen;
}

/// Rest of a parent: unsettled connections by block, and the orbits in each block.
struct Parent {
  Parent(const OrbitColoring& problem, const OrbitSlots& of) : slots(of), unsettled(problem.blocks.size()) {
    orbits.resize(problem.blocks.size());
    for (std::uint32_t v = 0; v < problem.orbits; ++v) {
      orbits[problem.block_of[of[v]]].push_back(v);
      unsettled[problem.block_of[of[v]]] += problem.weight[v];
    }
    given.resize(problem.blocks.size());
  }
  const OrbitSlots& slots;
  std::vector<std::uint32_t> unsettled;
  std::vector<std::vector<std::uint32_t>> orbits;
  std::vector<bool> given;
};

/// Block with the most unsettled connections per slot among those whose kind the child still has room for.
std::uint32_t fullest(const OrbitColoring& problem, const Parent& parent,
                      const std::vector<std::vector<std::uint32_t>>& room, RandomStream& random) {
  std::uint32_t best = kNoSlot, equal = 0;
  for (std::uint32_t b = 0; b < problem.blocks.size(); ++b) {
    if (parent.given[b] || room[problem.blocks[b].kind].empty()) continue;
    if (best != kNoSlot) {
      const std::uint64_t here = std::uint64_t{parent.unsettled[b]} * problem.blocks[best].size;
      const std::uint64_t there = std::uint64_t{parent.unsettled[best]} * problem.blocks[b].size;
      if (here < there) continue;
      if (here > there) equal = 0;
    }
    if (random.below(++equal) == 0) best = b;
  }
  return best;
}

}  // namespace

OrbitSlots crossover(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second,
                     RandomStream& random) {
  std::array<Parent, 2> parents = {Parent(problem, first), Parent(problem, second)};
  std::vector<std::vector<std::uint32_t>> room(problem.blocks.size());  // by kind: blocks of the child not yet used
  for (std::uint32_t b = 0; b < problem.blocks.size(); ++b) room[problem.blocks[b].kind].push_back(b);
  OrbitSlots child(problem.orbits, kNoSlot);
  for (std::size_t turn = 0; turn < problem.blocks.size(); ++turn) {
    Parent& parent = parents[turn % 2];
    const std::uint32_t b = fullest(problem, parent, room, random);
    auto& free_blocks = room[problem.blocks[b].kind];
    const std::uint32_t target = problem.blocks[free_blocks.back()].first;
    free_blocks.pop_back();
    parent.given[b] = true;
    for (const std::uint32_t v : parent.orbits[b]) {
      if (child[v] != kNoSlot) continue;
      child[v] = target + (parent.slots[v] - problem.blocks[b].first);
      for (Parent& p : parents) p.unsettled[problem.block_of[p.slots[v]]] -= problem.weight[v];
    }
  }
  for (std::uint32_t v = 0; v < problem.orbits; ++v) {
    if (child[v] == kNoSlot) child[v] = possible_slot(problem, v, random);
  }
  return child;
}

std::uint32_t distance(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t v = 0; v < problem.orbits; ++v) pairs.emplace_back(first[v], second[v]);
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> overlaps;  // orbits, slot, slot
  for (std::size_t i = 0, j = 0; i < pairs.size(); i = j) {
    while (j < pairs.size() && pairs[j] == pairs[i]) ++j;
    overlaps.emplace_back(static_cast<std::uint32_t>(j - i), pairs[i].first, pairs[i].second);
  }
  std::sort(overlaps.rbegin(), overlaps.rend());
  std::vector<bool> matched_first(problem.slots), matched_second(problem.slots);
  std::uint32_t alike = 0;
  for (const auto& [orbits, a, b] : overlaps) {
    if (matched_first[a] || matched_second[b]) continue;
    matched_first[a] = matched_second[b] = true;
    alike += orbits;
  }
  return problem.orbits - alike;
}

OrbitSlots greedy_slots(const OrbitColoring& problem, RandomStream& random) {
  std::vector<std::uint64_t> rank(problem.orbits);
  for (std::uint32_t v = 0; v < problem.orbits; ++v) rank[v] = problem.degree[v] + random.below(50);
  std::vector<std::uint32_t> order(problem.orbits);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] > rank[b]; });
  std::vector<std::uint16_t> near(std::size_t{problem.slots} * problem.padded);  // [slot][orbit]: conflicts there
  OrbitSlots slots(problem.orbits);
  for (const std::uint32_t v : order) {
    std::uint32_t best = 0, fewest = kNoSlot, equal = 0;
    for (std::uint32_t s = 0; s < problem.slots; ++s) {
      if (problem.impossible[std::size_t{v} * problem.slots + s]) continue;
      const std::uint32_t here = near[std::size_t{s} * problem.padded + v];
      if (here > fewest) continue;
      if (here < fewest) equal = 0;
      fewest = here;
      if (random.below(++equal) == 0) best = s;
    }
    slots[v] = best;
    for (std::uint32_t m = 0; m < problem.moves; ++m) {
      const std::uint32_t s = problem.moved_to[std::size_t{m} * problem.slots + best];
      const std::uint8_t* row = &problem.conflicts[(std::size_t{m} * problem.orbits + v) * problem.padded];
      std::uint16_t* __restrict at = &near[std::size_t{s} * problem.padded];
      for (std::uint32_t u = 0; u < problem.padded; ++u) at[u] = static_cast<std::uint16_t>(at[u] + row[u]);
    }
  }
  return slots;
}

}  // namespace weft::alltoall
