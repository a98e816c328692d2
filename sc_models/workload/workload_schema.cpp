#include "workload/workload_schema.h"

#include <fmt/format.h>

#include "algorithms/qos/egress_scheduler.h"
#include "network/keys/port_range.h"

namespace weft {

namespace schema_detail {

Section<RawServiceLevels> levels_section() {
  Section<RawServiceLevel> level("level", "One service level; its number is its place in the list.");
  level.key("message", &RawServiceLevel::message, data_size_type({8}, {8LL * 1024 * 1024 * 1024}), required(),
            "Size of the messages that sources generate; rounded up to flits.");
  level.key("traffic_class", &RawServiceLevel::traffic_class, word_type(), optional("name of the level"),
            "Class that groups levels in reports.");
  Section<RawServiceLevels> qos("qos", "Service levels; all are served alike.");
  qos.key("levels", &RawServiceLevels::levels, map_of("<name>", level.type()), required(),
          "The service levels, 0 first.");
  return qos;
}

Section<RawStream> stream_section() {
  Section<RawStream> stream("traffic", "One stream of messages from every node.");
  declare_stream(stream, "node", required());
  return stream;
}

Section<RawProgramNodes> program_nodes_section() {
  Section<RawProgramNodes> nodes("endpoints", "The nodes that run programs: the overhead of a message.");
  nodes.key("level", &RawProgramNodes::level, word_type(), optional("the first level"),
            "Service level of the messages.");
  declare_software(nodes, "the network", "flit", "the interface is");
  nodes.section("algorithms", &RawProgramNodes::algorithms, algorithms_section());
  return nodes;
}

Section<RawWorkloadRecords> workload_records_section(NodeRecords nodes) {
  Section<RawWorkloadRecords> records("observe", "Records besides the statistics.");
  records.key("message_log", &RawWorkloadRecords::message_log, boolean_type(), by_default("false"), kMessageLogMeaning);
  records.key("profile", &RawWorkloadRecords::profile, profile_window_type(), optional("no profile"), kProfileMeaning);
  if (nodes == NodeRecords::none) return records;
  Section<RawNodeWaves> waves("waves", "Contents of the wave file of 'weft run --waves'.");
  waves.key("nodes", &RawNodeWaves::nodes, node_list_type(), optional("all nodes"), "Nodes whose signals are written.");
  declare_wave_times(waves);
  records.section("waves", &RawWorkloadRecords::node_waves, waves);
  if (nodes == NodeRecords::waves) return records;
  Section<RawNodeBoxes> boxes("boxes",
                              "Table of the boxes within nodes: the share of time in which each works, or waits and "
                              "for what. '{}' is all of them, over the whole run.");
  boxes.key("nodes", &RawNodeBoxes::nodes, node_list_type(), optional("all nodes"), "Nodes whose boxes the table has.");
  boxes.key("from", &RawNodeBoxes::from, duration_type(kNoTime, kLongestTime), by_default("0us"),
            "Start of the time that counts.");
  boxes.key("until", &RawNodeBoxes::until, duration_type(kShortestTime, kLongestTime), optional("end of the run"),
            "End of the time that counts, after from.");
  records.key("boxes", &RawWorkloadRecords::node_boxes, boxes.type(), optional("no table"), boxes.info()->meaning);
  return records;
}

}  // namespace schema_detail

namespace {

class WorkloadResolver {
 public:
  WorkloadResolver(const RawWorkload& raw, const ConfigDocument& document, const WorkloadNetwork& network,
                   Diagnostics& diagnostics)
      : raw_(raw), document_(document), network_(network), diagnostics_(diagnostics) {}

  Workload resolve(bool with_programs) {
    out_.traffic.seed = raw_.seed.value;
    out_.traffic.period = network_.period;
    out_.profile = profile_window(raw_.observe.value.profile, network_.period);
    levels();
    traffic();
    if (with_programs) programs();
    return std::move(out_);
  }

 private:
  void levels() {
    if (!raw_.qos.valid || !raw_.qos.value.levels.valid) return;
    const auto& levels = raw_.qos.value.levels;
    if (levels.value.empty() || levels.value.size() > 32) {
      diagnostics_.error(levels.where, fmt::format("qos.levels: expected 1 to 32 levels, got {}", levels.value.size()));
      return;
    }
    std::uint32_t number = 0;
    for (const auto& entry : levels.value) {
      if (const std::string problem = level_name_problem(entry.name, number++); !problem.empty()) {
        diagnostics_.error(entry.where, fmt::format("qos.levels.{}: {}", entry.name, problem));
      }
      ServiceConfig s;
      s.where = entry.where;
      s.name = entry.name;
      s.traffic_class = entry.value.traffic_class.given ? entry.value.traffic_class.value : entry.name;
      s.message_size = entry.value.message.value;
      s.message = static_cast<std::uint32_t>((s.message_size.bits + network_.flit.bits - 1) / network_.flit.bits);
      names_.push_back(s.name);
      out_.traffic.services.push_back(std::move(s));
    }
  }

