#pragma once
// End of a run on several ranks: what ends the run of one of them ends that of all.

#include <string>
#include <typeinfo>

#include "kernel/clock_domain.h"
#include "parallel/ranks.h"
#include "run/failure.h"

namespace weft {

/// How the run of all ranks has ended.
struct RunEnd {
  std::string failure;  ///< of the first rank that has one; empty: none has
  bool interrupted = false;
};

/// All ranks, once their time stands still. `interrupted`: by the user, on this rank.
inline RunEnd agree(Ranks& ranks, const ClockDomain& domain, bool interrupted) {
  constexpr char kFailed = 'f';
  constexpr char kInterrupted = 'i';
  std::string mine;
  if (domain.failure() && !is_failure_of(domain.failure(), typeid(RanksStopped))) {
    mine = kFailed + failure_text(domain.failure());
  } else if (interrupted) {
    mine = kInterrupted;
  }
  if (!mine.empty()) ranks.stop();
  RunEnd end{{}, interrupted};
  for (const std::string& text : ranks.compare(mine)) {
    if (text.empty()) continue;
    if (text.front() == kInterrupted) end.interrupted = true;
    if (text.front() == kFailed && end.failure.empty()) end.failure = text.substr(1);
  }
  return end;
}

}  // namespace weft
