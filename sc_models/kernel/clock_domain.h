#pragma once
// Time of one clock: an integer cycle count and the agenda of what is due in each coming cycle.
//
// One SC_METHOD serves the agenda and sleeps across empty cycles, so a module that has nothing to do costs nothing and
// a busy cycle costs one kernel event however many modules act in it. The agenda is a timing wheel (Varghese, Lauck,
// SOSP 1987) with a heap behind it for what lies further ahead.
//
// Within a cycle the phases run in order; inside a phase the order of modules is arbitrary and must not matter
// (shuffle() lets a test prove that it does not).

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace weft {

/// Something that acts at cycles it has asked for.
class Agent {
 public:
  virtual ~Agent() = default;
  virtual void due(Cycle now, std::uint32_t token) = 0;
};

enum class Phase : std::uint8_t {
  prepare = 0,   ///< double-buffered tables change over, sources say that they are due
  generate = 1,  ///< sources hand their messages over, in an order of their own
  submit = 2,    ///< endpoints take what several clients have handed over, in an order of their own
  transfer = 3,  ///< words leave registers, messages start, requests are served
  settle = 4,    ///< clock edges of Verilated blocks, completions: everything of this cycle's transfers is known
  exchange = 5,  ///< ranks tell each other what leaves one part of a network for another
};

class ClockDomain : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockDomain);
  ClockDomain(sc_core::sc_module_name name, Duration period);

  Duration period() const { return period_; }
  sc_core::sc_time period_time() const { return period_time_; }
  sc_core::sc_time time_of(Cycle cycle) const;
  /// The cycle being served; between cycles the last one served.
  Cycle now() const { return now_; }
  /// First cycle that code outside the agenda (a user's SC_THREAD) can still influence.
  Cycle next_cycle() const;
  bool serving() const { return serving_; }

  /// Precondition: due > now, or due == now from inside the agenda for this or a later phase. Throws RunError when that
  /// does not hold or simulated time would run over.
  void schedule(Cycle due, Phase phase, Agent& agent, std::uint32_t token) {
    const Cycle ahead = due - now_;
    if (serving_ && ahead >= 0 && ahead < static_cast<Cycle>(kWheel) && due <= last_cycle_) {
      ++pending_;
      put(due, phase, agent, token);
    } else {
      schedule_slowly(due, phase, agent, token);
    }
  }

  /// Called at the end of every cycle, empty ones included, as long as anything is on the agenda, and of the first
  /// cycle behind: what a hook shows then holds until something is on the agenda again. Several hooks in the order in
  /// which they were added. `wants`: the first cycle from a given one on that must be told of although nothing is on
  /// the agenda for it, kNever: none; without it each.
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
  using HookId = std::uint32_t;
  HookId add_cycle_hook(std::function<void(Cycle)> hook, std::function<Cycle(Cycle)> wants = {});
  void remove_cycle_hook(HookId id);
  /// Runs modules of a phase in random order.
  void shuffle(std::uint64_t seed) { shuffle_.emplace(seed, "agenda"); }
  /// Null unless shuffled. For agents that serve several modules at once, so that these come in random order as well.
  RandomStream* order() { return shuffle_ ? &*shuffle_ : nullptr; }
  /// Nothing is on the agenda.
  bool idle() const { return pending_ == 0; }
  /// Ends sc_start() after the current cycle; the agenda is kept.
  void request_pause() { pause_ = true; }
  /// Asked once per busy cycle; true pauses the simulation (an interrupt from the terminal).
  void set_pause_check(std::function<bool()> check) { pause_check_ = std::move(check); }
  /// With this on, an exception from a module pauses the simulation; without it, the exception goes to the SystemC
  /// kernel, which turns it into an sc_report. It waits in failure() as well.
  void capture_failures() { capture_ = true; }
  std::exception_ptr failure() const { return failure_; }
  /// Keeps one that came before the first cycle, from a callback of the SystemC kernel.
  void keep_failure(std::exception_ptr failure) { failure_ = std::move(failure); }
  /// Number of cycles in which anything happened.
  std::uint64_t busy_cycles() const { return busy_cycles_; }
  /// The last cycle in which anything happened but that ranks told each other something; -1: none yet.
  Cycle last_busy() const { return last_busy_; }
  /// Of the cycles behind the present one the first for which something is on the agenda, or an earlier one where that
  /// is far ahead; -1: none.
  Cycle next_busy() const { return pending_ == 0 ? -1 : next_due(); }

 private:
  /// Numbers of items; 0 is none.
  using ItemNumber = std::uint32_t;
  struct Item {
    Agent* agent;
    std::uint32_t token;
    ItemNumber next;
  };
  /// Items in order. Lists and items of the coming cycles stay in the first-level cache: an item that is served is the
  /// next one to be used again.
  struct List {
    ItemNumber first = 0;
    ItemNumber last = 0;
  };
  struct Far {
    Cycle due;
    std::uint64_t order;
    Phase phase;
    Agent* agent;
    std::uint32_t token;
    bool operator>(const Far& o) const { return due != o.due ? due > o.due : order > o.order; }
  };
  static constexpr std::size_t kWheel = 4096;  // cycles ahead that need no heap
  static constexpr std::size_t kPhases = 6;
  static constexpr std::size_t kFewestItems = 1024;
  using Bucket = std::array<List, kPhases>;

  void serve();
  void serve_cycle();
  void arm();
  Cycle wanted() const;
  void serve_list(List& list);
  void shuffle_rest(Item& first);
  void put(Cycle due, Phase phase, Agent& agent, std::uint32_t token) {
    if (free_ == 0) grow();
    const ItemNumber number = free_;
    Item& item = items_[number];
    free_ = item.next;
    item = {&agent, token, 0};
    const std::size_t index = static_cast<std::size_t>(due) % kWheel;
    List& list = wheel_[index][static_cast<std::size_t>(phase)];
    (list.first == 0 ? list.first : items_[list.last].next) = number;
    list.last = number;
    occupied_[index / 64] |= std::uint64_t{1} << (index % 64);
  }
  void grow();
  /// Far ahead, from outside the agenda, or an error.
  void schedule_slowly(Cycle due, Phase phase, Agent& agent, std::uint32_t token);
  Cycle next_due() const;

  Duration period_;
  Cycle last_cycle_;  // the last one whose time can be counted
  sc_core::sc_time period_time_;
  sc_core::sc_event wake_;
  Cycle now_ = -1;
  Cycle armed_ = -1;  // cycle the wake-up is set for, -1: none
  bool serving_ = false;
  bool pause_ = false;
  bool capture_ = false;
  std::uint64_t pending_ = 0;
  std::uint64_t order_ = 0;
  std::uint64_t busy_cycles_ = 0;
  Cycle last_busy_ = -1;
  std::vector<Bucket> wheel_{kWheel};
  std::vector<Item> items_{1};
  ItemNumber free_ = 0;
  std::array<std::uint64_t, kWheel / 64> occupied_{};
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
  struct Hook {
    HookId id;
    std::function<void(Cycle)> call;
    std::function<Cycle(Cycle)> wants;
  };
  std::vector<Hook> hooks_;
  bool stands_still_ = false;  // the hooks have been told that nothing is on the agenda
  HookId next_hook_ = 0;
  std::function<bool()> pause_check_;
  std::optional<RandomStream> shuffle_;
  std::exception_ptr failure_;
};

// Lists that an agent serves for several modules at once, in random order when the clock is shuffled.

/// `random`: ClockDomain::order(); null leaves the list as it is.
template <class T>
void shuffle(RandomStream* random, std::vector<T>& list) {
  for (std::size_t i = 0; random != nullptr && i < list.size(); ++i) {
    std::swap(list[i], list[i + random->below(list.size() - i)]);
  }
}

}  // namespace weft
