#pragma once
// Registry of the families that a program can run. Weft's own program has those of cli/families.h; a program of a user
// adds its own and calls cli::main (cli/main.h).

#include <string>
#include <vector>

#include "run/family.h"

namespace weft {

class Registry {
 public:
  /// Throws std::invalid_argument for a name that a family has already, and for a family without name, keys or reader.
  Registry& add(Family family);
  /// Null when there is none of that name.
  const Family* find(const std::string& name) const;
  const std::vector<Family>& families() const { return families_; }

 private:
  std::vector<Family> families_;
};

}  // namespace weft
