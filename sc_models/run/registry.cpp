#include "run/registry.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace weft {

Registry& Registry::add(Family family) {
  if (family.name.empty() || !family.keys || !family.read) {
    throw std::invalid_argument("family '" + family.name + "': expected a name, keys and a reader");
  }
  if (find(family.name) != nullptr) throw std::invalid_argument("family '" + family.name + "' is registered twice");
  families_.push_back(std::move(family));
  return *this;
}

const Family* Registry::find(const std::string& name) const {
  const auto found = std::find_if(families_.begin(), families_.end(), [&](const Family& f) { return f.name == name; });
  return found == families_.end() ? nullptr : &*found;
}

}  // namespace weft
