#include "run/waves/cycle_waves.h"

#include <utility>

#include "observe/gtkw.h"
#include "run/waves/rank_wave_file.h"

namespace weft {

CycleWaves::CycleWaves(const std::string& path, const Part& part, ClockDomain& domain, const WaveTimes& times)
    : path_(path),
      part_(part),
      domain_(domain),
      window_(times.from, times.until, domain.period()),
      file_(make_wave_file(path, part)) {}

void CycleWaves::open() {
  file_->open();
  hook_ = domain_.add_cycle_hook([this](Cycle cycle) { on_cycle(cycle); },
                                 [this](Cycle cycle) { return first_needed(cycle); });
}

// Ranks may have nothing to do when the window begins, and show then what they were at the end of their last activity.
Cycle CycleWaves::first_needed(Cycle cycle) const {
  return window_.first_needed(cycle, needs_history() || !part_.whole() ? ClockDomain::kNever : 1);
}

void CycleWaves::on_cycle(Cycle cycle) {
  constexpr std::uint32_t kLongestMemory = 4096;  // of what has passed outside of the window
  last_ = cycle;
  if (first_needed(cycle) != cycle) {
    if (cycle >= window_.until() && !std::exchange(over_, true)) end();
    if (++passed_over_ % kLongestMemory == 0) show(cycle, false);
    return;
  }
  const Duration period = domain_.period();
  const bool written = window_.shows(cycle);
  show(cycle, written);
  const auto time = static_cast<std::uint64_t>(cycle * period.ps);
  if (written) file_->dump(time);
  if (show_half() && written) file_->dump(time + static_cast<std::uint64_t>(period.ps / 2));
  if (window_.shows(cycle + 1) || window_.shows_end(cycle)) show_registers();
}

std::vector<std::string> CycleWaves::close(Cycle last_cycle) {
  domain_.remove_cycle_hook(hook_);
  // Without a beginning there is nothing to see, and what modules keep may not be there yet.
  const bool began = sc_core::sc_start_of_simulation_invoked();
  if (began && last_ < last_cycle && shows_failed_cycle()) on_cycle(last_cycle);
  const auto end = static_cast<std::uint64_t>((last_cycle + 1) * domain_.period().ps);
  if (last_ <= last_cycle && window_.shows_end(last_cycle)) file_->dump(end);
  file_->close(end);
  const Cycle first = first_of_all(part_, first_activity());
  if (!writes_results(part_)) return {};
  return write_gtkw(path_, [&](const std::string& fst) { return view(fst, first); });
}

}  // namespace weft
