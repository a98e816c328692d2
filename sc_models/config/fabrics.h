#pragma once
// The systems a configuration can describe, by the word its key `fabric` has. Adding one is a schema of its
// own (as config/fic_schema.h) and one line in fabrics.cpp; the reader and `weft describe` follow.

#include <memory>
#include <string>
#include <vector>

#include "config/schema.h"

namespace weft {

struct Fabric {
  std::string name;
  std::string meaning;
  std::shared_ptr<const SectionInfo> keys;
};

std::vector<std::string> fabric_names();
std::vector<Fabric> fabrics();

}  // namespace weft
