#pragma once
// Meters at the links and in the buffers of a packet network whose messages are on a link in one piece.

#include <memory>
#include <vector>

#include "fabrics/packet/observe/packet_link_stats.h"
#include "fabrics/packet/observe/packet_profile.h"
#include "fabrics/packet/packet_network.h"
#include "run/packet/packet_platform.h"

namespace weft {

class PacketMeters {
 public:
  static constexpr const char* kOccupancy =
      "mean over the measurement window of the flits in it: from their arrival by a link until they are on the next "
      "one";

  /// References must outlive it.
  PacketMeters(PacketNetwork& network, const PacketPlatform& platform)
      : network_(network),
        platform_(platform),
        buffers_(platform.config().faults.empty()),
        links_(platform.graph(), Window{0, Window::kOpen}) {
    network.add_observer(links_);
    if (buffers_) links_.count_buffers(ways());
  }
  std::vector<WindowedStats*> windowed() { return {&links_}; }
  void record(NetworkProfile& profile) {
    profile_ = std::make_unique<PacketProfile>(platform_.graph(), ways(), buffers_, profile);
    network_.add_observer(*profile_);
  }
  /// What is in buffers is known: no message is lost in them.
  bool knows_buffers() const { return buffers_; }
  /// All numbers, to be added to those of other parts of the network.
  std::vector<std::uint64_t> numbers() const { return links_.numbers(); }
  void set_numbers(const std::vector<std::uint64_t>& numbers) { links_.set_numbers(numbers); }
  std::uint64_t flit_hops() const { return links_.flit_hops(); }
  std::uint64_t message_hops() const { return links_.message_hops(); }
  Table links() const { return links_.links(); }
  std::vector<double> occupancy() const { return links_.occupancy(); }

 private:
  PacketLinks ways() const { return {platform_.graph(), platform_.parameters().stages.link, platform_.adapters()}; }

  PacketNetwork& network_;
  const PacketPlatform& platform_;
  const bool buffers_;
  PacketLinkStats links_;
  std::unique_ptr<PacketProfile> profile_;
};

}  // namespace weft
