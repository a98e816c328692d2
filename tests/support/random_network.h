#pragma once
// Random FiC configurations: every kind of network, flow, allocator, latency, traffic and block implementation.

#include <cstdint>
#include <string>

namespace weft::test {

struct RandomNetworkOptions {
  std::uint32_t most_phases = 3;
  bool rtl = true;  ///< some cases get RTL and lockstep blocks
};

/// YAML of a configuration that is valid and whose flows find slots. The same seed always gives the same text.
std::string random_network(std::uint64_t seed, const RandomNetworkOptions& options = {});

}  // namespace weft::test
