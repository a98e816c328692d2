#include "algorithms/alltoall/groups.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "algorithms/alltoall/bounds.h"
#include "base/random.h"

namespace weft::alltoall {
namespace {

// A set of places on a ring; rings have kLargestSide places at most.
using Places = std::uint64_t;
static_assert(kLargestSide <= 64);

Places one(std::uint32_t place) { return Places{1} << place; }

// A pattern with the lengths of its routes, negative for the - direction.
struct Pattern {
  std::uint32_t a = 0, b = 0;
  int along_x = 0, along_y = 0;
  int length() const { return std::abs(along_x) + std::abs(along_y); }
};

// What a bundle holds in its first slot, the row y = 0 and one column for each of its places; the other rows and slots
// are these, shifted.
struct Bundle {
  struct Column {
    std::array<Places, 2> links{};  // by direction
    Places receivers = 0;
  };
  struct Member {
    std::uint32_t pattern, start;
  };
  Places senders = 0;
  std::array<Places, 2> row{};  // by direction
  std::vector<Column> columns;
  std::vector<Member> members;
};

// Bundles of a torus that is not higher than wide, X first.
class Packing {
 public:
  explicit Packing(const Grid& grid) : width_(grid.width), height_(grid.height), random_(1, "alltoall.diagonals") {
    const auto length = [](std::uint32_t offset, std::uint32_t size) {
      return 2 * offset <= size ? static_cast<int>(offset) : static_cast<int>(offset) - static_cast<int>(size);
    };
    for (std::uint32_t b = 0; b < height_; ++b) {
      for (std::uint32_t a = 0; a < width_; ++a) {
        if (a + b > 0) patterns_.push_back({a, b, length(a, width_), length(b, height_)});
      }
    }
  }

  void run(std::uint64_t least_slots) {
    using Key = std::pair<int, int>;
    const auto longest = [](const Pattern& p) {
      return Key{std::max(std::abs(p.along_x), std::abs(p.along_y)), p.length()};
    };
    const auto row_first = [](const Pattern& p) { return Key{std::abs(p.along_x), std::abs(p.along_y)}; };
    const auto whole = [&](const Pattern& p) { return Key{p.length(), longest(p).first}; };
    fill(longest);
    fill(row_first);
    fill(whole);
    if (patterns_.size() >= kMostRepacked) return;
    for (std::uint32_t i = 0; i < kShuffled; ++i) {
      fill([&](const Pattern& p) {
        const auto [first, second] = i % 3 == 0 ? longest(p) : i % 3 == 1 ? row_first(p) : whole(p);
        return Key{100 * first + second + static_cast<int>(random_.below(150)), 0};
      });
    }
    for (std::uint64_t moves = kMoves; (bundles_.size() - 1) * width_ >= least_slots && drop(moves);) {
    }
  }

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<Bundle>& bundles() const { return bundles_; }

 private:
  static constexpr std::uint64_t kMoves = 3000;
  static constexpr std::uint32_t kShuffled = 27;  // orders in which some patterns come earlier

  static Places ring(std::uint32_t size) { return size == 64 ? ~Places{0} : one(size) - 1; }

  // The links of a route of `length`, by the node they leave.
  static Places arc(std::uint32_t from, int length, std::uint32_t size) {
    if (length == 0) return 0;
    const auto links = static_cast<std::uint32_t>(std::abs(length));
    const std::uint32_t first = length > 0 ? from : (from + 1 + size - links) % size;
    const Places straight = one(links) - 1;  // at most half a ring: fewer than 64
    return first == 0 ? straight : (straight << first | straight >> (size - first)) & ring(size);
  }

  // Calls visit(column, links, receiver) for the columns that the pattern turns into; false when one call says so. On a
  // square every column holds the same, shifted, and one is enough.
  template <class Visit>
  bool visit_columns(const Pattern& p, std::uint32_t start, Visit&& visit) const {
    for (std::uint32_t column = 0; column < column_count(); ++column) {
      const std::uint32_t y = (start + p.a + column) % width_;
      if (y < height_ && !visit(column, arc(y, p.along_y, height_), one((y + p.b) % height_))) return false;
    }
    return true;
  }
  std::uint32_t column_count() const { return width_ == height_ ? 1 : width_; }

