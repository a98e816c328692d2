#include "fabrics/packet/traffic/program_traffic.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

ProgramTraffic::ProgramTraffic(const PacketConfig& config, PacketSink& sink)
    : config_(config),
      sink_(sink),
      executor_(config.programs,
                {config.endpoints.nodes, config.endpoints.send_overhead, config.endpoints.receive_overhead,
                 static_cast<std::uint64_t>(config.link.flit.bits + 7) / 8 * 8 * config.endpoints.nics,
                 config.endpoints.combine},
                *this),
      agenda_(executor_, [this](Cycle) { domain_->request_pause(); }),
      next_nic_(config.endpoints.nodes) {
  for (NodeId n = 0; n < config.endpoints.nodes; ++n) {
    random_.emplace_back(config.seed, fmt::format("program/{}", n));
  }
}

void ProgramTraffic::start(ClockDomain& domain) {
  domain_ = &domain;
  agenda_.join(domain);
  agenda_.begin_at(0);
}

void ProgramTraffic::wake(NodeId node, Cycle at) { agenda_.woken(node, at); }

void ProgramTraffic::send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) {
  const auto flit = static_cast<std::uint64_t>(config_.link.flit.bits);
  const std::uint64_t flits = std::max<std::uint64_t>(1, (bytes * 8 + flit - 1) / flit);
  const std::uint64_t largest = config_.levels[config_.endpoints.sl].message;
  if (open_.size() <= message) open_.resize(message + 1);
  open_[message].packets = (flits + largest - 1) / largest;
  packets_ += open_[message].packets;
  sending_ = message;
  const std::uint32_t nics = config_.endpoints.nics;
  for (std::uint64_t rest = flits; rest > 0;) {
    const std::uint64_t packet = std::min(rest, largest);
    rest -= packet;
    const std::uint32_t nic = next_nic_[source];
    next_nic_[source] = (nic + 1) % nics;
    sink_.submit(source * nics + nic, destination * nics + nic, static_cast<ServiceLevel>(config_.endpoints.sl),
                 static_cast<std::uint32_t>(packet), static_cast<std::uint32_t>(random_[source]()));
  }
}

void ProgramTraffic::on_generate(const PacketMessage& packet) {
  packet_[packet.sequence] = sending_;
  open_[sending_].generated = packet.generated;
}

void ProgramTraffic::on_inject(const PacketMessage& packet) {
  const std::uint32_t message = packet_.at(packet.sequence);
  Open& open = open_[message];
  open.left = std::max(open.left, packet.sent() + static_cast<Cycle>(packet.flits));
  open.first_sent = std::min(open.first_sent, packet.sent());
  if (++open.sent == open.packets) agenda_.left(message, open.left);
}

void ProgramTraffic::on_deliver(const PacketMessage& packet, Cycle now) {
  const auto found = packet_.find(packet.sequence);
  const std::uint32_t message = found->second;
  packet_.erase(found);
  Open& open = open_[message];
  flits_delivered_ += packet.flits;
  open.first_arrived = std::min(open.first_arrived, now - (static_cast<Cycle>(packet.flits) - 1));
  if (++open.delivered < open.packets) return;
  agenda_.arrived(message, now + 1);
  const Cycle left = open.first_sent - config_.packet_switch.output;  // less the NIC's output stage, as of packets
  latency_.add(left - open.generated, open.first_arrived - left, now - open.first_arrived);
}

}  // namespace weft
