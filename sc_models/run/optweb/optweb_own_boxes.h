#pragma once
// Boxes of a design's own in OPTWEB nodes, as a configuration names them: checks before a run, and what reports and
// comparisons need to know of them.

#include <string>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/user/box_catalog.h"

namespace weft {

/// Throws InputError at a name that no box has, and at boxes whose results `verify: data` cannot know. Warns of those
/// that nothing in the programs uses.
void check_own_boxes(const OptwebConfig& config, const OptwebBoxes& boxes, Diagnostics& warnings);
/// Operations of own reduction units, for comparisons; both must outlive it. Empty where nobody has one.
optweb::OwnCombine own_combine(const OptwebConfig& config, const OptwebBoxes& boxes);
/// "reduction unit: largest_int16; boxes of received words: unscramble"; empty where there are none.
std::string own_boxes_text(const OptwebOwnBoxes& boxes);

}  // namespace weft
