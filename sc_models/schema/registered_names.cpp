#include "schema/registered_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace weft {

bool is_registered_form(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && fits(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

std::string registered_instead(const std::string& name, const std::vector<std::string>& names) {
  if (const std::string meant = did_you_mean(name, names); !meant.empty()) return meant;
  return names.empty() ? " (none is; --plugin FILE loads one)" : fmt::format(" (there is {})", fmt::join(names, ", "));
}

}  // namespace weft
