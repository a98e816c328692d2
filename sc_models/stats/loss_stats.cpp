#include "stats/loss_stats.h"

#include <algorithm>
#include <vector>

namespace weft {

std::uint64_t LossStats::stalled() const {
  std::uint64_t sum = 0;
  for (const auto& [key, f] : flows_) sum += f.stalled();
  return sum;
}

std::uint64_t LossStats::suffering() const {
  return static_cast<std::uint64_t>(std::count_if(
      flows_.begin(), flows_.end(), [](const auto& f) { return f.second.lost + f.second.stalled() > 0; }));
}

Table LossStats::flows() const {
  constexpr std::size_t kMost = 1000;
  Table t;
  t.key = "faults";
  t.title = "Flows that suffered";
  t.meaning = "Messages of the whole run that were lost or stalled because links failed, by flow; at most 1,000 flows.";
  t.columns = {{"source", "", "NIC"},
               {"destination", "", "NIC"},
               {"level", "", "service level (SL)"},
               {"generated", "1", "messages of the flow"},
               {"delivered", "1", "that arrived"},
               {"lost", "1", "cut on a wire, or without a way left"},
               {"stalled", "1", "still waiting in the network when nothing moved any more"}};
  std::vector<decltype(flows_)::const_iterator> order;
  for (auto f = flows_.begin(); f != flows_.end(); ++f) {
    if (f->second.lost + f->second.stalled() > 0) order.push_back(f);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a->second.lost + a->second.stalled() > b->second.lost + b->second.stalled();
  });
  if (order.size() > kMost) order.resize(kMost);
  for (const auto& f : order) {
    const auto& [source, destination, level] = f->first;
    const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    t.rows.push_back({std::int64_t{source}, std::int64_t{destination}, config_.levels[level].name,
                      count(f->second.generated), count(f->second.delivered), count(f->second.lost),
                      count(f->second.stalled())});
  }
  return t;
}

}  // namespace weft
