#pragma once
// A packet as one rank tells another of it: what the rest of its way depends on, and what is measured of it.

#include "fabrics/packet/common/message.h"

namespace weft {

struct PacketOnWire {
  Cycle generated = 0;
  NodeId source = kNoId;
  NodeId destination = kNoId;
  std::uint32_t flits = 0;
  std::uint32_t choice = 0;
  std::uint32_t sequence = 0;  ///< where it was generated
  std::uint32_t waited = 0;
  VirtualLane lane = 0;
  ServiceLevel level = 0;
  std::uint8_t lane_class = 0;
  std::uint8_t channel = 0;
  bool followed = false;  ///< its transfer comes with it

  PacketOnWire() = default;
  explicit PacketOnWire(const PacketMessage& m)
      : generated(m.generated),
        source(m.source),
        destination(m.destination),
        flits(m.flits),
        choice(m.choice),
        sequence(m.sequence),
        waited(m.waited),
        lane(m.lane),
        level(m.level),
        lane_class(m.lane_class),
        channel(m.channel) {}
  void fill(PacketMessage& m) const {
    m.generated = generated;
    m.source = source;
    m.destination = destination;
    m.flits = flits;
    m.choice = choice;
    m.sequence = sequence;
    m.waited = waited;
    m.lane = lane;
    m.level = level;
    m.lane_class = lane_class;
    m.channel = channel;
  }
};

}  // namespace weft
