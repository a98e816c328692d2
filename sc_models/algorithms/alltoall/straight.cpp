#include "algorithms/alltoall/straight.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/verify.h"

namespace weft::alltoall {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t kWordBits = 64;
// The careful method takes time with the square of the connections, and on a ring, whose routes are long, with more:
// those of a 12 x 12 grid and those of a ring of 40 nodes take seconds at most.
constexpr std::size_t kMostCareful = 3200;
constexpr std::size_t kMostCarefulOnLine = 1600;
// ... and is given up when this many slots above the bound do not do.
constexpr std::uint32_t kMostSteps = 8;

// Pattern a within the rows, or within the columns.
struct StraightPattern {
  bool in_rows = true;
  std::uint32_t a = 0;
  std::uint32_t degree = 0;
};

std::vector<StraightPattern> straight_patterns(const LinePatterns& rows, const LinePatterns& columns) {
  std::vector<StraightPattern> all;
  for (std::uint32_t a = 1; a < rows.size(); ++a) all.push_back({true, a, rows.degree(a)});
  for (std::uint32_t b = 1; b < columns.size(); ++b) all.push_back({false, b, columns.degree(b)});
  std::stable_sort(all.begin(), all.end(),
                   [](const StraightPattern& p, const StraightPattern& q) { return p.degree > q.degree; });
  return all;
}

// By colour, so that first fit fills a new slot with all that share no link.
std::vector<Connection> connections_of(const Grid& grid, const LinePatterns& line, const StraightPattern& p) {
  std::vector<Connection> all;
  all.reserve(grid.nodes());
  const std::uint32_t across = p.in_rows ? grid.height : grid.width;
  for (std::uint32_t colour = 0; colour < p.degree; ++colour) {
    for (std::uint32_t at = 0; at < line.size(); ++at) {
      if (line.colour(p.a, at) != colour) continue;
      const std::uint32_t to = (at + p.a) % line.size();
      for (std::uint32_t k = 0; k < across; ++k) {
        all.push_back(p.in_rows ? Connection{grid.node(at, k), grid.node(to, k)}
                                : Connection{grid.node(k, at), grid.node(k, to)});
      }
    }
  }
  return all;
}

// Which resources are taken in up to 64 neighbouring slots.
class SlotBlock {
 public:
  SlotBlock(const Resources& resources, std::uint32_t slots)
      : taken_(resources.count()), usable_(slots < kWordBits ? (Word{1} << slots) - 1 : ~Word{0}) {}

  void take(const Resources& resources, Connection c, std::uint32_t slot) {
    resources.visit(c.source, c.destination, [&](std::uint32_t r) { taken_[r] |= Word{1} << slot; });
  }
  /// Lowest slot in which nothing of the connection is taken, or kNoSlot.
  std::uint32_t first_free(const Resources& resources, Connection c) const {
    Word taken = 0;
    resources.visit(c.source, c.destination, [&](std::uint32_t r) { taken |= taken_[r]; });
    const Word free = usable_ & ~taken;
    return free == 0 ? kNoSlot : static_cast<std::uint32_t>(std::countr_zero(free));
  }

 private:
  std::vector<Word> taken_;
  Word usable_;
};

class Inserter {
 public:
  Inserter(const LinePatterns& rows, const LinePatterns& columns, GroupsSchedule& result)
      : rows_(rows),
        columns_(columns),
        result_(result),
        grid_(result.schedule.grid),
        resources_(grid_),
        blocks_(result.groups.size()) {}

  void insert_all() {
    for (const StraightPattern& p : straight_patterns(rows_, columns_)) insert(p);
    result_.extra_slots = extra_slots_;
    result_.schedule.slots = result_.group_slots + extra_slots_;
  }

 private:
  void insert(const StraightPattern& p) {
    std::vector<Connection> open = connections_of(grid_, p.in_rows ? rows_ : columns_, p);
    for (const std::size_t g : best_groups(p)) {
      if (open.empty()) return;
      SlotBlock& block = block_of(g);
      std::erase_if(open, [&](Connection c) { return place(block, result_.groups[g].first, c); });
    }
    for (const Connection c : open) place_behind(c);
  }

