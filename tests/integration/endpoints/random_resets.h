#pragma once
// Resets of modules with pins at random moments, for tests of what is under way then.

#include <cstdint>
#include <systemc>

#include "base/random.h"

namespace weft::test::endpoints {

using Line = sc_core::sc_signal<bool>;

/// Resets of one to four cycles, each of one line or two.
class RandomResets final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(RandomResets);
  RandomResets(sc_core::sc_module_name name, sc_core::sc_time cycle, std::size_t lines, std::uint64_t seed)
      : sc_module(name), cycle_(cycle), lines_("running", lines), random_(seed, "resets") {
    SC_THREAD(work);
    for (Line& line : lines_) line.write(true);
  }
  Line& line(std::size_t n) { return lines_[n]; }
  static constexpr int kResets = 20;
  bool done = false;

 private:
  Line& any() { return lines_[random_.below(lines_.size())]; }
  void work() {
    wait(cycle_ / 2);  // no edge
    for (int i = 0; i < kResets; ++i) {
      wait(static_cast<double>(1 + random_.below(300)) * cycle_);
      Line& first = any();
      Line& second = random_.below(3) == 0 ? any() : first;
      first.write(false);
      second.write(false);
      wait(static_cast<double>(1 + random_.below(4)) * cycle_);
      first.write(true);
      second.write(true);
    }
    done = true;
  }
  const sc_core::sc_time cycle_;
  sc_core::sc_vector<Line> lines_;  // low in reset
  RandomStream random_;
};

}  // namespace weft::test::endpoints
