#pragma once
// Egress scheduling: which service level (SL) sends the next message on a link.
//
// One scheduler stands behind every output port of a switch and behind every NIC. It sees which SLs are active and how
// large their head messages are, and nothing else; so one class serves switches of every architecture, the NICs,
// the unit tests, and as the reference of the RTL. Sizes and weights are in flow control credits (1 credit = 1 flit).
//
// Timing: one decision step per cycle in which the link is free for a next message, pick() when an SL is active, idle()
// when none is. A scheduler may need several steps for one message (a table entry whose weight does not cover it yet):
// then pick() returns nothing although an SL is active, and is asked again in the next cycle. Hardware makes the same
// step in one clock cycle.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hot_memory.h"

namespace weft {

using ServiceLevel = std::uint8_t;
inline constexpr std::uint32_t kMaxServiceLevels = 32;

/// An SL is active when it holds at least one message and the next hop has credits for the whole of its head message.
struct EgressView {
  std::uint32_t active = 0;                             ///< bit s: SL s is active
  std::array<std::uint32_t, kMaxServiceLevels> head{};  ///< credits of the head message, valid for active SLs
  bool is_active(ServiceLevel sl) const { return (active >> sl & 1U) != 0; }
};

class alignas(64) EgressScheduler : public HotObject {
 public:
  virtual ~EgressScheduler() = default;
  /// One decision step. The SL whose head message is sent now; nothing when no SL is active or the step ended without a
  /// message. Deterministic.
  virtual std::optional<ServiceLevel> pick(const EgressView& view) = 0;
  /// The head message of `sl`, which pick() has just returned, is sent. `after`: the view of the same cycle with that
  /// message and its credits gone; an SL that is inactive in it has become inactive.
  virtual void sent(ServiceLevel sl, const EgressView& after) = 0;
  /// A decision step in which no SL is active. Of several in a row the first suffices.
  virtual void idle() {}
};

/// One line of an arbitration table.
struct TableEntry {
  ServiceLevel sl = 0;
  std::uint32_t weight = 0;  ///< credits; an entry of weight 0 grants nothing and is skipped
  bool operator==(const TableEntry&) const = default;
};
using ArbitrationTable = std::vector<TableEntry>;

// What a service level may be called.

/// Error in the name of the level with this number, empty when there is none: traffic, traces and tables name a
/// level by its name or its number, which must not be that of another.
std::string level_name_problem(const std::string& name, std::uint32_t number);

}  // namespace weft
