// Programs of the nodes of a packet network, and what does not go together with them.

#include <fmt/format.h>

#include "config/qos_resolver.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostNodes = 64;  // that programs can name

}  // namespace

// NICs of the networks that are described by numbers.
std::optional<std::uint32_t> QosResolver::nodes_of_topology() const {
  const TopologyConfig& t = out_.topology;
  std::uint64_t nics = 1;
  const auto times = [&](std::uint64_t n) { nics = std::min<std::uint64_t>(nics * n, 1U << 30); };
  switch (t.kind) {
    case TopologyKind::mesh:
    case TopologyKind::torus:
      for (const std::uint32_t d : t.dims) times(d);
      times(t.nodes_per_switch);
      break;
    case TopologyKind::tree:
      for (std::uint32_t l = 0; l < t.levels && nics < 1U << 30; ++l) times(t.arity);
      break;
    case TopologyKind::full_mesh:
      times(t.switches);
      break;
    case TopologyKind::dragonfly:
      times(t.groups);
      times(t.routers_per_group);
      times(t.nodes_per_router);
      break;
    case TopologyKind::file:
      return std::nullopt;
  }
  return static_cast<std::uint32_t>(nics);
}

void QosResolver::programs() {
  const RawEndpoints& e = raw_.endpoints.value;
  if (!has_programs()) {
    warn_unused(raw_.endpoints, false, "endpoints has no effect without programs", diagnostics_);
    warn_unused(raw_.buffers, false, "buffers has no effect without programs", diagnostics_);
    return;
  }
  const auto refuse = [&](const auto& key, const char* name) {
    if (key.given) diagnostics_.error(key.key_where, fmt::format("{}: cannot be combined with programs", name));
  };
  refuse(raw_.traffic, "traffic");
  refuse(raw_.trace, "trace");
  refuse(raw_.faults, "faults");
  if (raw_.program.given + raw_.programs.given + raw_.program_file.given > 1) {
    diagnostics_.error(raw_.program_file.given ? raw_.program_file.key_where : raw_.programs.key_where,
                       "only one of program, programs and program_file may be given");
    return;
  }
  warn_unused(raw_.run, false, "run has no effect with programs, which run to their end", diagnostics_);
  warn_unused(raw_.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics_);
  if (out_.packet_switch.architecture == PacketArchitecture::iq) {
    diagnostics_.error(raw_.packet_switch.value.architecture.where,
                       "switch.architecture: programs run on 'ib' and 'opa' only");
  }
  if (rings() && out_.ring == RingControl::bubble) {
    diagnostics_.error(raw_.routing.value.ring.where,
                       "routing.ring: packets of programs have different sizes, which bubble flow control does not "
                       "allow; use dateline");
  }
  if (!e.nics.valid || diagnostics_.errors() > 0 || out_.levels.empty()) return;
  EndpointsConfig& out = out_.endpoints;
  out.nics = e.nics.value;
  out.send_overhead = cycles(e.send_overhead);
  out.receive_overhead = cycles(e.receive_overhead);
  out.combine = cycles(e.combine);
  if (e.level.given) {
    const auto level = level_of(e.level.value, e.level.where, "endpoints.level");
    if (!level) return;
    out.sl = *level;
  }
  const std::optional<std::uint32_t> nics = nodes_of_topology();
  out.where = out_.topology.where;
  if (nics && *nics % out.nics != 0) {
    diagnostics_.error(e.nics.where, fmt::format("endpoints.nics: the network has {} NICs, which are no whole number "
                                                 "of nodes with {} each",
                                                 *nics, out.nics));
    return;
  }
  const std::uint32_t nodes = nics ? *nics / out.nics : 0;
  if (nics && (nodes < 2 || nodes > kMostNodes)) {
    diagnostics_.error(out_.topology.where,
                       fmt::format("topology: programs run on 2 to {} nodes, the network has {}", kMostNodes, nodes));
    return;
  }
  if (raw_.program_file.given) {
    check_unused_buffers(raw_, diagnostics_);
    if (!raw_.program_file.valid) return;
    const auto file =
        read_program_file(raw_.program_file, document_, nics ? std::optional(nodes) : std::nullopt, diagnostics_);
    if (!file) return;
    out.nodes = file->nodes.value;
    if (out.nodes > kMostNodes) {
      diagnostics_.error(file->nodes.where, fmt::format("nodes: programs run on 2 to {} nodes of a packet network, got "
                                                        "'{}'",
                                                        kMostNodes, out.nodes));
      return;
    }
    if (!nics) out.where = file->nodes.where;
    out_.programs = resolve_programs(*file, {out.nodes, out_.link.period, 0}, diagnostics_);
    return;
  }
  if (!nics) {
    diagnostics_.error(raw_.program.given ? raw_.program.key_where : raw_.programs.key_where,
                       "programs for a topology from a file stand in a program_file, which says how many nodes there "
                       "are");
    return;
  }
  out.nodes = nodes;
  out_.programs = resolve_programs(raw_, {nodes, out_.link.period, 0}, diagnostics_);
}

}  // namespace weft
