#pragma once
// Input and output that a connection joins in each router of its route, as a number: 5 * input + output, both 0 to 3
// for the direction of travel (+x, -x, +y, -y) and 4 for the host.

#include <cstdint>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

inline constexpr std::uint32_t kHost = 4;
inline constexpr std::uint32_t kPairs = 25;

constexpr std::uint32_t router_pair(std::uint32_t input, std::uint32_t output) { return 5 * input + output; }

/// Calls visit(router, pair) for each router of the route of source -> destination.
template <class Visit>
void visit_pairs(const Resources& resources, std::uint32_t nodes, std::uint32_t source, std::uint32_t destination,
                 Visit&& visit_one) {
  std::uint32_t input = kHost;
  resources.visit(source, destination, [&](std::uint32_t r) {
    if (r >= 4 * nodes) return;  // sender, receiver
    visit_one(r / 4, router_pair(input, r % 4));
    input = r % 4;
  });
  visit_one(destination, router_pair(input, kHost));
}

}  // namespace weft::alltoall
