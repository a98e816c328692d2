#pragma once
// Observer of an OPTWEB network: statistics and waves see its models through nothing else. Times are picoseconds, since
// nodes may have clocks of their own. Calls come in order of their time.

#include "fabrics/optweb/events.h"
#include "kernel/observer_list.h"

namespace weft {

/// Observer of an OPTWEB network.
class OptwebObserver {
 public:
  virtual ~OptwebObserver() = default;
  bool wants_hops() const { return false; }
  virtual void on_execute(const OptwebExecution& /*execution*/) {}
  virtual void on_deliver(const OptwebDelivery& /*delivery*/) {}
  virtual void on_host(const OptwebHostEvent& /*event*/) {}
};

using OptwebObservers = ObserverList<OptwebObserver>;

}  // namespace weft
