#include "fabrics/tdm/setup/word_sender.h"

namespace weft {

void WordSender::begin(MessageId run, std::uint32_t flow, std::uint32_t sequence, std::uint32_t word,
                       std::uint32_t words, const SlotSet& lanes, Cycle from) {
  run_ = run;
  flow_ = flow;
  sequence_ = sequence;
  word_ = word;
  words_ = words;
  announced_ = 0;
  lanes_.clear();
  for (auto s = lanes.find_first(); s != SlotSet::npos; s = lanes.find_next(s)) lanes_.push_back(static_cast<Slot>(s));
  occurrence_ = SlotSequence(lanes_, slots_).first_at_or_after(from);
}

std::uint32_t WordSender::sent(Cycle now) const {
  if (!busy() || now < first()) return 0;
  const std::int64_t n = SlotSequence(lanes_, slots_).first_at_or_after(now + 1) - occurrence_;
  return static_cast<std::uint32_t>(std::min(n, std::int64_t{words_}));
}

Train WordSender::train(std::uint32_t lane) const {
  const auto lanes = static_cast<std::uint32_t>(lanes_.size());
  Train t;
  t.message = run_;
  t.circuit = flow_;
  t.sequence = sequence_;
  t.first_word = word_ + lane;
  t.stride = lanes;
  t.words = (words_ - lane + lanes - 1) / lanes;
  t.start = cycle(lane);
  t.slot = static_cast<Slot>(t.start % slots_);
  return t;
}

Train WordSender::announce() { return train(announced_++); }

void WordSender::stop(Cycle now, const std::function<void(const TrainCut&)>& cut) {
  for (std::uint32_t lane = 0; busy() && lane < announced_; ++lane) {
    const Train t = train(lane);
    const auto left = static_cast<std::uint32_t>((now - t.start) / Cycle{slots_} + 1);
    if (left < t.words) cut({t.message, t.first_word, t.slot, left, t.words});
  }
  words_ = 0;
}

}  // namespace weft
