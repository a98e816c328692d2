#pragma once
// Choice of a slot allocator; what each of them does: algorithms/slots/allocation.h.

#include "base/words.h"

namespace weft {

enum class Allocator { first_fit, longest_first, dsatur, search };
template <>
inline constexpr auto kWords<Allocator> = words("first_fit", "longest_first", "dsatur", "search");

}  // namespace weft
