#pragma once
// Signals of the pseudo channels of a node in a waveform (key `memory.model: hbm2`), by memory interface: what its
// commands do in a cycle of the node, the bank and row of the last burst, and counts since the beginning: bursts by
// what they met, turns of the data bus, refreshes (algorithms/dram/pseudo_channel.h). Interfaces that the programs do
// not use have none. Refreshes are shown from the first use of the stripe on.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/dram/pseudo_channel.h"
#include "fabrics/optweb/observe/optweb_uses.h"
#include "fabrics/optweb/optweb_node.h"
#include "observe/wave_file.h"

namespace weft {

class Hbm2Signals {
 public:
  /// Declares them below `root`. All must outlive the signals. `node`: null: another rank has it, and shows them.
  /// Before anything uses the memory.
  Hbm2Signals(WaveFile& file, const std::string& root, NodeId number, OptwebNode* node, const OptwebConfig& config,
              const OptwebUses& uses);
  /// As they are in the present cycle of the node. `written`: into the file.
  void show(bool written);
  /// Rows of a GTKWave view: of interfaces that have been used in a cycle that was written.
  std::string gtkw() const;

 private:
  static constexpr std::size_t kCounts = 5;
  struct Interface {
    std::uint32_t number = 0;
    std::string path;  // of the scope, in GTKWave
    WaveSignal busy = 0;
    WaveSignal state = 0;
    WaveSignal bank = 0;
    WaveSignal row = 0;
    std::array<WaveSignal, kCounts> counted{};
    dram::Command last;        // burst
    dram::Tick refreshed = 0;  // end of the last refresh
    bool moved = false;        // it was busy in a cycle that was written
  };
  std::string_view state_of(Interface& interface, const std::vector<dram::Command>& commands) const;

  WaveFile& file_;
  OptwebNode* node_;
  const OptwebConfig& config_;
  std::vector<Interface> interfaces_;
};

}  // namespace weft
