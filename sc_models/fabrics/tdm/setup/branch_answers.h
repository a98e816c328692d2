#pragma once
// Answers that a switch has heard from the branches of one circuit behind it, merged into the one answer it gives
// towards the source: plain C++, knows nothing of slots held or tables. A switch that does not fork has one branch.
//
// Every branch a request was sent to answers it once: it accepts, or comes to nothing (a teardown: refused, or
// withdrawn because another branch was refused). The merged answer is the acceptance when all have accepted; when one
// was refused, the others are withdrawn, and the merged answer is a teardown once all have come to nothing, so that
// nothing behind the fork is in force any more when the switches before it hear of it. A release is confirmed when all
// branches have confirmed it.

#include <algorithm>
#include <optional>
#include <vector>

#include "fabrics/tdm/setup/message.h"

namespace weft {

class BranchAnswers {
 public:
  explicit BranchAnswers(std::size_t branches) : branches_(branches) {}

  /// Branch `b` has accepted; the merged acceptance, if it was the last.
  std::optional<SetupMessage> accepted(std::size_t b, const SetupMessage& message);
  /// Branch `b` has come to nothing; the merged teardown, if it was the last.
  std::optional<SetupMessage> ended(std::size_t b, const SetupMessage& message);
  /// Branch `b` has confirmed the release of certain slots; the merged confirmation, if it was the last.
  std::optional<SetupMessage> released(std::size_t b, const SetupMessage& message);
  bool has_ended(std::size_t b) const { return branches_[b].ended; }
  /// Some branch has ended or been asked to.
  bool withdrawing() const { return withdrawing_; }
  void withdraw() { withdrawing_ = true; }

 private:
  struct Branch {
    bool accepted = false;
    bool ended = false;
  };
  struct Release {
    SetupMessage merged;
    std::vector<bool> confirmed;  // by branch
  };

  std::vector<Branch> branches_;
  bool withdrawing_ = false;
  std::optional<SetupMessage> acceptance_;
  std::optional<SetupMessage> teardown_;
  std::vector<Release> releases_;  // begun, in the order in which they were; they release different slots
};

}  // namespace weft
