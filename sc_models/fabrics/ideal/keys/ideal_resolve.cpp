// From what a file says about an ideal network to its checked configuration. Reports everything that is wrong and goes
// on.

#include <fmt/format.h>

#include "fabrics/ideal/keys/ideal_schema.h"

namespace weft {
namespace {

class IdealResolver {
 public:
  IdealResolver(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  IdealConfig resolve() {
    out_.title = raw_.title.value;
    out_.seed = raw_.seed.value;
    nodes();
    link();
    if (out_.period.ps == 0) return std::move(out_);  // nothing can be counted in flits or cycles
    latencies();
    levels();
    traffic();
    programs();
    return std::move(out_);
  }

 private:
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
      out_.period = *period;
    } else {
      diagnostics_.error(r.rate.where, fmt::format("link: a flit of {} at {} does not take whole picoseconds",
                                                   to_string(out_.flit), to_string(out_.rate)));
    }
  }

  void latencies() {
    const RawIdealNetwork& r = raw_.ideal.value;
    out_.latency = r.latency.value.cycles(out_.period);
    out_.receivers = r.receivers.value;
    for (const auto& entry : r.pairs.value) {
      const RawIdealPair& p = entry.value;
      for (const auto* node : {&p.from, &p.to}) {
        if (!node->valid || !nodes_ || node->value < *nodes_) continue;
        diagnostics_.error(node->where,
                           fmt::format("ideal.pairs: expected a node below {}, got '{}'", *nodes_, node->value));
      }
      out_.pairs.push_back({entry.where, p.from.value, p.to.value, p.latency.value.cycles(out_.period)});
    }
  }

  void levels() {
    if (!raw_.qos.valid || !raw_.qos.value.levels.valid) return;
    const auto& levels = raw_.qos.value.levels;
    if (levels.value.empty() || levels.value.size() > 32) {
      diagnostics_.error(levels.where, fmt::format("qos.levels: expected 1 to 32 levels, got {}", levels.value.size()));
      return;
    }
    for (const auto& entry : levels.value) {
      ServiceConfig s;
      s.where = entry.where;
      s.name = entry.name;
      s.traffic_class = entry.value.traffic_class.given ? entry.value.traffic_class.value : entry.name;
      s.message_size = entry.value.message.value;
      s.message = static_cast<std::uint32_t>((s.message_size.bits + out_.flit.bits - 1) / out_.flit.bits);
      names_.push_back(s.name);
      out_.services.push_back(std::move(s));
    }
  }

  void traffic() {
    if (!raw_.traffic.given && !raw_.trace.given && !has_programs(raw_)) {
      diagnostics_.error(raw_.qos.where, "there is nothing to send: expected 'traffic', 'trace' or 'program_file'");
    }
    if (raw_.trace.valid && raw_.trace.given) {
      out_.trace_where = raw_.trace.where;
      out_.trace = document_.resolve_path(raw_.trace.value, raw_.trace.where);
    }
    if (out_.services.empty()) return;
    for (std::size_t i = 0; i < raw_.traffic.value.size(); ++i) {
      const auto& entry = raw_.traffic.value[i];
      const RawStream& r = entry.value;
      if (!entry.valid || !r.level.valid || !r.source.valid) continue;
      const std::string path = fmt::format("traffic.{}", i);
      const auto sl = service_of(r.level.value, names_, r.level.where, path + ".level", diagnostics_);
      if (!sl) continue;
      if (auto stream = resolve_stream(r, *sl, out_.period, entry.where, path, diagnostics_)) {
        out_.streams.push_back(std::move(*stream));
      }
    }
    check_load(out_.streams, raw_.traffic.where, "node", diagnostics_);
    out_.message_log = raw_.observe.value.message_log.value;
    const bool known = !raw_.traffic.given || raw_.traffic.valid;
    out_.run =
        resolve_run(raw_.run.value, {out_.period, out_.streams, names_, has_programs(raw_), known}, diagnostics_);
  }

  void programs() {
    const RawIdealEndpoints& e = raw_.endpoints.value;
    if (!has_programs(raw_)) {
      warn_unused(raw_.endpoints, false, "endpoints has no effect without programs", diagnostics_);
      warn_unused(raw_.buffers, false, "buffers has no effect without programs", diagnostics_);
      return;
    }
    if (!check_alone(raw_, {{"traffic", raw_.traffic}, {"trace", raw_.trace}}, diagnostics_)) return;
    warn_unused(raw_.run, false, "run has no effect with programs, which run to their end", diagnostics_);
    warn_unused(raw_.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics_);
    if (diagnostics_.errors() > 0 || out_.services.empty()) return;
    ProgramsConfig& out = out_.programs;
    if (e.level.given) {
      const auto level = service_of(e.level.value, names_, e.level.where, "endpoints.level", diagnostics_);
      if (!level) return;
      out.sl = *level;
    }
    out.send_overhead = e.send_overhead.value.cycles(out_.period);
    out.receive_overhead = e.receive_overhead.value.cycles(out_.period);
    out.combine = e.combine.value.cycles(out_.period);
    out.combine_bits = static_cast<std::uint64_t>(out_.flit.bits + 7) / 8 * 8;
    auto programs =
        resolve_network_programs(raw_, document_, {"ideal network", nodes_, where_, out_.period}, diagnostics_);
    if (!programs) return;
    out.where = programs->where;
    out.nodes = programs->nodes;
    out.programs = std::move(programs->programs);
  }

  const RawIdeal& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  IdealConfig out_;
  std::optional<std::uint32_t> nodes_;  // nothing: the file of the topology knows, or something is wrong
  Location where_;                      // of what says how many
  std::vector<std::string> names_;      // of the services
};

}  // namespace

IdealConfig resolve_ideal(const RawIdeal& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return IdealResolver(raw, document, diagnostics).resolve();
}

}  // namespace weft
