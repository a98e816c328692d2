#pragma once
// Agenda of programs on a network of messages, cycle by cycle: messages have left and arrived, nodes
// have finished computations and overheads. Tells the executor (algorithms/collectives/executor.h) in an order of its
// own, so that the order of modules does not matter, and finds out when programs are over or cannot go on.
//
// Where several ranks run the programs of one network, each those of its nodes, none of them knows by itself that
// nothing is left to happen: they ask each other now and then.

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "kernel/clock_domain.h"
#include "parallel/ranks.h"

namespace weft {

class ProgramAgenda final : public Agent {
 public:
  /// `over` is called in the cycle in which all programs are over and all messages have arrived. The executor must
  /// outlive the agenda.
  /// `ranks`: null when this process runs all programs.
  ProgramAgenda(collectives::Executor& executor, std::function<void(Cycle)> over, Ranks* ranks)
      : executor_(executor), over_(std::move(over)), ranks_(ranks) {}

  void join(ClockDomain& domain);
  /// Programs begin in cycle `at`, which has not come yet, or now.
  void begin_at(Cycle at) { plan(at, {What::start, 0}); }
  void begin_now(Cycle now);
  /// In later cycles.
  void left(std::uint32_t message, Cycle at) { plan(at, {What::left, message}); }
  void arrived(std::uint32_t message, Cycle at) { plan(at, {What::arrived, message}); }
  void woken(NodeId node, Cycle at) { plan(at, {What::woken, node}); }

  bool finished() const { return finished_at_ >= 0; }
  Cycle finished_at() const { return finished_at_; }
  /// Of several ranks: the last cycle in which anything happened, once they know that programs cannot go on; else -1.
  Cycle stuck_at() const { return stuck_at_; }
  /// Of several ranks, all at once: the executor becomes that of all programs.
  void collect();

  /// Throws RunError when no further progress is possible but programs are not over, and when messages are left over.
  void due(Cycle now, std::uint32_t token) override;

 private:
  enum class What : std::uint8_t { left, arrived, woken, start };
  struct Event {
    What what;
    std::uint32_t number;  // message or node
    auto operator<=>(const Event&) const = default;
  };

  static constexpr Cycle kAsk = 64;  // cycles between two times that ranks ask each other
  static constexpr std::uint32_t kEvents = 0;
  static constexpr std::uint32_t kAskAll = 1;

  void plan(Cycle at, Event event);
  void check_end(Cycle now);
  void end(Cycle last);
  void ask_all(Cycle now);
  void rest(Cycle now);

  collectives::Executor& executor_;
  std::function<void(Cycle)> over_;
  Ranks* const ranks_;
  ClockDomain* domain_ = nullptr;
  std::map<Cycle, std::vector<Event>> agenda_;
  Cycle finished_at_ = -1;
  Cycle stuck_at_ = -1;
  Cycle last_ = -1;  // event
  bool collected_ = false;
};

}  // namespace weft
