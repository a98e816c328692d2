#pragma once
// Load of each directed link: slots reserved on it and words that crossed it.

#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/observer.h"
#include "network/graph.h"
#include "observe/columns.h"

namespace weft {

class TdmLinkStats final : public TdmObserver {
 public:
  TdmLinkStats(const Graph& graph, const std::vector<PhasePlan>& phases, std::uint32_t slots);

  bool wants_hops() const override { return true; }
  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_inject(NodeId source, std::uint32_t link, const Train& train) override;
  void on_inject_cut(NodeId source, std::uint32_t link, const TrainCut& cut) override;
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;

  // Of the parts of a network that several ranks have: words by phase and link, in sum those of the whole.
  std::vector<std::uint64_t> numbers() const;
  void set_numbers(const std::vector<std::uint64_t>& numbers);

  /// `data_cycles[p]`: length of phase p's data transfer. Links without a reserved slot are left out. A train's words
  /// count as soon as its first word moves, so words of a run that is not `complete` would be too many and are left
  /// empty.
  Table table(const std::vector<Cycle>& data_cycles, bool complete) const;
  /// Where circuits come and go, so that no slot is reserved for the whole of a phase: every link that carried words in
  /// a run of so many cycles.
  Table carried(Cycle cycles) const;
  /// Reserved slots only.
  Table plan_table() const;
  std::uint64_t word_hops() const;  ///< words sent by switch outputs, ejection included
  std::uint32_t reserved(std::size_t phase, LinkId link) const { return loads_[phase][link]; }
  std::uint64_t words(std::size_t phase, LinkId link) const { return words_[phase][link]; }

 private:
  /// A link with a reserved slot, in a phase.
  struct Row {
    std::size_t phase = 0;
    LinkId link = 0;
  };
  std::vector<Row> rows() const;
  Columns<Row> plan_columns() const;

  const Graph& graph_;
  const std::vector<PhasePlan>& phases_;
  std::uint32_t slots_;
  std::size_t phase_ = 0;
  std::vector<std::vector<std::uint32_t>> loads_;  // [phase][link]
  std::vector<std::vector<std::uint64_t>> words_;  // [phase][link]
};

}  // namespace weft
