#pragma once
// Completion of the command line in shells, as scripts that need neither this program nor its files later on.

#include <string>
#include <vector>

#include "cli/completion/command_tree.h"

namespace weft::cli {

/// `shell`: bash, zsh or fish. `keys` of configurations.
std::string completion_script(const std::string& shell, const CommandEntry& program,
                              const std::vector<std::string>& keys);

// One for each shell.
std::string bash_completion(const CommandEntry& program, const std::vector<std::string>& keys);
std::string zsh_completion(const CommandEntry& program, const std::vector<std::string>& keys);
std::string fish_completion(const CommandEntry& program, const std::vector<std::string>& keys);

/// Keys that --set can name as they are: no element of a list has to be chosen.
std::vector<std::string> settable(const std::vector<std::string>& keys);

}  // namespace weft::cli
