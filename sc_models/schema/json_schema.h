#pragma once
// JSON Schema (draft 2020-12) of YAML documents, from the one declaration of their keys. Editors complete and check
// files with it; Weft itself does not use it.

#include <memory>
#include <string>
#include <vector>

#include "schema/schema.h"

namespace weft {

/// Kind of document.
struct DocumentSchema {
  std::string name;  ///< a word, such as "packet"
  std::string meaning;
  std::shared_ptr<const SectionInfo> keys;
  std::string fabric;  ///< value of its key `fabric`; empty: it has none
};

/// Schema of one kind of document. One with `base` is laid over others, so it may lack required keys, and `null` takes
/// keys away. `part`: also one without `base`, which others are laid over.
std::string json_schema(const DocumentSchema& document, bool part);

/// Schema of any of these documents: the one that `fabric` names, else one of those without `fabric` or a part.
std::string json_schema(const std::vector<DocumentSchema>& documents);

}  // namespace weft
