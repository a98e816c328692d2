#include "support/word_recorder.h"

#include <algorithm>
#include <stdexcept>

namespace weft::test {

void WordRecorder::on_hop(SwitchId sw, PortId out, const Train& train) {
  last_[{sw, out, train.slot}] = hops_.size();
  hops_.push_back({sw, out, train});
}

void WordRecorder::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  const auto it = last_.find({sw, out, cut.slot});
  if (it == last_.end()) throw std::logic_error("a cut for an output slot that has sent nothing");
  Train& train = hops_[it->second].train;
  if (train.message != cut.message || train.first_word != cut.first_word || train.words != cut.announced) {
    throw std::logic_error("a cut that does not fit the train it is for");
  }
  train.words = cut.words;
}

std::vector<oracle::Sent> WordRecorder::words() const {
  std::vector<oracle::Sent> words;
  for (const Hop& h : hops_) {
    for (std::uint32_t k = 0; k < h.train.words; ++k) {
      words.push_back({h.train.start + Cycle{k} * Cycle{slots_},
                       h.sw,
                       h.out,
                       {h.train.circuit, h.train.sequence, h.train.first_word + k * h.train.stride}});
    }
  }
  std::sort(words.begin(), words.end());
  return words;
}

}  // namespace weft::test
