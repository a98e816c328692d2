#pragma once
// Self-clocked fair queueing (SCFQ): every message has a finish tag, the active SL with the smallest tag sends (on
// equality the lower SL), and the tag of the message in transfer is the virtual time of the link. A message that
// arrives at virtual time v behind one with tag F gets max(F, v) + size / share.
//
// Source: Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", INFOCOM 1994. An SL that lacks
// credits is treated like one without messages: it gets a new tag when it is active again and claims no missed service.
//
// Tags of head messages suffice. A message that arrives behind others arrives while the tag F of the message before it
// is still waiting or in transfer; tags in transfer never fall, so v <= F and its tag is F + size / share. When it
// becomes head, because that message has just been sent, the virtual time is F: the tag is v + size / share. A message
// that arrives alone is head at once and its SL's last tag has been sent: F <= v, again v + size / share. So the tag is
// given when a message becomes head, as virtual time plus size / share, and one register per SL holds it.
//
// Tags are kept relative to the virtual time and in units of 1 / (least common multiple of the shares): exact integers,
// bounded by the largest message times that multiple whatever the length of the run.
// Timing: a grant in every step with an active SL that has a share.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

class Scfq final : public EgressScheduler {
 public:
  /// shares[s]: weight of SL s, any positive integers; an SL with share 0, or beyond the list, never sends.
  /// Throws std::invalid_argument when the least common multiple of the shares does not fit 64 bits.
  /// Precondition: at most kMaxServiceLevels shares.
  explicit Scfq(const std::vector<std::uint32_t>& shares);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override;

  /// Least common multiple of the positive shares, 1 without any; nothing when it does not fit 64 bits.
  static std::optional<std::uint64_t> common_multiple(const std::vector<std::uint32_t>& shares);

 private:
  __extension__ using Tag = unsigned __int128;  // 32 bits of size, 64 of the multiple

  std::array<std::uint64_t, kMaxServiceLevels> per_credit_{};  // the multiple / share
  std::array<Tag, kMaxServiceLevels> tag_{};                   // of the head messages, less the virtual time
  std::uint32_t served_ = 0;                                   // SLs with a share
  std::uint32_t tagged_ = 0;                                   // SLs whose head message has its tag
};

}  // namespace weft
