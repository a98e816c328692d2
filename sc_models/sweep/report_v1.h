#pragma once
// Names that figures had in version 1 of the report (schema weft-report/1), for sweeps that still ask for them.

#include <string>

#include "sweep/sweep_config.h"

namespace weft {

/// The path by its name since version 2; empty when the path has none of version 1.
std::string path_since_v2(const MetricPath& path);

}  // namespace weft
