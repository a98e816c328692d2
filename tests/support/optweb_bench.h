#pragma once
// Surroundings of OPTWEB blocks in tests: a link with its other end, a host with functional units, and stimulus for
// every corner of them. They know the blocks by their interfaces only.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/link_sync.h"
#include "base/random.h"

namespace weft::test {

using Time = std::uint64_t;
inline constexpr Time kNever = std::numeric_limits<Time>::max();

/// Inputs of the sending side and of the lane that comes in, cycle by cycle. Phases of random length with one manner
/// each: rest, only words, only notifications, both all the time, or anything.
class LinkStimulus {
 public:
  explicit LinkStimulus(RandomStream& random) : random_(random) {}

  optweb::LinkSyncInputs next() {
    if (left_ == 0) {
      left_ = 1 + random_.below(random_.below(4) == 0 ? 60 : 8);
      manner_ = random_.below(6);
      lane_manner_ = random_.below(4);
    }
    --left_;
    optweb::LinkSyncInputs in;
    in.notify = manner_ == 2 || manner_ == 3 || (manner_ >= 4 && random_.below(3) == 0);
    in.valid = manner_ == 1 || manner_ == 3 || (manner_ >= 4 && random_.below(3) != 0);
    in.word = (++words_ << 20) + 1;
    in.link_active = lane_manner_ == 1 || (lane_manner_ >= 2 && random_.below(2) == 0);
    in.link_word = random_.below(1U << 30);
    return in;
  }

 private:
  RandomStream& random_;
  std::uint64_t left_ = 0;
  std::uint64_t manner_ = 0;
  std::uint64_t lane_manner_ = 0;
  std::uint64_t words_ = 0;
};

/// What happened at a sequencer, with the time.
struct SequencerLog {
  struct Accepted {
    Time at;
    optweb::Units unit;
    optweb::MachineInstruction instruction;
    bool operator==(const Accepted&) const = default;
  };
  struct Event {
    Time at;
    char kind;  // c: complete, i: illegal, d: doorbell taken, s: stray done
    std::uint32_t value;
    bool operator==(const Event&) const = default;
  };
  std::vector<Accepted> accepted;
  std::vector<Event> events;
  bool operator==(const SequencerLog&) const = default;
  std::size_t count(char kind) const {
    std::size_t n = 0;
    for (const Event& e : events) n += e.kind == kind ? 1 : 0;
    return n;
  }
};

/// A host that writes and rings, and units that take their time. All happens at times of their own, so that the cycles
/// between may be left out.
class SequencerBench {
 public:
  struct Manner {
    std::uint64_t longest_ready = 4;   ///< cycles a unit lets its instruction wait
    std::uint64_t longest_work = 40;   ///< cycles from acceptance to done
    std::uint64_t longest_pause = 60;  ///< of the host
    bool mistakes = false;             ///< illegal opcodes, unwritten entries, doorbells too large, stray dones
  };
  SequencerBench(RandomStream& random, std::uint32_t depth, const Manner& manner)
      : random_(random), depth_(depth), manner_(manner) {}

  /// Steps until `end`. `skip`: leaves out the cycles of which the sequencer says that nothing happens in them.
  SequencerLog run(optweb::CommandSequencerIf& sequencer, Time end, bool skip) {
    for (Time now = 0; now < end;) {
      const optweb::SequencerInputs in = inputs(now);
      const optweb::Units issue = sequencer.issue();
      const optweb::MachineInstruction instruction = sequencer.instruction();
      const optweb::SequencerOutputs out = sequencer.step(in);
      ++steps_;
      look(now, in, out, issue, instruction);
      for (std::size_t u = 0; u < 3; ++u) {  // offered from the next cycle on
        if (((sequencer.issue() & ~issue) >> u & 1) != 0) ready_at_[u] = now + 1 + random_.below(manner_.longest_ready);
      }
      now = skip && sequencer.rests() ? std::max(now + 1, next_event(now)) : now + 1;
    }
    return log_;
  }
  std::uint64_t steps() const { return steps_; }
  /// Entries handed over, in order; up to an illegal one they must be executed in this order.
  const std::vector<optweb::MachineInstruction>& handed_over() const { return handed_over_; }

 private:
  static bool holds(std::size_t u, optweb::Units units) { return (units >> u & 1) != 0; }

  Time next_event(Time now) const {
    Time next = host_at_;
    for (std::size_t u = 0; u < 3; ++u) {
      if (ready_at_[u] > now) next = std::min(next, ready_at_[u]);
      next = std::min(next, done_at_[u]);
    }
    return next;
  }

