#include "cosim/common/named_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "schema/registered_names.h"

namespace weft {

namespace {

// Of all catalogs of the process, by name.
std::map<std::string, std::set<std::string>>& places_of_blocks() {
  static std::map<std::string, std::set<std::string>> all;
  return all;
}

}  // namespace

void note_block(const std::string& place, const std::string& name) { places_of_blocks()[name].insert(place); }

std::string block_name_problem(const std::string& name) {
  return is_registered_form(name)
             ? ""
             : fmt::format("'{}' is no name of an RTL block: letters, digits and underscores", name);
}

std::string no_such_block(const std::string& place, const std::string& name, const std::vector<std::string>& names) {
  if (const auto at = places_of_blocks().find(name); at != places_of_blocks().end()) {
    if (at->second.contains(place)) {
      return fmt::format(
          "RTL block '{}' is registered for {}, but not among the blocks that this plan is made with: in "
          "a program of your own, design->plan(registry.blocks())",
          name, place);
    }
    return fmt::format("RTL block '{}' is not registered for {}, but for {}", name, place,
                       fmt::join(at->second, " and "));
  }
  return fmt::format("no RTL block '{}' is registered for {}{}", name, place, registered_instead(name, names));
}

}  // namespace weft
