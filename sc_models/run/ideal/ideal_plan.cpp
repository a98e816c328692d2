#include "run/ideal/ideal_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "network/topology/build_topology.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "run/ideal/ideal_waves.h"
#include "run/network_view.h"
#include "run/simulation.h"
#include "run/waves/rank_wave_file.h"
#include "workload/program_schema.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

Graph graph_of(const IdealConfig& config) {
  if (config.topology) return build_topology(*config.topology);
  Graph graph(fmt::format("{} nodes", config.nodes));
  const SwitchId sw = graph.add_switch(static_cast<PortId>(config.nodes));
  for (std::uint32_t n = 0; n < config.nodes; ++n) graph.attach_node({sw, static_cast<PortId>(n)});
  return graph;
}

// What the nodes send, for a profile: their interfaces are the only links of an ideal network. A multicast leaves once.
class SentFlits final : public TransferObserver {
 public:
  SentFlits(std::uint32_t nodes, NetworkProfile& profile) : profile_(profile), last_(nodes) {}
  void on_enter(const TransferRecord& t) override {
    if (std::exchange(last_[t.from], t.id) != t.id) profile_.carry(t.from, t.entered, t.units);
  }

 private:
  NetworkProfile& profile_;
  std::vector<std::uint64_t> last_;  // transfer, per node
};

class BuiltIdeal final : public BuiltFabric {
 public:
  BuiltIdeal(ClockDomain& domain, const IdealConfig& config, IdealParameters parameters, const Graph& graph,
             const Part& part)
      : config_(config),
        graph_(graph),
        part_(part),
        network_(fabric_name("ideal").c_str(), domain, std::move(parameters), part) {}
  Fabric& fabric() override { return network_; }
  void shape_profile(ProfileShape& shape) const override {
    shape.links = graph_.nodes();
    shape.link_name = [this](std::size_t node) {
      return graph_.link_name(graph_.injection_link(static_cast<NodeId>(node)));
    };
  }
  void record(NetworkProfile& profile) override {
    sent_ = std::make_unique<SentFlits>(graph_.nodes(), profile);
    network_.observe(*sent_);
  }
  void open_waves(const std::string& path) override {
    waves_ = std::make_unique<IdealWaves>(path, config_, part_, network_);
  }
  std::vector<std::string> close_waves(Cycle last) override {
    return waves_ ? waves_->close(last) : std::vector<std::string>();
  }
  WaveWindow* wave_window() override { return waves_ ? &waves_->window() : nullptr; }

 private:
  const IdealConfig& config_;
  const Graph& graph_;
  const Part part_;
  IdealNetwork network_;
  std::unique_ptr<SentFlits> sent_;
  std::unique_ptr<IdealWaves> waves_;
};

}  // namespace

IdealPlan::IdealPlan(const IdealConfig& config) : config_(config), graph_(graph_of(config)) {
  check_sources(config.workload.traffic, graph_, "node");
  const ProgramsConfig& programs = config.workload.programs;
  need_program_memory(
      programs.programs, [](std::uint64_t) { return 0; }, programs.algorithms);
  for (const IdealConfig::Pair& p : config.pairs) {
    if (std::max(p.from, p.to) >= graph_.nodes()) {
      throw InputError(p.where, fmt::format("ideal.pairs: expected nodes below {}", graph_.nodes()));
    }
    pairs_[{p.from, p.to}] = p.latency;
  }
  for (const auto& [node, where] : config.waves.nodes) {
    check_wave_node("observe.waves.nodes", node, where, graph_.nodes());
  }
  check_waves(config.workload, config.workload.traffic, graph_.nodes());
}