  optweb::SequencerInputs inputs(Time now) {
    optweb::SequencerInputs in;
    in.time = static_cast<std::uint32_t>(now + 0xffffff00);  // wraps in every test
    for (std::size_t u = 0; u < 3; ++u) {
      if (now >= ready_at_[u]) in.ready = static_cast<optweb::Units>(in.ready | 1U << u);
      if (now == done_at_[u]) {
        in.done = static_cast<optweb::Units>(in.done | 1U << u);
        done_at_[u] = kNever;
      }
    }
    if (now == host_at_) host(now, in);
    return in;
  }

  // One action: a mistake, an entry if there is room for it, else or at times the doorbell.
  void host(Time now, optweb::SequencerInputs& in) {
    host_at_ = now + 1 + (random_.below(3) == 0 ? random_.below(manner_.longest_pause) : 0);
    if (manner_.mistakes && random_.below(8) == 0) {
      if (random_.below(2) == 0) {
        in.done = optweb::kAllUnits;
      } else {
        in.doorbell = true;
        in.count = static_cast<std::uint32_t>(random_.below(2) == 0 ? free_ + 1 + random_.below(9) : 0);
      }
      return;
    }
    if (written_.size() < free_ && random_.below(4) != 0) {
      const optweb::MachineInstruction instruction = random_instruction();
      in.write = !manner_.mistakes || random_.below(60) != 0;
      in.index = place_;
      in.instruction = instruction;
      written_.push_back(instruction);
      place_ = (place_ + 1) % depth_;
      return;
    }
    in.doorbell = true;
    in.count = static_cast<std::uint32_t>(written_.size());
  }

  optweb::MachineInstruction random_instruction() {
    optweb::MachineInstruction i;
    i.opcode = static_cast<optweb::Opcode>(random_.below(manner_.mistakes && random_.below(40) == 0 ? 16 : 14));
    i.send_address = random_.below(std::uint64_t{1} << 40);
    i.receive_address = random_.below(std::uint64_t{1} << 40);
    i.size = random_.below(4) == 0 ? (std::uint64_t{1} << 40) - 1 : random_.below(1U << 20);
    i.source = static_cast<std::uint32_t>(random_.below(1024));
    i.destination = static_cast<std::uint32_t>(random_.below(1024));
    i.group = static_cast<std::uint32_t>(random_.below(1024));
    i.flags = static_cast<std::uint8_t>(random_.below(256));
    return i;
  }

  void look(Time now, const optweb::SequencerInputs& in, const optweb::SequencerOutputs& out, optweb::Units issue,
            const optweb::MachineInstruction& instruction) {
    for (std::size_t u = 0; u < 3; ++u) {
      if (!holds(u, issue) || !holds(u, in.ready)) continue;
      log_.accepted.push_back({now, static_cast<optweb::Units>(1U << u), instruction});
      ready_at_[u] = kNever;
      done_at_[u] = now + 1 + random_.below(manner_.longest_work);
    }
    // A stray done of a unit that was at work has ended its work.
    for (std::size_t u = 0; u < 3; ++u) {
      if (holds(u, in.done) && !holds(u, out.stray)) done_at_[u] = kNever;
    }
    const auto event = [&](char kind, std::uint32_t value) { log_.events.push_back({now, kind, value}); };
    if (out.completed) event('c', out.elapsed);
    if (out.stray != 0) event('s', out.stray);
    if (out.doorbell_ok) {
      event('d', in.count);
      const auto written = std::min<std::size_t>(in.count, written_.size());  // more by mistake
      handed_over_.insert(handed_over_.end(), written_.begin(),
                          written_.begin() + static_cast<std::ptrdiff_t>(written));
      written_.erase(written_.begin(), written_.begin() + static_cast<std::ptrdiff_t>(written));
      place_ = static_cast<std::uint32_t>((place_ + in.count - written) % depth_);
    }
    free_ = out.free - (out.doorbell_ok ? in.count : 0);
    if (out.illegal) {  // the host begins anew behind the illegal entry
      event('i', out.entry);
      written_.clear();
      place_ = out.entry;
      free_ = depth_;
    }
  }

  RandomStream& random_;
  std::uint32_t depth_;
  Manner manner_;
  SequencerLog log_;
  std::uint64_t steps_ = 0;
  Time host_at_ = 1;
  std::array<Time, 3> ready_at_{kNever, kNever, kNever};
  std::array<Time, 3> done_at_{kNever, kNever, kNever};
  std::uint32_t place_ = 0;
  std::uint32_t free_ = 2;
  std::deque<optweb::MachineInstruction> written_;  // not yet handed over
  std::vector<optweb::MachineInstruction> handed_over_;
};

}  // namespace weft::test
