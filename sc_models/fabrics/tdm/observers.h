#pragma once
// The observers of one TDM network.

#include "fabrics/tdm/observer.h"
#include "kernel/observer_list.h"

namespace weft {

using Observers = ObserverList<TdmObserver>;

}  // namespace weft
