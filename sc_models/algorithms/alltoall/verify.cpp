#include "algorithms/alltoall/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft::alltoall {
namespace {

// Whether a route that stands at `at` goes up next; at != to.
bool goes_up(std::uint32_t at, std::uint32_t to, std::uint32_t size, bool torus) {
  if (!torus) return at < to;
  const std::uint32_t upwards = at < to ? to - at : to + size - at;
  return upwards <= size - upwards;
}

// Who holds what in the slot that is being checked. Marks of earlier slots are recognized by their slot, so nothing is
// cleared between slots.
class SlotChecker {
 public:
  explicit SlotChecker(const Grid& grid) : grid_(grid), held_(std::size_t{6} * grid.nodes(), ~std::uint64_t{0}) {}

  void begin(std::uint32_t slot) { slot_ = slot; }
  const std::optional<ScheduleFault>& fault() const { return fault_; }
  std::uint64_t links() const { return links_; }

  // False when something is held already. Goes from node to node and decides at each where to go next.
  bool add(Connection c) {
    const std::uint32_t nodes = grid_.nodes();
    connection_ = c;
    const std::uint64_t mark = std::uint64_t{slot_} << 32 | (c.source * nodes + c.destination);
    if (!hold(4 * nodes + c.source, mark)) return conflict(FaultKind::sender, c.source, c.source);
    const bool x_first = grid_.order == RouteOrder::kXFirst;
    std::uint32_t x = c.source % grid_.width, y = c.source / grid_.width;
    const std::uint32_t to_x = c.destination % grid_.width, to_y = c.destination / grid_.width;
    while (x != to_x || y != to_y) {
      const std::uint32_t at = x + grid_.width * y;
      const bool along_x = x_first ? x != to_x : y == to_y;
      const bool up =
          along_x ? goes_up(x, to_x, grid_.width, grid_.torus) : goes_up(y, to_y, grid_.height, grid_.torus);
      (along_x ? x : y) = along_x ? moved(x, up, grid_.width) : moved(y, up, grid_.height);
      if (!hold(4 * at + (along_x ? 0 : 2) + (up ? 0 : 1), mark)) {
        return conflict(FaultKind::link, at, x + grid_.width * y);
      }
      ++links_;
    }
    if (!hold(5 * nodes + c.destination, mark)) return conflict(FaultKind::receiver, c.destination, c.destination);
    return true;
  }

 private:
  static std::uint32_t moved(std::uint32_t at, bool up, std::uint32_t size) {
    if (up) return at + 1 == size ? 0 : at + 1;
    return at == 0 ? size - 1 : at - 1;
  }

  bool hold(std::uint32_t what, std::uint64_t mark) {
    std::uint64_t& held = held_[what];
    if (held >> 32 == mark >> 32) {
      other_ = static_cast<std::uint32_t>(held);
      return false;
    }
    held = mark;
    return true;
  }

  bool conflict(FaultKind kind, std::uint32_t node, std::uint32_t next) {
    const Connection other{other_ / grid_.nodes(), other_ % grid_.nodes()};
    fault_ = ScheduleFault{kind, slot_, other, connection_, node, next};
    return false;
  }

  const Grid grid_;
  std::uint32_t slot_ = kNoSlot;
  std::vector<std::uint64_t> held_;  // slot, source * nodes + destination
  Connection connection_;
  std::uint32_t other_ = 0;
  std::uint64_t links_ = 0;
  std::optional<ScheduleFault> fault_;
};

// Faults that need no route.
std::optional<ScheduleFault> find_wrong_entry(const Schedule& schedule) {
  const std::uint32_t nodes = schedule.grid.nodes();
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      const std::uint32_t slot = schedule.slot_of[std::size_t{s} * nodes + d];
      const Connection c{s, d};
      if (s == d && slot != kNoSlot) return ScheduleFault{FaultKind::self, slot, c, {}, s, d};
      if (s != d && slot == kNoSlot) return ScheduleFault{FaultKind::missing, slot, c, {}, s, d};
      if (s != d && slot >= schedule.slots) return ScheduleFault{FaultKind::slot_out_of_range, slot, c, {}, s, d};
    }
  }
  return std::nullopt;
}

}  // namespace

BySlot::BySlot(const Schedule& schedule) : nodes_(schedule.grid.nodes()), begin_(std::size_t{schedule.slots} + 1) {
  const auto has_slot = [&](std::uint32_t slot) { return slot < schedule.slots; };
  std::size_t scheduled = 0;
  for (const std::uint32_t slot : schedule.slot_of) {
    if (!has_slot(slot)) continue;
    ++begin_[slot + 1];
    ++scheduled;
  }
  for (std::size_t s = 1; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
  order_.resize(scheduled);
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t c = 0; c < schedule.slot_of.size(); ++c) {
    if (has_slot(schedule.slot_of[c])) order_[next[schedule.slot_of[c]]++] = static_cast<std::uint32_t>(c);
  }
}

Verification verify(const Schedule& schedule) {
  const std::size_t nodes = schedule.grid.nodes();
  if (schedule.slot_of.size() != nodes * nodes) throw std::invalid_argument("verify: slot_of has the wrong size");
  Verification result;
  result.fault = find_wrong_entry(schedule);
  if (result.fault) return result;
  const BySlot by_slot(schedule);
  SlotChecker checker(schedule.grid);
  result.fewest = schedule.slots == 0 ? 0 : kNoSlot;
  for (std::uint32_t slot = 0; slot < schedule.slots && result.ok(); ++slot) {
    checker.begin(slot);
    by_slot.visit(slot, [&](Connection c) {
      if (!result.ok()) return;
      if (checker.add(c)) {
        ++result.connections;
      } else {
        result.fault = checker.fault();
      }
    });
    result.slots_used += by_slot.size(slot) > 0 ? 1 : 0;
    result.fewest = std::min(result.fewest, by_slot.size(slot));
    result.most = std::max(result.most, by_slot.size(slot));
  }
  result.link_uses = checker.links();
  return result;
}

std::string to_string(const ScheduleFault& fault, const Schedule& schedule, const std::string& slot) {
  const auto name = [](Connection c) { return fmt::format("{} -> {}", c.source, c.destination); };
  const auto both = [&] { return fmt::format("{} and {}", name(fault.first), name(fault.second)); };
  switch (fault.kind) {
    case FaultKind::missing:
      return fmt::format("connection {} has no slot", name(fault.first));
    case FaultKind::slot_out_of_range:
      return fmt::format("connection {}: slot {} is not below the number of slots, {}", name(fault.first), fault.slot,
                         schedule.slots);
    case FaultKind::self:
      return fmt::format("{}: node {} sends to itself", slot, fault.node);
    case FaultKind::link:
      return fmt::format("{}: link {} -> {} carries both {}", slot, fault.node, fault.next, both());
    case FaultKind::sender:
      return fmt::format("{}: node {} sends both {}", slot, fault.node, both());
    case FaultKind::receiver:
      return fmt::format("{}: node {} receives both {}", slot, fault.node, both());
  }
  return {};
}

std::string to_string(const ScheduleFault& fault, const Schedule& schedule) {
  return to_string(fault, schedule, fmt::format("slot {}", fault.slot));
}

}  // namespace weft::alltoall