  bool fits(const Bundle& bundle, const Pattern& p, std::uint32_t start) const {
    if ((bundle.senders & one(start)) != 0) return false;
    if ((bundle.row[p.along_x < 0] & arc(start, p.along_x, width_)) != 0) return false;
    return visit_columns(p, start, [&](std::uint32_t column, Places links, Places receiver) {
      const Bundle::Column& c = bundle.columns[column];
      return (c.links[p.along_y < 0] & links) == 0 && (c.receivers & receiver) == 0;
    });
  }

  // Puts the pattern in, or takes it out again.
  void toggle(Bundle& bundle, const Pattern& p, std::uint32_t start) const {
    bundle.columns.resize(column_count());
    bundle.senders ^= one(start);
    bundle.row[p.along_x < 0] ^= arc(start, p.along_x, width_);
    visit_columns(p, start, [&](std::uint32_t column, Places links, Places receiver) {
      bundle.columns[column].links[p.along_y < 0] ^= links;
      bundle.columns[column].receivers ^= receiver;
      return true;
    });
  }

  void add(Bundle& bundle, std::uint32_t pattern, std::uint32_t start) const {
    toggle(bundle, patterns_[pattern], start);
    bundle.members.push_back({pattern, start});
  }

  bool add_where_it_fits(Bundle& bundle, std::uint32_t pattern) const {
    for (std::uint32_t start = 0; start < width_; ++start) {
      if (!fits(bundle, patterns_[pattern], start)) continue;
      add(bundle, pattern, start);
      return true;
    }
    return false;
  }

  // First fit in falling order of a key; kept when it takes fewer bundles.
  template <class Key>
  void fill(Key&& key) {
    std::vector<std::pair<int, int>> keys;
    for (const Pattern& p : patterns_) keys.push_back(key(p));
    std::vector<std::uint32_t> order(patterns_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return keys[i] > keys[j]; });
    std::vector<Bundle> bundles;
    for (const std::uint32_t i : order) {
      if (std::none_of(bundles.begin(), bundles.end(), [&](Bundle& b) { return add_where_it_fits(b, i); })) {
        add(bundles.emplace_back(), i, 0);
      }
    }
    if (bundles_.empty() || bundles.size() < bundles_.size()) bundles_ = std::move(bundles);
  }

  bool meet(const Bundle::Member& member, const Pattern& p, std::uint32_t start) const {
    Bundle alone;
    toggle(alone, patterns_[member.pattern], member.start);
    return !fits(alone, p, start);
  }

  // One bundle fewer: its patterns go where they push out the least, and so on. False when the moves are used up.
  bool drop(std::uint64_t& moves) {
    std::vector<Bundle> bundles = bundles_;
    const auto least = std::min_element(bundles.begin(), bundles.end(), [](const Bundle& a, const Bundle& b) {
      return a.members.size() < b.members.size();
    });
    std::vector<std::uint32_t> waiting;
    for (const Bundle::Member& m : least->members) waiting.push_back(m.pattern);
    bundles.erase(least);
    std::vector<std::uint64_t> barred(patterns_.size() * bundles.size(), kMoves + 1);  // moves left when free again
    for (; !waiting.empty(); --moves) {
      if (moves == 0 || bundles.empty()) return false;
      std::swap(waiting[random_.below(waiting.size())], waiting.back());
      const std::uint32_t pattern = waiting.back();
      waiting.pop_back();
      place(bundles, pattern, moves, barred, waiting);
    }
    bundles_ = std::move(bundles);
    return true;
  }

  void place(std::vector<Bundle>& bundles, std::uint32_t pattern, std::uint64_t moves,
             std::vector<std::uint64_t>& barred, std::vector<std::uint32_t>& waiting) {
    const Pattern& p = patterns_[pattern];
    std::size_t into = random_.below(bundles.size());
    std::uint32_t at = 0, equal = 0;
    int cheapest = std::numeric_limits<int>::max();
    for (std::size_t b = 0; b < bundles.size(); ++b) {
      if (moves > barred[pattern * bundles.size() + b]) continue;
      for (std::uint32_t start = 0; start < width_; ++start) {
        const int cost = pushed_out(bundles[b], p, start, cheapest);
        if (cost > cheapest) continue;
        if (cost < cheapest) equal = 0;
        cheapest = cost;
        if (random_.below(++equal) == 0) into = b, at = start;
      }
    }
    Bundle& bundle = bundles[into];
    std::erase_if(bundle.members, [&](const Bundle::Member& m) {
      if (!meet(m, p, at)) return false;
      toggle(bundle, patterns_[m.pattern], m.start);
      waiting.push_back(m.pattern);
      const std::uint64_t turns = 5 + random_.below(10) + waiting.size();
      barred[m.pattern * bundles.size() + into] = moves > turns ? moves - turns : 0;
      return true;
    });
    add(bundle, pattern, at);
  }

