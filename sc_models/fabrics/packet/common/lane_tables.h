#pragma once
// Tables that give a message its virtual lane (VL), device by device. InfiniBand: SL2VL by input and output port.
// Omni-Path: SL2SC of the NICs, the service channel (SC) a message goes on with at each switch, SC2VL by input and
// output port. Without exceptions the tables are the same everywhere.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "fabrics/packet/common/parameters.h"
#include "network/graph.h"
#include "network/places.h"
#include "network/routing/packet_routing.h"

namespace weft {

/// Exception to the tables of levels, channels and lanes at some devices.
struct LaneException {
  std::string key;                     ///< of the configuration, such as "qos.lane_maps.0"
  PortRange at;                        ///< switches, or a NIC; a port: the output
  std::optional<std::uint32_t> input;  ///< of the switches; unset: all
  struct Level {
    Location where;
    std::uint32_t sl = 0;
    std::vector<std::uint32_t> numbers;  ///< per lane class
  };
  std::vector<Level> lanes;  ///< without channels: SL2VL
  std::vector<Level>
      channels;  ///< with channels: SL2SC of a NIC; of a switch the SC a message of the level goes on with
  std::vector<std::pair<std::uint32_t, std::uint32_t>> channel_lanes;  ///< with channels: SC2VL
};

struct LaneParameters {
  struct Level {
    std::vector<std::uint32_t> lanes;     ///< VL per lane class of the routing
    std::vector<std::uint32_t> channels;  ///< with channels: SC per lane class
  };
  bool channels = false;      ///< a message has an SC, which decides on its VL
  std::uint32_t classes = 1;  ///< lane classes of the routing
  std::vector<Level> levels;
  std::vector<std::uint32_t> channel_lanes;  ///< SC2VL; SC beyond its end: the VL of the same number
  std::vector<LaneException> exceptions;     ///< later ones win
};

class LaneTables final : public LaneChoice {
 public:
  /// Reports exceptions at places that do not exist, or at one link of a trunk; then only lanes_of() and uniform() mean
  /// something.
  LaneTables(LaneParameters parameters, const Graph& graph, Diagnostics& diagnostics);

  /// There are no exceptions, so every lane class of a level is one VL.
  bool uniform() const { return parameters_.exceptions.empty(); }
  VirtualLane usual_lane(ServiceLevel level, std::uint32_t lane_class) const {
    return lanes_[level * parameters_.classes + lane_class];
  }
  std::uint8_t usual_channel(ServiceLevel level, std::uint32_t lane_class) const {
    return channels_[level * parameters_.classes + lane_class];
  }
  /// All VLs a level can be on anywhere.
  std::vector<std::uint32_t> lanes_of(ServiceLevel level) const;
  const LaneParameters& parameters() const { return parameters_; }

  Lane at_nic(NodeId nic, ServiceLevel level) const;
  /// At a switch, for a message that came on `came_class` and `came_channel`.
  Lane at_switch(SwitchId sw, PortId in, PortId out, ServiceLevel level, std::uint8_t lane_class,
                 std::uint8_t came_class, std::uint8_t came_channel) const;

  std::uint32_t levels() const override { return static_cast<std::uint32_t>(parameters_.levels.size()); }
  Lane inject(NodeId from, std::uint32_t level) const override {
    return at_nic(from, static_cast<ServiceLevel>(level));
  }
  Lane next(const RoutePlace& place, const RouteStep& step, std::uint32_t level, const Lane& came) const override {
    return at_switch(place.at, place.in, step.first, static_cast<ServiceLevel>(level), step.lane_class,
                     place.lane_class, came.channel);
  }

 private:
  void check_place(const LaneException& exception, const Graph& graph, Diagnostics& diagnostics) const;
  void check_output(const LaneException& exception, const Graph& graph, Diagnostics& diagnostics) const;
  VirtualLane lane_of_channel(std::uint32_t channel) const;
  template <class Matches>
  Lane choose(ServiceLevel level, std::uint32_t lane_class, std::uint8_t channel, Matches&& matches) const;

  LaneParameters parameters_;
  std::vector<VirtualLane> lanes_;      // [level * classes + lane class]
  std::vector<std::uint8_t> channels_;  // the same
};

}  // namespace weft
