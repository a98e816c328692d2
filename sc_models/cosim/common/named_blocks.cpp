#include "cosim/common/named_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace weft {

std::string block_name_problem(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool word = !name.empty() && fits(name.front()) &&
                    std::all_of(name.begin(), name.end(), [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
  return word ? "" : fmt::format("'{}' is no name of an RTL block: letters, digits and underscores", name);
}

std::string no_such_block(const std::string& place, const std::string& name, const std::vector<std::string>& names) {
  const std::string meant = did_you_mean(name, names);
  const std::string there = !meant.empty()  ? ""
                            : names.empty() ? " (none is; --plugin FILE loads one)"
                                            : fmt::format(" (there is {})", fmt::join(names, ", "));
  return fmt::format("no RTL block '{}' is registered for {}{}{}", name, place, meant, there);
}

}  // namespace weft
