#pragma once
// A network, of whatever fabric, as a component of somebody else's SystemC design: base-protocol TLM-2.0 sockets at the
// chosen nodes, memory-mapped onto each other through the network.
//
//   const auto design = weft::cli::load_design(registry, "network.yaml", {}, diagnostics);
//   const auto plan = design->plan();
//   weft::TlmSystem network("network", *plan, {0, 5});     // bridges at nodes 0 and 5
//   network.map(0x1000, 4096, 5);                          // 0x1000..0x1fff live at node 5
//   cpu.socket.bind(network.node(0).initiator_side);
//   network.node(5).target_side.bind(memory.socket);
//
// The configuration says what the network is like; its traffic and programs are not run (`traffic: []` says that there
// is none). Circuits (fabric tdm) come from the configuration, too: bridges that talk need them in both directions.
// Blocks are model, RTL or lockstep as the configuration says.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "kernel/clock_domain.h"
#include "observe/report.h"
#include "observe/transfer_stats.h"
#include "run/fabric_plan.h"
#include "run/waves/transfer_streams.h"
#include "workload/tlm_bridges.h"

namespace weft {

class TlmSystem : public sc_core::sc_module, public Agent {
 public:
  /// `plan` must outlive the system. Throws InputError for a plan without endpoints or without these services, and for
  /// nodes that the network does not have or that are named twice.
  TlmSystem(sc_core::sc_module_name name, const Plan& plan, const std::vector<NodeId>& nodes,
            const TlmServices& services = {});

  TlmBridge& node(NodeId node) { return bridges_->at(node); }
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node) { bridges_->map(base, size, node); }
  /// Regions of a file (workload/address_map.h). Throws InputError for what is wrong in it, and for nodes without a
  /// bridge.
  void map(const std::string& file);
  /// Waveform (FST) of the network and of the signals given to trace() (run/trace.h), which are read in each cycle in
  /// which the network or one of them does something. Before the first sc_start(): observe.waves.from and until choose
  /// the time. Throws InputError later on, for a file that cannot be written, while another one is open, and where the
  /// configuration has a trigger (observe.waves.trigger), which only `weft run` looks for.
  void open_waves(const std::string& path);
  /// Completes it. Returns the names of the waveform and of its view. The destructor does it, too, without a look at
  /// signals given to trace(), which may be gone: they keep what they were at sc_stop(), or in the last cycle written.
  std::vector<std::string> close_waves();

  /// Report of all messages since time 0, requests and answers, up to the present cycle: latencies, loads of links,
  /// what RTL has compared; of a network that has failed the partial report. It ends the measurement: later ones are
  /// the same. `observe.profile` and message logs are those of `weft run`.
  const ReportData& report();
  /// Writes it as `weft run` does: report.html, report.json, a CSV file for each table. Returns their paths.
  std::vector<std::filesystem::path> write_report(const std::filesystem::path& folder);

  Fabric& fabric() { return built_->fabric(); }
  BuiltFabric& built() { return *built_; }

  ~TlmSystem() override;
  /// A node that owns addresses has a target: otherwise an sc_report error.
  void end_of_elaboration() override;
  void end_of_simulation() override;
  /// A traced signal has changed: the cycle is written.
  void due(Cycle, std::uint32_t) override {}

 private:
  const FabricPlan& plan_;
  ClockDomain domain_;
  std::unique_ptr<BuiltFabric> built_;
  std::unique_ptr<TlmBridges> bridges_;
  std::unique_ptr<TransferStats> stats_;
  std::optional<ReportData> report_;
  std::unique_ptr<TransferStreams> transfers_;  // in the waveform
  bool waves_ = false;
  bool left_ = false;  // the traced signals
  Cycle woken_ = -1;   // for a traced signal
};

}  // namespace weft
