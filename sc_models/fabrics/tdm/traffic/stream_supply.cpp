#include "fabrics/tdm/traffic/stream_supply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

std::uint32_t words_of(DataSize size, std::int64_t word_bits) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (size.bits + word_bits - 1) / word_bits));
}

StreamSupply::StreamSupply(const TdmConfig& config, const std::vector<PhasePlan>& phases)
    : period_(config.tdm_switch.period), data_start_(phases.size(), 0) {
  const auto cycles = [&](Duration d) { return CycleSpan{false, d.ps}.cycles(period_); };
  window_ = cycles(config.run.warm_up) + cycles(config.run.measure);
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    for (const CircuitPlan& c : phases[p].circuits) {
      Stream s;
      s.traffic = &phase.traffic;
      s.phase = p;
      DataSize message = phase.traffic.message;
      if (c.flow < phase.circuits.size() && phase.circuits[c.flow].message) {
        message = *phase.circuits[c.flow].message;
      }
      s.words = words_of(message, config.tdm_switch.word_bits());
      s.random = RandomStream(config.seed, fmt::format("traffic/{}/{}/{}", p, phases[p].flows[c.flow].name, c.source));
      if (s.traffic->arrivals == Arrivals::poisson) {
        s.clock = s.random.exponential(static_cast<double>(s.traffic->interval.ps) / static_cast<double>(period_.ps));
      }
      streams_.push_back(s);
    }
  }
}

void StreamSupply::on_phase(std::size_t phase, Cycle data_start) { data_start_[phase] = data_start; }

Cycle StreamSupply::generation_time(Stream& s, Cycle free_at) const {
  const Cycle start = data_start_[s.phase];
  switch (s.traffic->arrivals) {
    case Arrivals::periodic: {
      const auto k =
          static_cast<std::int64_t>(s.count);  // the product fits: checked before the run (run/tdm/tdm_limits.h)
      return start + CycleSpan{false, k * s.traffic->interval.ps}.cycles(period_);
    }
    case Arrivals::poisson: {
      const auto at = static_cast<Cycle>(std::ceil(s.clock));
      s.clock += s.random.exponential(static_cast<double>(s.traffic->interval.ps) / static_cast<double>(period_.ps));
      return start + at;
    }
    case Arrivals::saturated:
    case Arrivals::none:
      break;
  }
  return free_at;
}

std::optional<MessageOffer> StreamSupply::next(CircuitId circuit, Cycle free_at) {
  Stream& s = streams_[circuit];
  if (s.done) return std::nullopt;
  const bool counted = s.traffic->messages.has_value();
  if (s.traffic->arrivals == Arrivals::none || (counted && s.count >= *s.traffic->messages)) {
    s.done = true;
    return std::nullopt;
  }
  const Cycle generated = generation_time(s, free_at);
  if (!counted && generated >= data_start_[s.phase] + window_) {
    s.done = true;
    return std::nullopt;
  }
  ++s.count;
  return MessageOffer{generated, s.words, 0};
}

}  // namespace weft
