#include "fabrics/tdm/setup/setup_blocks.h"

#include "fabrics/tdm/setup/switch_circuits.h"

namespace weft {

std::unique_ptr<SwitchCircuitsIf> SetupBlockFactory::setup_unit(const BlockSite&, const SetupSite& setup,
                                                                SwitchAccess& access) {
  return std::make_unique<SwitchCircuits>(setup, access);
}

}  // namespace weft