  // What has to leave: few patterns, and short ones, cost little. Beyond `most` it is not counted further.
  int pushed_out(const Bundle& bundle, const Pattern& p, std::uint32_t start, int most) const {
    if (fits(bundle, p, start)) return 0;
    constexpr int kEach = 100;
    int cost = 0;
    for (const Bundle::Member& m : bundle.members) {
      if (cost > most) break;
      if (meet(m, p, start)) cost += kEach + patterns_[m.pattern].length();
    }
    return cost;
  }

  const std::uint32_t width_, height_;
  RandomStream random_;
  std::vector<Pattern> patterns_;
  std::vector<Bundle> bundles_;
};

GroupsSchedule empty_schedule(const Grid& grid, const Packing& packing, std::uint32_t degree) {
  GroupsSchedule out;
  out.rule = GroupRule::diagonals;
  out.schedule.grid = grid;
  out.schedule.slots = out.group_slots = static_cast<std::uint32_t>(packing.bundles().size()) * degree;
  out.schedule.slot_of.assign(std::size_t{grid.nodes()} * grid.nodes(), kNoSlot);
  out.riding = std::uint64_t{grid.nodes()} * (grid.width + grid.height - 2);
  return out;
}

// Width at least the height, X first.
GroupsSchedule wide_diagonals(const Grid& grid) {
  Packing packing(grid);
  packing.run(lower_bounds(grid).slots());
  GroupsSchedule out = empty_schedule(grid, packing, grid.width);
  for (const Bundle& bundle : packing.bundles()) {
    SlotGroup group{static_cast<std::uint32_t>(out.groups.size()) * grid.width, grid.width, {}};
    for (const Bundle::Member& m : bundle.members) {
      const Pattern& p = packing.patterns()[m.pattern];
      group.patterns.push_back({p.a, p.b, m.start});
      for (std::uint32_t s = 0; s < grid.nodes(); ++s) {
        const std::uint32_t x = s % grid.width, y = s / grid.width;
        const std::uint32_t d = grid.node((x + p.a) % grid.width, (y + p.b) % grid.height);
        out.schedule.slot_of[std::size_t{s} * grid.nodes() + d] =
            group.first + (x + y + grid.width - m.start) % grid.width;
      }
    }
    out.groups.push_back(std::move(group));
  }
  return out;
}

}  // namespace

GroupsSchedule make_diagonals(const Grid& grid) {
  const bool x_first = grid.order == RouteOrder::kXFirst;
  if (x_first && grid.width >= grid.height) return wide_diagonals(grid);
  // Columns and rows change places. That makes the routes Y first; connections that are turned round as well, in the
  // grid reflected in its middle so that routes half way round keep their direction, are X first again.
  const Grid turned{grid.height, grid.width, true, RouteOrder::kXFirst};
  GroupsSchedule out = make_diagonals(turned);
  const std::vector<std::uint32_t> slot_of = std::move(out.schedule.slot_of);
  const std::uint32_t nodes = grid.nodes();
  std::vector<std::uint32_t> image(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::uint32_t x = n % grid.width, y = n / grid.width;
    image[n] =
        x_first ? turned.node((grid.height - y) % grid.height, (grid.width - x) % grid.width) : turned.node(y, x);
  }
  out.schedule.grid = grid;
  out.schedule.slot_of.resize(slot_of.size());
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      const std::size_t from = x_first ? image[d] : image[s], to = x_first ? image[s] : image[d];
      out.schedule.slot_of[std::size_t{s} * nodes + d] = slot_of[from * nodes + to];
    }
  }
  for (SlotGroup& group : out.groups) {
    for (GroupPattern& p : group.patterns) std::swap(p.a, p.b);
  }
  if (x_first) {
    out.rule = out.rule == GroupRule::diagonals ? GroupRule::reversed_diagonals : GroupRule::diagonals;
  }
  return out;
}

}  // namespace weft::alltoall
