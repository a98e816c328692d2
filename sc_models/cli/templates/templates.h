#pragma once
// Configurations that `weft new` writes. They stand as YAML files in this folder and are built into the program
// (cmake/WeftEmbed.cmake).

#include <string_view>
#include <vector>

namespace weft::cli {

struct ConfigTemplate {
  std::string_view name;
  std::string_view meaning;
  std::string_view text;
  std::string_view command;     ///< that runs it
  std::string_view needs = {};  ///< template whose file it names
};

const std::vector<ConfigTemplate>& config_templates();

}  // namespace weft::cli
