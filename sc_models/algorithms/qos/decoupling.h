#pragma once
// The decoupling parameters of an arbitration table, which let an SL's share of the link differ from its share of the
// entries: w sets the largest weight of an entry, M = GMTU * w, and k the bandwidth pool, N * GMTU * k.
//
//   min_phi = n * MTU / (N * GMTU * k)      entries of n at the smallest weight that always covers a message
//   max_phi = n * M / (N * GMTU * k)        all entries at M
//
// A small k keeps the weights, and with them the waiting times, small. So k is searched for first, from 0.1 in steps of
// 0.1 (with w = k), until every min_phi <= phi; then w from k upward until every max_phi >= phi, M = GMTU * w not yet
// cut to whole credits. The searches have closed forms; all arithmetic is in whole tenths and millionths, so a bound
// that is met exactly counts as met.
//
// Source: Cano-Cano et al., "QoS provision in hierarchical and non-hierarchical switch architectures",
// sections 4.4, 5.3.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/qos/table_request.h"

namespace weft {

struct Decoupling {
  std::uint64_t k_tenths = 1;
  std::uint64_t w_tenths = 1;
  std::size_t k_from = 0;  ///< the SL that needs k to be this large
  std::size_t w_from = 0;  ///< the SL that needs the largest w
};

/// Smallest k, in tenths and at least 1, at which n entries of `level` may have its share.
std::uint64_t least_k_tenths(const TableRequest& request, const LevelRequest& level, std::uint64_t n);
/// Smallest w, in tenths and at least k, likewise.
std::uint64_t least_w_tenths(const TableRequest& request, const LevelRequest& level, std::uint64_t n,
                             std::uint64_t k_tenths);

double min_share(const TableRequest& request, const LevelRequest& level, std::uint64_t n, std::uint64_t k_tenths);
/// With entries of at most `most` whole credits.
double max_share(const TableRequest& request, std::uint64_t n, std::uint64_t k_tenths, std::uint64_t most);

/// M, whole credits; not limited by TableRequest::max_weight.
std::uint64_t largest_weight(const TableRequest& request, std::uint64_t w_tenths);

/// Takes k and w from the request or searches for them. What cannot be is reported: shares below min_phi at a fixed k,
/// w below k. For what w allows see weight_limit.h. `counts`: n of each SL.
Decoupling find_decoupling(const TableRequest& request, const std::vector<std::uint32_t>& counts,
                           std::vector<RequestProblem>& problems);

/// A share as messages write it: as the user did, and what it comes to when the shares do not add up to 1; k or w; a
/// number of entries; a number of credits.
std::string share_text(const TableRequest& request, const LevelRequest& level);
std::string tenths(std::uint64_t value);
std::string entries_text(std::uint64_t n);
std::string credits_text(std::uint64_t n);
/// "; A, B or C would do"; empty without any.
std::string would_do(const std::vector<std::string>& ways);

}  // namespace weft
