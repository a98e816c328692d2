#pragma once
// Common code of the tests of divisible loads.

#include <cmath>
#include <random>

#include "algorithms/dlt/study.h"
#include "network/topology/topologies.h"

namespace weft::dlt::test {

using Dims = std::vector<std::uint32_t>;

inline DltConfig load_on(const std::string& kind, Dims dims, const std::string& at, double sigma,
                         DltSwitching switching = DltSwitching::cut_through) {
  DltConfig config;
  config.topology = topology_config(kind, {{"dims", std::move(dims)}});
  config.inject.push_back({{"--inject " + at}, at, 0});
  config.sigma = sigma;
  config.switching = switching;
  return config;
}

inline DltConfig mesh(Dims dims, const std::string& at, double sigma,
                      DltSwitching switching = DltSwitching::cut_through) {
  return load_on("mesh", std::move(dims), at, sigma, switching);
}

inline NodeCounts counts_of(const DltConfig& config) {
  const Network network = build_network(config);
  NodeCounts counts;
  for (const std::uint32_t d : hop_distances(network, find_sources(config, network))) {
    if (d >= counts.size()) counts.resize(d + 1);
    ++counts[d];
  }
  return counts;
}

inline constexpr DltSwitching kSwitchings[] = {DltSwitching::cut_through, DltSwitching::modified_store_and_forward,
                                               DltSwitching::store_and_forward};

/// A grid with random speeds, some relays, and one to three injection points; some of them with given loads.
inline DltConfig random_case(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  Dims dims;
  for (int d = pick(1, 3); d > 0; --d) dims.push_back(static_cast<std::uint32_t>(pick(2, 4)));
  DltConfig config = load_on(pick(0, 1) == 0 ? "mesh" : "torus", dims, "corner", real(0.02, 0.98));
  std::uint32_t nodes = 1;
  for (const std::uint32_t d : dims) nodes *= d;
  config.inject.clear();
  const bool given = pick(0, 1) == 1;
  const int sources = std::min<int>(pick(1, 3), static_cast<int>(nodes));
  double sum = 0;
  for (int s = 0; s < sources; ++s) {
    config.inject.push_back(
        {{},
         std::to_string(nodes * static_cast<std::uint32_t>(s) / static_cast<std::uint32_t>(sources)),
         given ? real(0.1, 1) : 0});
    sum += config.inject.back().load;
  }
  for (std::size_t i = 0; i < config.inject.size(); ++i) {
    if (given) config.inject[i].load /= sum;
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    DltNodeException e{{{}, n, n}, real(0.3, 3), {}};
    if (n != 0 && pick(0, 9) == 0) e.computes = false;
    config.nodes.push_back(e);
  }
  const Network network = build_network(config);
  for (const Link& l : network.links) {
    if (l.from < l.to) config.links.push_back({{}, {{}, l.from, l.from}, {{}, l.to, l.to}, real(0.3, 3), false});
  }
  return config;
}

}  // namespace weft::dlt::test
