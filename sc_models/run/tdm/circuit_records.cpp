#include "run/tdm/circuit_records.h"

#include <fmt/format.h>

#include <utility>

#include "run/waves/transfer_streams.h"
#include "workload/wave_trigger.h"

namespace weft {
namespace {

// Number of a record: of the circuit, then of the message within it.
constexpr unsigned kMessageBits = 40;

std::uint64_t message_of(const TransferRecord& t) { return t.id & ((std::uint64_t{1} << kMessageBits) - 1); }

}  // namespace

CircuitRecords::CircuitRecords(const TdmPlatform& platform) : platform_(platform) {
  const std::vector<PhasePlan>& phases = platform.phases();
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (const CircuitPlan& c : phases[p].circuits) {
      circuits_.push_back(
          {phases[p].flows[c.flow].name, c.source, c.destinations, static_cast<ServiceId>(p), 0, 0, {}});
    }
  }
}

CircuitRecords::CircuitRecords(const TdmPlatform& platform, const std::vector<TimedFlow>& flows) : platform_(platform) {
  for (const TimedFlow& f : flows) {
    circuits_.push_back({f.name, f.source, f.destinations, 0, f.message_words, 0,
                         std::vector<std::uint64_t>(f.destinations.size(), 0)});
  }
}

CircuitRecords::~CircuitRecords() = default;

bool CircuitRecords::wanted(const TdmPlatform& platform, const RunOptions& options) {
  return options.watch != nullptr || (!options.waves.empty() && platform.config().observe.waves.times.transfers);
}

void CircuitRecords::tell(const RunOptions& options, Duration tick) {
  TrafficConfig traffic;
  traffic.services = phase_services(platform_.config());
  if (options.watch != nullptr) {
    std::vector<std::string> names;  // which are still needed when the run is over
    for (const Circuit& c : circuits_) names.push_back(c.name);
    options.watch->begin(traffic, tick,
                         [names = std::move(names)](const TransferRecord& t, const std::string& generated,
                                                    const std::string& delivered) {
                           return fmt::format(
                               "message {} of '{}' from node {} to node {}, generated after {}, delivered after {}",
                               message_of(t), names[t.id >> kMessageBits], t.from, t.to, generated, delivered);
                         });
    observers_.push_back(options.watch);
  }
  if (options.waves.empty() || !platform_.config().observe.waves.times.transfers) return;
  streams_ = std::make_unique<TransferStreams>("", *platform_.config().observe.waves.times.transfers, traffic,
                                               platform_.graph().nodes());
  streams_->name_by([this](const TransferRecord& t, const std::string& destinations) {
    return fmt::format("{} #{} to {} {} words", circuit_of(t).name, message_of(t), destinations, t.units);
  });
  observers_.push_back(streams_.get());
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

const CircuitRecords::Circuit& CircuitRecords::circuit_of(const TransferRecord& t) const {
  return circuits_[t.id >> kMessageBits];
}

void CircuitRecords::generate(TransferRecord t) {
  for (const NodeId to : circuit_of(t).destinations) {
    t.to = to;
    for (TransferObserver* o : observers_) o->on_generate(t);
  }
}

void CircuitRecords::arrive(TransferRecord t, NodeId to, Cycle now) {
  t.to = to;
  for (TransferObserver* o : observers_) o->on_arrive(t, now);
}

void CircuitRecords::on_head(const TdmMessage& m) { generate(record(m.circuit, m.sequence, m.words, m.generated)); }

void CircuitRecords::on_deliver(const DeliveryEvent& event) {
  const TdmMessage& m = event.message;
  arrive(record(m.circuit, m.sequence, m.words, m.generated), event.destination, event.delivered);
}

void CircuitRecords::begun(std::uint32_t flow, std::uint64_t message, Cycle generated) {
  circuits_[flow].begun = message + 1;
  generate(record(flow, message, circuits_[flow].words, generated));
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
      TransferRecord t = record(flow, m, 0, 0);
      t.to = c.destinations[d];
      for (TransferObserver* o : observers_) o->on_lose(t, 0);
    }
  }
}

std::vector<ServiceConfig> phase_services(const TdmConfig& config) {
  std::vector<ServiceConfig> out(config.phases.size());
  for (std::size_t p = 0; p < out.size(); ++p) out[p].name = config.phases[p].name;
  return out;
}

}  // namespace weft
