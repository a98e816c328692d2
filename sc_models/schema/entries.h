#pragma once
// Entries of a section: what the user wrote of each key, and what `--set` has taken away.

#include <string>

#include "schema/yaml_tree.h"

namespace weft {

/// The place of a value that `--set` gives.
bool is_from_set(const Location& where);

/// What the user wrote of a key of this section; null also when `--set KEY=null` has taken it away, which leaves the
/// null in the tree where the key was not there. `has_keys`: the key is a section, of which all may be taken away.
const YamlEntry* entry_of(const YamlNode& section, const std::string& key, bool has_keys);

}  // namespace weft
