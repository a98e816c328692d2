#pragma once
// One waveform of a network of which each rank simulates a part. All ranks declare the same signals and show those of
// their part, each in a file of its own; when the run is over the first rank makes one waveform of these files, the
// same as one process writes. The files stand beside the waveform (w.fst.rank1.part), so the ranks need a file system
// in common.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cosim/common/fst_wave_file.h"
#include "observe/wave_file.h"
#include "parallel/part.h"
#include "workload/workload.h"

namespace weft {

class RankWaveFile final : public WaveFile {
 public:
  RankWaveFile(std::string path, Ranks& ranks) : path_(std::move(path)), ranks_(ranks) {}

  WaveSignal add_bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width) override;
  WaveSignal add_text(const std::string& name) override;
  void set(WaveSignal signal, std::uint64_t value) override;
  void set_text(WaveSignal signal, std::string_view text) override;
  /// By all ranks. Throws on all of them when the file of one cannot be written.
  void open() override;
  void dump(std::uint64_t time_ps) override;
  /// By all ranks, as open().
  void close(std::uint64_t end_ps) override;
  /// What ranks show at the end and later is left out: signals keep what they were in the last cycle. `marks`: the end
  /// is a time of the waveform. Before close().
  void hold_end(bool marks) {
    holds_ = true;
    marks_ = marks;
  }

 private:
  struct Declared {
    std::vector<std::string> scopes;
    std::string name;
    std::uint32_t width = 0;  // of text 0
  };
  std::string part_of(RankId rank) const;
  void announce();
  void declare_in(WaveFile& file) const;
  /// All ranks: throws on each when one of them has something to complain of.
  void agree(const std::string& complaint);
  void merge(std::uint64_t end_ps) const;

  std::string path_;
  Ranks& ranks_;
  std::vector<Declared> declared_;
  std::vector<std::function<void(WaveFile&)>> early_;  // values set before the file is open
  std::unique_ptr<FstWaveFile> own_;
  WaveSignal beat_ = 0;  // changes whenever a rank dumps, so that its file has all these times
  bool beats_ = false;
  bool holds_ = false;
  bool marks_ = false;
};

/// The waveform of a network, or of a part of one. Throws as FstWaveFile.
std::unique_ptr<WaveFile> make_wave_file(const std::string& path, const Part& part);

/// One process, or the one of several ranks that writes the results of all.
inline bool writes_results(const Part& part) { return part.whole() || part.ranks->rank() == 0; }

/// The first of the cycles that ranks have found, -1 where there is none; by all ranks of a part.
Cycle first_of_all(const Part& part, Cycle mine);

/// Why several ranks cannot write the waveform of such a run; empty: they can.
std::string undivided_waves(const Workload& workload);

}  // namespace weft
