#include "fabrics/tdm/setup/branch_answers.h"

namespace weft {
namespace {

// Cause that the source gets when branches are refused for different reasons: another route helps against
// what is down, other slots against those that are taken, and only then is time all that is missing.
int weight(const SetupMessage& m) {
  if (m.withdrawn) return 0;
  if (m.cause == TeardownCause::late) return 1;
  return m.cause == TeardownCause::no_slots ? 2 : 3;
}

void merge_teardown(SetupMessage& merged, const SetupMessage& m) {
  SetupMessage result = weight(m) > weight(merged) ? m : merged;
  const SetupMessage& other = weight(m) > weight(merged) ? merged : m;
  if (!other.withdrawn) {
    result.common &= other.common;
    result.late_by = std::max(result.late_by, other.late_by);
  }
  result.cleared = std::max(merged.cleared, m.cleared);
  merged = std::move(result);
}

}  // namespace

std::optional<SetupMessage> BranchAnswers::accepted(std::size_t b, const SetupMessage& message) {
  branches_[b].accepted = true;
  if (!acceptance_) acceptance_ = message;
  acceptance_->words = std::min(acceptance_->words, message.words);
  const bool all = std::all_of(branches_.begin(), branches_.end(), [](const Branch& x) { return x.accepted; });
  return all && !withdrawing_ ? acceptance_ : std::nullopt;
}

std::optional<SetupMessage> BranchAnswers::ended(std::size_t b, const SetupMessage& message) {
  branches_[b].ended = true;
  withdrawing_ = true;
  if (teardown_) {
    merge_teardown(*teardown_, message);
  } else {
    teardown_ = message;
  }
  const bool all = std::all_of(branches_.begin(), branches_.end(), [](const Branch& x) { return x.ended; });
  return all ? teardown_ : std::nullopt;
}

std::optional<SetupMessage> BranchAnswers::released(std::size_t b, const SetupMessage& message) {
  auto it = std::find_if(releases_.begin(), releases_.end(),
                         [&](const Release& r) { return r.merged.slots == message.slots; });
  if (it == releases_.end()) {
    releases_.push_back({message, std::vector<bool>(branches_.size())});
    it = releases_.end() - 1;
  }
  it->confirmed[b] = true;
  it->merged.cleared = std::max(it->merged.cleared, message.cleared);
  if (std::find(it->confirmed.begin(), it->confirmed.end(), false) != it->confirmed.end()) return std::nullopt;
  SetupMessage merged = std::move(it->merged);
  releases_.erase(it);
  return merged;
}

}  // namespace weft
