#pragma once
// Names by which configurations ask for what programs and plug-ins register, blocks and boxes; messages about them.

#include <string>
#include <vector>

namespace weft {

/// Whether a name begins with a letter or an underscore and has letters, digits and underscores only.
bool is_registered_form(const std::string& name);

/// What a message about a name that nothing is registered under says at its end: which name was meant, or which there
/// are.
std::string registered_instead(const std::string& name, const std::vector<std::string>& names);

}  // namespace weft
