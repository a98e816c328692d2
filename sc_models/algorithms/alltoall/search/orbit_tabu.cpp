#include "algorithms/alltoall/search/orbit_tabu.h"

#include <algorithm>

namespace weft::alltoall {

OrbitTabu::OrbitTabu(const OrbitColoring& problem, RandomStream& random)
    : problem_(problem),
      random_(random),
      table_slots_(problem.slots | 1),
      line_size_((problem.slots + kLane - 1) / kLane * kLane),
      table_(std::size_t{problem.padded} * table_slots_),
      lines_(std::size_t{problem.orbits} * line_size_, Count{0xffff}),
      line_state_(problem.orbits),
      member_place_(problem.orbits),
      free_from_(std::size_t{problem.orbits} * problem.slots),
      wheel_(kWheel) {}

std::uint64_t OrbitTabu::run(OrbitSlots& slots, std::uint64_t moves, SearchBudget& budget) {
  start(slots);
  std::uint64_t fewest = total_;
  for (; moves > 0 && total_ > 0 && problem_.slots > 1 && budget.next(fewest); --moves) {
    ++now_;
    free_moves();
    std::uint32_t v = 0, to = 0;
    choose(v, to);
    move(v, to);
    if (total_ >= fewest) continue;
    fewest = total_;
    slots = slot_;
  }
  return fewest;
}

void OrbitTabu::start(const OrbitSlots& slots) {
  slot_ = slots;
  std::fill(table_.begin(), table_.end(), Count{0});
  std::fill(free_from_.begin(), free_from_.end(), 0);
  for (auto& due : wheel_) due.clear();
  members_.assign(problem_.slots, {});
  list_.clear();
  list_place_.assign(problem_.orbits, kNoSlot);
  now_ = 0;
  for (std::uint32_t v = 0; v < problem_.orbits; ++v) {
    for (std::uint32_t s = 0; s < problem_.slots; ++s) {
      if (problem_.impossible[std::size_t{v} * problem_.slots + s]) entry(v, s) |= kImpossible;
    }
    member_place_[v] = static_cast<std::uint32_t>(members_[slot_[v]].size());
    members_[slot_[v]].push_back(v);
    for (std::uint32_t m = 0; m < problem_.moves; ++m) {
      add(problem_.moved_to[std::size_t{m} * problem_.slots + slot_[v]], row(m, v));
    }
  }
  total_ = 0;
  std::uint64_t misplaced = 0;
  for (std::uint32_t v = 0; v < problem_.orbits; ++v) {
    total_ += conflicts(v) & (kImpossible - 1);
    misplaced += conflicts(v) & kImpossible;
    if (conflicts(v) > 0) enter(v);
  }
  total_ = total_ / 2 + misplaced;  // both sides count a conflict; a place that is impossible counts once
}

void OrbitTabu::add(std::uint32_t slot, const std::uint8_t* row) {
  const std::size_t step = std::size_t{table_slots_} * kLane;
  Count* __restrict at = &table_[std::size_t{slot} * kLane];
  for (std::uint32_t v = 0; v < problem_.padded; v += kLane, at += step, row += kLane) {
    for (std::uint32_t i = 0; i < kLane; ++i) at[i] = static_cast<Count>(at[i] + row[i]);
  }
}

void OrbitTabu::subtract(std::uint32_t slot, const std::uint8_t* row) {
  const std::size_t step = std::size_t{table_slots_} * kLane;
  Count* __restrict at = &table_[std::size_t{slot} * kLane];
  for (std::uint32_t v = 0; v < problem_.padded; v += kLane, at += step, row += kLane) {
    for (std::uint32_t i = 0; i < kLane; ++i) at[i] = static_cast<Count>(at[i] - row[i]);
  }
}

void OrbitTabu::rescan(std::uint32_t v) {
  const Count* values = line(v);
  Count smallest = 0xffff, times = 0;
  for (std::uint32_t s = 0; s < line_size_; ++s) smallest = std::min(smallest, values[s]);
  for (std::uint32_t s = 0; s < line_size_; ++s) times = static_cast<Count>(times + (values[s] == smallest));
  line_state_[v] = {smallest, times};
}

void OrbitTabu::enter(std::uint32_t v) {
  list_place_[v] = static_cast<std::uint32_t>(list_.size());
  list_.push_back(v);
  Count* values = line(v);
  const Count* from = &entry(v, 0);
  for (std::uint32_t s = 0; s < problem_.slots; ++s) values[s] = from[std::size_t{s} * kLane];
  values[slot_[v]] |= kOwn;
  rescan(v);
}

void OrbitTabu::leave(std::uint32_t v) {
  const std::uint32_t place = list_place_[v];
  list_[place] = list_.back();
  list_place_[list_[place]] = place;
  list_.pop_back();
  list_place_[v] = kNoSlot;
}

void OrbitTabu::set(std::uint32_t v, std::uint32_t slot, Count value) {
  Count& cell = line(v)[slot];
  const Count before = cell;
  if (before == value) return;
  cell = value;
  Line& state = line_state_[v];
  if (value < state.smallest) {
    state = {value, 1};
    return;
  }
  if (before == state.smallest) --state.times;
  if (value == state.smallest) ++state.times;
  if (state.times == 0) rescan(v);
}

void OrbitTabu::free_moves() {
  auto& due = wheel_[now_ % kWheel];
  for (const std::uint64_t cell : due) {
    if (free_from_[cell] != now_) continue;  // forbidden anew since
    const auto v = static_cast<std::uint32_t>(cell / problem_.slots);
    const auto s = static_cast<std::uint32_t>(cell % problem_.slots);
    entry(v, s) &= kNotForbidden;
    if (list_place_[v] != kNoSlot) set(v, s, line(v)[s] & kNotForbidden);
  }
  due.clear();
}

/// The move that leaves the fewest conflicts; one of equally good ones at random.
void OrbitTabu::choose(std::uint32_t& v, std::uint32_t& slot) {
  int best = std::numeric_limits<int>::max();
  std::uint32_t equal = 0;
  for (const std::uint32_t u : list_) {
    const Line& state = line_state_[u];
    if (state.smallest >= kImpossible) continue;
    const int change = int{state.smallest} - static_cast<int>(conflicts(u));
    if (change > best) continue;
    if (change < best) equal = 0;
    best = change;
    equal += state.times;
    if (draw(equal) < state.times) v = u;
  }
  if (equal == 0) {  // everything is forbidden: any orbit in conflict goes anywhere it can
    v = list_[draw(static_cast<std::uint32_t>(list_.size()))];
    std::uint32_t choices = 0;
    slot = slot_[v];
    for (std::uint32_t s = 0; s < problem_.slots; ++s) {
      if (s != slot_[v] && !problem_.impossible[std::size_t{v} * problem_.slots + s] && draw(++choices) == 0) slot = s;
    }
    return;
  }
  std::uint32_t skip = draw(line_state_[v].times);
  const Count* values = line(v);
  for (slot = 0; values[slot] != line_state_[v].smallest || skip-- > 0;) ++slot;
}

void OrbitTabu::move(std::uint32_t v, std::uint32_t to) {
  const std::uint32_t from = slot_[v];
  if (from == to) return;  // it has nowhere else to go
  total_ += entry(v, to) & kNotForbidden;
  total_ -= conflicts(v);
  for (std::uint32_t m = 0; m < problem_.moves; ++m) {
    const std::uint32_t* image = &problem_.moved_to[std::size_t{m} * problem_.slots];
    const std::uint8_t* change = row(m, v);
    subtract(image[from], change);
    add(image[to], change);
    for (const std::uint32_t u : list_) {
      if (!change[u]) continue;
      set(u, image[from], static_cast<Count>(line(u)[image[from]] - 1));
      set(u, image[to], static_cast<Count>(line(u)[image[to]] + 1));
    }
  }
  auto& old = members_[from];
  old[member_place_[v]] = old.back();
  member_place_[old.back()] = member_place_[v];
  old.pop_back();
  member_place_[v] = static_cast<std::uint32_t>(members_[to].size());
  members_[to].push_back(v);
  slot_[v] = to;

  const std::uint64_t tenure = std::min<std::uint64_t>(total_ + draw(100) + 1, kWheel - 1);
  const std::uint64_t cell = std::uint64_t{v} * problem_.slots + from;
  free_from_[cell] = now_ + static_cast<std::uint32_t>(tenure);
  wheel_[free_from_[cell] % kWheel].push_back(cell);
  entry(v, from) |= kForbiddenNow;

  if (list_place_[v] != kNoSlot) leave(v);
  if (conflicts(v) > 0) enter(v);
  for (std::uint32_t m = 0; m < problem_.moves; ++m) {
    check_members(problem_.moved_to[std::size_t{m} * problem_.slots + from], v);
    check_members(problem_.moved_to[std::size_t{m} * problem_.slots + to], v);
  }
}

void OrbitTabu::check_members(std::uint32_t slot, std::uint32_t except) {
  for (const std::uint32_t u : members_[slot]) {
    if (u == except) continue;
    const bool listed = list_place_[u] != kNoSlot;
    if (conflicts(u) > 0 && !listed) enter(u);
    if (conflicts(u) == 0 && listed) leave(u);
  }
}

}  // namespace weft::alltoall
