#pragma once
// In which coming cycles each region of routers and each NIC of an input-queued network act: a ring of sets, one per
// cycle, with one entry per busy cycle on the clock's agenda. Nearly all of them act in nearly every cycle of a loaded
// network; a bit each is much less than an entry each. In a clock domain that is shuffled, they act in random order.

#include <cstdint>
#include <vector>

#include "fabrics/packet/iq/parameters.h"
#include "kernel/clock_domain.h"

namespace weft {

class IqAgenda final : public Agent {
 public:
  IqAgenda(ClockDomain& domain, const IqParameters& parameters);
  /// Before time begins. Returns the member's number: members are numbered, and act, in this order.
  std::uint32_t add(Agent& member);

  /// Member acts in cycle `at` (Phase::transfer): its due() is called once, with token 0. Precondition: at is a cycle
  /// that the clock's agenda takes, and at most known_ahead() cycles ahead.
  [[gnu::always_inline]] void plan(Cycle at, std::uint32_t member) {
    std::uint64_t* const set = &ring_[(static_cast<std::uint64_t>(at) & mask_) * stride_];
    set[1 + member / 64] |= std::uint64_t{1} << (member % 64);
    if (set[0] != 0) return;
    set[0] = 1;
    begin(at);
  }
  void due(Cycle now, std::uint32_t token) override;

  /// The longest time that anything in such a network is known ahead.
  static std::uint64_t known_ahead(const IqParameters& parameters);

 private:
  /// The first one that is planned for a cycle.
  void begin(Cycle at);
  void serve_shuffled(Cycle now, std::uint64_t* set, RandomStream& order);
  ClockDomain& domain_;
  std::uint64_t mask_;
  std::size_t stride_ = 1;
  std::vector<std::uint64_t> ring_;  // per cycle: whether it is on the clock's agenda, then the set
  std::vector<Agent*> members_;
};

}  // namespace weft
