#include "workload/wave_transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace weft {

void check_wave_node(const std::string& key, NodeId node, const Location& where, std::uint32_t nodes) {
  if (node < nodes) return;
  throw InputError(where, fmt::format("{}: expected a node from 0 to {}, got {}", key, nodes - 1, node));
}

void check_wave_level(const std::string& key, const std::string& level, const Location& where,
                      const TrafficConfig& traffic) {
  std::vector<std::string> names;
  for (const ServiceConfig& s : traffic.services) names.push_back(s.name);
  if (std::find(names.begin(), names.end(), level) != names.end()) return;
  throw InputError(where, fmt::format("{}: there is no '{}'{}", key, level, did_you_mean(level, names)));
}

void check_wave_transfers(const WaveTransfers& transfers, const TrafficConfig& traffic, std::uint32_t nodes) {
  const std::string path = "observe.waves.transfers";
  for (const auto& [node, where] : transfers.nodes) check_wave_node(path + ".nodes", node, where, nodes);
  for (std::size_t i = 0; i < transfers.levels.size(); ++i) {
    const auto& [name, where] = transfers.levels[i];
    check_wave_level(fmt::format("{}.levels.{}", path, i), name, where, traffic);
  }
}

}  // namespace weft
