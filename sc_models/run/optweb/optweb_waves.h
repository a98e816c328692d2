#pragma once
// The waveform of an OPTWEB network: signals of the models and pins of the Verilated blocks in one FST file. Several
// ranks show those of their nodes each (run/waves/rank_wave_file.h), and what comes out of links to other ranks: a link
// is simulated by the rank of its sender.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/optweb/optweb_blocks.h"
#include "fabrics/optweb/keys/optweb_system_config.h"
#include "fabrics/optweb/observe/hbm2_signals.h"
#include "fabrics/optweb/observe/optweb_box_signals.h"
#include "fabrics/optweb/observe/optweb_uses.h"
#include "fabrics/optweb/observe/optweb_wave_view.h"
#include "fabrics/optweb/observe/own_box_signals.h"
#include "fabrics/optweb/optweb_network.h"
#include "observe/wave_file.h"
#include "run/optweb/optweb_platform.h"
#include "run/waves/wave_window.h"

namespace weft {

/// The signals of a node's cycle hold from its first picosecond on, nodes with clocks of their own each from its own
/// edge; RTL clocks rise there and fall half a nominal period later.
class OptwebWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  OptwebWaves(const std::string& path, const OptwebWaveChoice& choice, const OptwebPlatform& platform,
              OptwebNetwork& network, OptwebBlocks& blocks);
  /// Before the first cycle, when the programs are loaded.
  void begin() { blocks_.settle(); }
  /// Completes the file, with a last cycle in which the run failed, and writes the GTKWave view beside it; returns the
  /// names of both. `last_cycle`: of all ranks.
  std::vector<std::string> close(Cycle last_cycle);
  /// In cycles of the agenda.
  WaveWindow& window() { return window_; }

 private:
  bool shows(Picoseconds time) const;
  void declare();
  /// Asks own boxes for their signals; returns those of all nodes. By all ranks.
  std::map<NodeId, std::vector<OwnBoxSignals::Declared>> ask_boxes();
  /// Of all nodes; by all ranks.
  std::map<NodeId, std::string> rows() const;
  void on_cycle(Cycle cycle);
  void show_cycle(Cycle cycle);
  Cycle first_needed(Cycle cycle) const;
  void show_node(NodeId node, bool written);
  void remember(NodeId node);
  void show_links(NodeId node, Cycle cycle);
  void fall_before(Picoseconds time);

  std::string path_;
  const OptwebPlatform& platform_;
  OptwebNetwork& network_;
  OptwebBlocks& blocks_;
  WaveWindow window_;
  std::vector<NodeId> nodes_;  // ascending
  std::unique_ptr<WaveFile> file_;
  std::vector<OptwebUses> uses_;  // by node
  OptwebWaveView view_;
  std::map<NodeId, OptwebBoxSignals> boxes_;
  std::map<NodeId, OwnBoxSignals> own_boxes_;
  std::map<NodeId, Hbm2Signals> memories_;
  struct Seen {  // at the end of the cycle before
    std::uint32_t completed = 0;
    bool busy = false;
  };
  std::vector<Seen> seen_;                             // by node
  std::vector<std::vector<std::size_t>> links_;        // by node, those that begin there and have an end here
  std::vector<std::pair<Picoseconds, NodeId>> edges_;  // in this cycle of the agenda
  std::deque<std::pair<Picoseconds, NodeId>> falls_;   // of RTL clocks, to come
  bool has_own_state_ = false;                         // RTL, or own boxes, which are asked
  bool over_ = false;                                  // the window
  Cycle last_ = -1;                                    // told of
  ClockDomain::HookId hook_ = 0;
};

}  // namespace weft
