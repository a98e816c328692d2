#include "tdm/setup/setup_step.h"

#include <algorithm>
#include <map>

#include "fabrics/tdm/setup/choice/slot_choice.h"

namespace weft::pins {

RequestCycles request_cycles(const SetupStep& step, const SetupMessage& answer, const SetupTiming& timing) {
  RequestCycles out;
  const SetupMessage& m = step.message;
  const RouteHop& place = m.route->hops[m.hop];
  const auto branches = static_cast<std::uint32_t>(place.branches.size());
  const bool first = m.hop == 0;
  const std::uint32_t rows = branches + (first ? 1 : 0);
  if (answer.kind == SetupMessage::Kind::teardown && answer.cause == TeardownCause::down) return {2, 0};
  std::uint32_t choice = m.wanted;
  std::size_t there = first ? answer.common.count() : m.slots.count();
  if (timing.slot_update) {
    const SlotSet& host = step.events.front().lut.free;
    const SlotSet& free = step.events[rows - 1].lut.free;
    there = first ? std::min(host.count(), free.count()) : free.count();
    if (const auto chosen = choose_slots(host, free, m, timing)) {
      choice = 3 * m.wanted;
      const Cycle left = first ? static_cast<Cycle>(host.find_first()) : m.lanes.front().left;
      for (Cycle t = left + timing.wire(place) + 1; t < chosen->lanes.front().left; ++t) {  // passed over
        if (!chosen->out.test(static_cast<std::size_t>(t % Cycle{timing.slots}))) continue;
        ++out.passed_over;
      }
    }
  }
  choice += out.passed_over;
  if (answer.kind == SetupMessage::Kind::ack) {
    out.cycles = 2 * rows + choice + branches + 8;
  } else if (answer.cause == TeardownCause::late) {
    out.cycles = rows + choice + 6;
  } else {
    out.cycles = rows + static_cast<std::uint32_t>(std::min<std::size_t>(m.wanted, there)) + 4;
  }
  return out;
}

std::uint32_t message_cycles(const SetupStep& step, bool known, const std::vector<SetupSend>& sends) {
  using Kind = SetupMessage::Kind;
  const SetupMessage& m = step.message;
  if (!known) return 1;
  const auto sent = static_cast<std::uint32_t>(sends.size());
  const bool gives_up = std::any_of(step.events.begin(), step.events.end(),
                                    [](const SetupEvent& e) { return e.text.starts_with("table: "); });
  if (step.withdraws) return gives_up ? 9 : 4 + std::max(1U, sent);
  if (!gives_up) return 2 + sent;
  if (m.kind == Kind::released) return 5;
  if (m.forward) return 4 + sent;
  return m.cause == TeardownCause::fault ? 6 + std::max(1U, sent - 1) : 6;
}

// A teardown that goes forward is for a branch, another one for the input.
std::uint32_t failure_cycles(std::uint32_t circuits, std::size_t lost, const std::vector<SetupSend>& sends) {
  std::map<CircuitKey, std::uint32_t> branches;
  std::uint32_t waits = static_cast<std::uint32_t>(2 * lost);  // a cycle without a message is lost as well
  for (const SetupSend& s : sends) {
    if (s.message.forward && branches[s.message.key]++ > 0) ++waits;
  }
  return static_cast<std::uint32_t>((circuits + 1) * (lost + 1) + 4 * lost) + waits;
}

void SetupCounts::add(const SetupStep& step, const std::vector<SetupSend>& sends) {
  using Kind = SetupMessage::Kind;
  const SetupMessage& m = step.message;
  if (m.kind == Kind::request) {
    const SetupMessage& answer = sends.front().message;
    if (answer.kind == Kind::ack) {
      ++accepted;
    } else if (answer.cause == TeardownCause::down) {
      ++refused_down;
    } else if (answer.cause == TeardownCause::late) {
      ++refused_late;
    } else {
      ++refused_slots;
    }
  } else if (sends.empty() && step.events.empty()) {
    ++unknown;
  } else {
    ++answered;
    withdrawn += m.kind == Kind::withdraw ? 1 : 0;
    released += m.kind == Kind::released ? 1 : 0;
  }
}

}  // namespace weft::pins
