#pragma once
// Plan of a packet network for the one simulation: its workload, the networks it builds, and what its report has
// besides the common figures, beginning with what is known before it runs.

#include "run/fabric_plan.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

class PacketPlan final : public FabricPlan {
 public:
  /// Both must outlive the plan. Throws InputError as PacketPlatform does.
  PacketPlan(const PacketConfig& config, const BlockCatalog& blocks);
  /// `platform` and `options` must outlive the plan.
  PacketPlan(const PacketPlatform& platform, const PacketRunOptions& options);

  std::string title() const override { return platform_.config().title; }
  std::vector<Diagnostic> warnings() const override;
  std::string undivided(const RunOptions& options) const override;
  RunResult known() const override;

  const Workload& workload() const override { return workload_; }
  const Graph& graph() const override { return platform_.graph(); }
  std::int64_t flit_bits() const override { return platform_.config().link.flit.bits; }
  ReportData header() const override;
  std::vector<Figure> program_links() const override;
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const override;
  Part part(Ranks& ranks) const override;
  RunResult run(const RunOptions& options) const override;

 private:
  const std::unique_ptr<PacketPlatform> own_platform_;
  const PacketRunOptions own_options_;
  const PacketPlatform& platform_;
  const PacketRunOptions& options_;
  Workload workload_;
};

/// One simulation per process (the SystemC kernel does not restart).
PacketRunResult run_packet(const PacketPlatform& platform, const PacketRunOptions& options);

/// Figures known before anything has run (`weft check`).
RunResult plan_packet(const PacketPlatform& platform);

/// Title, seed and implementations of the report; no figures yet.
ReportData packet_report_header(const PacketPlatform& platform);
/// Adds the section `network`.
void add_packet_network(const PacketPlatform& platform, ReportData& report);

}  // namespace weft
