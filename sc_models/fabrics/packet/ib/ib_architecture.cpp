// The IB-like switch as a record. It has the common keys and no others.

#include "fabrics/packet/ib/ib_switch.h"

#include "fabrics/packet/common/switch_architecture.h"

namespace weft {
namespace {

std::unique_ptr<PacketSwitch> make_ib(const char* name, const SwitchSite& site, const PacketParameters& parameters,
                                      const PacketRouter& router, EgressSchedulerFactory& schedulers,
                                      PacketCommon& common) {
  return std::make_unique<IbSwitch>(name, site, parameters, router, schedulers, common);
}

}  // namespace

constinit const SwitchArchitecture kIbArchitecture{
    .name = "ib",
    .meaning = "one crossbar",
    .likeness = "IB-like",
    .make = make_ib,
};

}  // namespace weft
