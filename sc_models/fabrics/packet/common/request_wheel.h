#pragma once
// Timing wheel of the members of a set, such as the inputs of a switch, that are due for an allocation request in one
// of the coming cycles: a ring of sets, one per cycle. Nothing else is touched to find the members of a cycle.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/hot_memory.h"
#include "base/units.h"

namespace weft {

class RequestWheel {
 public:
  /// Cycles ahead that it holds: those below now + kAhead.
  static constexpr std::uint64_t kAhead = 64;
  using Word = std::uint32_t;

  explicit RequestWheel(std::size_t members)
      : words_(static_cast<std::uint32_t>((members + kBits - 1) / kBits)),
        sets_(make_hot_array<Word>((kAhead + 1) * words_, 64)) {}

  /// Returns whether the cycle had nobody due before.
  bool add(Cycle at, std::uint32_t member) {
    Word* const to = set(at);
    const bool first = empty(to);
    to[member / kBits] |= Word{1} << (member % kBits);
    return first;
  }
  /// Those of [begin, end) that are present. Returns whether the cycle had nobody due before, and has now.
  bool add_present(Cycle at, std::uint32_t begin, std::uint32_t end) {
    Word* const to = set(at);
    const bool first = empty(to);
    for (std::size_t i = begin / kBits; i * kBits < end; ++i) to[i] |= present(i) & part(i, begin, end);
    return first && !empty(to);
  }
  /// Calls visit(member) for those due in cycle `at`, in order, and forgets them.
  template <class Visit>
  void take(Cycle at, Visit&& visit) {
    Word* const due = set(at);
    for (std::size_t i = 0; i < words_; ++i) {
      Word left = due[i];
      due[i] = 0;
      for (; left != 0; left &= left - 1) visit(number(i, left));
    }
  }
  /// Address of the set of a cycle.
  const void* place(Cycle at) const { return &sets_[index(at)]; }

  /// Members that have something to request.
  void set_present(std::uint32_t member) { present(member / kBits) |= Word{1} << (member % kBits); }
  void set_absent(std::uint32_t member) { present(member / kBits) &= ~(Word{1} << (member % kBits)); }

 private:
  static constexpr std::uint32_t kBits = 32;  // of a word
  static std::uint32_t number(std::size_t word, Word bits) {
    return static_cast<std::uint32_t>(word * kBits) + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  /// Bits of word i whose members are in [begin, end).
  static Word part(std::size_t i, std::uint32_t begin, std::uint32_t end) {
    const std::size_t first = i * kBits;
    Word mask = ~Word{0};
    if (begin > first) mask <<= begin - first;
    if (end < first + kBits) mask &= (Word{1} << (end - first)) - 1;
    return mask;
  }
  std::size_t index(Cycle at) const { return static_cast<std::size_t>(at) % kAhead * words_; }
  Word* set(Cycle at) { return &sets_[index(at)]; }
  bool empty(const Word* set) const {
    Word all = 0;
    for (std::size_t i = 0; i < words_; ++i) all |= set[i];
    return all == 0;
  }
  Word& present(std::size_t i) { return i == 0 ? present_ : sets_[kAhead * words_ + i]; }

  std::uint32_t words_;
  Word present_ = 0;     // the first word of who is present, beside what else is always needed
  HotArray<Word> sets_;  // the ring of cycles, then who is present
};

}  // namespace weft
