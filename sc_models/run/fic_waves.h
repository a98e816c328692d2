#pragma once
// Word-level views of a run: the waveform with model and RTL signals in one file, and the slot trace.

#include <memory>
#include <string>

#include "cosim/fic_blocks.h"
#include "cosim/fst_wave_file.h"
#include "fabric/tdm/fic_network.h"
#include "report/report.h"
#include "report/wave_view.h"
#include "run/fic_platform.h"
#include "stats/cell_view.h"

namespace weft {

/// One FST file. Signals of the models and of the Verilated blocks of the chosen switches are written in the chosen time
/// window; a cycle's signals hold from its first picosecond on, RTL clocks rise there and fall in its middle.
class FicWaves final : public FabricObserver {
 public:
  FicWaves(const std::string& path, const FicPlatform& platform, FicNetwork& network, FicBlocks& blocks);
  ~FicWaves() override;
  void on_cycle(Cycle cycle) override;
  /// Completes the file.
  void close(Cycle last_cycle);
  /// The GTKWave view, to be written beside the waveform.
  Artifact view() const;

 private:
  std::string path_;
  Duration period_;
  Cycle from_;
  Cycle until_;
  FicBlocks& blocks_;
  FstWaveFile file_;
  WaveView view_;
  CellView cells_;
  Cycle last_ = 0;
};

/// slot_trace.csv: cycle,switch,port,slot,source,destinations,circuit,message,word for every word that leaves a switch.
class SlotTrace {
 public:
  SlotTrace(const FicPlatform& platform, FicNetwork& network);
  std::string take() { return std::move(text_); }

 private:
  void add(Cycle cycle, const std::vector<Cell>& cells);
  std::string text_;
  std::vector<std::string> circuits_;  // "source,destinations" per circuit
  std::uint32_t slots_;
  CellView cells_;
};

}  // namespace weft
