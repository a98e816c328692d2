#pragma once
// Resolved configuration: the tree of a document with the defaults of the keys that it leaves out, and of each value
// its origin. It stands in every report, as JSON, and can be read back as the document that it was made from.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "schema/document.h"
#include "schema/schema.h"

namespace weft {

/// `root` (bases, overrides and renewed keys included) with every key of `keys` that has a default; the location of a
/// default has the file `default` and as line a number of its own. Keys without value and without a plain default are
/// left out.
YamlNode with_defaults(const YamlNode& root, const SectionInfo& keys);

/// Takes away the defaults that diagnostics stand at; false: there are none.
bool remove_defaults(YamlNode& resolved, const std::vector<Diagnostic>& diagnostics);

/// "default", "--set", "file:line" or "file".
std::string origin_text(const Location& where);

/// {"values": ..., "origins": ...}, two trees of the same shape. Values are as the document writes them: whole numbers
/// and true, false as such, everything else as text. Where all values of a list or section have one origin, it stands
/// for them all, but for a section that the document gives with defaults alone.
nlohmann::ordered_json resolved_json(const YamlNode& resolved);

/// The document again, without its defaults. Files named in it are taken from where they were taken from, as seen from
/// `folder`, the working directory of the run. Throws InputError, placed in `file`, for what is no such object.
ConfigDocument document_of(const nlohmann::ordered_json& resolved, const std::string& file,
                           const std::filesystem::path& folder);

}  // namespace weft
