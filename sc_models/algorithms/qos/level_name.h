#pragma once
// What a service level may be called.

#include <cstdint>
#include <string>

namespace weft {

/// What is wrong with the name of the level with this number, empty when nothing is: traffic, traces and tables name a
/// level by its name or its number, which must not be that of another.
std::string level_name_problem(const std::string& name, std::uint32_t number);

}  // namespace weft
