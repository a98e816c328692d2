#pragma once
// Packet network of a run with its statistics: System is PacketSystem or IqSystem.

#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "fabrics/packet/observe/loss_stats.h"
#include "fabrics/packet/observe/packet_link_stats.h"
#include "fabrics/packet/packet_fabric.h"
#include "network/places.h"
#include "observe/values.h"
#include "run/adapters_report.h"
#include "run/fabric_plan.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

/// Cycles of a watchdog of this network, and whether it keeps messages in order.
PacketFabricOptions fabric_options(const PacketPlatform& platform);

template <class System>
class BuiltPacket final : public BuiltFabric {
 public:
  using Network = typename System::Network;
  BuiltPacket(ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions& options, const Part& part)
      : platform_(platform),
        config_(platform.config()),
        system_(domain, platform, options, part),
        fabric_(system_.network(), fabric_options(platform), system_.faults()),
        links_(platform.graph(), Window{0, Window::kOpen}),
        losses_(config_) {
    Network& network = system_.network();
    network.add_observer(links_);
    if (system_.faults() != nullptr) network.add_observer(losses_);
    for (PacketObserver* o : options.observers) network.add_observer(*o);
    system_.prepare(options);
  }

  Fabric& fabric() override { return fabric_; }
  std::vector<WindowedStats*> windowed() override { return {&links_}; }
  void collect(Ranks& ranks) override {
    std::vector<std::uint64_t> numbers = links_.numbers();
    ranks.sum(numbers);
    links_.set_numbers(numbers);
  }
  void open_waves(const std::string& path) override { waves_ = system_.waves(path, platform_); }
  std::vector<std::string> close_waves(Cycle last) override {
    return waves_ ? waves_->close(last) : std::vector<std::string>{};
  }
  const WaveWindow* wave_window() const override { return waves_ ? &waves_->window() : nullptr; }
  bool fault_begins_before(Cycle end) const override {
    return std::any_of(config_.faults.begin(), config_.faults.end(),
                       [&](const FaultConfig& f) { return f.down < end; });
  }
  std::vector<Figure> run_figures() const override {
    if (config_.programs.empty()) {
      return {{{"flit_hops", "1", "flits sent by switch outputs in the whole run"}, whole(links_.flit_hops()), false}};
    }
    return {{{"packets", "1", "that the messages were cut into"}, whole(fabric_.packets()), false}};
  }
  void add_results(const RunState& state, ReportData& report) const override {
    report.tables.push_back(links_.links());
    add_adapters(config_.adapters, platform_.graph(), config_.link.period, report);
    system_.add_schedulers(report);
    if (system_.faults() != nullptr) add_faults(state, report);
  }
  void fill(PacketRunResult& result) const {
    result.flit_hops = links_.flit_hops();
    result.message_hops = links_.message_hops();
    result.message_allocations = system_.network().pool().allocations();
  }

 private:
  void add_faults(const RunState& state, ReportData& report) const {
    const std::uint64_t left = state.stalled ? fabric_.outstanding() : 0;
    ReportSection faults{"faults", "Faults", {}};
    faults.figures = {
        {{"lost", "1", "messages of the whole run that were lost: cut on a wire, or without a route left"},
         whole(fabric_.counts().lost),
         true},
        {{"cut", "1", "messages that were on a wire when it failed, whether they have come back as lost or not"},
         whole(system_.faults()->cut_messages()),
         true},
        {{"stalled", "1", "messages still waiting in the network when nothing moved any more"}, whole(left), true},
        {{"flows", "1", "flows with lost or stalled messages"}, whole(losses_.suffering(state.stalled)), true}};
    report.sections.push_back(std::move(faults));
    report.tables.push_back(losses_.faults());
    report.tables.push_back(losses_.levels(state.stalled));
    report.tables.push_back(losses_.flows(state.stalled));
    if (state.stalled) {
      report.notes.push_back(fmt::format("{} messages stand still because links are down{}", left,
                                         std::regex_replace(fabric_.describe_stall(), std::regex("\n  "), "; ")));
    }
    const auto notes =
        fault_notes(config_.faults, platform_.graph(), state.complete ? std::optional(state.end) : std::nullopt);
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  }

  const PacketPlatform& platform_;
  const PacketConfig& config_;
  System system_;
  PacketFabric<Network> fabric_;
  PacketLinkStats links_;
  LossStats losses_;
  std::unique_ptr<typename System::Waves> waves_;
};

}  // namespace weft
