#pragma once
// Lists of objects in hot memory, one per coming cycle. Their entries lie in lines of the cache that are used again as
// soon as a list has been taken: all lists together need little more than what is on them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hot_memory.h"

namespace weft {

template <class T>
class CycleLists {
 public:
  explicit CycleLists(std::size_t cycles) : lists_(cycles) {}

  /// Returns whether the list was empty.
  bool push(std::size_t list, T& object) {
    List& l = lists_[list];
    const std::uint32_t place = l.size % kPlaces;
    if (place == 0) append_line(l);
    lines_[l.last].objects[place] = HotNumber<T>(&object);
    return l.size++ == 0;
  }
  /// Appends what is on the list to `to`, in the order it came, and empties the list.
  void take(std::size_t list, std::vector<T*>& to) {
    List& l = lists_[list];
    if (l.size == 0) return;
    std::size_t next = to.size();
    to.resize(next + l.size);
    for (std::uint32_t number = l.first; next < to.size(); number = next_[number]) {
      const std::size_t end = std::min<std::size_t>(next + kPlaces, to.size());
      for (const HotNumber<T>* from = lines_[number].objects.data(); next < end; ++from) to[next++] = &**from;
    }
    next_[l.last] = free_;
    free_ = l.first;
    l.size = 0;
  }

 private:
  static constexpr std::uint32_t kPlaces = 16;
  struct alignas(64) Line {
    std::array<HotNumber<T>, kPlaces> objects;
  };
  struct List {
    std::uint32_t first = 0;  // lines, if there is anything on it
    std::uint32_t last = 0;
    std::uint32_t size = 0;
  };
  void append_line(List& l) {
    if (free_ == 0) {
      free_ = static_cast<std::uint32_t>(lines_.size());
      lines_.emplace_back();
      next_.push_back(0);
    }
    const std::uint32_t line = std::exchange(free_, next_[free_]);
    (l.size == 0 ? l.first : next_[l.last]) = line;
    l.last = line;
  }

  std::vector<List> lists_;
  std::vector<Line> lines_{1};           // number 0 is none
  std::vector<std::uint32_t> next_{0U};  // per line: the next one of its list, or of those that are free
  std::uint32_t free_ = 0;
};

}  // namespace weft
