#pragma once
// One configuration as a single tree: the file, the files it names under `base:`, and the `--set` overrides.
//
// Maps are merged key by key, the including file wins over its bases and a later base over an earlier one;
// lists and scalars are replaced whole. An explicit `null` takes an inherited key away. Every value keeps the
// location of the file (or of the override) it came from, so errors point to where the value was written.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "schema/yaml_tree.h"

namespace weft {

/// Overrides of the command line, `a.b=value`, applied and checked like the file itself.
using Overrides = std::vector<std::string>;

struct ConfigDocument {
  YamlNode root;  ///< a map, without its `base` key
  /// Folder of each file that contributed, by the name used in locations. Overrides have none: paths in them
  /// are taken from the working directory, as paths on a command line are.
  std::map<std::string, std::filesystem::path> folders;

  /// `path` as written at `where`, taken from the folder of the file that says it.
  std::string resolve_path(const std::string& path, const Location& where) const;
};

/// Name of a document in messages, and its contents.
struct DocumentKind {
  std::string name = "a configuration";
  std::string first = "fabric: ...";    ///< what an empty one lacks
  std::string example = "fabric: tdm";  ///< a key and its value
};

/// Reads `file` and everything it includes. Throws InputError.
ConfigDocument load_document(const std::string& file, const DocumentKind& kind = {});

/// Same for text that stands in no file; relative paths in it are taken from `folder`.
ConfigDocument parse_document(const std::string& text, const std::string& name, const std::string& folder,
                              const DocumentKind& kind = {});

/// Lays `over` on top of `node` by the rules above.
void merge_yaml(YamlNode& node, YamlNode over);

/// Applies one `a.b.0.c=value`. The value is YAML; list elements are addressed by their index, and dots
/// inside brackets do not separate keys. Throws InputError at the location "--set a.b=value".
void apply_override(YamlNode& root, const std::string& assignment);

/// Replaces spellings of earlier versions in the tree of a document; warnings about them go to the diagnostics.
using Renewal = std::function<void(YamlNode& root, Diagnostics& diagnostics)>;

/// Applies them all in order; what is wrong with them goes to `diagnostics`. `renew` sees the tree first and after each
/// of them, so a later override wins over the file and over earlier overrides whatever the spelling of each.
void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments, Diagnostics& diagnostics,
                     const Renewal& renew = {});

/// Lays the overrides over the document and makes `read(document, own)` of it; throws InputError with everything that
/// is wrong in it, in order, and passes warnings on. Earlier errors in `diagnostics` are not this document's.
template <class Read>
auto read_checked(ConfigDocument document, const Overrides& overrides, Diagnostics& diagnostics, Read&& read,
                  const Renewal& renew = {}) {
  Diagnostics own;
  apply_overrides(document.root, overrides, own, renew);
  auto out = read(document, own);
  own.sort();
  own.throw_if_errors();
  for (const Diagnostic& d : own.list()) diagnostics.warning(d.where, d.message);
  return out;
}

}  // namespace weft
