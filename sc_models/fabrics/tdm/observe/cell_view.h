#pragma once
// Expands trains into single words again, cycle by cycle: what waves and slot traces show. Costs one call per word that
// crosses a watched switch, nothing for ports that are idle.

#include <functional>
#include <vector>

#include "fabrics/tdm/observer.h"

namespace weft {

/// One word leaving a switch output.
struct Cell {
  SwitchId sw = 0;
  PortId out = 0;
  const Train* train = nullptr;
  std::uint32_t word = 0;  ///< index within its message
};

class CellView final : public TdmObserver {
 public:
  using Sink = std::function<void(Cycle, const std::vector<Cell>&)>;
  /// `sink` gets all cells of a cycle, ordered by switch and port; called for every cycle in [from, until).
  CellView(std::uint32_t slots, std::vector<bool> watched_switches, Cycle from, Cycle until, Sink sink);

  bool wants_hops() const override { return true; }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;
  void on_cycle(Cycle cycle) override;

 private:
  struct Stream {
    SwitchId sw;
    PortId out;
    Train train;
  };
  std::uint32_t slots_;
  std::vector<bool> watched_;
  Cycle from_;
  Cycle until_;
  Sink sink_;
  std::vector<std::vector<Stream>> by_slot_;  // streams that send in a slot
  std::vector<bool> unordered_;               // by slot: streams were added since they were last sorted
  std::vector<Cell> cells_;
};

}  // namespace weft
