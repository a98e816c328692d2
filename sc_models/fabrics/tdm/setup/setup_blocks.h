#pragma once
// Factory of the replaceable blocks of a switch that takes part in circuit setup: those of every FiC switch, and its
// setup unit.

#include <memory>

#include "fabrics/tdm/blocks.h"
#include "fabrics/tdm/setup/switch_access.h"

namespace weft {

class SetupBlockFactory : public BlockFactory {
 public:
  /// `access` outlives the block.
  virtual std::unique_ptr<SwitchCircuitsIf> setup_unit(const BlockSite& site, const SetupSite& setup,
                                                       SwitchAccess& access);
};

}  // namespace weft
