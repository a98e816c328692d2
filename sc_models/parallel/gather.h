#pragma once
// Collection of what all ranks have, as one list or as one text.

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include "parallel/ranks.h"

namespace weft {

/// The rows of all ranks, by rank. `ranks` null: there are no others.
template <class Row>
std::vector<Row> gather_rows(Ranks* ranks, std::vector<Row> mine) {
  static_assert(std::is_trivially_copyable_v<Row>);
  if (ranks == nullptr) return mine;
  std::string bytes(mine.size() * sizeof(Row), '\0');
  if (!mine.empty()) std::memcpy(bytes.data(), mine.data(), bytes.size());
  std::vector<Row> out;
  for (const std::string& theirs : ranks->gather(bytes)) {
    const std::size_t before = out.size();
    out.resize(before + theirs.size() / sizeof(Row));
    if (!theirs.empty()) std::memcpy(out.data() + before, theirs.data(), theirs.size());
  }
  return out;
}

/// What is wrong, as the first rank says that finds something wrong: `look` throws it. Empty: nothing is.
template <class Look>
std::string first_trouble(Ranks* ranks, Look&& look) {
  std::string mine;
  try {
    look();
  } catch (const std::exception& e) {
    mine = e.what();
  }
  if (ranks == nullptr) return mine;
  for (std::string& theirs : ranks->gather(mine)) {
    if (!theirs.empty()) return std::move(theirs);
  }
  return {};
}

}  // namespace weft
