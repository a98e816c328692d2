#pragma once
// Checked configuration of an OPTWEB network and of the traffic that it carries when it has no programs. Keys:
// fabrics/optweb/keys/optweb_schema.cpp.

#include "algorithms/optweb/optweb_config.h"
#include "workload/workload.h"

namespace weft {

struct OptwebSystemConfig : OptwebConfig {
  Workload workload;  ///< its flits are words, its period is that of the agenda; programs stand in OptwebConfig
  bool has_traffic() const { return !workload.traffic.services.empty(); }
};

}  // namespace weft
