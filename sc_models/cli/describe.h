#pragma once
// Text of `weft describe`: every key with type, unit, default, range and meaning.

#include <string>

#include "run/registry.h"

namespace weft {

std::string describe_text(const Registry& registry);
std::string describe_markdown(const Registry& registry);  ///< configs/README.md
std::string describe_json(const Registry& registry);

}  // namespace weft
