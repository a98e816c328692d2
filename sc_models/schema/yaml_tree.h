#pragma once
// A YAML document as a plain tree in which every value knows where it stands.
//
// yaml-cpp parses the text; this tree is what the rest of the folder works on, because it can be merged
// (`base:`), overridden (`--set`) and blamed: each key and each value carries file:line:column. Text that is
// not UTF-8, syntax errors, duplicate keys, tags, several documents, recursion and documents that grow
// without bound through aliases are InputErrors with a place.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace weft {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  Location where;                  ///< a block value that begins on the line after its key stands where its key stands
  std::string text;                ///< scalar: its text without quotes
  std::vector<YamlEntry> entries;  ///< map: key and value, in the order of the file; sequence: value only

  const YamlEntry* find(std::string_view key) const;  ///< of a map; nullptr if there is none
  YamlEntry* find(std::string_view key);
  /// Its kind, for messages: "the text 'abc'", "a list", "a section", "nothing".
  std::string describe() const;
};

struct YamlEntry {
  std::string key;
  Location key_where;
  YamlNode value;
};

inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlNodes = 500'000;  ///< larger sets of circuits belong into a circuits_file
inline constexpr std::size_t kMaxYamlBytes = std::size_t{64} << 20;  ///< of the text of all values

/// Parses one document; `file` is the name used in locations. A document without content gives a null node.
YamlNode parse_yaml(std::string_view text, const std::string& file);

/// Gives a value and everything in it one place.
void place_at(YamlNode& node, const Location& where);

/// A piece of a document as text again, on one line: what is written is read back as the same value.
std::string flow_text(const YamlNode& node);

/// Line and column, counted from 1, of the first byte that is no text (invalid UTF-8, control character).
/// Throws InputError there; returns if all is well.
void check_is_text(std::string_view text, const std::string& file);

}  // namespace weft
