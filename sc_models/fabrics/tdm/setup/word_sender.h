#pragma once
// Sends a run of words over the slots of a circuit: one train per slot, announced when its first word leaves, cut when
// the source stops before the end.

#include <algorithm>
#include <functional>
#include <vector>

#include "algorithms/slots/circuit_timing.h"
#include "algorithms/slots/slot_set.h"
#include "fabrics/tdm/train.h"

namespace weft {

class WordSender {
 public:
  explicit WordSender(std::uint32_t slots) : slots_(slots) {}

  /// Begins a run in the first cycle >= `from` that belongs to a slot of `lanes`. `word`: index of its first word in
  /// its message. Precondition: !busy().
  void begin(MessageId run, std::uint32_t flow, std::uint32_t sequence, std::uint32_t word, std::uint32_t words,
             const SlotSet& lanes, Cycle from);
  bool busy() const { return words_ > 0; }
  Cycle first() const { return cycle(0); }
  Cycle last() const { return cycle(words_ - 1); }
  std::uint32_t words() const { return words_; }
  /// Cycle in which word `word` of the run leaves.
  Cycle leaves(std::uint32_t word) const { return cycle(word); }
  /// Words that have left by the end of cycle `now`.
  std::uint32_t sent(Cycle now) const;
  /// The run is over; precondition: last() has gone by.
  void finish() { words_ = 0; }

  /// Cycle of the next train to be announced, -1: none.
  Cycle next_train() const { return busy() && announced_ < trains() ? cycle(announced_) : -1; }
  /// The train whose first word leaves in cycle `now` == next_train().
  Train announce();
  /// No word leaves after cycle `now`: what must be told, by calling `cut` for each announced train that is shortened.
  void stop(Cycle now, const std::function<void(const TrainCut&)>& cut);

 private:
  std::uint32_t trains() const { return std::min(words_, static_cast<std::uint32_t>(lanes_.size())); }
  Cycle cycle(std::int64_t word) const { return SlotSequence(lanes_, slots_).cycle(occurrence_ + word); }
  Train train(std::uint32_t lane) const;

  std::uint32_t slots_;
  MessageId run_ = 0;
  std::uint32_t flow_ = 0;
  std::uint32_t sequence_ = 0;
  std::uint32_t word_ = 0;
  std::uint32_t words_ = 0;  // 0: nothing is being sent
  std::vector<Slot> lanes_;
  std::int64_t occurrence_ = 0;
  std::uint32_t announced_ = 0;
};

}  // namespace weft
