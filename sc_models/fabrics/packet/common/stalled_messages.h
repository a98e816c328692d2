#pragma once
// Places at which the messages of a packet network wait, for reports of stalls.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "fabrics/packet/common/message.h"
#include "kernel/stall_report.h"

namespace weft {

class StalledMessages {
 public:
  /// `m` waits at `where`; `what`: for what. `order`: number of its switch; of a NIC after all switches.
  void add(std::uint64_t order, const PacketMessage& m, const std::string& where, const std::string& what) {
    add(order, m, m, where, what);
  }
  /// The same for the first message of a queue that is not empty; the oldest may stand behind it.
  void add(std::uint64_t order, const MessageQueue& queue, const std::string& where, const std::string& what) {
    const PacketMessage* oldest = queue.front();
    for (const PacketMessage* m = oldest->next.get(); m != nullptr; m = m->next.get()) {
      if (m->generated < oldest->generated) oldest = m;
    }
    add(order, *queue.front(), *oldest, where, what);
  }
  std::vector<StalledPort> take() { return std::move(places_); }

 private:
  void add(std::uint64_t order, const PacketMessage& first, const PacketMessage& oldest, const std::string& where,
           const std::string& what) {
    places_.push_back({order, fmt::format("{}: {}; {}", where, text(first), what),
                       fmt::format("{}, generated in cycle {}, at {}", text(oldest), oldest.generated, where),
                       oldest.generated});
  }
  static std::string text(const PacketMessage& m) {
    return fmt::format("message of SL {}, {} -> {}, {} flits", m.level, m.source, m.destination, m.flits);
  }
  std::vector<StalledPort> places_;
};

}  // namespace weft
