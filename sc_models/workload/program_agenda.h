#pragma once
// Agenda of programs on a network of messages, cycle by cycle: messages have left and arrived, nodes
// have finished computations and overheads. Tells the executor (algorithms/collectives/executor.h) in an order of its
// own, so that the order of modules does not matter, and finds out when programs are over or cannot go on.

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "kernel/clock_domain.h"

namespace weft {

class ProgramAgenda final : public Agent {
 public:
  /// `over` is called in the cycle in which all programs are over and all messages have arrived. The executor must
  /// outlive the agenda.
  ProgramAgenda(collectives::Executor& executor, std::function<void(Cycle)> over)
      : executor_(executor), over_(std::move(over)) {}

  void join(ClockDomain& domain) { domain_ = &domain; }
  /// Programs begin in cycle `at`, which has not come yet, or now.
  void begin_at(Cycle at) { plan(at, {What::start, 0}); }
  void begin_now(Cycle now);
  /// In later cycles.
  void left(std::uint32_t message, Cycle at) { plan(at, {What::left, message}); }
  void arrived(std::uint32_t message, Cycle at) { plan(at, {What::arrived, message}); }
  void woken(NodeId node, Cycle at) { plan(at, {What::woken, node}); }

  bool finished() const { return finished_at_ >= 0; }
  Cycle finished_at() const { return finished_at_; }

  /// Throws RunError when no further progress is possible but programs are not over, and when messages are left over.
  void due(Cycle now, std::uint32_t token) override;

 private:
  enum class What : std::uint8_t { left, arrived, woken, start };
  struct Event {
    What what;
    std::uint32_t number;  // message or node
    auto operator<=>(const Event&) const = default;
  };

  void plan(Cycle at, Event event);
  void check_end(Cycle now);

  collectives::Executor& executor_;
  std::function<void(Cycle)> over_;
  ClockDomain* domain_ = nullptr;
  std::map<Cycle, std::vector<Event>> agenda_;
  Cycle finished_at_ = -1;
};

}  // namespace weft
