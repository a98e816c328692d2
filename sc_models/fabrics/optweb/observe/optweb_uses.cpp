#include "fabrics/optweb/observe/optweb_uses.h"

#include <utility>

#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/step.h"

namespace weft {
namespace {

OptwebUses uses_of_messages(const OptwebConfig& config, NodeId node) {
  const optweb::Neighbours& links = optweb::neighbours_of(config);
  OptwebUses u;
  u.rendezvous = u.reads = u.writes = true;
  u.sends.resize(config.nodes);
  for (NodeId n = 0; n < config.nodes; ++n) u.sends[n] = links.dmac(node, n).has_value();
  u.receives = u.out = u.in = u.sends;
  u.out[node] = u.in[node] = false;
  return u;
}

// What words go to is told by notifications, and what they come from hears of them.
void add_step(const optweb::Step& step, NodeId node, OptwebUses& u) {
  const auto both = [&](NodeId peer) {
    if (peer != node) u.out[peer] = u.in[peer] = true;
  };
  for (const optweb::Stream& s : step.streams) {
    u.reads = true;
    for (const NodeId n : s.to) {
      u.sends[n] = true;
      u.rendezvous = u.rendezvous || (step.rendezvous && n != node);
      both(n);
    }
  }
  for (const optweb::Receive& r : step.receives) {
    u.writes = u.receives[r.from] = true;
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
      if ((units & optweb::kSwitchUnit) != 0) add_step(optweb::expand(i, view, addresses), n, u);
    }
  }
  for (NodeId n = 0; n < config.nodes && !programs.detours.empty(); ++n) {  // a detour may take any link
    OptwebUses any = uses_of_messages(config, n);
    any.reduction = out[n].reduction;
    any.user_logic = out[n].user_logic;
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
  for (const OptwebHostAccess& a : config.host) out[a.node].host = true;
  return out;
}

}  // namespace weft
