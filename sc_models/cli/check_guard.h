#pragma once
// End of a check that passes its time or its memory, whatever it is doing then. What is known to take long or to need
// much is refused before it begins, with its place in the file (base/resource_need.h); this holds for the rest.

#include <string>

namespace weft::cli {

/// While it lives, the process ends with status 2 and a message, as a JSON document too if `json`, when it has used
/// usable_seconds() of processor time since it began, or when it asks for more than usable_memory(). Nothing is cleaned
/// up, so it must not live while files are written. At most one at a time.
class CheckGuard {
 public:
  CheckGuard(const std::string& file, bool json);
  ~CheckGuard();
  CheckGuard(const CheckGuard&) = delete;
  CheckGuard& operator=(const CheckGuard&) = delete;
};

}  // namespace weft::cli
