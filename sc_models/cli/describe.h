#pragma once
// Text of `weft describe`: every key with type, unit, default, range and meaning.

#include <string>
#include <vector>

#include "run/registry.h"

namespace weft {

std::string describe_text(const Registry& registry);
/// Pages in Markdown (configs/README.md, configs/keys/*.md): one with what is common, one for each kind of document.
struct Page {
  std::string name;  ///< below the folder of all pages
  std::string text;
};
std::vector<Page> describe_pages(const Registry& registry);
std::string describe_json(const Registry& registry);

/// A key or section by its path as describe_text() prints it, or by its last words, in every kind of document that has
/// it; throws InputError with a suggestion when none has.
std::string describe_key(const Registry& registry, const std::string& key);

/// Paths of all keys, each once, without those below a name of the user's choice.
std::vector<std::string> configuration_keys(const Registry& registry);

/// Kinds of documents that have a JSON Schema: any, each fabric and each task, and "<fabric>-part" for files that
/// others are laid over.
std::vector<std::string> schema_kinds(const Registry& registry);
std::string describe_schema(const Registry& registry, const std::string& kind);

}  // namespace weft
