#include "algorithms/qos/table_bounds.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace weft {
namespace {

// The largest (place - start) modulo g over all starts, which are sorted and below g: that of the first start above the
// place, around.
std::uint64_t farthest(const std::vector<std::uint64_t>& starts, std::uint64_t place, std::uint64_t g) {
  const auto above = std::upper_bound(starts.begin(), starts.end(), place);
  const std::uint64_t start = above == starts.end() ? starts.front() : *above;
  return place >= start ? place - start : place + g - start;
}

// `weights`: of the SL's entries, in order, each above 0.
std::uint64_t largest_of(const std::vector<std::uint32_t>& weights, std::uint64_t message, MessageSizes sizes) {
  const std::uint64_t total = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::uint64_t g = sizes == MessageSizes::any ? 1 : std::gcd(total, message);
  std::vector<std::uint64_t> places;  // weights before the entry, modulo g
  std::uint64_t before = 0;
  for (const std::uint32_t w : weights) {
    places.push_back(before % g);
    before += w;
  }
  std::vector<std::uint64_t> starts = places;
  std::sort(starts.begin(), starts.end());
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    largest = std::max(largest, weights[i] + message - g + farthest(starts, places[i], g));
  }
  return largest;
}

}  // namespace

CounterNeeds::CounterNeeds(const ArbitrationTable& table, const std::vector<std::uint32_t>& messages,
                           MessageSizes sizes) {
  for (ServiceLevel sl = 0; sl < kMaxServiceLevels && sl < messages.size(); ++sl) {
    std::vector<std::uint32_t> weights;
    for (const TableEntry& e : table) {
      if (e.sl == sl && e.weight > 0) weights.push_back(e.weight);
    }
    if (messages[sl] > 0) largest_[sl] = largest_of(weights, messages[sl], sizes);
  }
}

unsigned CounterNeeds::bits() const {
  return std::max(1U, static_cast<unsigned>(std::bit_width(*std::max_element(largest_.begin(), largest_.end()))));
}

std::vector<ServiceLevel> CounterNeeds::saturating(unsigned bits) const {
  std::vector<ServiceLevel> out;
  for (ServiceLevel sl = 0; bits > 0 && sl < kMaxServiceLevels; ++sl) {
    if (static_cast<unsigned>(std::bit_width(largest_[sl])) > bits) out.push_back(sl);
  }
  return out;
}

}  // namespace weft
