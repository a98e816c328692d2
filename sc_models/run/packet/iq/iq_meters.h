#pragma once
// Meters at the links and in the buffers of a network of iq routers.

#include <vector>

#include "fabrics/packet/iq/iq_link_stats.h"
#include "fabrics/packet/iq/iq_occupancy.h"
#include "fabrics/packet/observe/link_table.h"
#include "run/packet/packet_platform.h"

namespace weft {

class IqMeters {
 public:
  static constexpr const char* kOccupancy =
      "mean of the flits in its input buffers, sampled at regular cycles of the measurement window";

  /// References must outlive it.
  IqMeters(IqNetwork& network, const PacketPlatform& platform)
      : graph_(platform.graph()), links_(network, graph_), buffers_(network, graph_) {}
  std::vector<WindowedStats*> windowed() { return {&links_, &buffers_}; }
  void record(NetworkProfile& profile) {
    links_.record(profile);
    buffers_.record(profile);
  }
  bool knows_buffers() const { return true; }
  /// All numbers, to be added to those of other parts of the network.
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> out = links_.numbers();
    out.insert(out.end(), buffers_.numbers().begin(), buffers_.numbers().end());
    return out;
  }
  void set_numbers(const std::vector<std::uint64_t>& numbers) {
    const auto buffers = numbers.end() - static_cast<std::ptrdiff_t>(buffers_.numbers().size());
    links_.set_numbers({numbers.begin(), buffers});
    buffers_.set_numbers({buffers, numbers.end()});
  }
  std::uint64_t flit_hops() const { return links_.flit_hops(); }
  /// Routers do not count packets.
  std::uint64_t message_hops() const { return 0; }
  Table links() const {
    return link_table(graph_, links_.window(), [this](LinkId l) { return static_cast<std::int64_t>(links_.flits(l)); });
  }
  std::vector<double> occupancy() const { return buffers_.occupancy(); }

 private:
  const Graph& graph_;
  IqLinkStats links_;
  IqOccupancy buffers_;
};

}  // namespace weft
