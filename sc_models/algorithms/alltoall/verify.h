#pragma once
// Independent check of an all-to-all schedule: every ordered pair of different nodes has exactly one slot, and in no
// slot a link, a sender or a receiver serves two connections. It walks the routes by itself, link by link from node to
// node, and shares nothing with what makes schedules but the Schedule itself. Slots are checked one after the other, so
// it needs 4 bytes per connection besides the schedule, whatever the order of the file that the schedule came from.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

struct Connection {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  bool operator==(const Connection&) const = default;
};

enum class FaultKind { missing, slot_out_of_range, self, link, sender, receiver };

/// The first thing that is wrong: lowest slot, in it the connection with the lowest source, then destination, that
/// meets one before it; connections without a slot come before all others.
struct ScheduleFault {
  FaultKind kind = FaultKind::missing;
  std::uint32_t slot = kNoSlot;
  Connection first;
  Connection second;  ///< of conflicts
  /// Link: the node it leaves and the one it enters; sender, receiver: the node.
  std::uint32_t node = 0;
  std::uint32_t next = 0;
};

struct Verification {
  std::uint64_t connections = 0;  ///< that have a slot
  std::uint64_t link_uses = 0;    ///< links of all routes
  std::uint32_t slots_used = 0;   ///< that hold at least one connection
  std::uint32_t fewest = 0;       ///< connections in the emptiest slot
  std::uint32_t most = 0;         ///< connections in the fullest slot
  std::optional<ScheduleFault> fault;
  bool ok() const { return !fault; }
};

/// Checks the whole schedule, or up to the first fault. Throws std::invalid_argument when slot_of has not nodes * nodes
/// entries.
Verification verify(const Schedule& schedule);

/// "slot 3: link 5 -> 6 carries both 4 -> 7 and 5 -> 6"; `slot` is the name of the fault's slot.
std::string to_string(const ScheduleFault& fault, const Schedule& schedule, const std::string& slot);
std::string to_string(const ScheduleFault& fault, const Schedule& schedule);

/// Connections of a schedule ordered by slot, then source, then destination.
class BySlot {
 public:
  explicit BySlot(const Schedule& schedule);
  std::uint32_t slots() const { return static_cast<std::uint32_t>(begin_.size() - 1); }
  /// Visits the connections of a slot.
  template <class Visit>
  void visit(std::uint32_t slot, Visit&& visit_one) const {
    for (std::uint32_t k = begin_[slot]; k < begin_[slot + 1]; ++k) {
      visit_one(Connection{order_[k] / nodes_, order_[k] % nodes_});
    }
  }
  std::uint32_t size(std::uint32_t slot) const { return begin_[slot + 1] - begin_[slot]; }

 private:
  std::uint32_t nodes_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> order_;  // source * nodes + destination
};

}  // namespace weft::alltoall
