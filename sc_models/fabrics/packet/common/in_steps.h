#pragma once
// Fetching ahead along a list whose members are about to be served: each goes through steps, one as soon as what the
// step before has asked for is there.

#include <algorithm>
#include <cstddef>
#include <span>

namespace weft {

/// Takes the parts of a list through all steps: a part makes one step, then the part behind it, and so on, before it
/// makes the next. step(part number, part).
template <class T, class... Steps>
void in_steps(std::span<T* const> all, const Steps&... steps) {
  // Members of a part. A step takes longer than memory, so that what it asks for is there at the next one; all that is
  // under way together still fits the first-level cache, nearly.
  constexpr std::size_t kPart = 4;
  const std::size_t parts = (all.size() + kPart - 1) / kPart;
  for (std::size_t time = 0; time + 1 < parts + sizeof...(steps); ++time) {
    std::size_t part = time;  // below 0: far above `parts`
    ((part < parts ? steps(part, all.subspan(part * kPart, std::min(kPart, all.size() - part * kPart))) : void(),
      --part),
     ...);
  }
}

}  // namespace weft
