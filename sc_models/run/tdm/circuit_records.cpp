#include "run/tdm/circuit_records.h"

#include <fmt/format.h>

#include <utility>

namespace weft {
namespace {

// Number of a record: of the circuit, then of the message within it.
constexpr unsigned kMessageBits = 40;

std::uint64_t message_of(const TransferRecord& t) { return t.id & ((std::uint64_t{1} << kMessageBits) - 1); }
std::size_t circuit_of(const TransferRecord& t) { return t.id >> kMessageBits; }

// What tells it from those of other phases and jobs.
std::string full_name(const std::string& phase, const std::string& job, const std::string& name) {
  return phase + (phase.empty() ? "" : "/") + job + (job.empty() ? "" : "/") + name;
}

}  // namespace

CircuitRecords::CircuitRecords(const TdmPlatform& platform) : platform_(platform) {
  const std::vector<PhasePlan>& phases = platform.phases();
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const std::string phase = phases.size() > 1 ? phases[p].name : std::string();
    for (const CircuitPlan& c : phases[p].circuits) {
      const Flow& flow = phases[p].flows[c.flow];
      circuits_.push_back(
          {full_name(phase, flow.job, flow.name), c.source, c.destinations, static_cast<ServiceId>(p), 0, 0, {}});
    }
  }
}

CircuitRecords::CircuitRecords(const TdmPlatform& platform, const std::vector<TimedFlow>& flows) : platform_(platform) {
  for (const TimedFlow& f : flows) {
    circuits_.push_back({full_name("", f.job, f.name), f.source, f.destinations, 0, f.message_words, 0,
                         std::vector<std::uint64_t>(f.destinations.size(), 0)});
  }
}

void CircuitRecords::open(const RunOptions& options) {
  const TdmConfig& config = platform_.config();
  TrafficConfig levels;
  levels.services = phase_services(config);
  std::vector<std::string> names;
  for (const Circuit& c : circuits_) names.push_back(c.name);
  WaveRecords::Texts texts;
  texts.found = [names = std::move(names)](const TransferRecord& t, const std::string& generated,
                                           const std::string& delivered) {
    return fmt::format("message {} of '{}' from node {} to node {}, generated after {}, delivered after {}",
                       message_of(t), names[circuit_of(t)], t.from, t.to, generated, delivered);
  };
  texts.row = [this](const TransferRecord& t, const std::string& destinations) {
    return fmt::format("{} #{} to {} {} words", circuits_[circuit_of(t)].name, message_of(t), destinations, t.units);
  };
  waves_.open(options.watch, shown(platform_, options), levels, platform_.graph().nodes(), config.tdm_switch.period,
              std::move(texts));
}

TransferRecord CircuitRecords::record(std::uint32_t circuit, std::uint64_t message, std::uint64_t words,
                                      Cycle generated) const {
  TransferRecord t;
  t.id = std::uint64_t{circuit} << kMessageBits | message;
  t.from = circuits_[circuit].source;
  t.service = circuits_[circuit].level;
  t.bytes = (words * static_cast<std::uint64_t>(platform_.config().tdm_switch.word_bits()) + 7) / 8;
  t.units = words;
  t.generated = generated;
  return t;
}

void CircuitRecords::begin(TransferRecord t) {
  for (const NodeId to : circuits_[circuit_of(t)].destinations) {
    t.to = to;
    waves_.begin(t);
  }
}

void CircuitRecords::arrive(TransferRecord t, NodeId to, Cycle now) {
  t.to = to;
  waves_.arrive(t, now);
}

void CircuitRecords::on_head(const TdmMessage& m) { begin(record(m.circuit, m.sequence, m.words, m.generated)); }

void CircuitRecords::on_deliver(const DeliveryEvent& event) {
  const TdmMessage& m = event.message;
  arrive(record(m.circuit, m.sequence, m.words, m.generated), event.destination, event.delivered);
}

void CircuitRecords::begun(std::uint32_t flow, std::uint64_t message, Cycle generated) {
  circuits_[flow].begun = message + 1;
  begin(record(flow, message, circuits_[flow].words, generated));
}

void CircuitRecords::arrived(const FlowArrival& a) {
  Circuit& c = circuits_[a.flow];
  c.arrived[a.destination] = a.message + 1;
  arrive(record(a.flow, a.message, c.words, a.generated), c.destinations[a.destination], a.last);
}

void CircuitRecords::given_up(std::uint32_t flow) {
  const Circuit& c = circuits_[flow];
  for (std::size_t d = 0; d < c.destinations.size(); ++d) {
    for (std::uint64_t m = c.arrived[d]; m < c.begun; ++m) {
      TransferRecord t = record(flow, m, c.words, 0);
      t.to = c.destinations[d];
      waves_.lose(t);
    }
  }
}

std::vector<ServiceConfig> phase_services(const TdmConfig& config) {
  std::vector<ServiceConfig> out(config.phases.size());
  for (std::size_t p = 0; p < out.size(); ++p) out[p].name = config.phases[p].name;
  return out;
}

}  // namespace weft
