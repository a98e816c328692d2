#pragma once
// Commands and options as the completion of shells needs them, read from CLI11's own tree.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace weft::cli {

/// What stands behind an option, or where a command has its inputs.
enum class Completed { nothing, words, keys, settings, yaml_files, files, folders, reports };

struct OptionEntry {
  std::vector<std::string> names;  ///< "--out"
  std::string meaning;
  bool takes_value = false;
  Completed value = Completed::nothing;
  std::vector<std::string> words;
};

struct CommandEntry {
  std::string name;
  std::string meaning;
  std::vector<OptionEntry> options;
  Completed input = Completed::nothing;
  std::vector<std::string> words;  ///< inputs that are words
  std::vector<CommandEntry> commands;
};

CommandEntry command_tree(const CLI::App& app);

}  // namespace weft::cli
