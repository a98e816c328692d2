#include "fabric/packet/packet_network.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabric/bind_links.h"
#include "fabric/packet/ib_switch.h"
#include "fabric/packet/opa_switch.h"

namespace weft {
namespace {

PacketSwitchSite make_site(const Graph& graph, SwitchId sw) {
  PacketSwitchSite site;
  site.sw = sw;
  site.ports = graph.ports(sw);
  for (PortId p = 0; p < site.ports; ++p) {
    const bool node = graph.node_at(sw, p) != kNoId;
    site.to_node.push_back(node);
    site.connected.push_back(node || graph.peer(sw, p).sw != kNoId);
  }
  return site;
}

}  // namespace

PacketNetwork::PacketNetwork(sc_core::sc_module_name name, Duration period, const Graph& graph,
                             const PacketParameters& parameters, const PacketRouter& router,
                             EgressSchedulerFactory& schedulers)
    : sc_module(name), graph_(graph), domain_("clock", period) {
  switches_.reserve(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    const std::string label = fmt::format("sw[{}]", s);
    const PacketSwitchSite site = make_site(graph, s);
    if (parameters.architecture == SwitchArchitecture::ib) {
      switches_.push_back(
          std::make_unique<IbSwitch>(label.c_str(), domain_, site, parameters, router, schedulers, observers_));
    } else {
      switches_.push_back(
          std::make_unique<OpaSwitch>(label.c_str(), domain_, site, parameters, router, schedulers, observers_));
    }
  }
  nics_.reserve(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    nics_.push_back(std::make_unique<Nic>(fmt::format("nic[{}]", n).c_str(), domain_, n, parameters, router, schedulers,
                                          observers_, *this));
  }
  bind_links(graph, switches_, nics_);
}

// Last made first: see FicNetwork::~FicNetwork.
PacketNetwork::~PacketNetwork() {
  while (!nics_.empty()) nics_.pop_back();
  while (!switches_.empty()) switches_.pop_back();
}

void PacketNetwork::submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
                           std::uint32_t choice) {
  PacketMessage& m = pool_.take();
  m.source = source;
  m.destination = destination;
  m.level = level;
  m.flits = flits;
  m.choice = choice;
  m.sequence = static_cast<std::uint32_t>(++generated_);
  nics_[source]->submit(m, domain_.now());
}

void PacketNetwork::take_delivery(PacketMessage& message, Cycle now) {
  ++delivered_;
  observers_.tell([&](PacketObserver& o) { o.on_deliver(message, now); });
  pool_.give_back(message);
}

std::uint64_t PacketNetwork::progress() const {
  std::uint64_t sum = delivered_;
  for (const auto& s : switches_) {
    sum += s->grants();
    for (PortId p = 0; p < s->ports(); ++p) sum += s->egress(p) == nullptr ? 0 : s->egress(p)->sent();
  }
  for (const auto& n : nics_) sum += n->egress().sent();
  return sum;
}

std::string PacketNetwork::describe_stall() const {
  constexpr int kListed = 10;
  std::string out;
  int listed = 0;
  const PacketMessage* oldest = nullptr;
  std::string oldest_at;
  const auto consider = [&](const PacketMessage& m, const std::string& where) {
    if (oldest != nullptr && oldest->generated <= m.generated) return;
    oldest = &m;
    oldest_at = where;
  };
  const auto list = [&](const std::string& line) {
    if (++listed <= kListed) out += "\n  " + line;
  };
  const auto text = [](const PacketMessage& m) {
    return fmt::format("message of SL {}, {} -> {}, {} flits", m.level, m.source, m.destination, m.flits);
  };
  for (const auto& sw : switches_) {
    for (PortId p = 0; p < sw->ports(); ++p) {
      EgressPort* e = sw->egress(p);
      if (e == nullptr) continue;
      for (VirtualLane v = 0; v < kMaxLanes && !e->empty(); ++v) {
        if (v >= e->lanes() || e->empty(v)) continue;
        const std::string where = fmt::format("{} output {} VL {}", sw->name(), p, v);
        consider(*e->front(v), where);
        list(fmt::format("{}: {}; credits for {} flits", where, text(*e->front(v)), e->credits().room(v)));
      }
    }
    for (const PacketSwitch::Waiting& w : sw->waiting()) {
      const std::string where = fmt::format("{} input {} VL {}", sw->name(), w.in, w.lane);
      consider(*w.message, where);
      list(fmt::format(
          "{}: {}; for output {}{} VL {}", where, text(*w.message), w.message->hop.first,
          w.message->hop.count > 1 ? fmt::format("..{}", w.message->hop.first + w.message->hop.count - 1) : "",
          w.message->hop.lane));
    }
  }
  if (listed > kListed) out += fmt::format("\n  and {} more", listed - kListed);
  if (oldest != nullptr) {
    out += fmt::format("\n  oldest: {}, generated in cycle {}, at {}", text(*oldest), oldest->generated, oldest_at);
  }
  return out;
}

void PacketNetwork::check_conservation(Cycle now) {
  const auto check = [&](SharedBuffer& buffer, const std::string& what) {
    buffer.advance(now);
    if (buffer.used() != 0) {
      throw RunError(fmt::format("{} of {} not back although nothing is under way", buffer.used(), what));
    }
  };
  for (const auto& sw : switches_) {
    for (PortId p = 0; p < sw->ports(); ++p) {
      if (sw->egress(p) == nullptr) continue;
      check(sw->egress(p)->space(), fmt::format("space of {} output {}", sw->name(), p));
      check(sw->egress(p)->credits(), fmt::format("credits of {} output {}", sw->name(), p));
    }
  }
  for (const auto& nic : nics_) {
    check(nic->egress().space(), fmt::format("space of {}", nic->name()));
    check(nic->egress().credits(), fmt::format("credits of {}", nic->name()));
  }
}

}  // namespace weft
