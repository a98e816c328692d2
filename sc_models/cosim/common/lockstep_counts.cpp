#include "cosim/common/lockstep_counts.h"

#include <set>
#include <utility>

#include "cosim/common/cover_properties.h"

namespace weft {

LockstepCounts::Covers LockstepCounts::covers() const {
  std::map<std::pair<VerilatedContext*, std::string>, std::string> kinds;
  std::set<VerilatedContext*> contexts;
  for (const auto& [kind, blocks] : blocks_) {
    for (const RtlBlock* rtl : blocks) {
      if (rtl->context() == nullptr) continue;
      kinds[{rtl->context(), rtl->scopes()}] = kind;
      contexts.insert(rtl->context());
    }
  }
  Covers out;
  for (VerilatedContext* context : contexts) {
    for (const CoverProperty& property : cover_properties(*context)) {
      const auto kind = kinds.find({context, property.scopes});
      if (kind != kinds.end()) out[kind->second][property.name] += property.held ? 1 : 0;
    }
  }
  return out;
}

}  // namespace weft
