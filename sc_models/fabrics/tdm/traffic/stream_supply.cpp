#include "fabrics/tdm/traffic/stream_supply.h"

#include <fmt/format.h>

#include "fabrics/tdm/message.h"

namespace weft {

StreamSupply::StreamSupply(const TdmConfig& config, const std::vector<PhasePlan>& phases)
    : period_(config.tdm_switch.period), data_start_(phases.size(), 0) {
  const auto cycles = [&](Duration d) { return CycleSpan{false, d.ps}.cycles(period_); };
  window_ = cycles(config.run.warm_up) + cycles(config.run.measure);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    for (const CircuitPlan& c : phases[p].circuits) {
      Stream s;
      s.sources = &phase.sources;
      s.phase = p;
      DataSize message = phase.sources.message;
      if (c.flow < phase.circuits.size() && phase.circuits[c.flow].message) {
        message = *phase.circuits[c.flow].message;
      }
      s.words = static_cast<std::uint32_t>(words_of(message, config.tdm_switch.word_bits()));
      s.arrivals.random =
          RandomStream(config.seed, fmt::format("traffic/{}/{}/{}", p, phases[p].flows[c.flow].name, c.source));
      streams_.push_back(s);
    }
  }
}

std::vector<std::uint32_t> StreamSupply::words() const {
  std::vector<std::uint32_t> out;
  for (const Stream& s : streams_) out.push_back(s.words);
  return out;
}

void StreamSupply::on_phase(std::size_t phase, Cycle data_start) { data_start_[phase] = data_start; }

Cycle StreamSupply::generation_time(Stream& s, Cycle free_at) const {
  const ArrivalProcess& process = *s.sources->arrivals;
  if (process.offset == nullptr) return free_at;
  return data_start_[s.phase] + process.offset(s.arrivals, s.sources->interval, period_);
}

std::optional<MessageOffer> StreamSupply::next(CircuitId circuit, Cycle free_at) {
  Stream& s = streams_[circuit];
  if (s.done) return std::nullopt;
  const bool counted = s.sources->messages.has_value();
  if (!s.sources->arrivals->sends || (counted && s.arrivals.count >= *s.sources->messages)) {
    s.done = true;
    return std::nullopt;
  }
  const Cycle generated = generation_time(s, free_at);
  if (!counted && generated >= data_start_[s.phase] + window_) {
    s.done = true;
    return std::nullopt;
  }
  ++s.arrivals.count;
  return MessageOffer{generated, s.words, 0};
}

}  // namespace weft
