#include "algorithms/optweb/lane.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft::optweb {
namespace {

constexpr std::uint64_t kPatience = 64;  // cycles in which a block must settle: more than two rests and their words

}  // namespace

void Lane::begin() {
  counts_ = {};
  next_word_ = 1;
  last_received_ = 0;
}

bool Lane::step(bool notify, bool valid) {
  LinkSyncInputs in;
  in.notify = notify;
  in.valid = valid;
  in.word = next_word_;
  const LinkSyncOutputs out = transmitter_.step(in);
  LinkSyncInputs lane;
  lane.link_active = lane_ = out.link_active;
  lane.link_word = out.link_word;
  const LinkSyncOutputs got = receiver_.step(lane);
  const bool taken = valid && out.ready;
  const bool noted = notify && out.notify_ready;
  counts_.active += out.link_active ? 1 : 0;
  counts_.taken += taken ? 1 : 0;
  counts_.notes += noted ? 1 : 0;
  counts_.notified += got.notified ? 1 : 0;
  if (got.received) {
    ++counts_.received;
    if (got.received_word <= last_received_) counts_.in_order = false;
    last_received_ = got.received_word;
  }
  if (taken) ++next_word_;
  return notify ? noted : taken;
}

bool Lane::steady(bool valid) const {
  LinkSyncInputs in;
  in.valid = valid;
  LinkSyncInputs lane;
  lane.link_active = lane_;
  return transmitter_.steady(in) && receiver_.steady(lane);
}

void Lane::run_up(std::uint64_t most) {
  for (std::uint64_t i = 0; counts_.taken < most && i < kPatience; ++i) {
    if (lane_ && steady(true)) return;
    step(false, true);
  }
}

// Until the lane rests, what was on it has been received, and a new run may begin.
void Lane::drain() {
  std::uint64_t rested = 0;
  for (std::uint64_t i = 0; rested < gap_ + 3 && i < kPatience; ++i) {
    step(false, false);
    rested = lane_ ? 0 : rested + 1;
  }
}

void Lane::check() const {
  if (counts_.received == counts_.taken && counts_.notified == counts_.notes && counts_.in_order) return;
  throw RunError(fmt::format("{}: {} words and {} notifications were sent, {} and {} have been received{}", name_,
                             counts_.taken, counts_.notes, counts_.received, counts_.notified,
                             counts_.in_order ? "" : ", in another order"));
}

std::uint64_t Lane::data(std::uint64_t words) {
  begin();
  run_up(words);
  if (counts_.taken < words) {  // a word is taken, on the lane and received in every cycle that is left out
    const std::uint64_t left_out = words - counts_.taken;
    counts_.active += left_out;
    counts_.taken += left_out;
    counts_.received += left_out;
  }
  drain();
  check();
  return counts_.active;
}

std::uint64_t Lane::notification() {
  begin();
  for (std::uint64_t i = 0; i < kPatience && !step(true, false); ++i) {
  }
  drain();
  check();
  if (counts_.notes != 1) throw RunError(name_ + ": a notification is not sent");
  return counts_.active;
}

std::uint64_t Lane::cut() {
  begin();
  run_up(kPatience);
  const std::uint64_t before = counts_.taken;
  std::uint64_t cycles = 0;
  for (bool noted = false; !noted && cycles < kPatience; ++cycles) noted = step(true, true);
  // The words behind it pass as before once one is taken in every cycle again.
  std::uint64_t taken = counts_.taken;
  for (std::uint64_t in_a_row = 0; in_a_row < 4 && cycles < kPatience; ++cycles) {
    step(false, true);
    in_a_row = counts_.taken > taken ? in_a_row + 1 : 0;
    taken = counts_.taken;
  }
  const std::uint64_t lost = cycles - (taken - before);
  drain();
  check();
  if (counts_.notes != 1) throw RunError(name_ + ": a notification is not sent in the middle of data");
  return lost;
}

}  // namespace weft::optweb
