#pragma once
// What makes the boxes of the nodes: those of sending_side.h and receiving_side.h here, others when a design overrides
// a function and hands its own factory to OptwebNetwork. A box is an sc_module of the given name; it is made within its
// distributed switch and destroyed with it.

#include <cstdint>
#include <memory>

#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/switch_boxes.h"

namespace weft {

/// Where a box stands.
struct OptwebBoxPlace {
  const char* name = "";  ///< within its distributed switch
  NodeId node = kNoId;
  std::uint32_t ports = 0;  ///< DMACs of the node, and so readers, writers, links and the way to itself
  const OptwebParameters& parameters;
};

class OptwebBoxes {
 public:
  using Place = OptwebBoxPlace;
  virtual ~OptwebBoxes() = default;
  virtual std::unique_ptr<ControlRegisterIf> control_register(const Place& place);
  virtual std::unique_ptr<DistributorsIf> distributors(const Place& place);
  virtual std::unique_ptr<SelectorsIf> selectors(const Place& place);
  virtual std::unique_ptr<GateIf> gate(const Place& place);
  virtual std::unique_ptr<WordCountersIf> sent_counters(const Place& place);
  virtual std::unique_ptr<NotificationRegistersIf> notifications(const Place& place);
  virtual std::unique_ptr<ReceiveBuffersIf> buffers(const Place& place);
  virtual std::unique_ptr<CrossbarIf> crossbar(const Place& place);
  virtual std::unique_ptr<ReductionUnitIf> reduction(const Place& place);
  virtual std::unique_ptr<WordCountersIf> received_counters(const Place& place);
};

}  // namespace weft
