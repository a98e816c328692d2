#pragma once
// Checked configuration of an OPTWEB network and of the traffic that it carries when it has no programs. Keys:
// fabrics/optweb/keys/optweb_schema.cpp.

#include <optional>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "workload/workload.h"

namespace weft {

/// Contents of the wave file.
struct OptwebWaveChoice {
  WaveTimes times;
  std::vector<NodeId> nodes;  ///< none: all
};

/// Boxes in the table of the report.
struct OptwebBoxChoice {
  std::vector<NodeId> nodes;  ///< none: all
  Duration from;
  std::optional<Duration> until;  ///< nothing: the end of the run
};

struct OptwebSystemConfig : OptwebConfig {
  OptwebWaveChoice waves;
  std::optional<OptwebBoxChoice> boxes;  ///< nothing: no table
  Workload workload;  ///< its flits are words, its period is that of the agenda; programs stand in OptwebConfig
  bool has_traffic() const { return !workload.traffic.services.empty(); }
};

}  // namespace weft
