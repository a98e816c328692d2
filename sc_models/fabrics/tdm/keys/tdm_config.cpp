#include "fabrics/tdm/keys/tdm_config.h"

#include <algorithm>

namespace weft {

SwitchImplementations TdmSwitchConfig::implementations(SwitchId sw) const {
  SwitchImplementations out = all;
  for (const SwitchInstances& i : instances) {
    if (sw < i.range.first || sw > i.range.last) continue;
    out.slot_lut = i.slot_lut.value_or(out.slot_lut);
    out.data_path = i.data_path.value_or(out.data_path);
    out.setup_unit = i.setup_unit.value_or(out.setup_unit);
  }
  return out;
}

const BlockChoice& HostInterfaceConfig::of(NodeId node) const {
  const BlockChoice* choice = &all;
  for (const Instances& i : instances) {
    if (node >= i.range.first && node <= i.range.last) choice = &i.choice;
  }
  return *choice;
}

bool HostInterfaceConfig::all_models() const {
  return all.is_model() &&
         std::all_of(instances.begin(), instances.end(), [](const Instances& i) { return i.choice.is_model(); });
}

}  // namespace weft
