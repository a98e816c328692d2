#pragma once
// Registry of the families that a program can run, and of the RTL that can stand in them. Weft's own program has the
// families of cli/families.h; a program of a user adds its own and calls cli::main (cli/main.h), a plug-in
// (run/plugin.h) adds its own to those of the program that loads it.

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
  /// RTL blocks: `registry.blocks().packet.dtable.add("my_dtable", ...)`.
  BlockCatalog& blocks() { return blocks_; }
  const BlockCatalog& blocks() const { return blocks_; }

 private:
  std::vector<Family> families_;
  BlockCatalog blocks_;
};

}  // namespace weft
