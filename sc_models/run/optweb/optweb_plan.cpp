#include "run/optweb/optweb_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "algorithms/optweb/faults/route_choice.h"
#include "cosim/optweb/optweb_blocks.h"
#include "fabrics/optweb/observe/optweb_profile.h"
#include "fabrics/optweb/observe/optweb_stats.h"
#include "fabrics/optweb/optweb_fabric.h"
#include "fabrics/optweb/ranks/optweb_cut.h"
#include "fabrics/optweb/user/box_catalog.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "run/lockstep_report.h"
#include "run/optweb/instruction_records.h"
#include "run/optweb/optweb_failures_report.h"
#include "run/optweb/optweb_report.h"
#include "run/optweb/optweb_run.h"
#include "run/optweb/optweb_tables.h"
#include "run/optweb/optweb_waves.h"
#include "run/simulation.h"
#include "run/waves/rank_wave_file.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

class BuiltOptweb final : public BuiltFabric {
 public:
  BuiltOptweb(ClockDomain& domain, const OptwebPlatform& platform, std::size_t services,
              const OptwebSystemConfig& config)
      : platform_(platform),
        shown_(config.waves),
        config_(platform.config()),
        blocks_(config_, platform.blocks()),
        fabric_(domain, config_, services),
        modules_(config_, platform.boxes()),
        network_(fabric_name("optweb").c_str(), domain, config_, fabric_.programs(), blocks_, &modules_),
        stats_(std::vector<std::vector<std::uint32_t>>(config_.nodes), 0) {
    network_.add_observer(stats_);
    if (config.boxes) network_.add_observer(boxes_.emplace(box_times(*config.boxes, config_.nodes)));
    fabric_.join(network_);
    network_.load_host_traffic();
  }

  Fabric& fabric() override { return fabric_; }
  void shape_profile(ProfileShape& shape) const override {
    OptwebProfile::shape(config_.nodes, words_per_second(config_), shape);
  }
  void record(NetworkProfile& profile) override {
    profile_ = std::make_unique<OptwebProfile>(config_.nodes, profile, false);
    network_.add_observer(*profile_);
  }
  void open_files(const RunOptions& options) override {
    if (options.interrupted) {
      network_.set_stop([this, &options] { return interrupted_ = interrupted_ || options.interrupted(); });
    }
    BuiltFabric::open_files(options);
  }
  void open_waves(const std::string& path) override {
    waves_ = std::make_unique<OptwebWaves>(path, shown_, platform_, network_, blocks_);
    waves_->begin();
  }
  bool fault_begins_before(Cycle end) const override {
    const auto begins = [&](const FaultConfig& f) { return f.down * config_.period.ps < end * fabric_.tick().ps; };
    return std::any_of(config_.faults.begin(), config_.faults.end(), begins);
  }
  WaveWindow* wave_window() override { return waves_ ? &waves_->window() : nullptr; }
  std::vector<std::string> close_waves(Cycle last) override {
    return waves_ ? waves_->close(last) : std::vector<std::string>();
  }

  std::vector<Figure> run_figures() const override {
    std::vector<Figure> out{
        {{"link_transfers", "1", "transfers over links: one for each hop"},
         static_cast<std::int64_t>(stats_.deliveries()),
         false},
        {{"buffered_transfers", "1", "that came before their instruction and waited in a receive buffer"},
         static_cast<std::int64_t>(stats_.buffered()),
         false},
        {{"bytes", "1", "over links"}, static_cast<std::int64_t>(stats_.bytes()), false},
        {{"mode", "", "whether bytes move or only lengths"}, to_string(config_.mode), false}};
    if (config_.verify == OptwebVerify::data) {
      out.push_back({{"verified_bytes", "1", "of messages, compared with those at their sources"},
                     static_cast<std::int64_t>(fabric_.verified_bytes()),
                     true});
    }
    return out;
  }
  void add_results(const RunState& state, ReportData& report) const override {
    const Picoseconds end = (state.end + 1) * fabric_.tick().ps;
    report.tables.push_back(link_table(config_, network_, end));
    report.tables.push_back(node_table(config_, network_));
    if (!config_.host.empty()) report.tables.push_back(host_table(config_, stats_));
    if (config_.hbm2) report.tables.push_back(memory_table(config_, network_, end));
    add_failures(config_, network_, end, report);
    add_failure_notes(config_, state.complete ? std::optional(end) : std::nullopt, report);
    if (boxes_) report.tables.push_back(box_table(config_, *boxes_, end));
    add_lockstep(blocks_.compared(), report);
  }

