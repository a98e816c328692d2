#pragma once
// Packet network of a run with its statistics. A System has the network, its faults, meters, waves and blocks in RTL,
// as PacketSystem does (run/packet/packet_system.h).

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "fabrics/packet/observe/loss_stats.h"
#include "fabrics/packet/packet_fabric.h"
#include "network/places.h"
#include "network/routing/route_lengths.h"
#include "observe/columns.h"
#include "observe/values.h"
#include "run/adapters_report.h"
#include "run/packet/packet_network_type.h"
#include "run/packet/packet_platform.h"

namespace weft {

/// Cycles of a watchdog of this network, and whether it keeps messages in order.
PacketFabricOptions fabric_options(const PacketPlatform& platform);

template <class System>
class BuiltPacket final : public BuiltPacketNetwork {
 public:
  using Network = typename System::Network;
  using Meters = typename System::Meters;
  BuiltPacket(ClockDomain& domain, const PacketPlatform& platform, const PacketRunOptions& options, const Part& part)
      : platform_(platform),
        config_(platform.config()),
        system_(domain, platform, options, part),
        fabric_(system_.network(), fabric_options(platform), system_.faults()),
        meters_(system_.network(), platform),
        losses_(config_) {
    Network& network = system_.network();
    if (system_.faults() != nullptr) network.add_observer(losses_);
    if (!part.whole()) losses_.be_part(domain);
    for (PacketObserver* o : options.observers) network.add_observer(*o);
    system_.prepare(options);
  }

  Fabric& fabric() override { return fabric_; }
  std::vector<WindowedStats*> windowed() override { return meters_.windowed(); }
  void collect(Ranks& ranks) override {
    std::vector<std::uint64_t> numbers = meters_.numbers();
    numbers.push_back(fabric_.packets());
    ranks.sum(numbers);
    if (system_.faults() != nullptr) losses_.collect(ranks.gather(losses_.numbers()));
    packets_ = numbers.back();
    numbers.pop_back();
    meters_.set_numbers(numbers);
  }
  void shape_profile(ProfileShape& shape) const override {
    const Graph& graph = platform_.graph();
    shape.links = graph.link_count();
    shape.link_name = [&graph](std::size_t link) { return graph.link_name(static_cast<LinkId>(link)); };
    shape.switches = meters_.knows_buffers() ? graph.switches() : 0;
  }
  void record(NetworkProfile& profile) override { meters_.record(profile); }
  std::optional<HopCounts> hops() const override {
    if (!config_.faults.empty() || fabric_.nodes() != platform_.graph().nodes()) return std::nullopt;
    RouteLengths lengths = route_lengths(platform_.routing(), platform_.graph());
    if (lengths.places == 0) return std::nullopt;
    return HopCounts(std::move(lengths.place), std::move(lengths.hops), lengths.places);
  }
  void open_waves(const std::string& path) override { waves_ = system_.waves(path, platform_); }
  std::vector<std::string> close_waves(Cycle last) override {
    return waves_ ? waves_->close(last) : std::vector<std::string>{};
  }
  WaveWindow* wave_window() override { return waves_ ? &waves_->window() : nullptr; }
  bool fault_begins_before(Cycle end) const override {
    return std::any_of(config_.faults.begin(), config_.faults.end(),
                       [&](const FaultConfig& f) { return f.down < end; });
  }
  std::vector<Figure> run_figures() const override {
    if (config_.programs.empty()) {
      return {{{"flit_hops", "1", "flits sent by switch outputs in the whole run"}, whole(meters_.flit_hops()), false}};
    }
    return {{{"packets", "1", "that the messages were cut into"}, whole(packets_.value_or(fabric_.packets())), false}};
  }
  void add_results(const RunState& state, ReportData& report) const override {
    report.tables.push_back(meters_.links());
    add_switches(report);
    add_adapters(config_.adapters, platform_.graph(), config_.link.period, report);
    system_.add_schedulers(report);
    if (system_.faults() != nullptr) add_faults(state, report);
  }
  void fill(PacketRunResult& result) const override {
    result.flit_hops = meters_.flit_hops();
    result.message_hops = meters_.message_hops();
    result.message_allocations = system_.network().pool().allocations();
  }

 private:
  void add_switches(ReportData& report) const {
    const std::vector<double> occupancy = meters_.occupancy();
    if (occupancy.empty()) return;
    const Graph& graph = platform_.graph();
    std::vector<std::uint32_t> nodes(graph.switches());
    for (NodeId n = 0; n < graph.nodes(); ++n) ++nodes[graph.attachment(n).sw];
    std::vector<SwitchId> rows(graph.switches());
    std::iota(rows.begin(), rows.end(), SwitchId{0});
    const Columns<SwitchId> columns{
        {{"switch", "", "its name"}, [](SwitchId s) { return fmt::format("sw[{}]", s); }},
        {{"nodes", "1", "network interfaces at it"}, [&](SwitchId s) { return nodes[s]; }},
        {{"occupancy", "flits", Meters::kOccupancy}, [&](SwitchId s) { return occupancy[s]; }}};
    Table t = make_table({"switches", "Switches", "One line per switch."}, columns, rows);
    t.bars = bars_of(t, "occupancy");
    report.tables.push_back(std::move(t));
  }

  void add_faults(const RunState& state, ReportData& report) const {
    const Fabric& fabric = state.fabric == nullptr ? fabric_ : *state.fabric;
    const std::uint64_t left = state.stalled ? fabric.outstanding() : 0;
    ReportSection faults{"faults", "Faults", {}};
    faults.figures = {
        {{"lost", "1", "messages of the whole run that were lost: cut on a wire, or without a route left"},
         whole(fabric.counts().lost),
         true},
        {{"cut", "1",
          "packets that were on a wire when it failed, whether they have come back as lost or not; a message that is "
          "not cut into packets is one"},
         whole(system_.faults()->cut_messages()),
         true},
        {{"stalled", "1", "messages still waiting in the network when nothing could move"}, whole(left), true},
        {{"flows", "1", "flows with lost or stalled messages"}, whole(losses_.suffering(state.stalled)), true}};
    report.sections.push_back(std::move(faults));
    report.tables.push_back(losses_.faults());
    report.tables.push_back(losses_.levels(state.stalled));
    report.tables.push_back(losses_.flows(state.stalled));
    if (const std::uint64_t lost = fabric.counts().lost; lost > 0) {
      report.notes.push_back(
          fmt::format("{} lost to links that are down in the whole run (tables 'faults', 'fates', "
                      "'fault_flows'); latencies are those of the others",
                      lost == 1 ? "1 message was" : fmt::format("{} messages were", lost)));
    }
    if (state.stalled) {
      report.notes.push_back(fmt::format("{} messages stand still because links are down{}", left,
                                         replaced(fabric.describe_stall(), "\n  ", "; ")));
    }
    const auto notes =
        fault_notes(config_.faults, platform_.graph(), state.complete ? std::optional(state.end) : std::nullopt);
    report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  }

  const PacketPlatform& platform_;
  const PacketConfig& config_;
  System system_;
  PacketFabric<Network> fabric_;
  Meters meters_;
  LossStats losses_;
  std::optional<std::uint64_t> packets_;  // of all parts
  std::unique_ptr<typename System::Waves> waves_;
};

}  // namespace weft
