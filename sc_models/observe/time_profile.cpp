#include "observe/time_profile.h"

#include <algorithm>

namespace weft {

void TimeProfile::advance(std::int64_t to, const Levels& levels) {
  while ((to - begin_ + width_ - 1) / width_ > static_cast<std::int64_t>(kMost)) {
    for (std::size_t i = 0; i < sums_.size(); i += 2) {
      Levels pair = sums_[i];
      if (i + 1 < sums_.size()) {
        pair.nodes += sums_[i + 1].nodes;
        pair.slots += sums_[i + 1].slots;
        pair.waiting += sums_[i + 1].waiting;
      }
      sums_[i / 2] = pair;
    }
    sums_.resize((sums_.size() + 1) / 2);
    width_ *= 2;
  }
  while (now_ < to) {
    const auto index = static_cast<std::size_t>((now_ - begin_) / width_);
    const std::int64_t until = std::min(to, begin_ + (static_cast<std::int64_t>(index) + 1) * width_);
    if (index >= sums_.size()) sums_.resize(index + 1);
    const auto span = static_cast<double>(until - now_);
    sums_[index].nodes += levels.nodes * span;
    sums_[index].slots += levels.slots * span;
    sums_[index].waiting += levels.waiting * span;
    now_ = until;
  }
}

std::vector<TimeProfile::Levels> TimeProfile::averages() const {
  std::vector<Levels> out;
  out.reserve(sums_.size());
  std::int64_t from = begin_;
  for (const Levels& sum : sums_) {
    const auto span = static_cast<double>(std::min(width_, now_ - from));
    out.push_back({sum.nodes / span, sum.slots / span, sum.waiting / span});
    from += width_;
  }
  return out;
}

TimeProfile::Levels TimeProfile::total() const {
  Levels all;
  for (const Levels& sum : sums_) {
    all.nodes += sum.nodes;
    all.slots += sum.slots;
    all.waiting += sum.waiting;
  }
  const auto span = static_cast<double>(std::max<std::int64_t>(1, now_ - begin_));
  return {all.nodes / span, all.slots / span, all.waiting / span};
}

}  // namespace weft
