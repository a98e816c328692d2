#pragma once
// The systems a configuration can describe, by the word its key `fabric` has. Adding one is a schema of its
// own (as fabrics/tdm/keys/tdm_schema.h) and one line in fabrics.cpp; the reader and `weft describe` follow. The files
// of other commands are listed beside them.

#include <memory>
#include <string>
#include <vector>

#include "schema/schema.h"

namespace weft {

struct Fabric {
  std::string name;
  std::string meaning;
  std::shared_ptr<const SectionInfo> keys;
};

std::vector<std::string> fabric_names();
std::vector<Fabric> fabrics();

/// A YAML file that describes no fabric but the task of one command; it has no key `fabric`.
struct TaskFile {
  std::string command;
  std::string meaning;
  std::shared_ptr<const SectionInfo> keys;
};
std::vector<TaskFile> task_files();

}  // namespace weft
