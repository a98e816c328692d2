#pragma once
// Options of the command line as the YAML they stand for, so that they are checked like a file.

#include <string>

#include "schema/yaml_tree.h"

namespace weft::cli {

/// Place of an option and its text, for messages.
Location option_at(const std::string& option, const std::string& text);

YamlNode scalar_node(const std::string& text, const Location& where);

/// "4,4" as a list.
YamlNode list_node(const std::string& text, const Location& where);

}  // namespace weft::cli
