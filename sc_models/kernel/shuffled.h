#pragma once
// Lists that an agent serves for several modules at once, in random order when the clock is shuffled.

#include <cstddef>
#include <utility>
#include <vector>

#include "base/random.h"

namespace weft {

/// `random`: ClockDomain::order(); null leaves the list as it is.
template <class T>
void shuffle(RandomStream* random, std::vector<T>& list) {
  for (std::size_t i = 0; random != nullptr && i < list.size(); ++i) {
    std::swap(list[i], list[i + random->below(list.size() - i)]);
  }
}

}  // namespace weft
