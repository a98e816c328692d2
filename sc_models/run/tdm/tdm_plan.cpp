#include "run/tdm/tdm_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "fabrics/tdm/message.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/observe/tdm_profile.h"
#include "fabrics/tdm/tdm_fabric.h"
#include "fabrics/tdm/tdm_network.h"
#include "fabrics/tdm/traffic/stream_supply.h"
#include "run/lockstep_report.h"
#include "run/simulation.h"
#include "run/tdm/circuit_records.h"
#include "run/tdm/program_phases_report.h"
#include "run/tdm/setup_endpoints.h"
#include "run/tdm/setup_report.h"
#include "run/tdm/tdm_report.h"
#include "run/tdm/tdm_waves.h"
#include "run/waves/rank_wave_file.h"

namespace weft {

std::uint32_t longest_of(const WordsOf& words) {
  return words.empty() ? 1 : *std::max_element(words.begin(), words.end());
}

namespace {

class BuiltTdm final : public BuiltCircuits {
 public:
  BuiltTdm(ClockDomain& domain, const TdmPlatform& platform, const TdmRunOptions& options, std::size_t services,
           const Part& part)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        part_(part),
        words_(words_of_pairs(platform)),
        blocks_(config_, platform.blocks()),
        fabric_(domain, platform.graph().nodes(), config_.tdm_switch.word_bits(), config_.tdm_switch.slots,
                platform.phases(), services, platform.program_phases().order),
        network_(fabric_name("tdm").c_str(), domain, config_, platform.graph(), platform.phases(), blocks_, fabric_,
                 platform.program_phases().order, part),
        circuits_(config_, platform.phases(), words_),
        links_(platform.graph(), platform.phases(), config_.tdm_switch.slots) {
    fabric_.join(network_);
    network_.add_observer(circuits_);
    network_.add_observer(links_);
    for (TdmObserver* o : options.observers) network_.add_observer(*o);
  }

  Fabric& fabric() override { return fabric_; }
  bool tells_pairs() const override { return true; }
  void shape_profile(ProfileShape& shape) const override { TdmProfile::shape(platform_.graph(), shape); }
  void record(NetworkProfile& profile) override {
    profile_ = std::make_unique<TdmProfile>(platform_.graph(), config_.tdm_switch.slots, profile);
    network_.add_observer(*profile_);
  }
  std::vector<WindowedStats*> windowed() override {
    return config_.has_traffic() ? std::vector<WindowedStats*>{&circuits_} : std::vector<WindowedStats*>();
  }
  void collect(Ranks& ranks) override {
    std::vector<std::uint64_t> numbers = links_.numbers();
    numbers.push_back(fabric_.words());
    ranks.sum(numbers);
    words_of_all_ = numbers.back();
    numbers.pop_back();
    links_.set_numbers(numbers);
    circuits_.collect(ranks.gather(circuits_.numbers()));
    for (const std::string& cycle : ranks.gather(std::to_string(fabric_.last_delivery()))) {
      last_delivery_of_all_ = std::max<Cycle>(last_delivery_of_all_, std::stoll(cycle));
    }
  }
  void open_files(const RunOptions& run) override {
    files_.open(options_.slot_trace, run.waves, platform_, part_, network_, blocks_, longest_of(words_.longest));
  }
  std::vector<std::string> close_files(Cycle last) override { return files_.close(last); }
  WaveWindow* wave_window() override { return files_.window(); }

  void add_results(const RunState& state, ReportData& report) const override {
    if (config_.has_endpoints()) {
      add_circuits(state, report);
    } else if (fabric_.outstanding() == 0) {
      // In a design of somebody's own, whose modules say when there is something to send. Words count when their train
      // begins, so those under way would be too many.
      report.tables.push_back(links_.carried(state.end));
    }
    const Cycle ready = fabric_.ready_at();
    const bool set_up = config_.setup.mode == SetupMode::central;
    if (set_up && config_.has_traffic() && (ready < 0 || ready > state.window.first)) {
      const std::string when =
          ready < 0 ? "were not in place when the run ended" : fmt::format("are in place from {} ns on", ns(ready));
      report.notes.push_back(
          fmt::format("circuits {}; messages wait for them, and the window begins at {} ns "
                      "(run.warm_up)",
                      when, ns(state.window.first)));
    }
    add_lockstep(blocks_.compared(), report);
  }
  std::uint64_t word_hops() const override { return links_.word_hops(); }