 private:
  const OptwebPlatform& platform_;
  const OptwebWaveChoice& shown_;
  const OptwebConfig& config_;
  OptwebBlocks blocks_;
  OptwebFabric fabric_;
  ConfiguredModules modules_;
  OptwebNetwork network_;
  OptwebStats stats_;
  std::optional<OptwebBoxTimes> boxes_;
  std::unique_ptr<OptwebProfile> profile_;
  std::unique_ptr<OptwebWaves> waves_;
  bool interrupted_ = false;  // once it is, it stays so
};

}  // namespace

OptwebPlan::OptwebPlan(const OptwebSystemConfig& config, const BlockCatalog& blocks)
    : config_(config),
      platform_(config, blocks.optweb, blocks.optweb_boxes),
      graph_(optweb::network_graph(config.levels)) {
  if (config.has_traffic()) check_sources(config.workload.traffic, graph_, "node");
  check_waves(config.workload, config.has_traffic() ? config.workload.traffic : instruction_levels(), config.nodes);
}

ReportData OptwebPlan::header() const { return optweb_report_header(platform_); }

RunResult OptwebPlan::known() const {
  RunResult result;
  result.report = header();
  add_failure_notes(config_, std::nullopt, result.report);
  if (!config_.has_traffic()) return result;
  const Columns<ServiceConfig> columns{
      {vocabulary::kService, &ServiceConfig::name},
      {{"message", "words", "size of its messages"}, &ServiceConfig::message},
      {{"protocol", "", "eager or rendezvous"},
       [&](const ServiceConfig& s) { return s.bytes() > config_.eager_buffer ? "rendezvous" : "eager"; }},
      {{"zero_load_latency", "ns", "of a message over one link without contention"}, [&](const ServiceConfig& s) {
         const std::optional<Cycle> latency = zero_load_latency(config_, s.bytes());
         return latency ? Value{ns(*latency * config_.period.ps)} : Value{};
       }}};
  result.report.tables.push_back(
      make_table({"services", "Service levels", "One line per service level: values known before the run."}, columns,
                 config_.workload.traffic.services));
  return result;
}

std::unique_ptr<BuiltFabric> OptwebPlan::build(ClockDomain& domain, const Part&) const {
  return std::make_unique<BuiltOptweb>(domain, platform_, config_.workload.traffic.services.size(), config_);
}

std::string OptwebPlan::undivided(const RunOptions& options) const {
  const OptwebConfig& c = config_;
  if (options.ranks != nullptr && options.ranks->size() > c.nodes) {
    return fmt::format("a network cannot be cut into more parts than nodes ({})", c.nodes);
  }
  if (config_.has_traffic()) {
    return "messages of nodes ('traffic', 'trace') are simulated by one process, as all nodes append them to their "
           "instructions in one order; programs can be divided";
  }
  for (NodeId n = 0; n < c.nodes; ++n) {
    const OptwebImplementations i = c.implementations(n);
    const char* const rtl = !i.command_sequencer.is_model() ? "sequencer.implementation"
                            : !i.stripe_address.is_model()  ? "dmac.stripe_address"
                            : !i.link_sync.is_model()       ? "link.implementation"
                            : !i.switch_control.is_model()  ? "switch.implementation"
                                                            : nullptr;
    if (rtl != nullptr) {
      return fmt::format("RTL in the loop ('{}', or 'instances') is simulated by one process", rtl);
    }
  }
  if (!c.faults.empty() && optweb::RouteChoice::chooses(platform_.programs())) {
    return "routes round links that fail ('faults' with transfers by all paths or 'link.detour') are chosen when the "
           "first node comes to them, which other ranks learn later; they are simulated by one process";
  }
  if (c.hbm2) {
    return "the DRAM of 'memory.model: hbm2' is planned anew in the cycle in which a transfer begins at its sender, "
           "and slows others from then on, which other ranks learn later; it is simulated by one process";
  }
  if (!options.waves.empty()) {
    if (std::string reason = undivided_waves(config_.workload); !reason.empty()) return reason;
  }
  if (options.ranks != nullptr && OptwebCut::window(OptwebParameters(c), optweb_part(c, options.ranks).node_owners) < 1)
    return "links without a latency ('link') leave no time between ranks";
  return {};
}

RunResult OptwebPlan::run(const RunOptions& options) const {
  RunResult result;
  if (config_.has_traffic()) {
    result = simulate(*this, options);
    result.notes = {{"report.json, *.csv", "for programs: levels, latency histogram, links, nodes"}};
  } else {
    OptwebRunOptions own;
    static_cast<RunOptions&>(own) = options;
    own.profile = config_.workload.profile;
    own.shown = config_.waves;
    own.boxes = config_.boxes;
    result = run_optweb(platform_, own);
    result.notes = {{"report.json, *.csv", "for programs: instructions, nodes, curves of measured operations"}};
  }
  return result;
}

}  // namespace weft
