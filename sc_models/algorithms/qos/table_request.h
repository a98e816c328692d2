#pragma once
// Requirements of an arbitration table: for each service level (SL) the largest distance between two of its entries,
// its share of the link and its MTU; and what may be wrong with that. Plain numbers, checked by table_configurator.h.
//
// Sizes and weights are credits (1 credit = 1 flit). Shares are exact decimals: whole millionths of the link. The
// decoupling parameters k and w (see decoupling.h) are exact decimals too: whole tenths.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

inline constexpr std::uint64_t kWholeLink = 1'000'000;    ///< a share of 1, in millionths
inline constexpr std::uint32_t kMaxTableEntries = 256;    ///< bounds the search for optimal weights
inline constexpr std::uint32_t kMaxEntryWeight = 65'535;  ///< credits, likewise
inline constexpr std::uint32_t kMaxMessageCredits = 65'535;

struct LevelRequest {
  std::string name;
  ServiceLevel sl = 0;
  std::uint32_t distance = 1;  ///< at most this many entries from one of its entries to the next, cyclically
  std::uint64_t share = 0;     ///< phi, millionths of the link, above 0
  std::uint32_t mtu = 1;       ///< credits of its largest message
};

struct TableRequest {
  std::uint32_t entries = 64;                  ///< N
  std::uint32_t gmtu = 32;                     ///< credits of the largest message of any SL
  std::uint32_t max_weight = kMaxEntryWeight;  ///< what the hardware can hold in one entry
  std::optional<std::uint32_t> k_tenths;       ///< set: not searched for
  std::optional<std::uint32_t> w_tenths;
  std::vector<LevelRequest> levels;
};

/// The sum of all shares. Below kWholeLink, each SL gets its part of what is asked for: share / sum.
inline std::uint64_t share_sum(const TableRequest& request) {
  std::uint64_t sum = 0;
  for (const LevelRequest& level : request.levels) sum += level.share;
  return sum;
}

/// a / b, rounded up.
inline std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

/// Number of the request that a problem is about. distance, share and mtu are those of one SL.
enum class RequestKey { entries, k, w, distance, share, mtu };

struct RequestProblem {
  RequestKey key;
  std::size_t level;    ///< index into TableRequest::levels; 0 for keys of the whole table
  std::string message;  ///< which bound is broken, and what would mend it
};

}  // namespace weft
