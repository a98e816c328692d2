#pragma once
// Plan of an ideal network for the one simulation.

#include <map>
#include <utility>

#include "fabrics/ideal/ideal_network.h"
#include "fabrics/ideal/keys/ideal_config.h"
#include "run/fabric_plan.h"

namespace weft {

class IdealPlan final : public FabricPlan {
 public:
  /// Throws InputError for patterns and traces that do not fit the nodes. `config` must outlive the plan.
  explicit IdealPlan(const IdealConfig& config);

  std::string title() const override { return config_.title; }
  RunResult known() const override;

  const Workload& workload() const override { return config_.workload; }
  const Graph& graph() const override { return graph_; }
  std::int64_t flit_bits() const override { return config_.flit.bits; }
  ReportData header() const override;
  std::vector<Figure> program_links() const override;
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const override;
  Part part(Ranks& ranks) const override;
  std::string undivided(const RunOptions& options) const override;
  RunResult run(const RunOptions& options) const override;

  /// What the network is built with.
  IdealParameters parameters() const;

 private:
  const IdealConfig& config_;
  Graph graph_;
  std::map<std::pair<NodeId, NodeId>, Cycle> pairs_;  // with a latency of their own
};

}  // namespace weft
