#pragma once
// Expands trains into single words again, cycle by cycle: what waves and slot traces show. Costs one call per word that
// crosses a watched switch in the cycles that are shown, nothing for ports that are idle.

#include <functional>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "observe/wave_file.h"

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
  using Held = std::function<void(const std::vector<Cell>&)>;
  /// `sink` gets all cells of a cycle, ordered by switch and port; called for every cycle of `shown`, which must
  /// outlive the view and not change any more once time begins. `held`: is told before the first of them of the last
  /// cell of each output that has had one until then.
  CellView(std::uint32_t slots, std::vector<bool> watched_switches, const CycleRange& shown, Sink sink, Held held = {});

  bool wants_hops() const override { return true; }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;
  void on_cycle(Cycle cycle) override;
  /// Tells of held cells, unless it has; `first`: the first cycle that is shown, or the one behind the last of the run.
  void begin(Cycle first);

 private:
  struct Stream {
    SwitchId sw;
    PortId out;
    Train train;
  };
  struct Last {  // word of an output before the cycles that are shown
    Cycle cycle = -1;
    Train train;
    std::uint32_t words = 0;  // of the train, up to it
  };
  void note(const Stream& stream, std::uint32_t words);
  void forget(std::vector<Stream>& streams, Cycle now);

  std::uint32_t slots_;
  std::vector<bool> watched_;
  const CycleRange& shown_;
  Sink sink_;
  Held held_;
  bool begun_ = false;
  std::vector<std::vector<Last>> last_;       // by switch and output
  std::vector<std::vector<Stream>> by_slot_;  // streams that send in a slot
  std::vector<bool> unordered_;               // by slot: streams were added since they were last sorted
  std::vector<Cell> cells_;
};

}  // namespace weft
