#include "traffic/program_traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

ProgramTraffic::ProgramTraffic(const QosConfig& config, PacketSink& sink)
    : config_(config),
      sink_(sink),
      executor_(
          config.programs,
          {config.endpoints.nodes, config.endpoints.send_overhead, config.endpoints.receive_overhead,
           static_cast<std::uint64_t>(config.link.flit.bits + 7) / 8 * config.endpoints.nics, config.endpoints.combine},
          *this),
      next_nic_(config.endpoints.nodes) {
  for (NodeId n = 0; n < config.endpoints.nodes; ++n) {
    random_.emplace_back(config.seed, fmt::format("program/{}", n));
  }
}

void ProgramTraffic::start(ClockDomain& domain) {
  domain_ = &domain;
  plan(0, {What::start, 0});
}

void ProgramTraffic::plan(Cycle at, Event event) {
  std::vector<Event>& events = agenda_[at];
  if (events.empty()) domain_->schedule(at, Phase::generate, *this, 0);
  events.push_back(event);
}

// In an order of their own, so that the order of modules does not matter.
void ProgramTraffic::due(Cycle now, std::uint32_t) {
  std::vector<Event> events = std::move(agenda_.begin()->second);
  agenda_.erase(agenda_.begin());
  std::sort(events.begin(), events.end());
  for (const Event& e : events) {
    switch (e.what) {
      case What::left:
        executor_.left(e.number, now);
        break;
      case What::arrived:
        executor_.arrived(e.number, now);
        break;
      case What::woken:
        executor_.woken(e.number, now);
        break;
      case What::start:
        executor_.start(now);
        break;
    }
  }
  if (executor_.under_way() > 0 || !agenda_.empty()) return;
  if (!executor_.finished()) {
    throw RunError(
        fmt::format("nothing can happen any more, but programs are not over:{}", executor_.describe_blocked()));
  }
  executor_.check_over();
  finished_at_ = now;
  domain_->request_pause();
}

void ProgramTraffic::wake(NodeId node, Cycle at) { plan(at, {What::woken, node}); }

void ProgramTraffic::send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) {
  const auto flit = static_cast<std::uint64_t>(config_.link.flit.bits);
  const std::uint64_t flits = std::max<std::uint64_t>(1, (bytes * 8 + flit - 1) / flit);
  const std::uint64_t largest = config_.levels[config_.endpoints.sl].message;
  if (open_.size() <= message) open_.resize(message + 1);
  open_[message] = {(flits + largest - 1) / largest};
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

void ProgramTraffic::on_generate(const PacketMessage& packet) { packet_[packet.sequence] = sending_; }

void ProgramTraffic::on_inject(const PacketMessage& packet) {
  const std::uint32_t message = packet_.at(packet.sequence);
  Open& open = open_[message];
  open.left = std::max(open.left, packet.sent + static_cast<Cycle>(packet.flits));
  if (++open.sent == open.packets) plan(open.left, {What::left, message});
}

void ProgramTraffic::on_deliver(const PacketMessage& packet, Cycle now) {
  const auto found = packet_.find(packet.sequence);
  const std::uint32_t message = found->second;
  packet_.erase(found);
  Open& open = open_[message];
  if (++open.delivered == open.packets) plan(now + 1, {What::arrived, message});
}

}  // namespace weft
