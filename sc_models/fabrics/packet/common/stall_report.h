#pragma once
// Report of a stall: the first places at which messages wait, with the reason, and the oldest message.

#include <fmt/format.h>

#include <string>

#include "fabrics/packet/common/message.h"

namespace weft {

class StallReport {
 public:
  /// `m` waits at `where`; `what`: for what.
  void add(const PacketMessage& m, const std::string& where, const std::string& what) {
    if (++listed_ <= kListed) lines_ += fmt::format("\n  {}: {}; {}", where, text(m), what);
    consider(m, where);
  }
  /// The same for the first message of a queue that is not empty; the oldest may stand behind it.
  void add(const MessageQueue& queue, const std::string& where, const std::string& what) {
    add(*queue.front(), where, what);
    for (const PacketMessage* m = queue.front()->next.get(); m != nullptr; m = m->next.get()) consider(*m, where);
  }
  std::string text() const {
    std::string out = lines_;
    if (listed_ > kListed) out += fmt::format("\n  and {} more", listed_ - kListed);
    if (oldest_ == nullptr) return out;
    return out +
           fmt::format("\n  oldest: {}, generated in cycle {}, at {}", text(*oldest_), oldest_->generated, oldest_at_);
  }

 private:
  static constexpr int kListed = 10;
  void consider(const PacketMessage& m, const std::string& where) {
    if (oldest_ != nullptr && oldest_->generated <= m.generated) return;
    oldest_ = &m;
    oldest_at_ = where;
  }
  static std::string text(const PacketMessage& m) {
    return fmt::format("message of SL {}, {} -> {}, {} flits", m.level, m.source, m.destination, m.flits);
  }
  std::string lines_;
  int listed_ = 0;
  const PacketMessage* oldest_ = nullptr;
  std::string oldest_at_;
};

}  // namespace weft