IdealParameters IdealPlan::parameters() const {
  IdealParameters out;
  out.nodes = graph_.nodes();
  out.flit_bits = static_cast<std::uint64_t>(config_.flit.bits);
  out.serial_receivers = config_.receivers == IdealReceivers::serial;
  out.longest_latency = out.shortest_latency = config_.latency;
  for (const auto& [pair, latency] : pairs_) {
    out.longest_latency = std::max(out.longest_latency, latency);
    out.shortest_latency = std::min(out.shortest_latency, latency);
  }
  out.latency = [usual = config_.latency, pairs = pairs_](NodeId from, NodeId to) {
    if (pairs.empty()) return usual;
    const auto found = pairs.find({from, to});
    return found == pairs.end() ? usual : found->second;
  };
  for (const ServiceConfig& s : config_.workload.traffic.services) {
    out.services.push_back({s.bytes(), s.message});
  }
  return out;
}

std::unique_ptr<BuiltFabric> IdealPlan::build(ClockDomain& domain, const Part& part) const {
  return std::make_unique<BuiltIdeal>(domain, config_, parameters(), graph_, part);
}

// Nodes that follow each other are together.
Part IdealPlan::part(Ranks& ranks) const {
  Part out{&ranks, {}};
  for (std::uint64_t n = 0; n < graph_.nodes(); ++n) {
    out.node_owners.push_back(static_cast<RankId>(n * ranks.size() / graph_.nodes()));
  }
  return out;
}

std::string IdealPlan::undivided(const RunOptions& options) const {
  if (options.ranks != nullptr && options.ranks->size() > graph_.nodes()) {
    return fmt::format("a network cannot be cut into more parts than nodes ({})", graph_.nodes());
  }
  return options.waves.empty() ? std::string() : undivided_waves(config_.workload);
}

ReportData IdealPlan::header() const {
  ReportData r = begin_report(config_.file, "ideal network: model");
  namespace v = vocabulary;
  const auto ns = [&](Cycle c) { return static_cast<double>(c * config_.workload.traffic.period.ps) / 1000.0; };
  ReportSection network{"network", "Network", {}};
  network.figures = {
      {v::kTopology, config_.topology ? "ideal, nodes of " + graph_.name() : "ideal", true},
      {v::kNodes, std::int64_t{graph_.nodes()}, true},
      {v::kCycle, ns(1), true},
      {v::kLinkRate, static_cast<double>(config_.rate.bits_per_s) / 1e9, false},
      {{"latency", "ns", "of a flit from its source to its destination"}, ns(config_.latency), true},
      {{"pairs", "1", "pairs of nodes with another latency"}, static_cast<std::int64_t>(pairs_.size()), false},
      {{"receivers", "", "serial: a node takes one flit per cycle; parallel: any number"},
       to_string(config_.receivers),
       false}};
  r.sections.push_back(std::move(network));
  page_of(r).network = network_view(graph_);
  return r;
}

std::vector<Figure> IdealPlan::program_links() const {
  return {
      {{"node_rate", "Gb/s", "of a node, one direction"}, static_cast<double>(config_.rate.bits_per_s) / 1e9, true}};
}

RunResult IdealPlan::known() const {
  RunResult result = FabricPlan::known();
  const Columns<ServiceConfig> columns{
      {vocabulary::kService, &ServiceConfig::name},
      {{"message", "flits", "size of its messages"}, &ServiceConfig::message},
      {{"zero_load_latency", "ns", "of a message without contention"}, [&](const ServiceConfig& s) {
         return static_cast<double>((config_.latency + s.message - 1) * config_.workload.traffic.period.ps) / 1000.0;
       }}};
  result.report.tables.push_back(
      make_table({"services", "Service levels", "One line per service level: values known before the run."}, columns,
                 config_.workload.traffic.services));
  return result;
}

RunResult IdealPlan::run(const RunOptions& options) const {
  RunResult result = simulate(*this, options);
  result.notes = {{"report.json, *.csv", config_.workload.has_programs()
                                             ? "for programs: operations, nodes, instructions"
                                             : "for programs: levels, latency histogram"}};
  return result;
}

}  // namespace weft
