#pragma once
// The observers of one network, and the names they may ask for.

#include <vector>

#include "fabric/observer.h"

namespace weft {

class Observers {
 public:
  void add(FabricObserver& observer) {
    all_.push_back(&observer);
    if (observer.wants_hops()) hops_.push_back(&observer);
  }
  template <class F>
  void tell(F&& f) const {
    for (FabricObserver* o : all_) f(*o);
  }
  template <class F>
  void tell_hop(F&& f) const {
    for (FabricObserver* o : hops_) f(*o);
  }

 private:
  std::vector<FabricObserver*> all_;
  std::vector<FabricObserver*> hops_;
};

}  // namespace weft
