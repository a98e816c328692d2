#include "fabrics/tdm/traffic/tdm_program_traffic.h"

#include "fabrics/tdm/traffic/stream_supply.h"

namespace weft {

TdmProgramTraffic::TdmProgramTraffic(const TdmConfig& config, const PhasePlan& phase)
    : config_(config),
      executor_(config.programs,
                {config.endpoints.nodes, config.endpoints.send_overhead, config.endpoints.receive_overhead,
                 static_cast<std::uint64_t>(config.tdm_switch.word_bits()), config.endpoints.combine},
                *this),
      agenda_(executor_, [this](Cycle) { programs_over(); }),
      circuits_(phase.circuits.size()),
      circuit_of_(std::size_t{config.endpoints.nodes} * config.endpoints.nodes, kNoId) {
  for (const CircuitPlan& c : phase.circuits) {
    circuits_[c.id].source = c.source;
    circuit_of_[std::size_t{c.source} * config.endpoints.nodes + c.destinations.front()] = c.id;
  }
}

void TdmProgramTraffic::join(TdmNetwork& network) {
  network_ = &network;
  agenda_.join(network.domain());
}

// In the phase of a cycle in which circuits are opened: messages sent in it wait until their host asks for them.
void TdmProgramTraffic::on_phase(std::size_t, Cycle data_start) {
  started_at_ = data_start;
  agenda_.begin_now(data_start);
}

void TdmProgramTraffic::send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) {
  const CircuitId circuit = circuit_of_[std::size_t{source} * config_.endpoints.nodes + destination];
  const std::uint32_t words = words_of(DataSize{static_cast<std::int64_t>(bytes) * 8}, config_.tdm_switch.word_bits());
  words_ += words;
  circuits_[circuit].queue.push_back({network_->domain().now(), words, message});
  network_->host(source).kick(circuit);
}

// The host asks when the message before has gone: `free_at` is the first cycle after its last word.
std::optional<MessageOffer> TdmProgramTraffic::next(CircuitId circuit, Cycle free_at) {
  Circuit& c = circuits_[circuit];
  if (c.leaving) agenda_.left(*c.leaving, free_at);
  c.leaving.reset();
  if (c.queue.empty()) return std::nullopt;
  const MessageOffer offer = c.queue.front();
  c.queue.pop_front();
  c.leaving = static_cast<std::uint32_t>(offer.user);
  return offer;
}

void TdmProgramTraffic::on_deliver(const DeliveryEvent& event) {
  last_delivery_ = event.delivered;
  agenda_.arrived(static_cast<std::uint32_t>(event.message.user), event.delivered + 1);
}

// Hosts ask once more and hear that nothing will come.
void TdmProgramTraffic::programs_over() {
  for (CircuitId c = 0; c < circuits_.size(); ++c) network_->host(circuits_[c].source).kick(c);
}

}  // namespace weft
