#include "workload/wave_transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace weft {

void check_wave_transfers(const WaveTransfers& transfers, const TrafficConfig* traffic, std::uint32_t nodes) {
  const std::string path = "observe.waves.transfers";
  if (traffic == nullptr) {
    throw InputError(transfers.where,
                     path +
                         ": circuits with sources of their own and OPTWEB programs send no messages over endpoints; "
                         "the signals of their switches and nodes show what moves");
  }
  for (std::size_t i = 0; i < transfers.nodes.size(); ++i) {
    const WaveTransfers::Node& n = transfers.nodes[i];
    if (n.node >= nodes)
      throw InputError(n.where,
                       fmt::format("{}.nodes.{}: expected a node from 0 to {}, got {}", path, i, nodes - 1, n.node));
  }
  std::vector<std::string> names;
  for (const ServiceConfig& s : traffic->services) names.push_back(s.name);
  for (std::size_t i = 0; i < transfers.levels.size(); ++i) {
    const auto& [name, where] = transfers.levels[i];
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(where,
                       fmt::format("{}.levels.{}: there is no '{}'{}", path, i, name, did_you_mean(name, names)));
  }
}

}  // namespace weft
