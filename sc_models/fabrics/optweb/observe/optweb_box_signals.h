#pragma once
// Signals of the boxes of an OPTWEB node in a waveform: what each does, or waits for (fabrics/optweb/boxes/box_span.h
// has the states), and what it holds. Boxes, and places of boxes, that the programs do not use have none.

#include <string>
#include <string_view>
#include <vector>

#include "fabrics/optweb/observe/optweb_uses.h"
#include "fabrics/optweb/optweb_node.h"
#include "observe/wave_file.h"

namespace weft {

class OptwebBoxSignals {
 public:
  /// Declares them below `root`. All must outlive the signals. `node`: null: another rank has it, and shows them.
  OptwebBoxSignals(WaveFile& file, const std::string& root, NodeId number, const OptwebNode* node,
                   const OptwebUses& uses);
  /// As they are in the present cycle of the node. `busy_cycles`: of the agenda, up to now; `written`: into the file.
  void show(std::uint64_t busy_cycles, bool written);
  /// Rows of a GTKWave view: signals that have been anything but 0 or empty in a cycle that was written.
  std::string gtkw() const;

 private:
  struct Signal {
    WaveSignal signal = 0;
    std::string path;   // of GTKWave
    std::string alias;  // there; empty: not shown, as a text beside it says more
    const char* format = nullptr;
    bool moved = false;
  };
  struct Place {  // a link, or the way to the node itself
    NodeId peer = kNoId;
    std::size_t first = 0;  // number of its first signal
    std::size_t words = 0;  // number of that of its buffer
    std::size_t fifo = 0;   // and of its transmit FIFO
    bool queues = false;    // it has one
    bool holds = false;     // words are in its buffer, or may be
    bool sends = false;
    bool receives = false;
    bool buffer = false;
    bool notified = false;
  };
  void bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width,
            const std::string& alias);
  void text(const std::string& name, const std::string& alias);
  void set(std::uint64_t value);
  void set(std::string_view value);
  void set(const std::optional<OptwebBoxState>& state);
  void show_place(Place& place);
  void show_words(const Place& place);
  void show_fifo(const Place& place);

  WaveFile& file_;
  const OptwebNode* node_;
  OptwebUses uses_;
  std::string scope_;  // of the signal declared last
  std::vector<Signal> signals_;
  std::vector<Place> places_;
  std::size_t next_ = 0;                    // signal that is set next
  std::uint64_t seen_ = ~std::uint64_t{0};  // busy cycles when all were set
  Cycle next_state_ = 0;                    // a state changes without one
  bool written_ = false;                    // the last cycle shown
};

}  // namespace weft
