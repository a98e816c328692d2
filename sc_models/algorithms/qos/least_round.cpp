#include "algorithms/qos/least_round.h"

#include <utility>

namespace weft {
namespace {

__extension__ using Wide = unsigned __int128;  // products of a round and a share

std::uint64_t divide_up(Wide a, Wide b) { return static_cast<std::uint64_t>((a + b - 1) / b); }

}  // namespace

LeastRound::LeastRound(const TableRequest& request, std::vector<std::uint32_t> counts)
    : request_(request), counts_(std::move(counts)) {
  const std::uint64_t sum = share_sum(request);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const LevelRequest& level = request.levels[i];
    const std::uint64_t size = counts_[i] * std::uint64_t{level.mtu} * sum;
    if (Wide{size} * parts_ <= Wide{size_} * level.share) continue;
    from_ = i;
    size_ = size;
    parts_ = level.share;
  }
  const std::uint64_t pool_of_1 = std::uint64_t{request.entries} * request.gmtu;
  if (!request.k_tenths || *request.k_tenths <= divide_up(Wide{size_} * 10, Wide{pool_of_1} * parts_)) return;
  from_k_ = true;
  size_ = pool_of_1 * *request.k_tenths;
  parts_ = 10;
}

bool LeastRound::enough(std::size_t level, std::uint64_t most) const {
  return Wide{request_.levels[level].share} * size_ <= Wide{counts_[level]} * most * share_sum(request_) * parts_;
}

bool LeastRound::enough_for_all(std::uint64_t most) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (!enough(i, most)) return false;
  }
  return true;
}

std::uint64_t LeastRound::credits() const { return divide_up(size_, parts_); }

std::size_t LeastRound::hardest() const {
  std::size_t out = 0;
  for (std::size_t i = 1; i < counts_.size(); ++i) {
    if (request_.levels[i].share * counts_[out] > request_.levels[out].share * counts_[i]) out = i;
  }
  return out;
}

std::uint64_t LeastRound::entry_credits(std::size_t level) const { return fewest_entries(level, counts_[level]); }

std::uint64_t LeastRound::fewest_entries(std::size_t level, std::uint64_t most) const {
  return divide_up(Wide{request_.levels[level].share} * size_, Wide{most} * share_sum(request_) * parts_);
}

PlacementRequest placement_of(const TableRequest& request) {
  PlacementRequest out{request.entries, {}};
  for (const LevelRequest& level : request.levels) out.distances.push_back(level.distance);
  return out;
}

std::optional<std::vector<std::uint32_t>> placed_counts(const TableRequest& request) {
  std::uint64_t needed = 0;
  for (const LevelRequest& level : request.levels) needed += least_entries(request.entries, level.distance);
  if (needed > request.entries) return std::nullopt;
  const PlacementResult result = place_entries(placement_of(request));
  if (!result.placement) return std::nullopt;
  std::vector<std::uint32_t> counts;
  for (const auto& p : result.placement->positions) counts.push_back(static_cast<std::uint32_t>(p.size()));
  return counts;
}

bool has_table(const TableRequest& request, std::uint64_t most) {
  const auto counts = placed_counts(request);
  return counts && LeastRound(request, *counts).enough_for_all(most);
}

}  // namespace weft
