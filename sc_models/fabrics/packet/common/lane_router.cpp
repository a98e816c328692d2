#include "fabrics/packet/common/lane_router.h"

#include "fabrics/packet/common/message.h"

namespace weft {

PacketHop LaneRouter::hop(const RouteStep& step, SwitchId at, PortId in, const PacketMessage& m) const {
  PacketHop out{.first = step.first, .count = step.count, .enters_ring = step.enters_ring};
  out.lane_class = step.lane_class;
  if (tables_.uniform()) {
    out.lane = tables_.usual_lane(m.level, step.lane_class);
    out.channel = tables_.usual_channel(m.level, step.lane_class);
    return out;
  }
  const LaneChoice::Lane lane =
      tables_.at_switch(at, in, step.first, m.level, step.lane_class, m.lane_class, m.channel);
  out.lane = lane.lane;
  out.channel = lane.channel;
  return out;
}

PacketHop LaneRouter::route(SwitchId at, PortId in, const PacketMessage& m) const {
  return hop(routing_.step({at, in, m.lane_class}, m.destination, m.choice), at, in, m);
}

}  // namespace weft
