// The IB-like switch as a record. It has the common keys and no others.

#include "fabrics/packet/ib/ib_switch.h"

#include "fabrics/packet/common/switch_architecture.h"

namespace weft {

constinit const SwitchArchitecture kIbArchitecture{
    .name = "ib",
    .meaning = "one crossbar",
    .likeness = "IB-like",
    .make = make_switch<IbSwitch>,
};

}  // namespace weft
