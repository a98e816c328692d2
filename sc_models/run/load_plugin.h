#pragma once
// Plug-ins (run/plugin.h) that a program takes in.

#include <string>
#include <vector>

#include "run/registry.h"

namespace weft {

/// Loads the file and registers what it has. Throws InputError with the file and the reason: it is no shared object, no
/// plug-in, was built for another version or other headers, needs what the program has not, or adds what is there
/// already. It stays loaded until the program ends.
void load_plugin(const std::string& file, Registry& registry);
/// Files of those that are loaded, with full names.
const std::vector<std::string>& loaded_plugins();

}  // namespace weft
