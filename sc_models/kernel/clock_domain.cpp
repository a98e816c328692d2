#include "kernel/clock_domain.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/diagnostics.h"
#include "base/hot_memory.h"

namespace weft {

ClockDomain::ClockDomain(sc_core::sc_module_name name, Duration period)
    : sc_module(name),
      period_(period),
      last_cycle_(std::numeric_limits<std::int64_t>::max() / period.ps - 1),
      period_time_(static_cast<double>(period.ps), sc_core::SC_PS) {
  SC_METHOD(serve);
  sensitive << wake_;
  dont_initialize();
}

sc_core::sc_time ClockDomain::time_of(Cycle cycle) const {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(cycle) * period_time_.value());
}

Cycle ClockDomain::next_cycle() const {
  const auto passed = static_cast<Cycle>(sc_core::sc_time_stamp().value() / period_time_.value());
  return sc_core::sc_start_of_simulation_invoked() ? passed + 1 : 0;
}

ClockDomain::HookId ClockDomain::add_cycle_hook(std::function<void(Cycle)> hook, std::function<Cycle(Cycle)> wants) {
  if (hooks_.empty()) stands_still_ = sc_core::sc_time_stamp() != sc_core::SC_ZERO_TIME && pending_ == 0;
  hooks_.push_back({next_hook_, std::move(hook), std::move(wants)});
  // Before time begins what is due later may have armed it already; the cycles until then are told of as well.
  if (armed_ < 0 || !sc_core::sc_start_of_simulation_invoked()) arm();
  return next_hook_++;
}

void ClockDomain::remove_cycle_hook(HookId id) {
  std::erase_if(hooks_, [id](const Hook& hook) { return hook.id == id; });
}

void ClockDomain::schedule_slowly(Cycle due, Phase phase, Agent& agent, std::uint32_t token) {
  if (due < now_ || (due == now_ && !serving_) || due > last_cycle_) {
    throw RunError(due > last_cycle_ ? "simulated time does not reach that far: more than 2^63 ps"
                                     : "internal: something was to happen in a cycle that is over");
  }
  ++pending_;
  if (due - now_ < static_cast<Cycle>(kWheel)) {
    put(due, phase, agent, token);
  } else {
    far_.push({due, order_++, phase, &agent, token});
  }
  if (!serving_ && (armed_ < 0 || due < armed_)) arm();
}

Cycle ClockDomain::next_due() const {
  const std::size_t start = static_cast<std::size_t>(now_ + 1) % kWheel;
  std::size_t word = start / 64;
  std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (start % 64));
  for (std::size_t i = 0; i <= occupied_.size(); ++i) {
    if (bits != 0) {
      const std::size_t index = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      return now_ + 1 + static_cast<Cycle>((index + kWheel - start) % kWheel);
    }
    word = (word + 1) % occupied_.size();
    bits = occupied_[word];
  }
  return far_.empty() ? -1 : far_.top().due;
}

void ClockDomain::arm() {
  Cycle next = pending_ > 0 ? next_due() : -1;
  if (!hooks_.empty() && !stands_still_) {
    const Cycle wanted_next = wanted();
    if (wanted_next == now_ + 1 || wanted_next < next) {
      next = wanted_next;
    } else if (next < 0) {
      stands_still_ = true;  // until something comes from outside
    }
  }
  if (next >= 0) {
    const sc_core::sc_time at = time_of(next);
    wake_.cancel();
    wake_.notify(at - sc_core::sc_time_stamp());
  }
  armed_ = next;
}

// The first cycle behind this one that a hook wants to be told of.
Cycle ClockDomain::wanted() const {
  Cycle first = kNever;
  for (const Hook& hook : hooks_) first = std::min(first, hook.wants ? hook.wants(now_ + 1) : now_ + 1);
  return first;
}

void ClockDomain::serve() {
  now_ = armed_;
  serving_ = true;
  stands_still_ = pending_ == 0;
  try {
    serve_cycle();
    for (const Hook& hook : hooks_) hook.call(now_);
  } catch (...) {
    serving_ = false;
    armed_ = -1;
    failure_ = std::current_exception();
    if (!capture_) throw;
    sc_core::sc_pause();
    return;
  }
  serving_ = false;
  if (pause_check_ && pause_check_()) pause_ = true;
  arm();
  if (pause_) {
    pause_ = false;
    sc_core::sc_pause();
  }
}

void ClockDomain::grow() {
  const std::size_t from = items_.size();
  items_.resize(std::max(2 * from, kFewestItems));
  for (std::size_t i = items_.size(); i-- > from;) {
    items_[i].next = free_;
    free_ = static_cast<ItemNumber>(i);
  }
}

void ClockDomain::serve_cycle() {
  while (!far_.empty() && far_.top().due - now_ < static_cast<Cycle>(kWheel)) {
    const Far& far = far_.top();
    put(far.due, far.phase, *far.agent, far.token);
    far_.pop();
  }
  const std::size_t index = static_cast<std::size_t>(now_) % kWheel;
  std::uint64_t& word = occupied_[index / 64];
  const std::uint64_t bit = std::uint64_t{1} << (index % 64);
  if ((word & bit) == 0) return;
  ++busy_cycles_;
  const List& exchange = wheel_[index][static_cast<std::size_t>(Phase::exchange)];
  for (List& list : wheel_[index]) {
    if (list.first == 0) continue;
    if (&list != &exchange) last_busy_ = now_;
    serve_list(list);
  }
  word &= ~bit;
}

// The list may grow while it is served, so an item stays in it until its call has returned.
void ClockDomain::serve_list(List& list) {
  while (const ItemNumber number = list.first) {
    if (shuffle_) shuffle_rest(items_[number]);
    --pending_;
    const Item item = items_[number];
    if (item.next != 0) {  // in large networks neither items nor agents are in the cache
      const Item& next = items_[item.next];
      prefetch(next.agent);
      prefetch(&items_[next.next]);
    }
    item.agent->due(now_, item.token);
    Item& served = items_[number];  // there may be more items now
    list.first = served.next;
    served.next = free_;
    free_ = number;
  }
}

// One of the items from `first` on, by chance, takes its place.
void ClockDomain::shuffle_rest(Item& first) {
  std::size_t count = 1;
  for (ItemNumber i = first.next; i != 0; i = items_[i].next) ++count;
  Item* other = &first;
  for (std::size_t steps = shuffle_->below(count); steps > 0; --steps) other = &items_[other->next];
  std::swap(first.agent, other->agent);
  std::swap(first.token, other->token);
}

}  // namespace weft
