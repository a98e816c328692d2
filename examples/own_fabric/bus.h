#pragma once
// Family of shared buses, `fabric: bus`.

#include "run/family.h"

namespace own {
weft::Family bus_family();
}  // namespace own
