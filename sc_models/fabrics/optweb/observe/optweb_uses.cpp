#include "fabrics/optweb/observe/optweb_uses.h"

#include <utility>

#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/step.h"

namespace weft {
namespace {

void mark(OptwebUses& u, const OptwebConfig& config, std::uint32_t stripe, std::uint8_t interfaces) {
  if (!config.hbm2) return;
  u.interfaces.resize(std::size_t{2} * config.stripes);
  for (std::uint32_t i = 0; i < 2; ++i) {
    if ((interfaces >> i & 1) != 0) u.interfaces[2 * stripe + i] = true;
  }
}

OptwebUses uses_of_messages(const OptwebConfig& config, NodeId node) {
  const optweb::Neighbours& links = optweb::neighbours_of(config);
  OptwebUses u;
  u.rendezvous = u.reads = u.writes = true;
  u.sends.resize(config.nodes);
  for (NodeId n = 0; n < config.nodes; ++n) u.sends[n] = links.dmac(node, n).has_value();
  u.receives = u.out = u.in = u.sends;
  u.out[node] = u.in[node] = false;
  // Data lie in both interfaces of a stripe (algorithms/optweb/messages.h).
  for (NodeId n = 0; n < config.nodes && config.hbm2; ++n) {
    if (const auto stripe = links.dmac(node, n)) mark(u, config, *stripe, 3);
  }
  return u;
}

// What words go to is told by notifications, and what they come from hears of them.
void add_step(const optweb::Step& step, const OptwebConfig& config, NodeId node, OptwebUses& u) {
  const auto both = [&](NodeId peer) {
    if (peer != node) u.out[peer] = u.in[peer] = true;
  };
  for (const optweb::Stream& s : step.streams) {
    u.reads = true;
    mark(u, config, s.reader, s.interfaces);
    for (const NodeId n : s.to) {
      u.sends[n] = true;
      u.rendezvous = u.rendezvous || (step.rendezvous && n != node);
      both(n);
    }
  }
  for (const optweb::Receive& r : step.receives) {
    u.writes = u.receives[r.from] = true;
    mark(u, config, r.writer, r.interfaces);
    both(r.from);
  }
  for (const NodeId n : step.barrier) both(n);
  u.reduction = u.reduction || step.reduction.has_value();
}

}  // namespace

std::vector<OptwebUses> optweb_uses(const OptwebConfig& config, const optweb::MachinePrograms& programs) {
  std::vector<OptwebUses> out(config.nodes);
  optweb::StripeAddress addresses(optweb::geometry_of(config));
  for (NodeId n = 0; n < config.nodes; ++n) {
    if (config.programs.empty()) {
      out[n] = uses_of_messages(config, n);
      continue;
    }
    OptwebUses& u = out[n];
    for (auto* peers : {&u.sends, &u.receives, &u.out, &u.in}) peers->resize(config.nodes);
    const optweb::NodeView view = optweb::view_of(config, programs, n);
    for (const optweb::MachineInstruction& i : programs.nodes[n].instructions) {
      const optweb::Units units = optweb::units_of(i.opcode);
      if (units == optweb::kUserUnit) u.user_logic = true;
      if ((units & optweb::kSwitchUnit) != 0) add_step(optweb::expand(i, view, addresses), config, n, u);
    }
  }
  for (NodeId n = 0; n < config.nodes && !programs.detours.empty(); ++n) {  // a detour may take any link
    OptwebUses any = uses_of_messages(config, n);
    any.reduction = out[n].reduction;
    any.user_logic = out[n].user_logic;
    for (std::size_t i = 0; i < out[n].interfaces.size(); ++i) {
      if (out[n].interfaces[i]) any.interfaces[i] = true;
    }
    out[n] = std::move(any);
  }
  for (OptwebUses& u : out) u.fifos = config.has_fifos();
  // Programs that do not match: what comes unasked is to be seen, too.
  for (NodeId a = 0; a < config.nodes; ++a) {
    for (NodeId b = 0; b < config.nodes; ++b) {
      if (out[a].sends[b]) out[b].receives[a] = true;
      if (out[a].out[b]) out[b].in[a] = true;
    }
  }
  for (const OptwebHostAccess& a : config.host) {
    out[a.node].host = true;
    for (std::uint64_t i = a.address / config.interface_bytes; i * config.interface_bytes < a.address + a.bytes; ++i) {
      mark(out[a.node], config, static_cast<std::uint32_t>(i / 2), static_cast<std::uint8_t>(1U << i % 2));
    }
  }
  return out;
}

}  // namespace weft