  void traffic() {
    TrafficConfig& out = out_.traffic;
    if (!has_traffic(raw_) && !has_programs(raw_)) {
      diagnostics_.error(
          raw_.qos.where,
          "there is nothing to send: expected 'traffic', 'trace', 'program', 'programs' or 'program_file'");
    }
    if (raw_.trace.valid && raw_.trace.given) {
      out.trace_where = raw_.trace.where;
      out.trace = document_.resolve_path(raw_.trace.value, raw_.trace.where);
    }
    if (out.services.empty()) return;
    for (std::size_t i = 0; i < raw_.traffic.value.size(); ++i) {
      const auto& entry = raw_.traffic.value[i];
      const RawStream& r = entry.value;
      if (!entry.valid || !r.level.valid || !r.source.valid) continue;
      const std::string path = fmt::format("traffic.{}", i);
      const auto sl = service_of(r.level.value, names_, r.level.where, path + ".level", diagnostics_);
      if (!sl) continue;
      if (auto stream = resolve_stream(r, *sl, out.period, entry.where, path, diagnostics_)) {
        out.streams.push_back(std::move(*stream));
      }
    }
    check_load(out.streams, raw_.traffic.where, "node", diagnostics_);
    out_.message_log = raw_.observe.value.message_log.value;
    const bool known = !raw_.traffic.given || raw_.traffic.valid;
    out_.run = resolve_run(raw_.run.value, {out.period, out.streams, names_, has_programs(raw_), known}, diagnostics_);
  }

  void programs() {
    const RawProgramNodes& e = raw_.endpoints.value;
    if (!has_programs(raw_)) {
      warn_unused(raw_.endpoints, false, "endpoints has no effect without programs", diagnostics_);
      warn_unused(raw_.buffers, false, "buffers has no effect without programs", diagnostics_);
      return;
    }
    if (!check_alone(raw_, {{"traffic", raw_.traffic}, {"trace", raw_.trace}}, diagnostics_)) return;
    warn_unused(raw_.run, false, "run has no effect with programs, which run to their end", diagnostics_);
    warn_unused(raw_.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics_);
    if (diagnostics_.errors() > 0 || names_.empty()) return;
    ProgramsConfig& out = out_.programs;
    if (e.level.given) {
      const auto level = service_of(e.level.value, names_, e.level.where, "endpoints.level", diagnostics_);
      if (!level) return;
      out.sl = *level;
    }
    out.send_overhead = e.send_overhead.value.cycles(network_.period);
    out.receive_overhead = e.receive_overhead.value.cycles(network_.period);
    out.combine = e.combine.value.cycles(network_.period);
    out.combine_bits = static_cast<std::uint64_t>(network_.flit.bits + 7) / 8 * 8;
    auto programs = resolve_network_programs(
        raw_, document_, {network_.kind, network_.nodes, network_.where, network_.period}, diagnostics_);
    if (!programs) return;
    out.where = programs->where;
    out.nodes = programs->nodes;
    out.programs = std::move(programs->programs);
    out.algorithms = resolve_algorithms(e.algorithms.value);
    out.algorithms.torus = network_.torus;
    check_algorithms(out.programs, out.algorithms, diagnostics_);
  }

  const RawWorkload& raw_;
  const ConfigDocument& document_;
  const WorkloadNetwork& network_;
  Diagnostics& diagnostics_;
  Workload out_;
  std::vector<std::string> names_;  // of the services
};

}  // namespace

Workload resolve_traffic(const RawWorkload& raw, const ConfigDocument& document, const WorkloadNetwork& network,
                         Diagnostics& diagnostics) {
  if (!raw.qos.given) {
    diagnostics.error(raw.traffic.given ? raw.traffic.key_where : raw.trace.key_where,
                      "traffic and trace need the key 'qos', with the service levels of their messages");
    return {};
  }
  return WorkloadResolver(raw, document, network, diagnostics).resolve(false);
}

Workload resolve_workload(const RawWorkload& raw, const ConfigDocument& document, const WorkloadNetwork& network,
                          Diagnostics& diagnostics) {
  return WorkloadResolver(raw, document, network, diagnostics).resolve(true);
}

}  // namespace weft
