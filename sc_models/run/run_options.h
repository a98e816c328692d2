#pragma once
// Options and result of a run, whatever its fabric.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "observe/plot.h"
#include "observe/report.h"
#include "run/waves/wave_window.h"

namespace weft {

class Ranks;
class WaveTriggerWatch;

struct RunOptions {
  std::string waves;                          ///< FST file to write, empty: none
  std::optional<WaveSpan> wave_span;          ///< its time, instead of that of the configuration
  WaveTriggerWatch* watch = nullptr;          ///< is told of all messages
  std::string folder;                         ///< for files that are written while time goes on, empty: none
  std::function<bool()> interrupted;          ///< asked in every busy cycle; true ends the run with a partial report
  std::function<bool()> search_interrupted;   ///< the same while a copy of the process looks for observe.waves.trigger
  std::function<void(double)> progress;       ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;  ///< modules are served in random order, with the same results
  Ranks* ranks = nullptr;                     ///< processes that run the network together; null: this one alone
};

/// Chart that is written beside a report.
struct Picture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

/// Line of the list of results: names of files and their meaning.
struct FileNote {
  std::string names;
  std::string meaning;
};

struct RunResult {
  ReportData report;
  std::vector<Artifact> artifacts;  ///< to be written beside the report
  std::vector<Picture> pictures;    ///< likewise
  std::vector<FileNote> notes;      ///< of files beside report.html and pictures
  std::vector<std::string> files;   ///< written already: waves, their view, traces
  std::string waves;                ///< what their time is, when an event decides on it
  std::string failure;              ///< cause of a failed run, empty after one that succeeded
  bool interrupted = false;
  Cycle cycles = 0;  ///< cycle of the last event
};

}  // namespace weft