 private:
  double ns(Cycle cycles) const { return static_cast<double>(cycles * config_.tdm_switch.period.ps) / 1000.0; }
  // In the section of the run, and behind the tables of its messages.
  void add_circuits(const RunState& state, ReportData& report) const {
    const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                      [](const ReportSection& s) { return s.key == "run"; });
    std::vector<Figure>& run = section->figures;
    run.push_back({{"words", "1", "that the messages were cut into"},
                   static_cast<std::int64_t>(words_of_all_.value_or(fabric_.words())),
                   false});
    run.push_back({{"word_hops", "1", "words sent by switch outputs, those to hosts included"},
                   state.complete ? Value{static_cast<std::int64_t>(links_.word_hops())} : Value{},
                   false});
    for (Figure& f : circuits_.transit_figures()) run.push_back(std::move(f));
    std::vector<PhaseTimes> times = network_.controller().times();
    // The last phase ends with the run, its transfer with the last delivery.
    PhaseTimes& last = times.back();
    if (state.complete && last.data_end < 0) {
      last.data_end = std::max({last.data_start, fabric_.last_delivery(), last_delivery_of_all_});
    }
    add_collectives(platform_, report);
    add_steps(platform_, times, state.end, report);
    add_circuit_tables(platform_, circuits_, links_, times, state.end, report);
  }

  const TdmPlatform& platform_;
  const TdmConfig& config_;
  const TdmRunOptions& options_;
  const Part part_;
  const MessageWords words_;
  TdmBlocks blocks_;
  TdmFabric fabric_;
  TdmNetwork network_;
  CircuitStats circuits_;
  TdmLinkStats links_;
  std::unique_ptr<TdmProfile> profile_;
  TdmFiles files_;
  // Of several ranks.
  std::optional<std::uint64_t> words_of_all_;
  Cycle last_delivery_of_all_ = -1;
};

Workload workload_of(const TdmPlatform& platform) {
  const TdmConfig& c = platform.config();
  if (c.has_traffic()) return c.workload;
  Workload w;
  w.profile = c.observe.profile;
  w.wave_trigger = c.observe.waves.times.trigger;
  w.wave_transfers = c.observe.waves.times.transfers;
  w.traffic.seed = c.seed;
  w.traffic.period = c.tdm_switch.period;
  w.traffic.services = phase_services(c);
  if (c.has_endpoints()) w.traffic.services.resize(1);
  const TdmEndpointsConfig& e = c.endpoints;
  w.programs = {e.where,         c.programs,         e.nodes,   0,
                e.send_overhead, e.receive_overhead, e.combine, static_cast<std::uint64_t>(c.tdm_switch.word_bits())};
  w.programs.algorithms = platform.algorithms();
  if (c.follows_programs()) w.programs.phased = &platform.program_phases().programs;
  return w;
}

}  // namespace

TdmPlan::TdmPlan(const TdmConfig& config, const BlockCatalog& blocks)
    : own_platform_(std::make_unique<TdmPlatform>(config, blocks.tdm)),
      platform_(*own_platform_),
      options_(own_options_),
      workload_(workload_of(platform_)) {
  check_waves(workload_, workload_.traffic, platform_.graph().nodes());
}

TdmPlan::TdmPlan(const TdmPlatform& platform, const TdmRunOptions& options)
    : platform_(platform), options_(options), workload_(workload_of(platform)) {}

RunResult TdmPlan::known() const {
  const TdmConfig& c = platform_.config();
  const std::vector<PhasePlan>& phases = platform_.phases();
  RunResult result = FabricPlan::known();
  if (c.setup.mode == SetupMode::in_network) {
    add_setup_plan(platform_, c.has_endpoints() ? make_submitted_plan(platform_) : make_setup_plan(platform_),
                   result.report);
    add_collectives(platform_, result.report);
    return result;
  }
  const auto words_of_streams = [&]() -> MessageWords {
    const WordsOf words = StreamSupply(c, phases).words();
    return {words, words};
  };
  const CircuitStats circuits(c, phases, c.has_endpoints() ? words_of_pairs(platform_) : words_of_streams());
  const TdmLinkStats links(platform_.graph(), phases, c.tdm_switch.slots);
  add_plan_tables(platform_, circuits, links, result.report);
  add_collectives(platform_, result.report);
  result.artifacts = slot_table_artifacts(platform_);
  return result;
}

ReportData TdmPlan::header() const {
  ReportData report = tdm_report_header(platform_.config());
  if (platform_.config().setup.mode == SetupMode::in_network) {
    add_network_figures(platform_, report);
  } else {
    add_plan_figures(platform_, report);
  }
  return report;
}

std::vector<Figure> TdmPlan::program_links() const {
  const TdmConfig& c = platform_.config();
  const double rate =
      static_cast<double>(c.tdm_switch.word_bits()) * 1000.0 / static_cast<double>(c.tdm_switch.period.ps);
  Figure node_rate{{"node_rate", "Gb/s", "of the link of a node, one direction"}, rate, true};
  if (c.follows_programs()) return {std::move(node_rate)};
  std::uint32_t circuits = 0;
  for (const Flow& f : platform_.phases().front().flows) circuits = std::max(circuits, f.slots);
  return {std::move(node_rate),
          {{"circuit_rate", "Gb/s", "of the circuit from a node to another: its slots per frame"},
           rate * circuits / c.tdm_switch.slots,
           true}};
}

