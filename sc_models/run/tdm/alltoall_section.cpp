// Section of a FiC report about all-to-all phases.

#include <algorithm>
#include <optional>

#include "run/tdm/tdm_report.h"

namespace weft {
namespace {

// Cycles from the beginning of a phase until its last word has arrived, when every circuit sends its words in one frame
// after the other from the first one on.
std::optional<Cycle> predicted_end(const PhaseConfig& phase, const PhasePlan& plan, const TdmConfig& config) {
  const TdmSourcesConfig& t = phase.sources;
  if (t.arrivals != &kSaturatedArrivals || !t.messages || *t.messages == 0) return std::nullopt;
  const std::int64_t bits = config.tdm_switch.word_bits();
  const auto words = static_cast<Cycle>(*t.messages) * ((t.message.bits + bits - 1) / bits);
  Cycle end = 0;
  for (const CircuitPlan& c : plan.circuits) {
    const Cycle sent = Cycle{c.injection.front()} + (words - 1) * Cycle{config.tdm_switch.slots};
    end = std::max(end, sent + c.transit.front().front());
  }
  return end;
}

}  // namespace

ReportSection alltoall_section(const TdmPlatform& platform, const std::vector<PhaseTimes>* times) {
  const TdmConfig& config = platform.config();
  const Cycle frame = config.tdm_switch.slots;
  Cycle predicted_frames = 0, predicted_cycles = 0, used_frames = 0, used_cycles = 0;
  bool any = false, ended = times != nullptr;
  for (std::size_t p = 0; p < config.phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    if (!phase.alltoall && phase.schedule_file.empty()) continue;
    const std::optional<Cycle> cycles = predicted_end(phase, platform.phases()[p], config);
    if (!cycles) return {};
    any = true;
    predicted_cycles += *cycles;
    predicted_frames += *cycles / frame + 1;
    if (!ended) continue;
    const PhaseTimes& t = (*times)[p];
    ended = t.data_end >= 0;
    used_cycles += t.data_end - t.data_start;
    used_frames += (t.data_end - t.data_start) / frame + 1;
  }
  if (!any) return {};
  ReportSection s{"alltoall", "All-to-all exchange", {}};
  s.figures = {{{"frames_predicted", "1", "frames from the first word to the last arrival, by slots and routes"},
                predicted_frames,
                true},
               {{"cycles_predicted", "cycles", "the same to the cycle"}, predicted_cycles, true},
               {{"time_predicted", "ns", "that many cycles of the clock"},
                static_cast<double>(predicted_cycles) * static_cast<double>(config.tdm_switch.period.ps) / 1000.0,
                false}};
  if (times == nullptr) return s;
  s.figures.push_back({{"frames_used", "1", "frames from the first word to the last arrival, simulated"},
                       ended ? Value{used_frames} : Value{},
                       true});
  s.figures.push_back({{"cycles_used", "cycles", "the same to the cycle"}, ended ? Value{used_cycles} : Value{}, true});
  return s;
}

}  // namespace weft
