#pragma once
// Integer weights for the entries of an arbitration table, in two ways.
//
// paper: each entry gets ceil(phi * pool / n); with P the sum of these, SL i gets round(phi_i * P) in all. This gives
// the weights of Table 4 of Cano-Cano et al., "QoS provision in hierarchical and non-hierarchical switch
// architectures", which the article shows without saying how they were made.
//
// optimal: of all weights with every entry between its SL's MTU and M, those with the smallest largest share error
// |T_i / T - phi_i|, and of these the smallest total T. Exact: every total T that can matter is tried. For a given T
// and error bound e, T_i may be any whole number in [T * (phi_i - e), T * (phi_i + e)] cut to [n_i * MTU_i, n_i * M];
// the T_i are otherwise independent, so they can sum to T if and only if no range is empty and T lies between the sums
// of the lower and of the upper ends. That condition is monotone in e, so the smallest e of a T is found by halving.
// Totals are left out only where a bound already shows that some SL's error exceeds the best one known.
//
// Either way an SL's total is spread over its entries so that these differ by at most 1, larger ones evenly in between.

#include <cstdint>
#include <vector>

namespace weft {

struct WeightLevel {
  std::uint64_t share = 0;    ///< relative to the sum of all
  std::uint32_t entries = 0;  ///< n, at least 1
  std::uint32_t mtu = 0;      ///< smallest weight of an entry
};

struct WeightRequest {
  std::vector<WeightLevel> levels;
  std::uint64_t most = 0;         ///< M, largest weight of an entry
  std::uint64_t pool_tenths = 0;  ///< N * GMTU * k * 10
};

struct Weights {
  std::vector<std::uint64_t> totals;  ///< T_i
  std::uint64_t total = 0;            ///< T
  std::uint64_t paper_total = 0;      ///< P, paper only
  /// T_i / T - phi_i for one SL, where phi_i = share_i / sum of shares.
  double error(const WeightRequest& request, std::size_t level) const;
  /// The largest |error|.
  double largest_error(const WeightRequest& request) const;
};

/// M is not looked at: the largest entry may be above it.
Weights paper_weights(const WeightRequest& request);

/// Precondition: MTU <= M for each SL.
Weights optimal_weights(const WeightRequest& request);

/// Weight of entry `index` of `n` that share `total`.
std::uint32_t entry_weight(std::uint64_t total, std::uint32_t n, std::uint32_t index);
/// Smallest and largest of them.
std::uint32_t least_entry_weight(std::uint64_t total, std::uint32_t n);
std::uint32_t largest_entry_weight(std::uint64_t total, std::uint32_t n);

}  // namespace weft
