#pragma once
// Input of `weft dtable`: for each service level (SL) its share of the link, the largest distance between its entries
// in the arbitration table and its MTU. A file of its own without the key `fabric`; keys, types and defaults are
// declared in table_requirements.cpp in the manner of every configuration (schema.h), and it may have a `base:` too.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/units.h"
#include "schema/document.h"

namespace weft {

struct SectionInfo;

/// A checked value and the place where the user may mend it.
template <class T>
struct Located {
  T value{};
  Location where;
};

struct LevelRequirements {
  std::string name;
  std::uint32_t sl = 0;  ///< 0 to 31, unique
  Located<std::uint32_t> distance;
  Located<std::uint64_t> share;  ///< millionths of the link
  Located<DataSize> mtu;
};

struct TableRequirements {
  std::string file;
  std::string title;
  Located<std::uint32_t> entries;  ///< N
  Located<DataSize> gmtu;
  DataSize flit;  ///< one credit
  Rate link;
  Located<std::uint32_t> max_weight;        ///< credits
  Located<std::optional<std::uint32_t>> k;  ///< tenths
  Located<std::optional<std::uint32_t>> w;  ///< tenths
  std::vector<LevelRequirements> levels;    ///< at least one

  /// Flits of a message of that size, rounded up.
  std::uint32_t credits(DataSize size) const;
};

/// Files of this kind, for messages about those that are of none.
DocumentKind table_requirements_kind();
/// Merges, overrides and checks as load_tdm_config does. Throws InputError with every error found. `file`: its name.
TableRequirements read_table_requirements(ConfigDocument document, const std::string& file, const Overrides& overrides,
                                          Diagnostics& diagnostics);
/// The same, from the file.
TableRequirements load_table_requirements(const std::string& file, const Overrides& overrides,
                                          Diagnostics& diagnostics);
/// Same, for text that stands in no file.
TableRequirements parse_table_requirements(const std::string& text, const std::string& name, const std::string& folder,
                                           const Overrides& overrides, Diagnostics& diagnostics);

/// The declaration, for `weft describe`.
std::shared_ptr<const SectionInfo> table_requirements_keys();

}  // namespace weft
