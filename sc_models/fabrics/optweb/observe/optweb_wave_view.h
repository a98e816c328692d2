#pragma once
// Model signals of an OPTWEB network in a waveform, and the GTKWave view that shows them.
//
// Per node: the command sequencer's state ("idle", "fetch" for fetch and decode, "run") with the instruction by name;
// readers and writers of M_DMAC that are at work; notifications and transfers the instruction still waits for. Per
// link that programs use: what the data-active lane towards the other node carries ("data", "note" for a notification)
// and whether it is active, and the same of the lane from there as it comes in; of a link that fails or makes bit
// errors, whether it is "down" or "repeats". A signal holds during the cycle of its node that it belongs to. Those of
// the boxes within a node: fabrics/optweb/observe/optweb_box_signals.h.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "observe/wave_file.h"

namespace weft {

/// Signals of a lane in a cycle.
enum class OptwebLane : std::uint8_t { rest, data, notification };

/// Of a link that fails or makes bit errors.
enum class OptwebLinkState : std::uint8_t { up, repeats, down };

/// A node in one cycle.
struct OptwebNodeState {
  std::string state;
  std::string instruction;
  std::uint32_t reading = 0;        ///< readers at work
  std::uint32_t writing = 0;        ///< transfers expected and not yet counted
  std::uint32_t notifications = 0;  ///< expected and not yet come
};

class OptwebWaveView {
 public:
  struct Link {
    NodeId from = kNoId;
    NodeId to = kNoId;
    bool out = true;  ///< the programs use it in this direction
    bool in = true;
    bool fails = false;  ///< or makes bit errors: it has a state
  };
  /// Top modules of a node's Verilated blocks; empty: there is none.
  struct Rtl {
    std::string sequencer;
    std::string addresses;
    std::string links;  ///< both of each end
    std::string control;
  };
  /// `nodes`: those that are shown. `rtl`: by node. `period`: of the cycles that show_out() is told. `file` must
  /// outlive the view.
  OptwebWaveView(WaveFile& file, std::string root, std::vector<NodeId> nodes, std::vector<Rtl> rtl,
                 std::vector<Link> links, Duration period);

  void show_node(NodeId node, const OptwebNodeState& state);
  /// Signals of link `index`, seen from its first node: out in `cycle` (-1: one that is not written), and in from the
  /// other one.
  void show_out(std::size_t index, Cycle cycle, OptwebLane out);
  void show_in(std::size_t index, OptwebLane in);
  /// Of a link that fails.
  void show_state(std::size_t index, OptwebLinkState state);
  const std::vector<Link>& links() const { return links_; }
  /// Cycle in which a link is active first; -1: none is.
  Cycle first_activity() const { return first_activity_; }
  void set_first_activity(Cycle first) { first_activity_ = first; }
  /// Further rows of a node in the view.
  void add_rows(std::function<std::string(NodeId)> boxes) { boxes_ = std::move(boxes); }

  /// GTKWave save file: groups by node, texts shown as texts, at most eight nodes, from the first activity of a link
  /// on.
  std::string gtkw(const std::string& fst) const;

 private:
  struct Node {
    WaveSignal state, instruction, reading, writing, notifications;
  };
  struct Signals {
    WaveSignal out, out_text, in, in_text, state;
  };
  std::string node_path(NodeId node) const;

  WaveFile& file_;
  std::string root_;
  std::function<std::string(NodeId)> boxes_;
  std::vector<Link> links_;
  Duration period_;
  std::vector<NodeId> shown_;
  std::vector<Rtl> rtl_;
  std::vector<Node> nodes_;       // by number; of those that are shown
  std::vector<Signals> signals_;  // by link
  Cycle first_activity_ = -1;
};

}  // namespace weft
