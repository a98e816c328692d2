#include "algorithms/qos/egress_scheduler.h"

#include <fmt/format.h>

namespace weft {

std::string level_name_problem(const std::string& name, std::uint32_t number) {
  if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(number)) {
    return {};
  }
  return fmt::format(
      "expected a name, or the number of the level, which is {}; any other number would be taken for "
      "another level",
      number);
}

}  // namespace weft
