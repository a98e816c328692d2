#pragma once
// The observers of one TDM network.

#include "fabric/observer.h"
#include "fabric/observer_list.h"

namespace weft {

using Observers = ObserverList<FabricObserver>;

}  // namespace weft
