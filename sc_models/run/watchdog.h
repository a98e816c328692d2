#pragma once
// Watchdog of a fabric: looks now and then whether it is in order: whether anything has moved, and whether every credit
// and every place in a buffer is accounted for. As long as any message can move, something is granted or sent within
// the time the longest message needs at any place; when nothing is, the run ends with a report of who waits for what.

#include <fmt/format.h>

#include <string>

#include "base/diagnostics.h"
#include "kernel/fabric.h"

namespace weft {

class Watchdog final : public Agent {
 public:
  explicit Watchdog(Fabric& fabric) : fabric_(fabric) {}
  void start() { fabric_.domain().schedule(fabric_.watchdog_interval(), Phase::settle, *this, 0); }
  /// Throws RunError for a stall and for what is not accounted for.
  void due(Cycle now, std::uint32_t) override {
    const Cycle interval = fabric_.watchdog_interval();  // may grow with the transfers
    fabric_.domain().schedule(now + interval, Phase::settle, *this, 0);
    const std::uint64_t generated = fabric_.counts().generated;
    const bool idle = fabric_.outstanding() == 0 && generated == generated_;
    const bool quiet = generated == generated_;
    generated_ = generated;
    if (idle) {
      last_progress_ = now;
      stalled_ = false;
      return;
    }
    const std::uint64_t progress = fabric_.progress();
    audit(now, progress);
    if (progress != last_) last_progress_ = now;
    last_ = progress;
    const Cycle still = now - last_progress_;
    stalled_ = fabric_.outstanding() > 0 && still >= (quiet ? interval : kPatience * interval);
    if (!stalled_) return;
    if (fabric_.excused()) {  // a stall is only noted
      last_progress_ = now;   // what waited has time to move once the excuse is gone
      return;
    }
    throw RunError(fmt::format("nothing has moved since cycle {}, but {} messages are under way:{}", last_progress_,
                               fabric_.outstanding(), fabric_.describe_stall()));
  }
  bool stalled() const { return stalled_; }

 private:
  static constexpr Cycle kPatience = 4;  // looks, while sources go on

  // An audit looks at every port: where few of them do anything, it waits until as much has happened, or nothing does.
  void audit(Cycle now, std::uint64_t progress) {
    if (progress != last_ && progress - audited_ < fabric_.audit_size()) return;
    audited_ = progress;
    const std::string found = fabric_.audit();
    if (found.empty()) return;
    throw RunError(fmt::format("credits or space are not conserved, seen in cycle {}: {}{}", now, found,
                               fabric_.describe_stall()));
  }

  Fabric& fabric_;
  std::uint64_t last_ = 0;
  std::uint64_t generated_ = 0;
  std::uint64_t audited_ = 0;  // progress at the last audit
  Cycle last_progress_ = 0;
  bool stalled_ = false;
};

}  // namespace weft
