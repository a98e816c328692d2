#pragma once
// Which members of a set, such as the inputs of a switch, are to be looked at in which of the coming cycles: a ring of
// sets, one per cycle. What is due is then known without looking at anybody else.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace weft {

class LookPlan {
 public:
  /// Cycles ahead that it holds: those below now + kAhead.
  static constexpr std::uint64_t kAhead = 64;
  using Word = std::uint64_t;

  explicit LookPlan(std::size_t members)
      : words_((members + 63) / 64), shift_(std::countr_zero(std::bit_ceil(words_))), sets_((kAhead + 1) << shift_) {}

  void add(Cycle at, std::uint32_t member) { set(at)[member / 64] |= Word{1} << (member % 64); }
  /// Those of [begin, end) that are present.
  void add_present(Cycle at, std::uint32_t begin, std::uint32_t end) {
    Word* const to = set(at);
    for (std::size_t i = begin / 64; i * 64 < end; ++i) to[i] |= present()[i] & part(i, begin, end);
  }
  /// Calls visit(member) for those due in cycle `at` in [begin, end), in order, and forgets them.
  template <class Visit>
  void take(Cycle at, std::uint32_t begin, std::uint32_t end, Visit&& visit) {
    Word* const due = set(at);
    for (std::size_t i = begin / 64; i * 64 < end; ++i) {
      const Word mask = part(i, begin, end);
      Word left = due[i] & mask;
      due[i] &= ~mask;
      for (; left != 0; left &= left - 1) visit(number(i, left));
    }
  }
  /// Calls visit(member) for all due in cycle `at`, in order.
  template <class Visit>
  void peek(Cycle at, Visit&& visit) const {
    const Word* const due = &sets_[index(at)];
    for (std::size_t i = 0; i < words_; ++i) {
      for (Word left = due[i]; left != 0; left &= left - 1) visit(number(i, left));
    }
  }
  /// Where the set of a cycle lies.
  const void* place(Cycle at) const { return &sets_[index(at)]; }

  /// Members with something to look at.
  void set_present(std::uint32_t member) { present()[member / 64] |= Word{1} << (member % 64); }
  void set_absent(std::uint32_t member) { present()[member / 64] &= ~(Word{1} << (member % 64)); }

 private:
  static std::uint32_t number(std::size_t word, Word bits) {
    return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  /// Bits of word i whose members are in [begin, end).
  static Word part(std::size_t i, std::uint32_t begin, std::uint32_t end) {
    const std::size_t first = i * 64;
    Word mask = ~Word{0};
    if (begin > first) mask <<= begin - first;
    if (end < first + 64) mask &= (Word{1} << (end - first)) - 1;
    return mask;
  }
  std::size_t index(Cycle at) const { return (static_cast<std::size_t>(at) % kAhead + 1) << shift_; }
  Word* set(Cycle at) { return &sets_[index(at)]; }
  Word* present() { return sets_.data(); }

  std::size_t words_;
  int shift_;               // words of a set, rounded up to a power of two
  std::vector<Word> sets_;  // first who is present, then the ring of cycles
};

}  // namespace weft
