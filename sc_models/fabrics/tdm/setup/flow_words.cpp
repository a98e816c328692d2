#include "fabrics/tdm/setup/flow_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/ids.h"

namespace weft {

std::uint32_t FlowSink::Lane::arrived(Cycle now, std::uint32_t slots) const {
  if (now < start) return 0;
  return static_cast<std::uint32_t>(std::min((now - start) / Cycle{slots} + 1, Cycle{words}));
}

void FlowSink::begins(const Train& train) {
  const CircuitRun* const run = runs_.find(flow_, index_, train.message);
  if (run == nullptr) {
    throw RunError(fmt::format("{}: a word sent before ones that have arrived comes after them", runs_.text(flow_)));
  }
  open_[train.message].lanes.push_back({train.first_word - run->word, train.words, train.start});
  arrived_ += train.words;
  account(train.message).arrived += train.words;
}

Cycle FlowSink::cut(const TrainCut& cut) {
  const auto it = open_.find(cut.message);
  if (it == open_.end()) return -1;
  const std::uint32_t index = cut.first_word - runs_.find(flow_, cut.message)->word;
  for (Lane& lane : it->second.lanes) {
    if (lane.index != index || lane.words <= cut.words) continue;
    uncount(cut.message, lane.words - cut.words);
    lane.words = cut.words;
    return lane.start + (Cycle{lane.words} - 1) * Cycle{slots_};
  }
  return -1;
}

// Announced, but they will not come.
void FlowSink::uncount(MessageId run, std::uint32_t words) {
  arrived_ -= words;
  account(run).arrived -= words;
}

Cycle FlowSink::arrival_of(std::uint32_t circuit, std::uint64_t word) const {
  for (const auto& [id, open] : open_) {
    const CircuitRun run = *runs_.find(flow_, id);
    if (run.circuit != circuit || word < run.first || word >= run.first + run.words) continue;
    const auto index = static_cast<std::uint32_t>(word - run.first);
    for (const Lane& lane : open.lanes) {
      const std::uint32_t place = index / run.lanes;
      if (lane.index == index % run.lanes && place < lane.words) return lane.start + Cycle{place} * Cycle{slots_};
    }
  }
  return -1;
}

// Number of words from the run's first one on without a gap.
std::uint32_t FlowSink::in_order(const CircuitRun& run, const Open& open, Cycle now) const {
  std::uint32_t first_missing = run.words;
  std::uint32_t present = 0;
  for (const Lane& lane : open.lanes) {
    const std::uint32_t all = (run.words - lane.index + run.lanes - 1) / run.lanes;
    const std::uint32_t have = lane.arrived(now, slots_);
    if (have < all) first_missing = std::min(first_missing, lane.index + have * run.lanes);
    ++present;
  }
  const std::uint32_t lanes = std::min(run.lanes, run.words);
  for (std::uint32_t i = 0; present < lanes && i < lanes; ++i) {
    const bool there = std::any_of(open.lanes.begin(), open.lanes.end(), [&](const Lane& l) { return l.index == i; });
    if (there) continue;
    first_missing = std::min(first_missing, i);
    break;
  }
  return first_missing;
}

// Words of the run have been taken, those from `before` on for the first time.
void FlowSink::time_message(const CircuitRun& run, const Open& open, std::uint64_t before, Cycle now) {
  if (received_ == before) return;
  if (run.word == 0 && before == run.first) {
    const auto first = [](const Lane& l) { return l.index == 0; };
    message_head_ = run.head;
    message_first_ = std::find_if(open.lanes.begin(), open.lanes.end(), first)->start;
  }
  if (received_ < run.first + run.words) return;
  MessageTimes& times = runs_.times();
  const Cycle generated = times.generated(flow_, run.message);
  const FlowArrival arrival{flow_, index_, run.message, generated, message_head_, message_first_, now};
  times.arrive(arrival);
  runs_.tell([&](FlowListener& l) { l.arrived(arrival); });
}

void FlowSink::take(Cycle now, bool broken) {
  for (auto it = open_.begin(); it != open_.end();) {
    const CircuitRun run = *runs_.find(flow_, it->first);
    const std::uint32_t words = in_order(run, it->second, now);
    for (const Lane& lane : it->second.lanes) {
      if (lane.arrived(now, slots_) == 0) continue;
      first_word_ = first_word_ < 0 ? lane.start : std::min(first_word_, lane.start);
    }
    if (words > 0) {
      std::uint64_t& reached = reached_[run.circuit];
      reached = std::max(reached, run.first + words);
    }
    if (words > 0 && run.first <= received_) {
      const std::uint64_t before = received_;
      received_ = std::max(received_, run.first + words);
      account(it->first).taken += received_ - before;
      time_message(run, it->second, before, now);
    } else if (words > 0 && !broken) {
      throw RunError(fmt::format("{}: word {} arrives where word {} is due, though nothing has failed",
                                 runs_.text(flow_), run.first, received_));
    }
    const bool later_ones = words > 0 && it != open_.begin();
    if (later_ones) {  // what was sent earlier has arrived, or never will
      for (auto old = open_.begin(); old != it; ++old) {
        for (const Lane& lane : old->second.lanes) uncount(old->first, lane.words - lane.arrived(now, slots_));
      }
      it = open_.erase(open_.begin(), it);
      runs_.forget_before(flow_, index_, it->first);
    }
    if (words == run.words) {
      runs_.forget_before(flow_, index_, it->first + 1);
      it = open_.erase(it);
    } else {
      ++it;
    }
  }
}

}  // namespace weft