  // Groups whose lines of the pattern's direction are idle for about as many slots as the pattern needs, first.
  std::vector<std::size_t> best_groups(const StraightPattern& p) const {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t g = 0; g < result_.groups.size(); ++g) {
      const SlotGroup& group = result_.groups[g];
      const GroupPattern& first = group.patterns.front();
      const std::int64_t idle =
          std::int64_t{group.degree} - (p.in_rows ? rows_.degree(first.a) : columns_.degree(first.b));
      // Large grids have room enough without searching the groups that have no idle slot.
      if (idle == 0 && result_.groups.size() > 1000) continue;
      order.emplace_back(std::abs(idle - std::int64_t{p.degree}), g);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> groups;
    for (const auto& [distance, g] : order) groups.push_back(g);
    return groups;
  }

  // Built when first asked for: a large grid needs few of its groups.
  SlotBlock& block_of(std::size_t g) {
    if (blocks_[g].empty()) {
      const SlotGroup& group = result_.groups[g];
      SlotBlock block(resources_, group.degree);
      for (const GroupPattern& p : group.patterns) {
        for (std::uint32_t s = 0; s < grid_.nodes(); ++s) {
          const std::uint32_t x = (s % grid_.width + p.a) % grid_.width;
          const std::uint32_t y = (s / grid_.width + p.b) % grid_.height;
          const Connection c{s, grid_.node(x, y)};
          block.take(resources_, c, slot_of(c) - group.first);
        }
      }
      blocks_[g].push_back(std::move(block));
    }
    return blocks_[g].front();
  }

  std::uint32_t& slot_of(Connection c) {
    return result_.schedule.slot_of[std::size_t{c.source} * grid_.nodes() + c.destination];
  }

  bool place(SlotBlock& block, std::uint32_t first, Connection c) {
    const std::uint32_t slot = block.first_free(resources_, c);
    if (slot == kNoSlot) return false;
    block.take(resources_, c, slot);
    slot_of(c) = first + slot;
    ++result_.riding;
    return true;
  }

  void place_behind(Connection c) {
    for (std::size_t k = 0;; ++k) {
      if (k == behind_.size()) behind_.emplace_back(resources_, kWordBits);
      const std::uint32_t slot = behind_[k].first_free(resources_, c);
      if (slot == kNoSlot) continue;
      behind_[k].take(resources_, c, slot);
      const std::uint32_t behind = static_cast<std::uint32_t>(k) * kWordBits + slot;
      slot_of(c) = result_.group_slots + behind;
      extra_slots_ = std::max(extra_slots_, behind + 1);
      ++result_.extra;
      return;
    }
  }

  const LinePatterns& rows_;
  const LinePatterns& columns_;
  GroupsSchedule& result_;
  const Grid grid_;
  const Resources resources_;
  std::vector<std::vector<SlotBlock>> blocks_;  // none or one per group
  std::vector<SlotBlock> behind_;
  std::uint32_t extra_slots_ = 0;
};

}  // namespace

void insert_straight(const LinePatterns& rows, const LinePatterns& columns, GroupsSchedule& result) {
  const Grid grid = result.schedule.grid;
  const std::size_t straight = std::size_t{grid.nodes()} * (grid.width + grid.height - 2);
  const std::uint64_t bound = lower_bounds(grid).slots();
  const std::uint32_t least = bound > result.group_slots ? static_cast<std::uint32_t>(bound - result.group_slots) : 0;
  // Only small grids are worth a second copy.
  const bool careful = straight <= (grid.is_line() ? kMostCarefulOnLine : kMostCareful);
  const GroupsSchedule groups_only = careful ? result : GroupsSchedule{};
  Inserter(rows, columns, result).insert_all();
  if (!careful) return;
  const std::uint32_t end = std::min(result.extra_slots, least + kMostSteps);
  for (std::uint32_t extra = least; extra < end; ++extra) {
    GroupsSchedule better = groups_only;
    if (!insert_carefully(rows, columns, extra, better)) continue;
    result = std::move(better);
    return;
  }
}

}  // namespace weft::alltoall
