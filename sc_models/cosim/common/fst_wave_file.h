#pragma once
// WaveFile on Verilator's FST writer: model signals and Verilated blocks in one file.

#include <filesystem>
#include <functional>
#include <memory>

#include "observe/wave_file.h"

class VerilatedFstC;

namespace weft {

/// Whether the file is a waveform that FstWaveFile wrote, or began to write.
bool is_weft_wave(const std::filesystem::path& path);

/// Whether a process writes this half-written waveform at this moment.
bool is_being_written(const std::filesystem::path& part);

class FstWaveFile final : public WaveFile {
 public:
  /// Writes under `path`.part and renames when closed. Throws InputError when the folder cannot be written. dump() and
  /// close() throw RunError when the disk is full, or something else keeps the file from being whole: dump() once,
  /// close() again; what there is of the file then keeps its temporary name.
  explicit FstWaveFile(const std::filesystem::path& path);
  ~FstWaveFile() override;

  WaveSignal add_bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width) override;
  WaveSignal add_text(const std::string& name) override;
  void set(WaveSignal signal, std::uint64_t value) override;
  void set_text(WaveSignal signal, std::string_view text) override;
  void dump(std::uint64_t time_ps) override;
  void close(std::uint64_t end_ps) override;
  /// Completes the file, which keeps its temporary name.
  void close_unnamed();

  void open() override;

  /// For Verilated blocks.
  VerilatedFstC& verilated();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The one kind of wave file there is. Throws as FstWaveFile.
std::unique_ptr<WaveFile> make_wave_file(const std::filesystem::path& path);

/// The part of a file of make_wave_file() that Verilated blocks trace into.
VerilatedFstC& verilated_part(WaveFile& file);

}  // namespace weft
