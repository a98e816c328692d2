#pragma once
// Word-level views of a run: the waveform with model and RTL signals in one file, and the slot trace.

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/output_folder.h"
#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/observe/cell_view.h"
#include "fabrics/tdm/observe/wave_view.h"
#include "fabrics/tdm/observer.h"
#include "observe/wave_file.h"
#include "parallel/part.h"
#include "run/tdm/tdm_platform.h"
#include "run/waves/wave_window.h"

namespace weft {

/// One FST file. Signals of the models and of the Verilated blocks of the chosen switches are written in the chosen
/// time window; a cycle's signals hold from its first picosecond on, RTL clocks rise there and fall in its middle.
class TdmWaves final : public TdmObserver {
 public:
  /// `longest_message`: words of the longest message of the run.
  TdmWaves(const std::string& path, const TdmPlatform& platform, const Part& part, ObservedNetwork& network,
           TdmBlocks& blocks, std::uint32_t longest_message);
  ~TdmWaves() override;
  void on_cycle(Cycle cycle) override;
  /// Completes the file, with a last cycle in which the run failed, and writes the GTKWave view beside it; returns the
  /// names of both.
  std::vector<std::string> close(Cycle last_cycle);
  WaveWindow& window() { return window_; }

 private:
  std::string path_;
  const Part part_;
  Duration period_;
  WaveWindow window_;
  TdmBlocks& blocks_;
  std::unique_ptr<WaveFile> file_;
  std::vector<SwitchRtl> rtl_;
  TdmWaveView view_;
  CellView cells_;
  Cycle before_ = 1;   // cycles that it needs in front of the window
  bool over_ = false;  // the window
  Cycle last_ = -1;    // told of
};

/// slot_trace.csv: cycle,switch,port,slot,source,destinations,circuit,message,word for every word that leaves a switch.
class SlotTrace {
 public:
  /// Writes under `path`.part until closed. Throws InputError when that is not possible.
  SlotTrace(const std::string& path, const TdmPlatform& platform, ObservedNetwork& network);
  /// Completes the file under its final name; returns it.
  std::vector<std::string> close();

 private:
  void add(Cycle cycle, const std::vector<Cell>& cells);
  void flush();
  OutputFile output_;
  std::ofstream file_;
  fmt::memory_buffer text_;
  std::vector<std::string> circuits_;  // "source,destinations" per circuit
  std::uint32_t slots_;
  CellView cells_;
};

/// Waveform and slot trace of a run, as its options and its configuration ask for them.
class TdmFiles {
 public:
  /// Names of files; empty: none. Throws InputError for one that cannot be written. `longest_message`: words.
  void open(const std::string& slot_trace, const std::string& waves, const TdmPlatform& platform, const Part& part,
            ObservedNetwork& network, TdmBlocks& blocks, std::uint32_t longest_message);
  /// Completes them; returns their names.
  std::vector<std::string> close(Cycle last_cycle);
  /// Null without a waveform.
  WaveWindow* window() { return waves_ ? &waves_->window() : nullptr; }

 private:
  std::unique_ptr<SlotTrace> trace_;
  std::unique_ptr<TdmWaves> waves_;
};

}  // namespace weft
