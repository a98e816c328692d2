#pragma once
// Text of `weft describe`: every key with type, unit, default, range and meaning.

#include <string>
#include <vector>

#include "run/registry.h"

namespace weft {

std::string describe_text(const Registry& registry);
std::string describe_markdown(const Registry& registry);  ///< configs/README.md
std::string describe_json(const Registry& registry);

/// Kinds of documents that have a JSON Schema: any, each fabric and each task, and "<fabric>-part" for files that
/// others are laid over.
std::vector<std::string> schema_kinds(const Registry& registry);
std::string describe_schema(const Registry& registry, const std::string& kind);

}  // namespace weft
