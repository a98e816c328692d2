#include "algorithms/alltoall/search/orbit_coloring.h"

#include <algorithm>
#include <bit>
#include <map>

namespace weft::alltoall {

OrbitColoring::OrbitColoring(const Grid& g, const SymmetryPlan& plan) : grid(g) {
  std::vector<std::vector<std::uint32_t>> slot_images(plan.group->size());  // [element][slot]
  make_blocks(plan, slot_images);
  make_orbits(*plan.group);
  find_conflicts(*plan.group, slot_images);
}

void OrbitColoring::make_blocks(const SymmetryPlan& plan, std::vector<std::vector<std::uint32_t>>& slot_images) {
  const SymmetryGroup& group = *plan.group;
  for (std::uint32_t kind = 0; kind < plan.kinds.size(); ++kind) {
    // Cosets g * stabiliser, numbered in the order of their first element.
    std::vector<std::uint32_t> coset(group.size(), kNoSlot), leaders;
    for (std::uint32_t g = 0; g < group.size(); ++g) {
      if (coset[g] != kNoSlot) continue;
      for (std::uint32_t h = 0; h < group.size(); ++h) {
        if (plan.kinds[kind].stabiliser >> h & 1) {
          coset[group.product(g, h)] = static_cast<std::uint32_t>(leaders.size());
        }
      }
      leaders.push_back(g);
    }
    const auto size = static_cast<std::uint32_t>(leaders.size());
    for (std::uint32_t i = 0; i < plan.kinds[kind].blocks; ++i) {
      for (std::uint32_t g = 0; g < group.size(); ++g) {
        for (const std::uint32_t leader : leaders) slot_images[g].push_back(slots + coset[group.product(g, leader)]);
      }
      block_of.insert(block_of.end(), size, static_cast<std::uint32_t>(blocks.size()));
      blocks.push_back({kind, slots, size});
      slots += size;
    }
  }
  // Elements that move all slots alike are one move.
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t g = 0; g < group.size(); ++g) {
    const auto [at, fresh] = known.try_emplace(slot_images[g], moves);
    if (fresh) {
      moved_to.insert(moved_to.end(), slot_images[g].begin(), slot_images[g].end());
      ++moves;
    }
    move_of_element_.push_back(at->second);
  }
}

void OrbitColoring::make_orbits(const SymmetryGroup& group) {
  const std::uint32_t nodes = grid.nodes();
  orbit_of_.assign(std::size_t{nodes} * nodes, kNoSlot);
  move_of_.assign(orbit_of_.size(), 0);
  for (std::uint32_t source = 0; source < nodes; ++source) {
    for (std::uint32_t destination = 0; destination < nodes; ++destination) {
      if (source == destination || orbit_of_[std::size_t{source} * nodes + destination] != kNoSlot) continue;
      weight.push_back(0);
      for (std::uint32_t g = 0; g < group.size(); ++g) {
        const auto [s, d] = group[g].image({source, destination});
        const std::size_t c = std::size_t{s} * nodes + d;
        if (orbit_of_[c] != kNoSlot) continue;
        orbit_of_[c] = orbits;
        move_of_[c] = move_of_element_[g];
        ++weight.back();
      }
      first_.push_back({source, destination});
      ++orbits;
    }
  }
  padded = (orbits + kLane - 1) / kLane * kLane;
}

void OrbitColoring::find_conflicts(const SymmetryGroup& group,
                                   const std::vector<std::vector<std::uint32_t>>& slot_images) {
  conflicts.assign(std::size_t{moves} * orbits * padded, 0);
  impossible.assign(std::size_t{orbits} * slots, 0);
  const Resources resources(grid);
  std::vector<std::vector<std::uint32_t>> users(resources.count());  // orbits whose first connection holds it
  for (std::uint32_t v = 0; v < orbits; ++v) {
    resources.visit(first_[v].first, first_[v].second, [&](std::uint32_t r) { users[r].push_back(v); });
  }
  for (std::uint32_t v = 0; v < orbits; ++v) {
    for (std::uint32_t g = 0; g < group.size(); ++g) {
      const NodePair image = group[g].image(first_[v]);
      std::uint8_t* row = &conflicts[(std::size_t{move_of_element_[g]} * orbits + v) * padded];
      bool meets_itself = false;
      resources.visit(image.first, image.second, [&](std::uint32_t r) {
        for (const std::uint32_t u : users[r]) {
          if (u != v) row[u] = 1;
          meets_itself |= u == v;
        }
      });
      // An image that is the connection itself must stay in its slot; another one that meets it must not.
      const bool same = image == first_[v];
      for (std::uint32_t s = 0; s < slots; ++s) {
        const bool stays = slot_images[g][s] == s;
        if (same ? !stays : (meets_itself && stays)) impossible[std::size_t{v} * slots + s] = 1;
      }
    }
  }
  degree.assign(orbits, 0);
  for (std::uint32_t move = 0; move < moves; ++move) {
    for (std::uint32_t v = 0; v < orbits; ++v) {
      const auto row = conflicts.begin() + static_cast<std::ptrdiff_t>((std::size_t{move} * orbits + v) * padded);
      degree[v] += static_cast<std::uint32_t>(std::count(row, row + orbits, 1));
    }
  }
}

Schedule OrbitColoring::expand(const std::vector<std::uint32_t>& slot_of_orbit) const {
  Schedule schedule{grid, slots, std::vector<std::uint32_t>(orbit_of_.size(), kNoSlot)};
  for (std::size_t c = 0; c < orbit_of_.size(); ++c) {
    if (orbit_of_[c] == kNoSlot) continue;
    schedule.slot_of[c] = moved_to[std::size_t{move_of_[c]} * slots + slot_of_orbit[orbit_of_[c]]];
  }
  return schedule;
}

double orbit_coloring_bytes(const Grid& grid, const SymmetryPlan& plan, std::uint32_t slots) {
  // Orbits are hardly ever smaller than the group. What is in all stabilisers moves no slot (they are normal here).
  ElementSet still = ~ElementSet{0};
  for (const SlotKind& kind : plan.kinds) still &= kind.stabiliser;
  const double orbits = double(grid.connections()) / plan.group->size();
  const double moves = double(plan.group->size()) / std::popcount(still);
  return moves * orbits * orbits + 10.0 * orbits * slots + 8.0 * double(grid.nodes()) * grid.nodes();
}

}  // namespace weft::alltoall
