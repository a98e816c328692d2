#pragma once
// A TDM network as those who watch it see it, whatever sets up its circuits.

#include <string>

#include "fabrics/tdm/observer.h"

namespace weft {

class ObservedNetwork {
 public:
  virtual ~ObservedNetwork() = default;
  /// SystemC name.
  virtual std::string path() const = 0;
  /// Call before the first cycle.
  virtual void add_observer(TdmObserver& observer) = 0;
  /// From now on every observer gets on_cycle() at the end of each cycle, also of cycles in which nothing moves.
  virtual void observe_cycles() = 0;
};

}  // namespace weft
