#pragma once
// Errors and warnings as they are shown. However wrong an input is, what is said about it stays readable: a few of each
// kind and a count of the rest, the beginning and the end of long values.

#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace weft {

inline constexpr std::size_t kMostOfOneKind = 20;  ///< messages that differ in names and numbers only
inline constexpr std::size_t kMostShown = 200;     ///< errors of all kinds, and warnings
inline constexpr std::size_t kMostErrors = 1000;   ///< after these, readers of many lines read no further

/// Those that are shown, in the order of `list`; the last one of a kind says how many more there are.
std::vector<Diagnostic> shown_of(std::vector<Diagnostic> list);

/// `message` with the beginning and the end of long values in quotes only, and at most 1000 bytes.
std::string shown_message(std::string message);

}  // namespace weft
