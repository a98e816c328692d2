#pragma once
// The axes of a sweep file, and what its parts have in common: settings of keys, and names.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "sweep/sweep_config.h"
#include "sweep/sweep_schema.h"

namespace weft {

/// The settings of a `set` at `path`, in the order in which they are applied; the seed is none of them, and no key is
/// set twice.
std::vector<SweepSetting> settings(const RawSettings& raw, const std::string& path, Diagnostics& diagnostics);

/// The keys that get a value: of a section its keys one by one, since it is laid over the one there is; a list, which
/// replaces the one there is, and everything in it.
std::vector<std::string> keys_of(const std::vector<SweepSetting>& set);

/// Reports a name that cannot be part of a file name or a column.
void check_name(const std::string& name, const Location& where, const std::string& path, Diagnostics& diagnostics);

/// The axis at `path`; nothing if that had to be reported in a way that leaves no axis.
std::optional<SweepAxis> resolve_axis(const RawAxis& raw, const Location& where, const std::string& path,
                                      Diagnostics& diagnostics);

/// Index of `name` among `names`; reports a name that is not there: "there is no <what> '...'".
std::optional<std::size_t> find_name(const std::string& name, const std::vector<std::string>& names,
                                     const std::string& what, const Location& where, const std::string& path,
                                     Diagnostics& diagnostics);

}  // namespace weft
