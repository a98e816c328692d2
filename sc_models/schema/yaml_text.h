#pragma once
// A piece of a YAML document as text again, on one line: what is written is read back as the same value.

#include <string>

#include "schema/yaml_tree.h"

namespace weft {

std::string flow_text(const YamlNode& node);

}  // namespace weft
