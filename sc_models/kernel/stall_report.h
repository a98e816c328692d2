#pragma once
// Report of a stall: the first places at which messages wait, with the reason, and the oldest message.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace weft {

/// Place at which messages wait.
struct StalledPort {
  std::uint64_t order = 0;  ///< in the report
  std::string line;         ///< place, the first message, what it waits for
  std::string oldest;       ///< message there, and the place
  Cycle generated = 0;      ///< cycle of that
};

/// A line each that begins with "\n  ": the first ten, how many more there are, and the oldest message.
inline std::string stall_text(std::vector<StalledPort> places) {
  constexpr std::size_t kListed = 10;
  if (places.empty()) return {};
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kListed, places.size()); ++i) out += "\n  " + places[i].line;
  if (places.size() > kListed) out += fmt::format("\n  and {} more", places.size() - kListed);
  const auto oldest = std::min_element(places.begin(), places.end(),
                                       [](const auto& a, const auto& b) { return a.generated < b.generated; });
  return out + fmt::format("\n  oldest: {}", oldest->oldest);
}

}  // namespace weft