MessageWords words_of_pairs(const TdmPlatform& platform) {
  const auto words = [&](std::uint64_t bytes) {
    const DataSize size{static_cast<std::int64_t>(bytes) * 8};
    return static_cast<std::uint32_t>(words_of(size, platform.config().tdm_switch.word_bits()));
  };
  MessageWords out;
  for (const collectives::PairMessages& p : platform.pair_messages()) {
    out.longest.push_back(words(p.longest));
    out.shortest.push_back(words(p.shortest));
  }
  if (!out.longest.empty()) return out;
  std::size_t circuits = 0;
  for (const PhasePlan& p : platform.phases()) circuits += p.circuits.size();
  out.longest.assign(circuits, 1);
  out.shortest = out.longest;
  return out;
}

std::string TdmPlan::undivided(const RunOptions& options) const {
  const TdmConfig& c = platform_.config();
  if (options.ranks != nullptr && options.ranks->size() > graph().switches()) {
    return fmt::format("a network cannot be cut into more parts than switches ({})", graph().switches());
  }
  if (c.setup.mode == SetupMode::in_network && c.has_endpoints()) {
    return "messages of nodes over circuits that are set up in the network ('setup.mode: in_network' with 'traffic', "
           "'programs' or 'program') are simulated by one process; 'circuits' with sources of their own can be divided";
  }
  if (c.setup.mode == SetupMode::in_network && graph().has_bundles()) {
    return "requests that choose among parallel links ('setup.mode: in_network') are simulated by one process";
  }
  if (c.follows_programs()) {
    return "circuits that change with programs ('endpoints.collectives: circuits') are simulated by one process";
  }
  for (SwitchId sw = 0; sw < graph().switches(); ++sw) {
    const SwitchImplementations i = c.tdm_switch.implementations(sw);
    const char* const rtl = !i.data_path.is_model()    ? "data_path"
                            : !i.slot_lut.is_model()   ? "slot_lut"
                            : !i.setup_unit.is_model() ? "setup_unit"
                                                       : nullptr;
    if (rtl != nullptr) {
      return fmt::format(
          "RTL in the loop ('switch.{}.implementation', or 'switch.instances') is simulated by one process", rtl);
    }
  }
  if (!c.host.all_models()) return "RTL in the loop ('host_interface') is simulated by one process";
  if (c.observe.slot_trace) return "the trace of all slots ('observe.slot_trace') is written by one process";
  if (options.waves.empty()) return {};
  if (platform_.phases().size() > 1) {
    return "waves of several phases ('phases') are written by one process: other ranks learn at the end of a frame "
           "that a "
           "phase is over, when its first requests have been made";
  }
  return undivided_waves(workload_);
}

std::unique_ptr<BuiltFabric> TdmPlan::build(ClockDomain& domain, const Part& part) const {
  const std::size_t services = workload_.traffic.services.size();
  if (platform_.config().setup.mode == SetupMode::in_network) return build_setup(domain, platform_, options_, services);
  return std::make_unique<BuiltTdm>(domain, platform_, options_, services, part);
}

RunResult TdmPlan::run(const RunOptions& options) const {
  TdmRunOptions own = options_;
  static_cast<RunOptions&>(own) = options;
  if (!options.folder.empty()) own.slot_trace = options.folder + "/slot_trace.csv";
  RunResult result = run_tdm(platform_, own);
  if (platform_.config().setup.mode == SetupMode::in_network) {
    const std::string of_run = workload_.has_programs()           ? "operations, nodes, instructions, "
                               : platform_.config().has_traffic() ? "levels, latency histogram, "
                                                                  : "";
    result.notes = {{"report.json, *.csv", "for programs: " + of_run + "flows, circuits, failures"}};
  } else {
    result.notes = {{"report.json, *.csv", std::string("for programs: ") +
                                               (workload_.has_programs()           ? "operations, nodes, instructions, "
                                                : platform_.config().has_traffic() ? "levels, latency histogram, "
                                                                                   : "phases, ") +
                                               "circuits, links, slot tables"},
                    {"slot_tables.txt", "routes and port tables as text"}};
  }
  return result;
}

TdmRunResult run_tdm_endpoints(const TdmPlatform& platform, const TdmRunOptions& options) {
  const TdmPlan plan(platform, options);
  TdmRunResult result;
  static_cast<RunResult&>(result) = simulate(plan, options, [&](BuiltFabric& built) {
    result.word_hops = dynamic_cast<const BuiltCircuits&>(built).word_hops();
  });
  if (platform.config().setup.mode == SetupMode::in_network) return result;
  const auto tables = slot_table_artifacts(platform);
  result.artifacts.insert(result.artifacts.end(), tables.begin(), tables.end());
  return result;
}

}  // namespace weft
