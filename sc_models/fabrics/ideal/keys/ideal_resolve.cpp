// From what a file says about an ideal network to its checked configuration. Reports everything that is wrong and goes
// on.

#include <fmt/format.h>

#include "fabrics/ideal/keys/ideal_schema.h"
#include "network/topology/build_topology.h"

namespace weft {
namespace {

class IdealResolver {
 public:
  IdealResolver(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  IdealConfig resolve() {
    out_.title = raw_.title.value;
    nodes();
    link();
    if (period_.ps == 0) return std::move(out_);  // nothing can be counted in flits or cycles
    latencies();
    out_.workload =
        resolve_workload(raw_, document_, {"ideal network", nodes_, where_, period_, out_.flit, torus()}, diagnostics_);
    waves();
    return std::move(out_);
  }

 private:
  // Dimensions of a torus with a node per switch, whose messages take as long as all others.
  std::vector<std::uint32_t> torus() const {
    if (!raw_.endpoints.value.algorithms.given || !out_.topology || !nodes_) return {};
    const GridShape grid = build_topology(*out_.topology).grid();
    return grid.torus && grid.nodes_per_switch == 1 ? grid.dims : std::vector<std::uint32_t>();
  }

  void nodes() {
    const RawIdealNetwork& r = raw_.ideal.value;
    if (raw_.topology.given) {
      if (r.nodes.given) {
        diagnostics_.error(r.nodes.key_where, "ideal.nodes: the nodes are those of topology");
      }
      out_.topology = resolve_topology(raw_.topology, document_, diagnostics_);
      nodes_ = raw_.topology.valid && diagnostics_.errors() == 0 ? nodes_of_topology(*out_.topology) : std::nullopt;
      where_ = raw_.topology.where;
      return;
    }
    where_ = r.nodes.given ? r.nodes.where : raw_.ideal.where;
    if (!r.nodes.given) {
      diagnostics_.error(where_, "expected a number of nodes: ideal.nodes, or a topology");
    } else if (r.nodes.valid) {
      out_.nodes = r.nodes.value;
      nodes_ = r.nodes.value;
    }
  }

  void link() {
    const RawIdealLink& r = raw_.link.value;
    if (!r.rate.valid || !r.flit.valid) return;
    out_.rate = r.rate.value;
    out_.flit = r.flit.value;
    if (const auto period = transfer_time(out_.flit, out_.rate)) {
      period_ = *period;
    } else {
      diagnostics_.error(r.rate.where, fmt::format("link: a flit of {} at {} does not take whole picoseconds",
                                                   to_string(out_.flit), to_string(out_.rate)));
    }
  }

  void latencies() {
    const RawIdealNetwork& r = raw_.ideal.value;
    out_.latency = r.latency.value.cycles(period_);
    out_.receivers = r.receivers.value;
    for (const auto& entry : r.pairs.value) {
      const RawIdealPair& p = entry.value;
      for (const auto* node : {&p.from, &p.to}) {
        if (!node->valid || !nodes_ || node->value < *nodes_) continue;
        diagnostics_.error(node->where,
                           fmt::format("ideal.pairs: expected a node below {}, got '{}'", *nodes_, node->value));
      }
      out_.pairs.push_back({entry.where, p.from.value, p.to.value, p.latency.value.cycles(period_)});
    }
  }

  // Whether the nodes are there the network tells.
  void waves() {
    const RawNodeWaves& raw = raw_.observe.value.node_waves.value;
    for (const auto& n : raw.nodes.value) out_.waves.nodes.push_back({n.value, n.where});
    out_.waves.times = resolve_wave_times(raw, diagnostics_);
    out_.workload.wave_trigger = out_.waves.times.trigger;
    out_.workload.wave_transfers = out_.waves.times.transfers;
  }

  const RawIdeal& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  IdealConfig out_;
  Duration period_;
  std::optional<std::uint32_t> nodes_;  // nothing: the file of the topology knows, or something is wrong
  Location where_;                      // of what says how many
};

}  // namespace

IdealConfig resolve_ideal(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return IdealResolver(raw, document, diagnostics).resolve();
}

}  // namespace weft
