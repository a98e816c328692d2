#pragma once
// Signals of a design's own boxes in a node (key `boxes`): the words that have entered and left each one on the path of
// words, what it does or waits for, and what a box adds itself (fabrics/optweb/boxes/box_trace.h).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fabrics/optweb/distributed_switch.h"
#include "fabrics/optweb/observe/optweb_uses.h"
#include "fabrics/optweb/optweb_node.h"
#include "observe/wave_file.h"

namespace weft {

class OwnBoxSignals {
 public:
  /// A signal of a box, which a rank that has not got the box declares, too.
  struct Declared {
    std::vector<std::string> scopes;  ///< below the node
    std::string name;
    std::uint32_t width = 0;  ///< of text 0
    template <class Archive>
    void serialize(Archive& archive) {
      archive(scopes, name, width);
    }
  };
  /// Asks the boxes of a node, which must outlive the signals. Throws InputError for a signal of a box that cannot be.
  OwnBoxSignals(const OptwebNode& node, const OptwebUses& uses);
  std::vector<Declared> declared() const;
  /// Declares them below `root`.
  void declare(WaveFile& file, const std::string& root);
  /// The same for those of a node of another rank.
  static void declare_far(WaveFile& file, const std::string& root, NodeId node, const std::vector<Declared>& signals);
  bool empty() const { return signals_.empty(); }
  /// As they are in the present cycle of the node. `written`: into the file.
  void show(WaveFile& file, bool written);
  /// Rows of a GTKWave view: signals that have been anything but 0 or empty in a cycle that was written.
  std::string gtkw() const;

 private:
  class Scope;
  struct Signal : Declared {
    bool viewed = true;  // in the view
    std::function<std::uint64_t()> bits;
    std::function<std::string()> text;
    WaveSignal signal = 0;
    std::string path;  // of GTKWave
    bool moved = false;
  };
  using Flow = DistributedSwitch::BoxFlow;
  /// The flow of a word box in the cycle that is shown; its numbers do not fall while an instruction is under way.
  struct Box {
    std::function<Flow()> read;
    Flow flow;
  };
  void add_words(const char* side, const WordBoxes& boxes, Flow (DistributedSwitch::*flow)(std::size_t) const);

  const OptwebNode& node_;
  std::vector<Signal> signals_;
  std::vector<std::unique_ptr<Box>> boxes_;
};

}  // namespace weft
