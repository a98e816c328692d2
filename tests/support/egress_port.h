#pragma once
// An output port for the tests of egress schedulers: queues of message sizes and a set of SLs without credits.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft::test {

struct Sent {
  ServiceLevel sl = 0;
  std::uint32_t size = 0;
  bool operator==(const Sent&) const = default;
};

class EgressPort {
 public:
  void push(ServiceLevel sl, std::uint32_t size) { queues_.at(sl).push_back(size); }
  void block(ServiceLevel sl, bool blocked) { blocked_[sl] = blocked; }
  std::size_t queued(ServiceLevel sl) const { return queues_.at(sl).size(); }
  const std::deque<std::uint32_t>& queue(ServiceLevel sl) const { return queues_.at(sl); }

  EgressView view() const {
    EgressView view;
    for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
      if (queues_[sl].empty() || blocked_[sl]) continue;
      view.active |= 1U << sl;
      view.head[sl] = queues_[sl].front();
    }
    return view;
  }

  /// One decision; the message it grants leaves. Throws when an inactive SL is granted.
  std::optional<Sent> step(EgressScheduler& scheduler) {
    const EgressView before = view();
    const auto sl = scheduler.pick(before);
    if (!sl) return std::nullopt;
    if (!before.is_active(*sl)) throw std::logic_error("an inactive SL is granted");
    const Sent sent{*sl, queues_[*sl].front()};
    queues_[*sl].pop_front();
    scheduler.sent(*sl, view());
    return sent;
  }

  /// What `steps` decisions send.
  std::vector<Sent> run(EgressScheduler& scheduler, std::size_t steps) {
    std::vector<Sent> all;
    for (std::size_t i = 0; i < steps; ++i) {
      if (const auto sent = step(scheduler)) all.push_back(*sent);
    }
    return all;
  }

 private:
  std::array<std::deque<std::uint32_t>, kMaxServiceLevels> queues_;
  std::array<bool, kMaxServiceLevels> blocked_{};
};

/// Credits sent per SL.
inline std::array<std::uint64_t, kMaxServiceLevels> credits_of(const std::vector<Sent>& all) {
  std::array<std::uint64_t, kMaxServiceLevels> credits{};
  for (const Sent& s : all) credits[s.sl] += s.size;
  return credits;
}

}  // namespace weft::test
