#pragma once
// Random work of a distributed switch's control: instructions of every kind with their notifications and words, as a
// network has them, or with every mistake that the pins allow.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/optweb/control/switch_control.h"
#include "base/random.h"

namespace weft::test {

struct ControlStimulusShape {
  std::uint32_t ports = 8;
  std::uint64_t most_words = 9;  ///< of a stream
  std::uint64_t most_step = 1;   ///< words that pass in a cycle
};

/// Events of a cycle.
struct ControlCycle {
  bool write = false;
  optweb::ControlWord word;
  bool set = false;
  bool clear = false;
  std::vector<bool> notified;             // by port
  std::vector<std::uint64_t> read_words;  // by reader
  std::vector<std::uint64_t> link_words;  // by port
};

class ControlStimulus {
 public:
  ControlStimulus(const ControlStimulusShape& shape, std::uint32_t own, bool careful, std::uint64_t seed)
      : shape_(shape), own_(own), careful_(careful), random_(seed, "control stimulus") {}

  ControlCycle next(const optweb::SwitchControl& control) {
    ControlCycle c;
    c.notified.resize(shape_.ports);
    c.read_words.resize(shape_.ports);
    c.link_words.resize(shape_.ports);
    if (!control.holds()) {
      c.write = random_.below(3) == 0;
      c.set = mistake(8);
      c.clear = mistake(8);
    } else if (!control.is_set()) {
      c.set = random_.below(3) == 0;
      c.clear = mistake(20);
      c.write = mistake(4);
    } else {
      c.clear = (control.complete() && random_.below(3) == 0) || mistake(40);
      c.set = mistake(10);
      c.write = mistake(10);
    }
    if (c.write) c.word = random_word();
    if (control.complete()) pace_ = 1 + random_.below(6);
    for (std::uint32_t p = 0; p < shape_.ports; ++p) {
      const bool awaited = control.awaited(p) > 0;
      const bool early = !awaited && p != own_ && control.early(p) == 0 && random_.below(8 * pace_) == 0;
      c.notified[p] = (awaited && random_.below(2 * pace_) == 0) || early || mistake(12);
      const bool due = control.is_set() || c.set;
      if ((control.taken(p) && random_.below(pace_) == 0) || mistake(10)) {
        c.link_words[p] = step(due ? control.receive_left(p) : 0);
      }
      if (control.joined(p) && (control.open() || mistake(2)) && random_.below(pace_) == 0) {
        c.read_words[control.reader(p)] = step(control.send_left(p));
      } else if (mistake(20)) {
        c.read_words[p] = step(0);
      }
    }
    return c;
  }

 private:
  bool mistake(std::uint64_t in) { return !careful_ && random_.below(in) == 0; }
  /// Some of those that are left; by mistake any number.
  std::uint64_t step(std::uint64_t left) {
    const std::uint64_t most = mistake(4) ? shape_.most_step : std::min(left, shape_.most_step);
    if (most == 0) return 0;
    return random_.below(3) == 0 ? most : 1 + random_.below(most);
  }
  std::uint64_t words() {
    if (mistake(10)) return 0;
    if (random_.below(careful_ ? 10 : 3) == 0) return 1 + random_.below(shape_.most_words);
    return 1 + random_.below(std::min<std::uint64_t>(shape_.most_words, 9));
  }
  optweb::ControlWord random_word() {
    optweb::ControlWord w;
    if (random_.below(4) == 0) {
      for (std::uint32_t p = 0; p < shape_.ports; ++p) {
        if (p != own_ && random_.below(2) == 0) w.barrier.push_back(p);
      }
      if (!mistake(8)) return w;
    }
    w.rendezvous = random_.below(2) == 0;
    const std::uint64_t readers = 1 + random_.below(shape_.ports);
    const bool own_only = random_.below(12) == 0;
    std::vector<std::uint64_t> counts;
    for (std::uint32_t r = 0; r < shape_.ports; ++r) counts.push_back(words());
    const std::uint64_t sends = random_.below(4);
    for (std::uint32_t p = 0; p < shape_.ports; ++p) {
      if (own_only ? p != own_ : random_.below(4) >= sends) continue;
      const auto reader = static_cast<std::uint32_t>((p + random_.below(readers)) % shape_.ports % readers);
      w.sends.push_back({p, reader, counts[reader]});
    }
    const std::uint64_t receives = random_.below(4);
    for (std::uint32_t p = 0; p < shape_.ports; ++p) {
      if (random_.below(4) >= receives) continue;
      w.receives.push_back({p, static_cast<std::uint32_t>(random_.below(shape_.ports)), words()});
    }
    return w;
  }

  ControlStimulusShape shape_;
  std::uint32_t own_;
  bool careful_;
  RandomStream random_;
  std::uint64_t pace_ = 2;
};

}  // namespace weft::test
