#pragma once
// The FiC paper's Table 1, published and computed: the minimum number of slots N of eight communication patterns on
// seven meshes. Source: Y. Hu, M. Koibuchi: Design and Implementation of Circuit Switched Scheduling in Flow-in-Cloud
// Systems.
//
// The paper does not say how its routes go through the dimensions. Lowest first in two dimensions, z,x,y in three and
// w,z,x,y in four give all 42 cells of the patterns that are not random. The values of the two random patterns are one
// draw each, so what is computed for them is their distribution over seeds.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology.h"
#include "studies/slots/pattern_slots.h"

namespace weft {

inline constexpr std::size_t kTable1Patterns = 8;  ///< the first of pattern_names()

struct Table1Network {
  TopologyConfig topology;
  RoutingConfig routing;
  std::array<std::uint32_t, kTable1Patterns> published;  ///< N by pattern
};
const std::vector<Table1Network>& table1_networks();

struct Table1Options {
  std::uint64_t seed = 1;     ///< of the random patterns, the first of them
  std::uint32_t seeds = 200;  ///< draws of a random pattern
  std::vector<const Allocator*> allocators;
  std::uint64_t search_iterations = 200'000;
};

/// Share of draws, and the interval that has it with 95 % confidence (Wilson's score interval). In percent.
struct DrawShare {
  double percent = 0;
  double low = 0;
  double high = 0;
};

/// `draws` is not 0.
DrawShare draw_share(std::uint64_t hits, std::uint64_t draws);

struct Table1Cell {
  std::string network;
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> order;  ///< of the dimensions in the routes, x = 0
  std::string pattern;
  bool random = false;
  std::uint32_t published = 0;
  std::uint32_t minimum = 0;           ///< N; of a random pattern with the first seed
  std::vector<std::uint32_t> by_seed;  ///< random patterns: N of each seed
  std::vector<std::uint32_t> slots;    ///< per allocator, with the first seed

  /// The published value is the computed one, or lies between the least and the largest drawn.
  bool agrees() const;
  /// Of a random pattern: the draws with exactly the published N.
  DrawShare drawn() const;
};

/// Network by network, in each the patterns in the order of the table.
std::vector<Table1Cell> make_table1(const Table1Options& options);

}  // namespace weft
