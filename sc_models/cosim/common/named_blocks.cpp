#include "cosim/common/named_blocks.h"

#include <fmt/format.h>

#include "schema/registered_names.h"

namespace weft {

std::string block_name_problem(const std::string& name) {
  return is_registered_form(name)
             ? ""
             : fmt::format("'{}' is no name of an RTL block: letters, digits and underscores", name);
}

std::string no_such_block(const std::string& place, const std::string& name, const std::vector<std::string>& names) {
  return fmt::format("no RTL block '{}' is registered for {}{}", name, place, registered_instead(name, names));
}

}  // namespace weft
