#pragma once
// Keys of boxes that a design has of its own in OPTWEB nodes, by registered names.

#include <string>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "base/diagnostics.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawOwnBoxes {
  Given<std::string> reduction;
  Given<std::string> user_logic;
  Given<std::vector<Placed<std::string>>> sent;
  Given<std::vector<Placed<std::string>>> received;
};

/// `otherwise`: default of each key.
Section<RawOwnBoxes> own_boxes_section(const std::string& meaning, const std::string& otherwise);
OptwebOwnBoxes resolve_own_boxes(const Given<RawOwnBoxes>& raw);

}  // namespace weft
