#include "run/tdm/setup_endpoints.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/resource_need.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "fabrics/tdm/observe/tdm_profile.h"
#include "fabrics/tdm/setup/setup_fabric.h"
#include "run/lockstep_report.h"
#include "run/tdm/program_phases_report.h"
#include "run/tdm/setup_report.h"
#include "run/tdm/setup_tables.h"
#include "run/tdm/tdm_waves.h"

namespace weft {

std::uint32_t longest_message(const SetupPlan& plan) {
  std::uint32_t longest = 1;
  for (const TimedFlow& f : plan.flows) longest = std::max(longest, f.message_words);
  return longest;
}

namespace {

class BuiltSetup final : public BuiltCircuits {
 public:
  BuiltSetup(ClockDomain& domain, const TdmPlatform& platform, const TdmRunOptions& options, std::size_t services)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        plan_(make_submitted_plan(platform)),
        blocks_(config_, platform.blocks()),
        fabric_(domain, platform.graph().nodes(), config_.tdm_switch.word_bits(), plan_, services),
        network_(fabric_name("tdm").c_str(), domain, config_, platform.graph(), plan_, blocks_),
        links_(platform.graph(), platform.phases(), config_.tdm_switch.slots) {
    fabric_.join(network_);
    network_.add_observer(links_);
    for (TdmObserver* o : options.observers) network_.add_observer(*o);
  }

  Fabric& fabric() override { return fabric_; }
  bool tells_pairs() const override { return true; }
  std::vector<WindowedStats*> windowed() override {
    return config_.has_traffic() ? std::vector<WindowedStats*>{&network_.latencies()} : std::vector<WindowedStats*>();
  }
  std::optional<HopCounts> hops() const override { return setup_hops(plan_, platform_.graph().nodes()); }
  void shape_profile(ProfileShape& shape) const override { TdmProfile::shape(platform_.graph(), shape); }
  void record(NetworkProfile& profile) override {
    profile_ = std::make_unique<TdmProfile>(platform_.graph(), config_.tdm_switch.slots, profile);
    network_.add_observer(*profile_);
  }
  void open_files(const RunOptions& run) override {
    files_.open(options_.slot_trace, run.waves, platform_, {}, network_, blocks_, longest_message(plan_));
  }
  std::vector<std::string> close_files(Cycle last) override { return files_.close(last); }
  WaveWindow* wave_window() override { return files_.window(); }
  bool fault_begins_before(Cycle end) const override {
    return std::any_of(plan_.faults.begin(), plan_.faults.end(), [&](const Fault& f) { return f.at < end; });
  }

  std::vector<Figure> run_figures() const override {
    return {{{"words", "1", "that the messages were cut into"}, static_cast<std::int64_t>(fabric_.words()), false},
            {{"word_hops", "1", "words sent by switch outputs, those to hosts included"},
             static_cast<std::int64_t>(links_.word_hops()),
             false}};
  }
  void add_results(const RunState& state, ReportData& report) const override {
    add_collectives(platform_, report);
    if (config_.has_endpoints()) add_setup_results(platform_, network_, state.end, report);
    const bool over = config_.has_endpoints() || fabric_.outstanding() == 0;  // as in tdm_plan.cpp
    if (report.complete && over) report.tables.push_back(links_.carried(state.end));
    add_lockstep(blocks_.compared(), report);
  }
  std::uint64_t word_hops() const override { return links_.word_hops(); }

 private:
  const TdmPlatform& platform_;
  const TdmConfig& config_;
  const TdmRunOptions& options_;
  const SetupPlan plan_;
  TdmBlocks blocks_;
  SetupFabric fabric_;
  SetupNetwork network_;
  TdmLinkStats links_;
  std::unique_ptr<TdmProfile> profile_;
  TdmFiles files_;
};

}  // namespace

std::unique_ptr<BuiltCircuits> build_setup(ClockDomain& domain, const TdmPlatform& platform,
                                           const TdmRunOptions& options, std::size_t services) {
  constexpr std::uint64_t kFlow = 6200;  // source, sink, log, lines of the report: measured with 65,280 flows
  const std::size_t flows = platform.phases().front().flows.size();
  need_memory(flows * kFlow, platform.config().topology.where, fmt::format("the sources of {} circuits", flows));
  return std::make_unique<BuiltSetup>(domain, platform, options, services);
}

}  // namespace weft
